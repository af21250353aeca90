/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* See fake-cuda.h. Work is done when it is enqueued, or recorded on a stream that is captured. */

#include "fake-cuda.h"

#include <pthread.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define API __attribute__((visibility("default")))
enum {
  OK = 0,
  INVALID_VALUE = 1,
  OUT_OF_MEMORY = 2,
  NO_DEVICE = 100,
  INVALID_CONTEXT = 201,
  INVALID_PTX = 218,
  NOT_FOUND = 500,
  NOT_READY = 600,
  ILLEGAL_ADDRESS = 700
};
typedef unsigned long long address;

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static fake_cuda state;
static int lost;
static __thread int depth;
static __thread void *contexts[16]; /* the thread's stack */

API fake_cuda *fake_cuda_state(void) {
  state.depth = depth;
  return &state;
}

/* Numbers from the environment make the driver another one. */
static int setting(const char *name, int otherwise) {
  const char *value = getenv(name);
  return value ? atoi(value) : otherwise;
}

/* Conditional nodes ask for the values of handles, which are numbers of them. */
static unsigned values[1024];
static int is_set[1024], last_handle;

/* Counts a call; the error that it has to have, if any. */
static int enter(const char *name, int needs_context) {
  pthread_mutex_lock(&mutex);
  ++state.calls;
  int result = lost;
  if (needs_context && (depth == 0 || contexts[depth - 1] != &state)) {
    ++state.misuses;
    result = INVALID_CONTEXT;
  }
  if (state.fail_at > 0 && --state.fail_at == 0) {
    snprintf(state.failed_in, sizeof(state.failed_in), "%s", name);
    result = state.fail_with;
  }
  pthread_mutex_unlock(&mutex);
  return result;
}

static void count(enum fake_kind kind, int change) { __atomic_fetch_add(&state.alive[kind], change, __ATOMIC_RELAXED); }

#define ENTER(needs_context)                                                                                           \
  int result = enter(__func__, needs_context);                                                                         \
  if (result != OK)                                                                                                    \
  return result
/* What takes something away does so, whatever it says. */
#define LEAVE_WITH(statement)                                                                                          \
  int result = enter(__func__, 0);                                                                                     \
  statement;                                                                                                           \
  return result

/* --- What is enqueued --- */

typedef struct operation {
  struct operation *next;
  void (*run)(struct operation *);
  int kernel;
  char arguments[5][8];
  address to, from;
  size_t bytes;
  unsigned value, width;
  struct graph **bodies; /* of a conditional node */
  unsigned number_of_bodies;
} operation;

typedef struct graph {
  operation *first, **last;
} graph;

typedef struct stream {
  graph *captured;
  int is_into_graph;
} stream;

static int enqueue(stream *to, const operation *what) {
  if (!to->captured) {
    operation copy = *what;
    copy.run(&copy);
    return OK;
  }
  operation *copy = malloc(sizeof(operation));
  *copy = *what;
  copy->next = NULL;
  *to->captured->last = copy;
  to->captured->last = &copy->next;
  return OK;
}

static void free_graph(graph *which) {
  for (operation *each = which->first, *next; each; each = next) {
    next = each->next;
    for (unsigned i = 0; i < each->number_of_bodies; ++i)
      free_graph(each->bodies[i]);
    free(each->bodies);
    free(each);
  }
  free(which);
}

static void run_copy(operation *what) { memcpy((void *)what->to, (void *)what->from, what->bytes); }

static void run_set(operation *what) {
  for (size_t i = 0; i < what->bytes; ++i)
    memcpy((char *)what->to + i * what->width, &what->value, what->width);
}

/* --- Kernels --- */

static const char *const kernels[] = {"scale", "fault", "xla_rt_fill", "below", "xla_rt_decide", "xla_rt_count"};
static const int numbers_of_arguments[] = {4, 0, 5, 3, 5, 3};
static const int sizes_of_arguments[][5] = {{8, 8, 4, 8}, {0}, {8, 8, 8, 8, 8}, {8, 8, 4}, {8, 8, 4, 4, 4}, {8, 8, 8}};

static void run_graph(const graph *which) {
  for (operation *each = which->first; each; each = each->next)
    each->run(each);
}

static void set_conditional(uint64_t handle, unsigned value) {
  state.misuses += handle == 0 || handle > (uint64_t)last_handle;
  values[handle] = value;
  is_set[handle] = 1;
}

enum { WHILE = 1, SWITCH = 2 };

static void run_conditional(operation *what) {
  for (;;) {
    state.misuses += !is_set[what->value];
    unsigned body = what->width == SWITCH ? values[what->value] : !values[what->value];
    if (body >= what->number_of_bodies)
      return;
    ++state.bodies;
    run_graph(what->bodies[body]);
    if (what->width != WHILE)
      return;
  }
}

static void run_kernel(operation *what) {
  __atomic_fetch_add(&state.launches, 1, __ATOMIC_RELAXED);
  if (what->kernel == 0) { /* to[i] = from[i] * factor */
    float *to, *from, factor;
    int64_t n;
    memcpy(&to, what->arguments[0], 8);
    memcpy(&from, what->arguments[1], 8);
    memcpy(&factor, what->arguments[2], 4);
    memcpy(&n, what->arguments[3], 8);
    for (int64_t i = 0; i < n; ++i)
      to[i] = from[i] * factor;
  } else if (what->kernel == 1) {
    state.pending_fault = ILLEGAL_ADDRESS;
  } else if (what->kernel == 3) { /* *to = *from < limit */
    unsigned char *to;
    float *from, limit;
    memcpy(&to, what->arguments[0], 8);
    memcpy(&from, what->arguments[1], 8);
    memcpy(&limit, what->arguments[2], 4);
    *to = *from < limit;
  } else if (what->kernel == 4) {
    uint64_t handle;
    unsigned *from, is_index, wanted, number;
    memcpy(&handle, what->arguments[0], 8);
    memcpy(&from, what->arguments[1], 8);
    memcpy(&is_index, what->arguments[2], 4);
    memcpy(&wanted, what->arguments[3], 4);
    memcpy(&number, what->arguments[4], 4);
    unsigned index = !is_index ? !(*(unsigned char *)from & 1) : *from < number - 1 ? *from : number - 1;
    set_conditional(handle, wanted == ~0u ? index : index == wanted);
  } else if (what->kernel == 5) {
    uint64_t handle, *counter, limit;
    memcpy(&handle, what->arguments[0], 8);
    memcpy(&counter, what->arguments[1], 8);
    memcpy(&limit, what->arguments[2], 8);
    *counter = *counter + 1 < limit ? *counter + 1 : 0;
    set_conditional(handle, *counter != 0);
  } else {
    uint64_t *to, even, odd, mask, words;
    memcpy(&to, what->arguments[0], 8);
    memcpy(&even, what->arguments[1], 8);
    memcpy(&odd, what->arguments[2], 8);
    memcpy(&mask, what->arguments[3], 8);
    memcpy(&words, what->arguments[4], 8);
    for (uint64_t i = 0; i < words; ++i)
      to[i] = i & mask ? odd : even;
  }
}

/* After waiting for all work. */
static int fault(void) {
  if (state.pending_fault)
    lost = state.pending_fault;
  return lost;
}

/* --- The driver --- */

API int cuInit(unsigned flags) {
  (void)flags;
  ENTER(0);
  return setting("FAKE_CUDA_DEVICES", 1) ? OK : NO_DEVICE;
}
API int cuDriverGetVersion(int *version) {
  *version = setting("FAKE_CUDA_VERSION", 12080);
  return OK;
}
API int cuGetErrorName(int error, const char **name) {
  *name = error == OUT_OF_MEMORY     ? "CUDA_ERROR_OUT_OF_MEMORY"
          : error == INVALID_VALUE   ? "CUDA_ERROR_INVALID_VALUE"
          : error == ILLEGAL_ADDRESS ? "CUDA_ERROR_ILLEGAL_ADDRESS"
          : error == INVALID_PTX     ? "CUDA_ERROR_INVALID_PTX"
                                     : NULL;
  return *name ? OK : INVALID_VALUE;
}
API int cuGetErrorString(int error, const char **text) {
  *text = error == ILLEGAL_ADDRESS ? "an illegal memory access was encountered" : "as the test wants";
  return OK;
}
API int cuDeviceGetCount(int *number) {
  ENTER(0);
  *number = setting("FAKE_CUDA_DEVICES", 1);
  return OK;
}
API int cuDeviceGet(int *device, int ordinal) {
  ENTER(0);
  *device = ordinal;
  return OK;
}
API int cuDeviceGetName(char *name, int length, int device) {
  (void)device;
  ENTER(0);
  snprintf(name, length, "Fake GPU");
  return OK;
}
API int cuDeviceGetAttribute(int *value, int attribute, int device) {
  (void)device;
  ENTER(0);
  *value = attribute == 16    ? 7
           : attribute == 75  ? setting("FAKE_CUDA_CAPABILITY", 90) / 10
           : attribute == 76  ? setting("FAKE_CUDA_CAPABILITY", 90) % 10
           : attribute == 97  ? 232448
           : attribute == 115 ? setting("FAKE_CUDA_POOLS", 1)
                              : -1;
  return OK;
}
API int cuDevicePrimaryCtxRetain(void **context, int device) {
  (void)device;
  ENTER(0);
  count(FAKE_CONTEXT, 1);
  *context = &state;
  return OK;
}
API int cuDevicePrimaryCtxRelease_v2(int device) {
  (void)device;
  LEAVE_WITH(count(FAKE_CONTEXT, -1));
}
API int cuCtxPushCurrent_v2(void *context) {
  ENTER(0);
  if (depth == 16)
    return INVALID_VALUE;
  contexts[depth++] = context;
  return OK;
}
API int cuCtxPopCurrent_v2(void **context) {
  *context = contexts[depth - 1];
  LEAVE_WITH(--depth);
}
API int cuCtxSynchronize(void) {
  ENTER(1);
  return fault();
}
API int cuModuleLoadDataEx(void **module, const void *image, unsigned options, int *names, void **values) {
  if (strstr(image, "wrong")) {
    for (unsigned i = 0; i + 1 < options; ++i)
      if (names[i] == 5)
        snprintf(values[i], (size_t)values[i + 1], "ptxas line 3; error: no such instruction\nptxas fatal\n");
    return INVALID_PTX;
  }
  ENTER(1);
  count(FAKE_MODULE, 1);
  ++state.loads;
  *module = strdup(image);
  return OK;
}
API int cuModuleUnload(void *module) { LEAVE_WITH((free(module), count(FAKE_MODULE, -1))); }
API int cuModuleGetFunction(void **function, void *module, const char *name) {
  ENTER(1);
  char entry[128];
  snprintf(entry, sizeof(entry), ".entry %s", name);
  for (int i = 0; i < 6; ++i)
    if (!strcmp(kernels[i], name) && strstr(module, entry)) {
      *function = (void *)(kernels + i);
      return OK;
    }
  return NOT_FOUND;
}
API int cuFuncGetAttribute(int *value, int attribute, void *function) {
  (void)function;
  ENTER(1);
  *value = attribute == 1 ? 1024 : -1;
  return OK;
}
API int cuFuncSetAttribute(void *function, int attribute, int value) {
  (void)function;
  ENTER(1);
  return attribute == 8 && value == 232448 - 1024 ? OK : INVALID_VALUE;
}
API int cuTensorMapEncodeTiled(void *map, unsigned type, unsigned rank, void *from, const uint64_t *sizes,
                               const uint64_t *strides, const unsigned *box, const unsigned *steps, unsigned interleave,
                               unsigned swizzle, unsigned promotion, unsigned fill) {
  (void)interleave, (void)promotion, (void)fill;
  ENTER(0);
  if ((uintptr_t)map % 64 || (uintptr_t)from % 16 || rank < 1 || rank > 5 || type > 2 || swizzle != 3)
    return INVALID_VALUE;
  for (unsigned i = 0; i < rank; ++i)
    if (!sizes[i] || !box[i] || box[i] > 256 || steps[i] != 1 || (i && strides[i - 1] % 16))
      return INVALID_VALUE;
  memset(map, (int)rank, 128);
  return OK;
}
API int cuTensorMapEncodeIm2col(void *map, unsigned type, unsigned rank, void *from, const uint64_t *sizes,
                                const uint64_t *strides, const int *lower, const int *upper, unsigned channels,
                                unsigned pixels, const unsigned *steps, unsigned interleave, unsigned swizzle,
                                unsigned promotion, unsigned fill) {
  (void)interleave, (void)promotion, (void)fill;
  ENTER(0);
  if ((uintptr_t)map % 64 || (uintptr_t)from % 16 || rank < 3 || rank > 5 || type > 2 || swizzle != 3 || !channels ||
      channels > 256 || !pixels || pixels > 1024)
    return INVALID_VALUE;
  for (unsigned i = 0; i < rank; ++i)
    if (!sizes[i] || !steps[i] || steps[i] > 8 || (i && strides[i - 1] % 16))
      return INVALID_VALUE;
  for (unsigned i = 0; i + 2 < rank; ++i)
    if (lower[i] != 0 || upper[i] > 0 || (int64_t)sizes[i + 1] + upper[i] <= 0)
      return INVALID_VALUE;
  memset(map, 16 + (int)rank, 128);
  return OK;
}
API int cuLaunchKernel(void *function, unsigned x, unsigned y, unsigned z, unsigned bx, unsigned by, unsigned bz,
                       unsigned shared, stream *on, void **parameters, void **extra) {
  (void)extra;
  ENTER(1);
  if (!x || !y || !z || bx * by * bz == 0 || bx * by * bz > 1024 || shared > 232448 - 1024)
    return INVALID_VALUE;
  operation launch = {.run = run_kernel, .kernel = (int)((const char *const *)function - kernels)};
  for (int i = 0; i < numbers_of_arguments[launch.kernel]; ++i)
    memcpy(launch.arguments[i], parameters[i], sizes_of_arguments[launch.kernel][i]);
  return enqueue(on, &launch);
}

struct launch_config {
  unsigned x, y, z, bx, by, bz, shared;
  stream *on;
  const void *attributes;
  unsigned number_of_attributes;
};
API int cuLaunchKernelEx(const struct launch_config *c, void *function, void **parameters, void **extra) {
  if (c->number_of_attributes) { /* the tests' code of the others does not wait */
    if (strcmp(*(const char *const *)function, "scale"))
      return INVALID_VALUE;
    __atomic_fetch_add(&state.early, 1, __ATOMIC_RELAXED);
  }
  return cuLaunchKernel(function, c->x, c->y, c->z, c->bx, c->by, c->bz, c->shared, c->on, parameters, extra);
}

/* Blocks are never given back: who frees one and takes another of that size gets the same, as from a driver's pool. */
typedef struct block {
  struct block *next;
  size_t bytes;
  int is_free;
} block;
static block *blocks;

static int allocate(void **memory, size_t bytes, enum fake_kind kind) {
  if (bytes == 0 || bytes > (size_t)1 << 30)
    return bytes ? OUT_OF_MEMORY : INVALID_VALUE;
  pthread_mutex_lock(&mutex);
  block *found = blocks;
  while (found && (!found->is_free || found->bytes != bytes))
    found = found->next;
  if (!found) {
    found = aligned_alloc(256, 256 + (bytes + 255) / 256 * 256);
    found->bytes = bytes;
    found->next = blocks;
    blocks = found;
  }
  found->is_free = 0;
  pthread_mutex_unlock(&mutex);
  count(kind, 1);
  *memory = (char *)found + 256;
  return OK;
}
static void release(void *memory, enum fake_kind kind) {
  block *given = (block *)((char *)memory - 256);
  pthread_mutex_lock(&mutex);
  state.misuses += given->is_free;
  given->is_free = 1;
  pthread_mutex_unlock(&mutex);
  count(kind, -1);
}
API int cuMemGetInfo_v2(size_t *available, size_t *total) {
  ENTER(1);
  *available = 1 << 30, *total = (size_t)1 << 31;
  return OK;
}
API int cuMemAlloc_v2(void **memory, size_t bytes) {
  ENTER(1);
  return allocate(memory, bytes, FAKE_MEMORY);
}
API int cuMemFree_v2(void *memory) { LEAVE_WITH(release(memory, FAKE_MEMORY)); }
API int cuMemPoolCreate(void **pool, const void *properties) {
  (void)properties;
  ENTER(0);
  count(FAKE_POOL, 1);
  *pool = &state;
  return OK;
}
API int cuMemPoolDestroy(void *pool) {
  (void)pool;
  LEAVE_WITH(count(FAKE_POOL, -1));
}
API int cuMemPoolSetAttribute(void *pool, int attribute, void *value) {
  (void)pool;
  ENTER(0);
  return attribute == 4 && *(uint64_t *)value == UINT64_MAX ? OK : INVALID_VALUE;
}
API int cuMemPoolTrimTo(void *pool, size_t bytes) {
  (void)pool, (void)bytes;
  ENTER(0);
  return OK;
}
API int cuMemAllocFromPoolAsync(void **memory, size_t bytes, void *pool, stream *on) {
  (void)pool;
  ENTER(1);
  if (on->captured)
    ++state.misuses;
  return allocate(memory, bytes, FAKE_MEMORY);
}
API int cuMemFreeAsync(void *memory, stream *on) {
  if (on->captured)
    ++state.misuses;
  LEAVE_WITH(release(memory, FAKE_MEMORY));
}
API int cuMemHostAlloc(void **memory, size_t bytes, unsigned flags) {
  (void)flags;
  ENTER(1);
  return allocate(memory, bytes, FAKE_PINNED);
}

static int copy(address to, address from, size_t bytes, stream *on) {
  operation what = {.run = run_copy, .to = to, .from = from, .bytes = bytes};
  return enqueue(on, &what);
}
API int cuMemcpyHtoDAsync_v2(address to, const void *from, size_t bytes, stream *on) {
  ENTER(1);
  return copy(to, (address)from, bytes, on);
}
API int cuMemcpyDtoHAsync_v2(void *to, address from, size_t bytes, stream *on) {
  ENTER(1);
  return copy((address)to, from, bytes, on);
}
API int cuMemcpyDtoDAsync_v2(address to, address from, size_t bytes, stream *on) {
  ENTER(1);
  return copy(to, from, bytes, on);
}
static int set(address to, unsigned value, unsigned width, size_t number, stream *on) {
  operation what = {.run = run_set, .to = to, .bytes = number, .value = value, .width = width};
  return enqueue(on, &what);
}
API int cuMemsetD8Async(address to, unsigned char value, size_t number, stream *on) {
  ENTER(1);
  return set(to, value, 1, number, on);
}
API int cuMemsetD16Async(address to, unsigned short value, size_t number, stream *on) {
  ENTER(1);
  return set(to, value, 2, number, on);
}
API int cuMemsetD32Async(address to, unsigned value, size_t number, stream *on) {
  ENTER(1);
  return set(to, value, 4, number, on);
}

API int cuStreamCreate(stream **made, unsigned flags) {
  (void)flags;
  ENTER(1);
  count(FAKE_STREAM, 1);
  *made = calloc(1, sizeof(stream));
  return OK;
}
API int cuStreamDestroy_v2(stream *which) {
  if (which->captured)
    ++state.misuses;
  LEAVE_WITH((free(which), count(FAKE_STREAM, -1)));
}
API int cuStreamSynchronize(stream *which) {
  (void)which;
  ENTER(1);
  return fault();
}
API int cuStreamWaitEvent(stream *which, void *event, unsigned flags) {
  (void)which, (void)event, (void)flags;
  ENTER(1);
  return OK;
}
static graph *new_graph(void) {
  graph *made = calloc(1, sizeof(graph));
  made->last = &made->first;
  return made;
}
API int cuStreamBeginCapture_v2(stream *which, int mode) {
  (void)mode;
  ENTER(1);
  which->captured = new_graph();
  which->is_into_graph = 0;
  count(FAKE_GRAPH, 1);
  ++state.captures;
  return OK;
}
API int cuStreamBeginCaptureToGraph(stream *which, graph *into, void **dependencies, void *data, size_t number,
                                    int mode) {
  (void)dependencies, (void)data, (void)number, (void)mode;
  ENTER(1);
  which->captured = into;
  which->is_into_graph = 1;
  return OK;
}
API int cuStreamGetCaptureInfo_v3(stream *which, int *status, uint64_t *id, graph **captured, void ***dependencies,
                                  void **data, size_t *number) {
  ENTER(1);
  *status = which->captured != NULL;
  *id = 1;
  *captured = which->captured;
  *dependencies = NULL, *data = NULL, *number = 0;
  return OK;
}
API int cuStreamUpdateCaptureDependencies_v2(stream *which, void **dependencies, void *data, size_t number,
                                             unsigned flags) {
  (void)dependencies, (void)data;
  ENTER(1);
  return which->captured && number == 1 && flags == 1 ? OK : INVALID_VALUE;
}
API int cuGraphConditionalHandleCreate(uint64_t *handle, graph *of, void *context, unsigned value, unsigned flags) {
  (void)value;
  ENTER(1);
  if (!of || context != &state || flags != 0 || last_handle == 1023)
    return INVALID_VALUE;
  *handle = __atomic_add_fetch(&last_handle, 1, __ATOMIC_RELAXED);
  is_set[*handle] = 0;
  return OK;
}
/* As CUgraphNodeParams. */
typedef struct node_params {
  int type, reserved[3];
  uint64_t handle;
  int kind;
  unsigned size;
  graph **bodies;
  void *context;
} node_params;
API int cuGraphAddNode_v2(void **node, graph *to, void **dependencies, void *data, size_t number, node_params *params) {
  (void)dependencies, (void)data, (void)number;
  ENTER(1);
  if (params->type != 13 || params->size < 1 || params->context != &state ||
      (params->kind == SWITCH ? setting("FAKE_CUDA_VERSION", 12080) < 12080 : params->kind > WHILE || params->size > 1))
    return INVALID_VALUE;
  state.switches += params->kind == SWITCH;
  operation what = {.run = run_conditional, .value = (unsigned)params->handle, .width = params->kind};
  stream onto = {.captured = to};
  what.bodies = malloc(params->size * sizeof(graph *));
  for (; what.number_of_bodies < params->size; ++what.number_of_bodies)
    what.bodies[what.number_of_bodies] = new_graph();
  enqueue(&onto, &what);
  operation *added = (operation *)((char *)to->last - offsetof(operation, next));
  params->bodies = added->bodies;
  *node = added;
  return OK;
}
API int cuStreamEndCapture(stream *which, graph **made) {
  int result = enter(__func__, 1);
  *made = which->captured;
  which->captured = NULL;
  if (result != OK && which->is_into_graph) {
    *made = NULL;
  } else if (result != OK) {
    free_graph(*made);
    *made = NULL;
    count(FAKE_GRAPH, -1);
  }
  return result;
}

API int cuEventCreate(void **event, unsigned flags) {
  (void)flags;
  ENTER(1);
  count(FAKE_EVENT, 1);
  *event = malloc(1);
  return OK;
}
API int cuEventRecord(void *event, stream *on) {
  (void)event;
  ENTER(1);
  if ((uintptr_t)on > 2 && on->captured)
    ++state.misuses;
  return OK;
}
API int cuEventQuery(void *event) {
  (void)event;
  ENTER(1);
  if (state.not_ready > 0) {
    --state.not_ready;
    return NOT_READY;
  }
  return fault();
}
API int cuEventSynchronize(void *event) {
  (void)event;
  ENTER(1);
  return fault();
}

/* An executable graph is a copy of the pointer; both keep what was captured. */
typedef struct exec {
  graph *what;
} exec;

static graph *copied(const graph *from) {
  stream to = {.captured = new_graph()};
  for (operation *each = from->first; each; each = each->next) {
    operation copy = *each;
    copy.bodies = each->bodies ? malloc(each->number_of_bodies * sizeof(graph *)) : NULL;
    for (unsigned i = 0; i < each->number_of_bodies; ++i)
      copy.bodies[i] = copied(each->bodies[i]);
    enqueue(&to, &copy);
  }
  return to.captured;
}
API int cuGraphInstantiateWithFlags(exec **made, const graph *from, unsigned long long flags) {
  (void)flags;
  ENTER(1);
  count(FAKE_EXEC, 1);
  *made = malloc(sizeof(exec));
  (*made)->what = copied(from);
  return OK;
}
API int cuGraphExecUpdate_v2(exec *which, const graph *from, void *info) {
  (void)info;
  ENTER(1);
  free_graph(which->what);
  which->what = copied(from);
  ++state.updates;
  return OK;
}
API int cuGraphLaunch(exec *which, stream *on) {
  (void)on;
  ENTER(1);
  ++state.graph_launches;
  run_graph(which->what);
  return OK;
}
API int cuGraphDestroy(graph *which) { LEAVE_WITH((free_graph(which), count(FAKE_GRAPH, -1))); }
API int cuGraphExecDestroy(exec *which) { LEAVE_WITH((free_graph(which->what), free(which), count(FAKE_EXEC, -1))); }
