// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The registry of functions that programs reach by name through `xla.custom_call`.

#include "mlir_xla/runtime/xla_rt.h"

#include <new>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

namespace {

struct Entry {
  Entry *next;
  char *target;
  xla_rt_custom_call_fn function;
  void *userData;
};

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
Entry *entries = nullptr;

/// With the mutex held.
Entry **find(const char *target) {
  Entry **entry = &entries;
  while (*entry && strcmp((*entry)->target, target) != 0)
    entry = &(*entry)->next;
  return entry;
}

/// A forked child finds the mutex free: no other thread holds it at the fork.
[[maybe_unused]] const int atFork = pthread_atfork(
    [] { pthread_mutex_lock(&mutex); }, [] { pthread_mutex_unlock(&mutex); }, [] { pthread_mutex_unlock(&mutex); });

} // namespace

void xla_rt_register_custom_call(const char *target, xla_rt_custom_call_fn function, void *user_data) {
  pthread_mutex_lock(&mutex);
  Entry **slot = find(target);
  if (Entry *old = *slot; old && !function) {
    *slot = old->next;
    free(old->target);
    delete old;
  } else if (old) {
    old->function = function;
    old->userData = user_data;
  } else if (function) {
    *slot = new (std::nothrow) Entry{nullptr, strdup(target), function, user_data};
  }
  pthread_mutex_unlock(&mutex);
}

/// What the runtime itself answers, whatever is registered.
static bool isRandomState(const char *target) { return strcmp(target, "xla_rt.random_state") == 0; }

int xla_rt_has_custom_call(const char *target) {
  if (isRandomState(target))
    return 1;
  pthread_mutex_lock(&mutex);
  int found = *find(target) != nullptr;
  pthread_mutex_unlock(&mutex);
  return found;
}

void xla_rt_custom_call(const xla_rt_custom_call_info *info) {
  if (isRandomState(info->target) && info->num_results == 1 && strstr(info->signature, "-> tensor<3xui64>")) {
    if (xla_rt_next_random_state(static_cast<uint64_t *>(info->results[0])))
      xla_rt_fail(nullptr);
    return;
  }
  pthread_mutex_lock(&mutex);
  Entry *entry = *find(info->target);
  xla_rt_custom_call_fn function = entry ? entry->function : nullptr;
  void *userData = entry ? entry->userData : nullptr;
  pthread_mutex_unlock(&mutex);
  char message[512];
  bool hasPlace = info->location && *info->location;
  if (!function) {
    snprintf(message, sizeof(message), "custom_call target '%.200s' is not registered with the runtime%s%.200s",
             info->target, hasPlace ? ": " : "", hasPlace ? info->location : "");
    return xla_rt_fail(message);
  }
  if (function(userData, info) != 0) {
    // A function that fails without a message of its own still names itself.
    snprintf(message, sizeof(message), "custom_call target '%.200s' failed%s%.200s", info->target, hasPlace ? ": " : "",
             hasPlace ? info->location : "");
    xla_rt_fail(message);
  }
}
