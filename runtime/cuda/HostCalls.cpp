// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the host code of a program calls. A failure ends the execution by a jump out of that code, so the functions here
// that hold something tell their callers of a failure, who hold nothing and jump.

#include "mlir_xla/runtime/cuda/Messages.h"
#include "mlir_xla/runtime/cuda/Program.h"

#include <limits.h>
#include <string.h>

using namespace xla_rt::cuda;

/// Ends the execution unless `done`, with the error that there is.
static void require(bool done) {
  if (!done)
    xla_rt_fail(nullptr);
}

/// Before the host does something that is to happen in each execution.
static bool beginOnHost(Run &run) {
  run.hasWaited = true;
  if (!run.capture)
    return true;
  setError("%s: the program reads what the device has computed", run.device.name.c_str());
  return false;
}

// === Launches ===

/// How many bytes of shared memory every device has without being asked.
static constexpr int64_t kSharedBytes = 48 << 10;

static bool allowSharedMemory(Run &run, Kernel &kernel) {
  const Driver &driver = run.device.driver;
  int own = 0;
  CUresult result = driver.cuFuncGetAttribute(&own, CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES, kernel.function);
  if (result == CUDA_SUCCESS)
    result = driver.cuFuncSetAttribute(kernel.function, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES,
                                       run.device.mostSharedBytes - own);
  kernel.mayUseAllSharedMemory = result == CUDA_SUCCESS;
  return run.device.check(result, "let kernel '%s' (%s at %s) use more shared memory", kernel.name.c_str(),
                          kernel.op.c_str(), kernel.location.c_str());
}

static bool launch(Run &run, int64_t index, const int64_t launch[7], void **arguments) {
  Device &device = run.device;
  if (index < 0 || index >= static_cast<int64_t>(run.program.kernels.size())) {
    setError("%s: the program has no kernel %lld", device.name.c_str(), static_cast<long long>(index));
    return false;
  }
  Kernel &kernel = run.program.kernels[index];
  unsigned sizes[7];
  bool isEmpty = false, fits = true;
  for (int i = 0; i < 7; ++i) {
    fits &= launch[i] >= 0 && launch[i] <= INT_MAX;
    isEmpty |= launch[i] == 0 && i < 6;
    sizes[i] = static_cast<unsigned>(launch[i]);
  }
  if (isEmpty && fits)
    return true;
  if (fits && launch[6] > kSharedBytes && !kernel.mayUseAllSharedMemory && !allowSharedMemory(run, kernel))
    return false;
  if (!kernel.function) {
    setError("%s: kernel '%s' (%s at %s) is for other devices", device.name.c_str(), kernel.name.c_str(),
             kernel.op.c_str(), kernel.location.c_str());
    return false;
  }
  if (!run.capture)
    kernel.launched = device.now(); // a driver may do at once what is launched
  CUlaunchAttribute early = {CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION, {}, {}};
  early.value.programmaticStreamSerializationAllowed = 1;
  CUlaunchConfig config = {sizes[0], sizes[1], sizes[2],   sizes[3], sizes[4],
                           sizes[5], sizes[6], run.stream, &early,   kernel.waitsForOthers ? 1u : 0u};
  CUresult result =
      fits ? device.driver.cuLaunchKernelEx(&config, kernel.function, arguments, nullptr) : CUDA_ERROR_INVALID_VALUE;
  auto number = [&](int i) { return static_cast<long long>(launch[i]); };
  if (!device.check(result,
                    "launch kernel '%s' (%s at %s) with a grid of %lldx%lldx%lld blocks of %lldx%lldx%lld threads and "
                    "%lld bytes of shared memory",
                    kernel.name.c_str(), kernel.op.c_str(), kernel.location.c_str(), number(0), number(1), number(2),
                    number(3), number(4), number(5), number(6)))
    return false;
  ++run.numEnqueued;
  if (run.capture) {
    run.capture->kernels.push_back(&kernel);
    return true;
  }
  kernel.launched = device.now(); // who waits from now on waits for it, too
  if (!device.syncsEachLaunch)
    return true;
  uint64_t over = device.endMoment();
  if (!device.checkKernel(device.driver.cuStreamSynchronize(run.stream), kernel))
    return false;
  device.finish(over);
  return true;
}

void xla_rt_cuda_launch(int64_t kernel, const int64_t sizes[7], void **arguments) {
  if (Run *run = Run::current())
    require(launch(*run, kernel, sizes, arguments));
}

int32_t xla_rt_cuda_capability(void) {
  Run *run = Run::current();
  return run ? run->device.capability : 0;
}

static bool encode(Run &run, void *map, const void *from, const int64_t *description) {
  constexpr int mostRank = 5;
  Device &device = run.device;
  int64_t elementBytes = *description++, rank = *description++, offset = *description++, pixels = *description++;
  uint64_t sizes[mostRank], strides[mostRank];
  unsigned box[mostRank], steps[mostRank];
  int lower[mostRank], upper[mostRank];
  if (rank > mostRank) {
    setError("%s: cannot describe a tensor of %lld dimensions to its accelerator", device.name.c_str(),
             static_cast<long long>(rank));
    return false;
  }
  for (int i = 0; i < rank; ++i)
    sizes[i] = *description++;
  for (int i = 0; i + 1 < rank; ++i)
    strides[i] = *description++;
  for (int i = 0; i < rank; ++i) {
    box[i] = static_cast<unsigned>(*description++);
    steps[i] = 1;
  }
  for (int i = 0; pixels && i + 2 < rank; ++i) {
    steps[i + 1] = static_cast<unsigned>(*description++);
    lower[i] = static_cast<int>(*description++);
    upper[i] = static_cast<int>(*description++);
  }
  // Elements are moved, and whatever they are, zero is zero: unsigned integers of their size.
  CUtensorMapDataType type = elementBytes == 4   ? CU_TENSOR_MAP_DATA_TYPE_UINT32
                             : elementBytes == 2 ? CU_TENSOR_MAP_DATA_TYPE_UINT16
                                                 : CU_TENSOR_MAP_DATA_TYPE_UINT8;
  void *first = reinterpret_cast<void *>(address(from) + offset);
  CUresult result =
      pixels
          ? device.driver.cuTensorMapEncodeIm2col(map, type, static_cast<unsigned>(rank), first, sizes, strides, lower,
                                                  upper, box[0], static_cast<unsigned>(pixels), steps,
                                                  CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_128B,
                                                  CU_TENSOR_MAP_L2_PROMOTION_L2_256B, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE)
          : device.driver.cuTensorMapEncodeTiled(map, type, static_cast<unsigned>(rank), first, sizes, strides, box,
                                                 steps, CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_128B,
                                                 CU_TENSOR_MAP_L2_PROMOTION_L2_256B, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
  return device.check(result, "describe a tensor to its accelerator");
}

void xla_rt_cuda_tensor_map(void *map, const void *address, const int64_t *description) {
  if (Run *run = Run::current())
    require(encode(*run, map, address, description));
}

void *xla_rt_cuda_constant_address(int64_t constant) {
  Run *run = Run::current();
  return run ? run->program.constants[constant] : nullptr;
}

// === Memory ===

static bool copy(Run &run, void *to, const void *from, int64_t bytes) {
  if (bytes <= 0 || to == from) // a result in the memory of an argument
    return true;
  ++run.numEnqueued;
  return run.device.check(run.device.driver.cuMemcpyDtoDAsync_v2(address(to), address(from), bytes, run.stream),
                          "copy %lld bytes", static_cast<long long>(bytes));
}

void xla_rt_cuda_copy(void *to, const void *from, int64_t bytes) {
  if (Run *run = Run::current())
    require(copy(*run, to, from, bytes));
}

void xla_rt_cuda_fill(void *to, const void *element, int64_t size, int64_t count) {
  Run *run = Run::current();
  if (!run || count <= 0)
    return;
  ++run->numEnqueued;
  require(run->device.fill(run->stream, to, element, size, count));
}

bool Run::read(void *to, const void *from, int64_t bytes) {
  Staging::Slot *slot = takenSlot();
  if (!slot || !device.staging.wait(*slot))
    return false;
  uint64_t over = device.endMoment();
  if (!device.check(device.driver.cuMemcpyDtoHAsync_v2(slot->data, address(from), bytes, stream),
                    "copy %lld bytes from the device", static_cast<long long>(bytes)) ||
      !device.staging.markPending(*slot) || !device.waitFor(slot->event, /*polls=*/true))
    return false;
  slot->isPending = false;
  device.finish(over);
  memcpy(to, slot->data, bytes);
  return true;
}

void xla_rt_cuda_read(void *to, const void *from, int64_t bytes) {
  memset(to, 0, bytes);
  Run *run = Run::current();
  if (!run)
    return;
  xla_rt_poll(); // loops on the host end here
  require(beginOnHost(*run) && run->read(to, from, bytes));
}

// === Loops and branches ===

void xla_rt_cuda_begin_loop(int64_t count, int64_t unrolled) {
  if (Run *run = Run::current())
    require(run->decisions.beginLoop(count, unrolled));
}

int32_t xla_rt_cuda_repeat(const void *predicate) {
  Run *run = Run::current();
  if (!run)
    return 0;
  xla_rt_poll();
  bool goesOn = false;
  require(run->decisions.repeat(predicate, goesOn));
  return goesOn;
}

void xla_rt_cuda_begin_branches(const void *value, int32_t is_index, int64_t count, const char *asked) {
  if (Run *run = Run::current())
    require(run->decisions.beginBranches(value, is_index, count, asked));
}

int32_t xla_rt_cuda_take_branch(int64_t branch) {
  Run *run = Run::current();
  bool isTaken = false;
  if (run)
    require(run->decisions.takeBranch(branch, isTaken));
  return isTaken;
}

void xla_rt_cuda_end_branches(void) {
  if (Run *run = Run::current())
    require(run->decisions.endBranches());
}

// === Functions on the host ===

/// Waits as code that may be stopped does, so that copies to the host need not wait.
static void waitOnHost(Run &run) {
  require(beginOnHost(run));
  CUevent event = run.takenEvent();
  require(event && run.device.waitForAll(event, /*polls=*/true));
}

/// Host memory for an array on the device, with its elements if `isRead`. Null with an error.
static void *onHost(Run &run, const void *memory, int64_t bytes, bool isRead) {
  void *copy = run.takenMemory(bytes);
  return copy && (!isRead || run.device.download(copy, memory, bytes)) ? copy : nullptr;
}

static void **pointersOnHost(Run &run, int64_t count) {
  return static_cast<void **>(run.takenMemory(count * static_cast<int64_t>(sizeof(void *))));
}

namespace {
struct LibraryTask {
  const xla_rt_cuda_library_call *call;
  void **buffers;
};
} // namespace

void xla_rt_cuda_call_library(const xla_rt_cuda_library_call *call) {
  Run *run = Run::current();
  if (!run)
    return;
  waitOnHost(*run);
  void **buffers = pointersOnHost(*run, call->num_buffers);
  require(buffers);
  for (int64_t i = 0; i < call->num_buffers; ++i) {
    bool isRead = i < call->num_inputs || call->updated >> (i - call->num_inputs) & 1;
    require((buffers[i] = onHost(*run, call->buffers[i], call->bytes[i], isRead)));
  }
  LibraryTask task = {call, buffers};
  xla_rt_parallel_for(
      [](void *args, int64_t begin, int64_t end, void *scratch) {
        auto *task = static_cast<LibraryTask *>(args);
        task->call->function(task->call->parameters, task->buffers, begin, end, scratch);
      },
      &task, call->work, /*grain=*/1, call->scratch_bytes);
  for (int64_t i = call->num_inputs; i < call->num_buffers; ++i)
    require(run->device.upload(call->buffers[i], buffers[i], call->bytes[i]));
  run->giveMemory();
}

void xla_rt_cuda_custom_call(const xla_rt_custom_call_info *info, const int64_t *bytes) {
  Run *run = Run::current();
  if (!run)
    return;
  waitOnHost(*run);
  int64_t operands = info->num_operands, results = info->num_results;
  xla_rt_custom_call_info copy = *info;
  copy.operands = pointersOnHost(*run, operands + results);
  require(copy.operands);
  copy.results = copy.operands + operands;
  for (int64_t i = 0; i < operands + results; ++i) {
    bool isOperand = i < operands;
    const void *memory = isOperand ? info->operands[i] : info->results[i - operands];
    require((copy.operands[i] = onHost(*run, memory, bytes[i], /*isRead=*/isOperand)));
  }
  run->context.leave(); // the function may have a context of its own, or leave this code
  xla_rt_custom_call(&copy);
  require(run->context.enter());
  for (int64_t i = 0; i < results; ++i)
    require(run->device.upload(info->results[i], copy.results[i], bytes[operands + i]));
  run->giveMemory();
}
