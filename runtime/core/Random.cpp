// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The state of random numbers whose state programs do not say: a key, and a counter of draws.

#include "mlir_xla/runtime/core/Environment.h"
#include "mlir_xla/runtime/xla_rt.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>
#include <unistd.h>

using namespace xla_rt;

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

/// With the mutex held. False, with the reason in `message`, if the environment has a seed that is none.
bool ensureSeeded(char *message, size_t room) {
  if (seeded)
    return true;
  uint64_t seed;
  Setting setting = readEnvironment("XLA_RT_RANDOM_SEED", 0, UINT64_MAX, seed, message, room);
  if (setting == Setting::Wrong)
    return false;
  if (setting == Setting::Given) {
    setSeed(seed, /*byUser=*/true);
    return true;
  }
  if (getrandom(&seed, sizeof(seed), GRND_NONBLOCK) != sizeof(seed))
    seed = static_cast<uint64_t>(time(nullptr)) * 0x9E3779B97F4A7C15u + static_cast<uint64_t>(getpid());
  setSeed(seed, /*byUser=*/false);
  return true;
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

int xla_rt_next_random_state(uint64_t state[3]) {
  char message[256];
  pthread_mutex_lock(&mutex);
  bool isSeeded = ensureSeeded(message, sizeof(message));
  if (isSeeded) {
    state[0] = key;
    state[1] = 0;
    state[2] = draws++;
  }
  pthread_mutex_unlock(&mutex);
  if (!isSeeded)
    xla_rt_set_error(message);
  return isSeeded ? 0 : 1;
}
