// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The state of random numbers whose state programs do not say: a key, and a counter of draws.

#include "mlir_xla/runtime/core/Execution.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>
#include <unistd.h>

namespace {

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
bool seeded = false;
bool chosen = false; // the seed is the user's
uint64_t key = 0, draws = 0;

/// With the mutex held.
void setSeed(uint64_t seed, bool byUser) {
  key = seed;
  draws = 0;
  seeded = true;
  chosen = byUser;
}

void ensureSeeded() {
  if (seeded)
    return;
  if (const char *text = getenv("XLA_RT_RANDOM_SEED"); text && *text)
    return setSeed(strtoull(text, nullptr, 0), /*byUser=*/true);
  uint64_t seed;
  if (getrandom(&seed, sizeof(seed), GRND_NONBLOCK) != sizeof(seed))
    seed = static_cast<uint64_t>(time(nullptr)) * 0x9E3779B97F4A7C15u + static_cast<uint64_t>(getpid());
  setSeed(seed, /*byUser=*/false);
}

/// A forked child finds the mutex free, and draws other numbers than its parent unless they have a seed in common.
[[maybe_unused]] const int atFork =
    pthread_atfork([] { pthread_mutex_lock(&mutex); }, [] { pthread_mutex_unlock(&mutex); },
                   [] {
                     seeded &= chosen;
                     pthread_mutex_unlock(&mutex);
                   });

} // namespace

void xla_rt_set_random_seed(uint64_t seed) {
  pthread_mutex_lock(&mutex);
  setSeed(seed, /*byUser=*/true);
  pthread_mutex_unlock(&mutex);
}

void xla_rt_next_random_state(uint64_t state[3]) {
  pthread_mutex_lock(&mutex);
  ensureSeeded();
  state[0] = key;
  state[1] = 0;
  state[2] = draws++;
  pthread_mutex_unlock(&mutex);
}
