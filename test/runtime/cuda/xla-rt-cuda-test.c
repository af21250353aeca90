/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Tests of libxla_rt_cuda through its C interface: xla-rt-cuda-test <what> [<driver library>]. `run` is for any driver;
 * the others are about errors, most of them with fake-cuda.c, which fails as it is told to. Prints
 * "ok" or says what failed. */

#include "fake-cuda.h"
#include "mlir_xla/runtime/cuda/xla_rt_cuda.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define CHECK(condition)                                                                                               \
  do {                                                                                                                 \
    if (!(condition)) {                                                                                                \
      const char *error = xla_rt_take_error();                                                                         \
      fprintf(stderr, "%s:%d: failed: %s\nerror: %s\n", __FILE__, __LINE__, #condition, error ? error : "none");       \
      exit(1);                                                                                                         \
    }                                                                                                                  \
  } while (0)

/* Takes the error, which has to contain all of these. */
static void expectError(int line, const char *const *parts) {
  const char *error = xla_rt_take_error();
  for (; *parts; ++parts)
    if (!error || !strstr(error, *parts)) {
      fprintf(stderr, "%s:%d: no '%s' in the error: %s\n", __FILE__, line, *parts, error ? error : "none");
      exit(1);
    }
}
#define EXPECT_ERROR(...) expectError(__LINE__, (const char *const[]){__VA_ARGS__, NULL})

static const char *library;
static fake_cuda *fake; /* null with another driver */
static fake_cuda_state_fn fakeState;

/* --- Programs ---------------------------------------------------------------------------------------------------- */

static const char ptx[] =
    ".version 8.0\n.target sm_80\n.address_size 64\n"
    ".visible .entry scale(.param .u64 to, .param .u64 from, .param .f32 factor, .param .u64 n)\n{\n"
    "//.sm_90 griddepcontrol.wait;\n"
    "  .reg .pred %p<2>;\n  .reg .b32 %r<7>;\n  .reg .b64 %rd<10>;\n"
    "  mov.u32 %r1, %ctaid.x;\n  mov.u32 %r2, %ntid.x;\n  mov.u32 %r3, %tid.x;\n"
    "  mul.wide.u32 %rd1, %r1, %r2;\n  cvt.u64.u32 %rd2, %r3;\n  add.s64 %rd3, %rd1, %rd2;\n"
    "  ld.param.u64 %rd4, [n];\n  setp.ge.u64 %p1, %rd3, %rd4;\n  @%p1 bra $DONE;\n"
    "  ld.param.u64 %rd5, [to];\n  ld.param.u64 %rd6, [from];\n  ld.param.f32 %r4, [factor];\n"
    "  cvta.to.global.u64 %rd5, %rd5;\n  cvta.to.global.u64 %rd6, %rd6;\n  shl.b64 %rd7, %rd3, 2;\n"
    "  add.s64 %rd8, %rd6, %rd7;\n  ld.global.b32 %r5, [%rd8];\n  mul.rn.f32 %r6, %r5, %r4;\n"
    "  add.s64 %rd9, %rd5, %rd7;\n  st.global.b32 [%rd9], %r6;\n$DONE:\n  ret;\n}\n"
    ".visible .entry below(.param .u64 to, .param .u64 from, .param .f32 limit)\n{\n"
    "  .reg .pred %p<2>;\n  .reg .b32 %r<4>;\n  .reg .b64 %rd<3>;\n"
    "  ld.param.u64 %rd1, [to];\n  ld.param.u64 %rd2, [from];\n  ld.param.f32 %r1, [limit];\n"
    "  cvta.to.global.u64 %rd1, %rd1;\n  cvta.to.global.u64 %rd2, %rd2;\n"
    "  ld.global.b32 %r2, [%rd2];\n  setp.lt.f32 %p1, %r2, %r1;\n  selp.b32 %r3, 1, 0, %p1;\n"
    "  st.global.u8 [%rd1], %r3;\n  ret;\n}\n"
    ".visible .entry fault()\n{\n"
    "  .reg .b32 %r<2>;\n  .reg .b64 %rd<2>;\n"
    "  mov.u64 %rd1, 64;\n  mov.u32 %r1, 1;\n  st.global.u32 [%rd1], %r1;\n  ret;\n}\n";

static const xla_rt_cuda_kernel kernels[] = {{"scale", "xla.multiply", "model.mlir:3:8", XLA_RT_CUDA_ALL_IMAGES},
                                             {"fault", "xla.gather", "model.mlir:7:4", XLA_RT_CUDA_ALL_IMAGES},
                                             {"below", "xla.compare", "model.mlir:9:4", XLA_RT_CUDA_ALL_IMAGES}};

#define N 1000

static void scale(float *to, const float *from, float factor, int64_t n) {
  int64_t sizes[7] = {(n + 127) / 128, 1, 1, 128, 1, 1, 0};
  void *arguments[] = {&to, &from, &factor, &n};
  xla_rt_cuda_launch(0, sizes, arguments);
}

/* results: 6 * the argument; twice the constant; complex numbers. */
static void straight(void *const *arguments, void *const *results, void *arena) {
  double pair[2] = {1.5, -2.5};
  scale(arena, arguments[0], 2, N);
  scale((float *)arena + N, arena, 3, N);
  xla_rt_cuda_copy(results[0], (float *)arena + N, N * sizeof(float));
  scale(results[1], xla_rt_cuda_constant_address(1), 2, 4);
  xla_rt_cuda_fill(results[2], pair, 16, 5);
}

/* Doubles while the first element is below 100. */
static void loop(void *const *arguments, void *const *results, void *arena) {
  (void)arena;
  float first;
  xla_rt_cuda_copy(results[0], arguments[0], N * sizeof(float));
  for (xla_rt_cuda_read(&first, results[0], 4); first < 100; xla_rt_cuda_read(&first, results[0], 4))
    scale(results[0], results[0], 2, N);
}

static void below(void *to, const float *from, float limit) {
  int64_t sizes[7] = {1, 1, 1, 1, 1, 1, 0};
  void *arguments[] = {&to, &from, &limit};
  xla_rt_cuda_launch(2, sizes, arguments);
}

/* Likewise, and the device may decide; the argument, multiplied by -1 in a loop of 7 iterations and a step more, 5
 * times; one of up to three branches: the last, and then the first; branches in a branch, some of which do nothing. */
static void decided(void *const *arguments, void *const *results, void *arena) {
  float *first = results[1], *second = arena;
  char *predicate = (char *)arena + N * 4;
  xla_rt_cuda_copy(results[0], arguments[0], N * sizeof(float));
  xla_rt_cuda_begin_loop(-1, 1);
  for (below(predicate, results[0], 100); xla_rt_cuda_repeat(predicate); below(predicate, results[0], 100)) {
    scale(results[0], results[0], 2, N);
    xla_rt_cuda_begin_branches(predicate, 0, 2, "11"); /* nothing changes in the second */
    if (xla_rt_cuda_take_branch(0))
      scale(results[0], results[0], 1, N);
    if (xla_rt_cuda_take_branch(1))
      scale(results[0], results[0], 0, N);
    xla_rt_cuda_end_branches();
    xla_rt_cuda_begin_branches(predicate, 0, 2, "01");
    if (xla_rt_cuda_take_branch(1))
      scale(results[0], results[0], 0, N);
    xla_rt_cuda_end_branches();
  }
  scale(first, arguments[0], 1, N);
  xla_rt_cuda_begin_loop(5, 1);
  while (xla_rt_cuda_repeat(NULL)) {
    xla_rt_cuda_begin_loop(7, 2);
    while (xla_rt_cuda_repeat(NULL)) {
      scale(second, first, -1, N);
      float *other = first;
      first = second, second = other;
    }
    scale(second, first, -1, N);
    float *other = first;
    first = second, second = other;
  }
  if (first != results[1])
    scale(results[1], first, 1, N);
  xla_rt_cuda_fill(predicate, (int32_t[]){9}, 4, 1);
  for (int count = 1; count < 4; ++count) {
    xla_rt_cuda_begin_branches(predicate, 1, count, "111");
    for (int i = 0; i < count; ++i)
      if (xla_rt_cuda_take_branch(i)) {
        xla_rt_cuda_fill(predicate, (int32_t[]){0}, 4, 1); /* decided is decided */
        scale(results[2], arguments[0], (float)(10 * count + i), N);
      }
    xla_rt_cuda_end_branches();
  }
  xla_rt_cuda_begin_branches(predicate, 0, 2, "11");
  for (int i = 0; i < 2; ++i)
    if (xla_rt_cuda_take_branch(i)) {
      xla_rt_cuda_begin_branches(predicate, 1, 4, "1010");
      for (int j = 0; j < 3; j += 2)
        if (xla_rt_cuda_take_branch(j))
          scale(results[2], results[2], (float)(2 * i + j), N);
      xla_rt_cuda_end_branches();
    }
  xla_rt_cuda_end_branches();
  xla_rt_cuda_begin_branches(predicate, 1, 3, "011");
  for (int i = 1; i < 3; ++i)
    if (xla_rt_cuda_take_branch(i))
      scale(results[2], results[2], 0, N);
  xla_rt_cuda_end_branches();
}

static void subtract(const int64_t *parameters, void *const *buffers, int64_t begin, int64_t end, void *scratch) {
  const float *from = buffers[0];
  float *updated = buffers[1], *new = buffers[2];
  memset(scratch, 1, 64);
  for (int64_t i = begin; i < end; ++i) {
    updated[i] -= from[i];
    new[i] = (float)parameters[0];
  }
}

static void library_call(void *const *arguments, void *const *results, void *arena) {
  (void)arena;
  int64_t parameter = 11, bytes[] = {N * 4, N * 4, N * 4};
  void *buffers[] = {(void *)arguments[0], results[0], results[1]};
  scale(results[0], arguments[0], 5, N);
  xla_rt_cuda_library_call call = {subtract, &parameter, buffers, bytes, 1, 3, /*updated=*/1, N, 64};
  xla_rt_cuda_call_library(&call);
  scale(results[1], results[1], 2, N);
}

static void custom_call(void *const *arguments, void *const *results, void *arena) {
  (void)arena;
  int64_t bytes[] = {N * 4, N * 4};
  scale(results[0], arguments[0], 5, N);
  xla_rt_custom_call_info info = {"test.negate", "", "", (void **)results, 1, (void **)results + 1, 1, NULL};
  xla_rt_cuda_custom_call(&info, bytes);
  scale(results[1], results[1], 2, N);
}

static int custom_calls_fail;
static int negate(void *user, const xla_rt_custom_call_info *info) {
  (void)user;
  if (custom_calls_fail) {
    xla_rt_set_error("no negation today");
    return 1;
  }
  for (int i = 0; i < N; ++i)
    ((float *)info->results[0])[i] = -((float *)info->operands[0])[i];
  return 0;
}

static void faulty(void *const *arguments, void *const *results, void *arena) {
  (void)arena;
  int64_t sizes[7] = {1, 1, 1, 1, 1, 1, 0};
  scale(results[0], arguments[0], 2, N);
  xla_rt_cuda_launch(1, sizes, NULL);
}

static void tooManyThreads(void *const *arguments, void *const *results, void *arena) {
  (void)arguments, (void)results, (void)arena;
  int64_t sizes[7] = {1, 1, 1, 2048, 1, 1, 0};
  void *to = NULL;
  float factor = 1;
  int64_t n = 0;
  void *values[] = {&to, &to, &factor, &n};
  xla_rt_cuda_launch(0, sizes, values);
  abort(); /* it does not come back */
}

static void muchSharedMemory(void *const *arguments, void *const *results, void *arena) {
  (void)arena;
  int64_t sizes[7] = {8, 1, 1, 128, 1, 1, 100 << 10}, n = N;
  void *to = results[0], *from = arguments[0];
  float factor = 4;
  void *values[] = {&to, &from, &factor, &n};
  xla_rt_cuda_launch(0, sizes, values);
  xla_rt_cuda_launch(0, sizes, values);
}

static void askForever(void *const *arguments, void *const *results, void *arena) {
  (void)results, (void)arena;
  float first;
  for (;;)
    xla_rt_cuda_read(&first, arguments[0], 4);
}

static const float factors[] = {9, 9, 9}, constant[] = {1, 2, 3, 4};
static const xla_rt_cuda_constant constants[] = {{factors, sizeof(factors)}, {constant, sizeof(constant)}};

static const xla_rt_cuda_image images[] = {{ptx, 80, 0, 0}};

static xla_rt_cuda_program *load(xla_rt_cuda_device *device, xla_rt_program entry, int reads_device) {
  xla_rt_cuda_code code = {images,
                           sizeof(images) / sizeof(images[0]),
                           kernels,
                           3,
                           constants,
                           2,
                           entry,
                           /*arena_bytes=*/N * 8,
                           reads_device,
                           /*num_arguments=*/1,
                           /*num_results=*/3};
  return xla_rt_cuda_load(device, &code);
}

/* --- What works -------------------------------------------------------------------------------------------------- */

/* Buffers of one execution: what is not used stays zero. */
typedef struct data {
  float in[N], out[3][N];
  void *argument, *results[3];
} data;

/* Each returns 0, or 1 with an error. */
static int makeData(xla_rt_cuda_device *device, data *d) {
  for (int i = 0; i < N; ++i)
    d->in[i] = (float)(i + 1);
  memset(d->out, 0, sizeof(d->out));
  d->argument = d->results[0] = d->results[1] = d->results[2] = NULL;
  if (!(d->argument = xla_rt_cuda_alloc(device, sizeof(d->in))))
    return 1;
  for (int i = 0; i < 3; ++i)
    if (!(d->results[i] = xla_rt_cuda_alloc(device, sizeof(d->out[i]))) ||
        xla_rt_cuda_upload(device, d->results[i], d->out[i], sizeof(d->out[i])))
      return 1;
  return xla_rt_cuda_upload(device, d->argument, d->in, sizeof(d->in));
}

static int getData(xla_rt_cuda_device *device, data *d) {
  for (int i = 0; i < 3; ++i)
    if (xla_rt_cuda_download(device, d->out[i], d->results[i], sizeof(d->out[i])))
      return 1;
  return 0;
}

static void freeData(xla_rt_cuda_device *device, data *d) {
  xla_rt_cuda_free(device, d->argument);
  for (int i = 0; i < 3; ++i)
    xla_rt_cuda_free(device, d->results[i]);
}

static int isStraight(const data *d) {
  const double *pairs = (const double *)d->out[2];
  for (int i = 0; i < N; ++i)
    if (d->out[0][i] != 6 * d->in[i])
      return 0;
  for (int i = 0; i < 4; ++i)
    if (d->out[1][i] != 2 * constant[i])
      return 0;
  for (int i = 0; i < 5; ++i)
    if (pairs[2 * i] != 1.5 || pairs[2 * i + 1] != -2.5)
      return 0;
  return pairs[10] == 0;
}

static int isLooped(const data *d) {
  for (int i = 0; i < N; ++i)
    if (d->out[0][i] != 128 * d->in[i])
      return 0;
  return 1;
}

static int isDecided(const data *d) {
  for (int i = 0; i < N; ++i)
    if (d->out[1][i] != d->in[i] || d->out[2][i] != 60 * d->in[i])
      return 0;
  return isLooped(d);
}

static int isCalled(const data *d, float first, float second) {
  for (int i = 0; i < N; ++i)
    if (d->out[0][i] != first * d->in[i] || d->out[1][i] != second * (second == 22 ? 1 : d->in[i]))
      return 0;
  return 1;
}

/* Whether there is an error, which stays. */
static int hasError(void) {
  const char *error = xla_rt_take_error();
  if (error && xla_rt_out_of_memory())
    xla_rt_set_out_of_memory(error);
  else if (error)
    xla_rt_set_error(error);
  return error != NULL;
}

/* Loads a program, runs it some times on the same buffers and unloads it. Returns 0, or 1 with an error. */
static int runTimes(xla_rt_cuda_device *device, xla_rt_program entry, int reads_device, int times, data *d) {
  xla_rt_cuda_program *program = load(device, entry, reads_device);
  int failed = !program || makeData(device, d);
  for (int i = 0; !failed && i < times; ++i)
    failed = xla_rt_cuda_run(program, &d->argument, d->results, NULL, NULL);
  failed |= hasError();
  if (!failed)
    failed = getData(device, d);
  if (program) {
    freeData(device, d);
    xla_rt_cuda_unload(program);
  }
  return failed;
}

static void testPrograms(xla_rt_cuda_device *device) {
  data d;
  int64_t before = fake ? fake->graph_launches : 0, early = fake ? fake->early : 0;
  int version = getenv("FAKE_CUDA_VERSION") ? atoi(getenv("FAKE_CUDA_VERSION")) : 12080;
  CHECK(!runTimes(device, straight, 0, 5, &d) && isStraight(&d));
  if (fake) /* what waits may begin early, where the driver can capture that */
    CHECK((fake->early > early) ==
          (version >= 12040 && xla_rt_cuda_compute_capability(device) >= 90 && !getenv("XLA_RT_CUDA_OVERLAP")));
  if (fake && !getenv("XLA_RT_CUDA_SYNC")) /* one piece by piece, the others as one graph */
    CHECK(fake->graph_launches == before + 4);
  CHECK(!runTimes(device, loop, 1, 1, &d) && isLooped(&d));
  before = fake ? fake->graph_launches : 0;
  int64_t switches = fake ? fake->switches : 0;
  CHECK(!runTimes(device, decided, 0, 4, &d) && isDecided(&d));
  if (fake && !getenv("XLA_RT_CUDA_SYNC")) { /* an older driver has the host decide, or a node for each branch */
    CHECK(fake->graph_launches == before + (version < 12040 ? 0 : 3));
    CHECK(fake->switches == switches + (version < 12080 ? 0 : 7));
  }
  CHECK(!runTimes(device, library_call, 0, 3, &d) && isCalled(&d, 4, 22));
  CHECK(!runTimes(device, custom_call, 0, 3, &d) && isCalled(&d, 5, -10));
  CHECK(!runTimes(device, muchSharedMemory, 0, 1, &d) && d.out[0][7] == 32);
  if (fake)
    CHECK(fake->alive[FAKE_MODULE] <= 2); /* of fills and of decisions, which stay */
  CHECK(!xla_rt_cuda_synchronize(device) && !xla_rt_take_error());
}

static void testCopies(xla_rt_cuda_device *device) {
  int64_t sizes[] = {0, 1, 65536, 65537, (4 << 20) - 1, (4 << 20) + 1, (33 << 20) + 5};
  for (int s = 0; s < 7; ++s) {
    int64_t n = sizes[s];
    unsigned char *from = malloc(n + 1), *to = calloc(n + 1, 1);
    for (int64_t i = 0; i < n; ++i)
      from[i] = (unsigned char)(i * 31 + (i >> 12));
    void *memory = xla_rt_cuda_alloc(device, n);
    CHECK(memory && ((uintptr_t)memory & 15) == 0);
    CHECK(!xla_rt_cuda_upload(device, memory, from, n));
    memset(from, 0, n);
    CHECK(!xla_rt_cuda_download(device, to, memory, n));
    for (int64_t i = 0; i < n; ++i)
      CHECK(to[i] == (unsigned char)(i * 31 + (i >> 12)));
    CHECK(to[n] == 0);
    xla_rt_cuda_free(device, memory);
    free(from);
    free(to);
  }
  xla_rt_cuda_free(device, NULL);
}

static void fills(void *const *arguments, void *const *results, void *arena) {
  (void)arguments, (void)arena;
  const unsigned char element[16] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16};
  const unsigned char pairs[8] = {1, 2, 1, 2, 1, 2, 1, 2}, same[16] = {0};
  char *to = results[0];
  for (int64_t size = 1; size <= 16; size *= 2, to += 64)
    xla_rt_cuda_fill(to, element, size, 3);
  xla_rt_cuda_fill(to, pairs, 8, 3);
  xla_rt_cuda_fill(to + 64, same, 16, 2);
}

static void testFills(xla_rt_cuda_device *device) {
  data d;
  CHECK(!runTimes(device, fills, 0, 2, &d));
  const unsigned char *bytes = (const unsigned char *)d.out[0];
  for (int size = 1; size <= 16; size *= 2, bytes += 64)
    for (int i = 0; i < 64; ++i)
      CHECK(bytes[i] == (i < 3 * size ? i % size + 1 : 0));
  for (int i = 0; i < 64; ++i)
    CHECK(bytes[i] == (i < 24 ? i % 2 + 1 : 0) && bytes[64 + i] == 0);
}

/* Graphs are for addresses; the fifth pair of addresses takes the place of the one that was not used for longest. */
static void testGraphs(xla_rt_cuda_device *device) {
  data d[6];
  xla_rt_cuda_program *program = load(device, straight, 0);
  CHECK(program);
  int64_t updates = fake ? fake->updates : 0, graphs = fake ? fake->graph_launches : 0;
  for (int i = 0; i < 6; ++i)
    CHECK(!makeData(device, &d[i]));
  for (int round = 0; round < 3; ++round)
    for (int i = 0; i < 6; ++i)
      CHECK(!xla_rt_cuda_run(program, &d[i].argument, d[i].results, NULL, NULL) && !xla_rt_take_error());
  for (int i = 0; i < 6; ++i) {
    CHECK(!getData(device, &d[i]) && isStraight(&d[i]));
    freeData(device, &d[i]);
  }
  if (fake && !getenv("XLA_RT_CUDA_SYNC"))
    CHECK(fake->graph_launches == graphs + 12 && fake->updates == updates + 8);
  xla_rt_cuda_unload(program);
}

/* The context of somebody else in the process stays current, and is not used. */
static void testContexts(xla_rt_cuda_device *device, void *handle) {
  int (*push)(void *) = (int (*)(void *))dlsym(handle, "cuCtxPushCurrent_v2");
  int (*pop)(void **) = (int (*)(void **))dlsym(handle, "cuCtxPopCurrent_v2");
  int other;
  void *popped = NULL;
  CHECK(push && pop && push(&other) == 0);
  testPrograms(device);
  CHECK(pop(&popped) == 0 && popped == &other);
}

static void testSharing(xla_rt_cuda_device *device) {
  void *defaultStream = (void *)1, *memory = xla_rt_cuda_alloc(device, 4);
  CHECK(!xla_rt_cuda_release_to(device, defaultStream) && !xla_rt_cuda_acquire_from(device, defaultStream));
  xla_rt_cuda_free_shared(device, memory);
  xla_rt_cuda_free_shared(device, NULL);
  CHECK(!xla_rt_take_error());
}

static int afterThree(void *user) { return ++*(int *)user == 3; }

static void testInterrupts(xla_rt_cuda_device *device) {
  data d;
  xla_rt_cuda_program *program = load(device, askForever, 1);
  CHECK(program && !makeData(device, &d));
  int questions = 0;
  CHECK(xla_rt_cuda_run(program, &d.argument, d.results, afterThree, &questions) == 1 && questions == 3);
  CHECK(!xla_rt_take_error());
  CHECK(!xla_rt_cuda_wait(device, afterThree, &questions) && !xla_rt_take_error());
  if (fake) { /* a device that is busy */
    questions = 0;
    fake->not_ready = INT64_MAX;
    CHECK(xla_rt_cuda_wait(device, afterThree, &questions) == 1 && questions == 3);
    questions = 0;
    CHECK(xla_rt_cuda_run(program, &d.argument, d.results, afterThree, &questions) == 1 && questions == 3);
    fake->not_ready = 1000;
    CHECK(!xla_rt_cuda_wait(device, afterThree, &questions) && !xla_rt_take_error());
    fake->not_ready = 0;
  }
  freeData(device, &d);
  xla_rt_cuda_unload(program);
}

static xla_rt_cuda_device *shared;
static xla_rt_cuda_program *sharedPrograms[2];
static void *runThread(void *unused) {
  (void)unused;
  data d;
  CHECK(!makeData(shared, &d));
  for (int round = 0; round < 50; ++round) {
    CHECK(!xla_rt_cuda_run(sharedPrograms[0], &d.argument, d.results, NULL, NULL) && !xla_rt_take_error());
    CHECK(!getData(shared, &d) && isStraight(&d));
    CHECK(!xla_rt_cuda_run(sharedPrograms[1], &d.argument, d.results, NULL, NULL) && !xla_rt_take_error());
    CHECK(!getData(shared, &d) && isLooped(&d));
    data other;
    CHECK(!makeData(shared, &other));
    freeData(shared, &other);
  }
  freeData(shared, &d);
  return NULL;
}

static void testThreads(xla_rt_cuda_device *device) {
  pthread_t threads[4];
  shared = device;
  sharedPrograms[0] = load(device, straight, 0);
  sharedPrograms[1] = load(device, loop, 1);
  for (int i = 0; i < 4; ++i)
    CHECK(pthread_create(&threads[i], NULL, runThread, NULL) == 0);
  for (int i = 0; i < 4; ++i)
    pthread_join(threads[i], NULL);
  xla_rt_cuda_unload(sharedPrograms[0]);
  xla_rt_cuda_unload(sharedPrograms[1]);
}

/* --- Errors ------------------------------------------------------------------------------------------------------ */

static void testErrors(xla_rt_cuda_device *device) {
  CHECK(!xla_rt_cuda_open(library, 1) && !xla_rt_cuda_open(library, -1));
  EXPECT_ERROR("no device 1", library);
  CHECK(!xla_rt_cuda_alloc(device, (int64_t)1 << 45));
  EXPECT_ERROR("cannot allocate 35184372088832 bytes", "OUT_OF_MEMORY");
  CHECK(xla_rt_out_of_memory());
  CHECK(!xla_rt_cuda_alloc(device, -1));
  EXPECT_ERROR("cannot allocate -1 bytes");

  xla_rt_cuda_kernel missing = {"nobody", "xla.add", "model.mlir:5:1", XLA_RT_CUDA_ALL_IMAGES};
  xla_rt_cuda_code code = {images, 1, &missing, 1, NULL, 0, straight, 0, 0, 1, 1};
  CHECK(!xla_rt_cuda_load(device, &code));
  EXPECT_ERROR("cannot find kernel 'nobody' (xla.add at model.mlir:5:1)");
  /* The newest image that the device can run is the one that is loaded. */
  static const char wrong[] = ".version 8.0\n.target sm_80\n.address_size 64\nwrong\n";
  xla_rt_cuda_image several[] = {
      {ptx, 80, 0, 0}, {wrong, 90, 1, 0}, {ptx, 90, 0, 0}, {ptx, 100, 0, 0}, {ptx, 91, 0, 1}};
  code.images = several, code.num_images = 5;
  CHECK(!xla_rt_cuda_load(device, &code));
  EXPECT_ERROR("cannot load the program's PTX (");
  code.num_images = 1;
  several[0].capability = 120;
  CHECK(!xla_rt_cuda_load(device, &code));
  EXPECT_ERROR("cannot run the program: it has compute capability 9.0, and there is code for sm_120 and newer");
  several[0].capability = 80, several[0].is_exact = 1;
  CHECK(!xla_rt_cuda_load(device, &code));
  EXPECT_ERROR("there is code for sm_80a");
  several[0].is_exact = 0;
  several[0].ptx = wrong;
  CHECK(!xla_rt_cuda_load(device, &code));
  EXPECT_ERROR("cannot load the program's PTX (", "): CUDA_ERROR_INVALID_PTX");

  data d;
  CHECK(runTimes(device, tooManyThreads, 0, 1, &d));
  EXPECT_ERROR("cannot launch kernel 'scale' (xla.multiply at model.mlir:3:8)", "1x1x1 blocks of 2048x1x1 threads");
  CHECK(!runTimes(device, straight, 0, 1, &d) && isStraight(&d));
  custom_calls_fail = 1;
  CHECK(runTimes(device, custom_call, 0, 1, &d));
  EXPECT_ERROR("no negation today");
  custom_calls_fail = 0;
  CHECK(!runTimes(device, custom_call, 0, 1, &d) && isCalled(&d, 5, -10));

  /* A child cannot use the device, and says so. */
  pid_t child = fork();
  if (child == 0) {
    CHECK(!xla_rt_cuda_alloc(device, 4));
    EXPECT_ERROR("forked");
    CHECK(xla_rt_cuda_device_count(library) == -1);
    EXPECT_ERROR("forked");
    xla_rt_cuda_free(device, &d);
    _exit(0);
  }
  int status = -1;
  CHECK(waitpid(child, &status, 0) == child && status == 0);
}

/* What has to be as before after whatever has failed. */
static void checkAlive(const int64_t *before, int cached) {
  for (int kind = 0; kind < FAKE_KINDS; ++kind)
    if (fake->alive[kind] != before[kind] && (cached || (kind != FAKE_PINNED && kind != FAKE_EVENT))) {
      fprintf(stderr, "%ld instead of %ld of kind %d after a failure in %s\n", (long)fake->alive[kind],
              (long)before[kind], kind, fake->failed_in);
      exit(1);
    }
  CHECK(fake->misuses == 0 && fakeState()->depth == 0);
}

static int allPrograms(xla_rt_cuda_device *device) {
  data d;
  if (runTimes(device, straight, 0, 3, &d))
    return 1;
  CHECK(isStraight(&d));
  if (runTimes(device, loop, 1, 1, &d))
    return 1;
  CHECK(isLooped(&d));
  if (runTimes(device, decided, 0, 3, &d))
    return 1;
  CHECK(isDecided(&d));
  if (runTimes(device, library_call, 0, 1, &d))
    return 1;
  CHECK(isCalled(&d, 4, 22));
  if (runTimes(device, custom_call, 0, 1, &d))
    return 1;
  CHECK(isCalled(&d, 5, -10));
  if (runTimes(device, muchSharedMemory, 0, 1, &d))
    return 1;
  void *large = xla_rt_cuda_alloc(device, 5 << 20);
  if (!large || xla_rt_cuda_release_to(device, (void *)1) || xla_rt_cuda_acquire_from(device, (void *)1)) {
    xla_rt_cuda_free(device, large);
    return 1;
  }
  char *bytes = calloc(5, 1 << 20);
  int failed = xla_rt_cuda_upload(device, large, bytes, 5 << 20) ||
               xla_rt_cuda_download(device, bytes, large, 5 << 20) || xla_rt_cuda_synchronize(device);
  free(bytes);
  xla_rt_cuda_free_shared(device, large);
  if (failed)
    return 1;
  xla_rt_cuda_wait(device, NULL, NULL);
  return hasError();
}

/* Every call of the driver fails in turn: what was asked for fails with an error or is done in another way. */
static void testFailures(int error) {
  int64_t before[FAKE_KINDS];
  xla_rt_cuda_device *device = NULL;
  memcpy(before, fake->alive, sizeof(before));
  int64_t call = 0;
  for (fake->fail_with = error; !device; ++call) {
    fake->fail_at = call + 1;
    device = xla_rt_cuda_open(library, 0);
    if (device)
      break;
    EXPECT_ERROR(error == 2 ? "OUT_OF_MEMORY" : "INVALID_VALUE");
    checkAlive(before, 1);
  }
  CHECK(call > 8 && !xla_rt_take_error());
  fake->fail_at = 0;
  for (int round = 0; round < 2; ++round) { /* with empty caches, then with full ones */
    memcpy(before, fake->alive, sizeof(before));
    for (call = 1;; ++call) {
      fake->fail_at = call;
      int failed = allPrograms(device);
      int reached = fake->fail_at == 0;
      fake->fail_at = 0;
      const char *message = xla_rt_take_error();
      if (!failed != !message) {
        fprintf(stderr, "%s after a failure in %s: %s\n", failed ? "failed" : "done", fake->failed_in,
                message ? message : "no error");
        exit(1);
      }
      if (message) {
        CHECK(strstr(message, error == 2 ? "OUT_OF_MEMORY" : "INVALID_VALUE"));
        CHECK(strstr(message, "cannot "));
        CHECK(error != 2 || xla_rt_out_of_memory());
      }
      if (round == 0) /* the modules of fills and of decisions stay once they are loaded */
        before[FAKE_MODULE] = fake->alive[FAKE_MODULE] <= 2 ? fake->alive[FAKE_MODULE] : 2;
      if (!strcmp(fake->failed_in, "cuEventQuery")) { /* whether a slot is free is not known then: there is another */
        before[FAKE_PINNED] = fake->alive[FAKE_PINNED];
        before[FAKE_EVENT] = fake->alive[FAKE_EVENT];
      }
      checkAlive(before, round);
      if (!reached)
        break;
    }
    CHECK(call > 100);
    CHECK(!allPrograms(device) && !xla_rt_take_error());
  }
  fprintf(stderr, "%ld calls failed in turn\n", (long)call);
}

/* A kernel that fails takes the device with it. */
static void testFault(xla_rt_cuda_device *device) {
  data d;
  xla_rt_cuda_program *other = load(device, straight, 0), *program = load(device, faulty, 0);
  CHECK(other && program && !makeData(device, &d));
  CHECK(!xla_rt_cuda_run(other, &d.argument, d.results, NULL, NULL) && !xla_rt_cuda_synchronize(device));
  CHECK(!xla_rt_cuda_run(program, &d.argument, d.results, NULL, NULL));
  if (getenv("XLA_RT_CUDA_SYNC")) {
    EXPECT_ERROR("kernel 'fault' (xla.gather at model.mlir:7:4) failed: CUDA_ERROR_ILLEGAL_ADDRESS, an illegal");
  } else {
    CHECK(hasError() || xla_rt_cuda_synchronize(device)); /* the emulator says it at once */
    EXPECT_ERROR("one of the kernels 'scale' (xla.multiply at model.mlir:3:8), 'fault' (xla.gather at model.mlir:7:4) "
                 "(XLA_RT_CUDA_SYNC=1 tells which) failed: ");
  }
  CHECK(xla_rt_cuda_synchronize(device));
  EXPECT_ERROR("cannot be used any more in this process: ", "'fault'");
  CHECK(!xla_rt_cuda_run(other, &d.argument, d.results, NULL, NULL));
  EXPECT_ERROR("cannot be used any more");
  CHECK(!xla_rt_cuda_alloc(device, 4) && !load(device, loop, 0));
  EXPECT_ERROR("cannot be used any more");
  freeData(device, &d);
  xla_rt_cuda_unload(program);
  xla_rt_cuda_unload(other);
  CHECK(!xla_rt_take_error());
}

/* A failure in a graph: its kernels are suspects, and no others. */
static void testFaultInGraph(xla_rt_cuda_device *device) {
  data d;
  xla_rt_cuda_program *other = load(device, library_call, 0), *program = load(device, straight, 0);
  CHECK(other && program && !makeData(device, &d));
  CHECK(!xla_rt_cuda_run(other, &d.argument, d.results, NULL, NULL));
  for (int i = 0; i < 3; ++i)
    CHECK(!xla_rt_cuda_run(program, &d.argument, d.results, NULL, NULL) && !xla_rt_cuda_synchronize(device));
  CHECK(fake->graph_launches == 2);
  fake->pending_fault = 700;
  CHECK(!xla_rt_cuda_run(program, &d.argument, d.results, NULL, NULL) && fake->graph_launches == 3);
  CHECK(!xla_rt_take_error() && xla_rt_cuda_synchronize(device));
  EXPECT_ERROR("Fake GPU (cuda:0): kernel 'scale' (xla.multiply at model.mlir:3:8) failed: CUDA_ERROR_ILLEGAL_ADDRESS");
  freeData(device, &d);
  xla_rt_cuda_unload(program);
  xla_rt_cuda_unload(other);
}

/* Without a driver, or with something else. */
static void testNone(void) {
  CHECK(!xla_rt_cuda_open("libnobody-has-this.so.1", 0));
  EXPECT_ERROR("no driver", "libnobody-has-this.so.1", "XLA_RT_CUDA_LIBRARY");
  CHECK(xla_rt_cuda_device_count("libnobody-has-this.so.1") == -1);
  EXPECT_ERROR("no driver");
  CHECK(!xla_rt_cuda_open("libm.so.6", 0));
  EXPECT_ERROR("libm.so.6", "no driver of CUDA");
  setenv("XLA_RT_CUDA_LIBRARY", "libnor-this.so", 1);
  CHECK(!xla_rt_cuda_open(NULL, 0));
  EXPECT_ERROR("libnor-this.so");
}

int main(int argc, char **argv) {
  const char *what = argc > 1 ? argv[1] : "";
  library = argc > 2 ? argv[2] : NULL;
  xla_rt_register_custom_call("test.negate", negate, NULL);
  if (!strcmp(what, "none")) {
    testNone();
    puts("ok");
    return 0;
  }
  void *handle = library ? dlopen(library, RTLD_NOW | RTLD_LOCAL) : NULL;
  fakeState = handle ? (fake_cuda_state_fn)dlsym(handle, "fake_cuda_state") : NULL;
  fake = fakeState ? fakeState() : NULL;
  if (!strcmp(what, "failures") && argc > 3) {
    CHECK(fake);
    testFailures(atoi(argv[3]));
    puts("ok");
    return 0;
  }
  xla_rt_cuda_device *device = xla_rt_cuda_open(library, 0);
  if (!strcmp(what, "open")) {
    const char *error = xla_rt_take_error();
    puts(error ? error : xla_rt_cuda_device_name(device));
    printf("%d devices\n", xla_rt_cuda_device_count(library));
    return 0;
  }
  CHECK(device && device == xla_rt_cuda_open(library, 0));
  CHECK(xla_rt_cuda_device_ordinal(device) == 0 && xla_rt_cuda_device_count(library) >= 1);
  CHECK(xla_rt_cuda_compute_capability(device) >= 80 && xla_rt_cuda_multiprocessors(device) > 0);
  CHECK(xla_rt_cuda_stream(device));
  if (!strcmp(what, "fault")) {
    testFault(device);
  } else if (!strcmp(what, "fault-in-graph")) {
    CHECK(fake);
    testFaultInGraph(device);
  } else {
    testPrograms(device);
    testCopies(device);
    testFills(device);
    testGraphs(device);
    testSharing(device);
    if (fake)
      testContexts(device, handle);
    testInterrupts(device);
    testThreads(device);
    testErrors(device);
  }
  if (fake)
    CHECK(fake->misuses == 0);
  puts("ok");
  return 0;
}
