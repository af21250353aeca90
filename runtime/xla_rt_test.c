/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Tests of the runtime through its C interface: every item runs once, slow workers, nested and concurrent loops,
 * scratch, errors, the buffer cache, copies, custom calls and how programs are stopped. Prints "ok" or says what
 * failed. */

#include "mlir_xla/runtime/xla_rt.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define CHECK(condition)                                                                                               \
  do {                                                                                                                 \
    if (!(condition)) {                                                                                                \
      fprintf(stderr, "%s:%d: failed: %s\n", __FILE__, __LINE__, #condition);                                          \
      exit(1);                                                                                                         \
    }                                                                                                                  \
  } while (0)

static void count(void *args, int64_t begin, int64_t end, void *scratch) {
  int *counts = args;
  for (int64_t i = begin; i < end; ++i)
    ++counts[i];
  (void)scratch;
}

static void testEveryItemOnce(void) {
  int64_t sizes[] = {1, 2, 3, 7, 64, 1000, 1001, 65537};
  for (int s = 0; s < 8; ++s) {
    for (int64_t grain = 1; grain < 5000; grain = grain * 7) {
      int *counts = calloc(sizes[s], sizeof(int));
      xla_rt_parallel_for(count, counts, sizes[s], grain, 0);
      for (int64_t i = 0; i < sizes[s]; ++i)
        CHECK(counts[i] == 1);
      free(counts);
    }
  }
  xla_rt_parallel_for(count, NULL, 0, 1, 0);
}

struct begins {
  int calls;
  int64_t of[64];
};

static void noteBegin(void *args, int64_t begin, int64_t end, void *scratch) {
  struct begins *begins = args;
  begins->of[__atomic_fetch_add(&begins->calls, 1, __ATOMIC_RELAXED)] = begin;
  (void)end, (void)scratch;
}

/* Two threads begin with the first item and the middle one, in steps of whole grains. */
static void testEqualParts(void) {
  xla_rt_set_num_threads(2);
  for (int64_t grain = 1; grain < 4; ++grain) {
    struct begins begins = {0};
    xla_rt_parallel_for(noteBegin, &begins, 36, grain, 0);
    int fromMiddle = 0;
    for (int i = 0; i < begins.calls; ++i) {
      CHECK(begins.of[i] % grain == 0);
      fromMiddle += begins.of[i] == 18;
    }
    CHECK(fromMiddle == 1);
  }
}

/* Without grains, each call is of a whole piece. */
static void testWholePieces(void) {
  xla_rt_set_num_threads(2);
  int64_t sizes[] = {1, 2, 7, 1000};
  for (int s = 0; s < 4; ++s) {
    struct begins begins = {0};
    xla_rt_parallel_for(noteBegin, &begins, sizes[s], 0, 0);
    CHECK(begins.calls >= 1 && begins.calls <= 16);
    int counts[1000] = {0};
    xla_rt_parallel_for(count, counts, sizes[s], 0, 0);
    for (int64_t i = 0; i < sizes[s]; ++i)
      CHECK(counts[i] == 1);
  }
}

static void noteFirst(void *args, int64_t begin, int64_t end, void *scratch) {
  int64_t *word = scratch;
  if (*word == -1)
    __atomic_fetch_add((int *)args, 1, __ATOMIC_RELAXED);
  *word = begin;
  (void)end;
}

/* Scratch memory keeps what a thread has left in it for its next piece, in which it finds that it is not the first. */
static void testScratchIsKept(void) {
  for (int threads = 1; threads <= 2; ++threads) {
    xla_rt_set_num_threads(threads);
    for (int again = 0; again < 3; ++again) {
      int firsts = 0;
      xla_rt_parallel_for(noteFirst, &firsts, 100, 1, 64);
      CHECK(firsts >= 1 && firsts <= threads);
    }
  }
}

struct slow {
  pthread_t caller;
  int *counts;
};

static void countSlowly(void *args, int64_t begin, int64_t end, void *scratch) {
  struct slow *slow = args;
  struct timespec pause = {0, 3000000};
  if (!pthread_equal(pthread_self(), slow->caller))
    nanosleep(&pause, NULL);
  count(slow->counts, begin, end, scratch);
}

/* A caller that is done long before the workers sleeps until they are. */
static void testSlowWorkers(void) {
  for (int round = 0; round < 30; ++round) {
    int counts[8] = {0};
    struct slow slow = {pthread_self(), counts};
    xla_rt_parallel_for(countSlowly, &slow, 8, 1, 0);
    for (int i = 0; i < 8; ++i)
      CHECK(counts[i] == 1);
  }
}

static void nested(void *args, int64_t begin, int64_t end, void *scratch) {
  int *counts = args;
  CHECK(scratch && ((uintptr_t)scratch & 63) == 0);
  memset(scratch, 1, 4096);
  for (int64_t i = begin; i < end; ++i)
    xla_rt_parallel_for(count, counts + i * 10, 10, 1, 0);
}

static void testNested(void) {
  int counts[1000] = {0};
  xla_rt_parallel_for(nested, counts, 100, 1, 4096);
  for (int i = 0; i < 1000; ++i)
    CHECK(counts[i] == 1);
}

static void *caller(void *unused) {
  (void)unused;
  for (int round = 0; round < 300; ++round) {
    int counts[513] = {0};
    xla_rt_parallel_for(count, counts, 513, 1, 0);
    for (int i = 0; i < 513; ++i)
      CHECK(counts[i] == 1);
  }
  return NULL;
}

static void testConcurrentCallers(void) {
  pthread_t threads[4];
  for (int i = 0; i < 4; ++i)
    CHECK(pthread_create(&threads[i], NULL, caller, NULL) == 0);
  for (int i = 0; i < 4; ++i)
    pthread_join(threads[i], NULL);
}

static void failAt37(void *args, int64_t begin, int64_t end, void *scratch) {
  (void)args, (void)scratch;
  if (begin <= 37 && 37 < end)
    xla_rt_set_error("item 37");
}

static void testErrors(void) {
  CHECK(xla_rt_take_error() == NULL);
  for (int round = 0; round < 100; ++round) {
    xla_rt_parallel_for(failAt37, NULL, 100, 1, 0);
    const char *message = xla_rt_take_error();
    CHECK(message && strcmp(message, "item 37") == 0);
    CHECK(xla_rt_take_error() == NULL);
  }
  xla_rt_set_error("first");
  xla_rt_set_error("second");
  CHECK(strcmp(xla_rt_take_error(), "first") == 0);
}

static void testMemory(void) {
  for (int64_t bytes = 0; bytes < (int64_t)1 << 23; bytes = bytes * 3 / 2 + 1) {
    char *block = xla_rt_alloc(bytes);
    CHECK(block && ((uintptr_t)block & 63) == 0);
    memset(block, 7, bytes);
    xla_rt_free(block);
    char *again = xla_rt_alloc(bytes);
    CHECK(again == block);
    xla_rt_free(again);
  }
  CHECK(xla_rt_trim() > 0 && xla_rt_trim() == 0);
  CHECK(xla_rt_alloc(-1) == NULL);

  int64_t n = (3 << 20) + 17;
  char *from = xla_rt_alloc(n), *to = xla_rt_alloc(n);
  for (int64_t i = 0; i < n; ++i)
    from[i] = (char)(i * 31);
  memset(to, 0, n);
  xla_rt_copy(to, from, n);
  CHECK(memcmp(to, from, n) == 0);
  xla_rt_free(from);
  xla_rt_free(to);

  double filled[5], value = 1.5;
  xla_rt_fill(filled, &value, 8, 5);
  for (int i = 0; i < 5; ++i)
    CHECK(filled[i] == 1.5);

  /* Several cores share these. */
  char element[16];
  for (int i = 0; i < 16; ++i)
    element[i] = (char)(i + 1);
  for (int64_t size = 1; size <= 16; size *= 2) {
    char *many = xla_rt_alloc(n), wrong = 0;
    int64_t count = (n - 1) / size;
    memset(many, 0, n);
    xla_rt_fill(many, element, size, count);
    for (int64_t i = 0; i < count * size; ++i)
      wrong |= many[i] != element[i % size];
    CHECK(!wrong && many[count * size] == 0);
    xla_rt_free(many);
  }
}

static int doubled(void *user, const xla_rt_custom_call_info *info) {
  if (info->num_operands != 1)
    return 1;
  *(float *)info->results[0] = *(float *)info->operands[0] * *(float *)user;
  return 0;
}

static void testCustomCalls(void) {
  float factor = 2, in = 21, out = 0;
  void *operands[] = {&in}, *results[] = {&out};
  xla_rt_custom_call_info info = {"test.double", "", "(tensor<f32>) -> tensor<f32>", operands, 1, results, 1, NULL};
  CHECK(!xla_rt_has_custom_call("test.double"));
  xla_rt_custom_call(&info);
  CHECK(strstr(xla_rt_take_error(), "'test.double' is not registered"));
  xla_rt_register_custom_call("test.double", doubled, &factor);
  xla_rt_custom_call(&info);
  CHECK(out == 42 && xla_rt_take_error() == NULL);
  info.num_operands = 0;
  xla_rt_custom_call(&info);
  CHECK(strstr(xla_rt_take_error(), "failed"));
  xla_rt_register_custom_call("test.double", NULL, NULL);
  CHECK(!xla_rt_has_custom_call("test.double"));
}

/* Programs for testStopping: arguments[0] counts what was begun. */
static void pollForever(void *const *arguments, void *const *results, void *arena) {
  (void)results, (void)arena;
  for (;;) {
    ++*(int64_t *)arguments[0];
    xla_rt_poll();
  }
}

static void pollInItems(void *args, int64_t begin, int64_t end, void *scratch) {
  for (int64_t i = begin; i < end; ++i) {
    __atomic_fetch_add((int64_t *)args, 1, __ATOMIC_RELAXED);
    if (scratch)
      memset(scratch, 1, 4096);
    xla_rt_poll();
  }
}

static void longLoops(void *const *arguments, void *const *results, void *arena) {
  (void)results, (void)arena;
  xla_rt_parallel_for(pollInItems, arguments[0], INT64_MAX / 1024, 1, 4096);
  abort(); /* the loop does not come back */
}

static void callFailing(void *const *arguments, void *const *results, void *arena) {
  (void)results, (void)arena;
  ++*(int64_t *)arguments[0];
  xla_rt_custom_call_info info = {"test.unknown", "", "() -> ()", NULL, 0, NULL, 0, NULL};
  xla_rt_custom_call(&info);
  abort();
}

static void runToEnd(void *const *arguments, void *const *results, void *arena) {
  (void)results, (void)arena;
  *(int64_t *)arguments[0] = 0;
  xla_rt_parallel_for(pollInItems, arguments[0], 1000, 1, 0);
}

static int nestedRun(void *user) {
  int64_t began = 0;
  void *arguments[] = {&began};
  CHECK(xla_rt_run(runToEnd, arguments, NULL, NULL, NULL, NULL) == 0 && began == 1000);
  return ++*(int *)user == 3;
}

static void testStopping(void) {
  int64_t began = 0;
  void *arguments[] = {&began};
  xla_rt_poll(); /* outside of an execution: nothing */
  xla_rt_program programs[] = {pollForever, longLoops};
  for (int i = 0; i < 2; ++i) {
    int questions = 0;
    CHECK(xla_rt_run(programs[i], arguments, NULL, NULL, nestedRun, &questions) == 1);
    CHECK(questions == 3 && began > 0);
    CHECK(xla_rt_run(runToEnd, arguments, NULL, NULL, NULL, NULL) == 0 && began == 1000);
  }
  began = 0;
  CHECK(xla_rt_run(callFailing, arguments, NULL, NULL, NULL, NULL) == 0 && began == 1);
  CHECK(strstr(xla_rt_take_error(), "test.unknown"));
}

static void *runForever(void *program) {
  int64_t began = 0;
  void *arguments[] = {&began};
  CHECK(xla_rt_run((xla_rt_program)program, arguments, NULL, NULL, NULL, NULL) == 1);
  return NULL;
}

/* The last test: it cannot be undone. */
static void testStopOthers(void) {
  pthread_t threads[2];
  CHECK(pthread_create(&threads[0], NULL, runForever, (void *)pollForever) == 0);
  CHECK(pthread_create(&threads[1], NULL, runForever, (void *)longLoops) == 0);
  xla_rt_stop_other_threads();
  pthread_join(threads[0], NULL);
  pthread_join(threads[1], NULL);
  int64_t began = 0;
  void *arguments[] = {&began};
  CHECK(xla_rt_run(runToEnd, arguments, NULL, NULL, NULL, NULL) == 0 && began == 1000);
}

static void testRandomState(void) {
  uint64_t first[3], second[3], again[3];
  xla_rt_next_random_state(first);
  xla_rt_next_random_state(second);
  CHECK(first[0] == second[0] && first[2] + 1 == second[2]);
  xla_rt_set_random_seed(7);
  xla_rt_next_random_state(first);
  CHECK(first[0] == 7 && first[1] == 0 && first[2] == 0);
  xla_rt_set_random_seed(7);
  uint64_t *results[] = {again};
  xla_rt_custom_call_info info = {
      "xla_rt.random_state", "", "() -> tensor<3xui64>", NULL, 0, (void **)results, 1, NULL};
  CHECK(xla_rt_has_custom_call("xla_rt.random_state"));
  xla_rt_custom_call(&info);
  CHECK(memcmp(first, again, sizeof(first)) == 0);
  // With another signature it is a custom call like others, which nobody has registered.
  info.signature = "() -> tensor<2xui64>";
  xla_rt_custom_call(&info);
  CHECK(xla_rt_take_error() != NULL);
}

static void testTileRegisters(void) {
  int answer = xla_rt_allow_tile_registers();
  CHECK(answer == 0 || answer == 1);
  CHECK(xla_rt_allow_tile_registers() == answer);
}

int main(void) {
  for (int64_t threads = 1; threads <= 5; ++threads) {
    xla_rt_set_num_threads(threads);
    CHECK(xla_rt_num_threads() == threads);
    testEveryItemOnce();
    testSlowWorkers();
    testNested();
    testConcurrentCallers();
    testErrors();
    testStopping();
  }
  testEqualParts();
  testWholePieces();
  testScratchIsKept();
  xla_rt_set_num_threads(0);
  CHECK(xla_rt_num_threads() >= 1);
  testMemory();
  testTileRegisters();
  testCustomCalls();
  testRandomState();
  testStopOthers();
  puts("ok");
  return 0;
}
