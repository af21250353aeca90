// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Programs are loaded, run and unloaded.

#include "mlir_xla/runtime/cuda/Program.h"
#include "mlir_xla/runtime/cuda/Messages.h"

#include <set>
#include <string_view>

using namespace xla_rt::cuda;

// === Programs ===

Program::xla_rt_cuda_program(Device &device, const xla_rt_cuda_code &code)
    : device(device), entry(code.entry), arenaBytes(code.arena_bytes), graphs(code, !device.syncsEachLaunch) {
  auto text = [](const char *given, const char *otherwise) { return given && *given ? given : otherwise; };
  for (int64_t i = 0; i < code.num_kernels; ++i) {
    Kernel &kernel = kernels.emplace_back();
    kernel.name = text(code.kernels[i].name, "");
    kernel.op = text(code.kernels[i].op, "an unknown op");
    kernel.location = text(code.kernels[i].location, "an unknown place");
    kernel.images = code.kernels[i].images;
  }
}

static bool canRun(const Device &device, const xla_rt_cuda_image &image) {
  return image.is_exact    ? device.capability == image.capability
         : image.is_family ? device.capability >= image.capability && device.capability / 10 == image.capability / 10
                           : device.capability >= image.capability;
}

/// Null with an error.
static const xla_rt_cuda_image *chooseImage(const Device &device, const xla_rt_cuda_code &code) {
  const xla_rt_cuda_image *best = nullptr;
  // What is for one capability only has more than what is for newer ones, too.
  auto rank = [](const xla_rt_cuda_image &image) {
    return 4 * image.capability + 2 * image.is_exact + image.is_family;
  };
  std::string known;
  for (int64_t i = 0; i < code.num_images; ++i) {
    const xla_rt_cuda_image &image = code.images[i];
    known += (i ? ", " : "") + ("sm_" + std::to_string(image.capability)) +
             (image.is_exact    ? "a"
              : image.is_family ? "f"
                                : " and newer");
    if (canRun(device, image) && (!best || rank(image) > rank(*best)))
      best = &image;
  }
  if (!best)
    setError("%s cannot run the program: it has compute capability %d.%d, and there is code for %s",
             device.name.c_str(), device.capability / 10, device.capability % 10, known.c_str());
  return best;
}

/// The kernels of the text that wait for those in front of them.
static std::set<std::string_view> kernelsThatWait(std::string_view ptx) {
  static constexpr std::string_view entry = ".entry ";
  std::set<std::string_view> found;
  for (size_t begin = ptx.find(entry); begin != std::string_view::npos;) {
    size_t end = ptx.find(entry, begin + entry.size());
    std::string_view kernel = ptx.substr(begin + entry.size(), end - begin - entry.size());
    if (kernel.find("griddepcontrol.wait") != std::string_view::npos)
      found.insert(kernel.substr(0, kernel.find('(')));
    begin = end;
  }
  return found;
}

bool Program::load(const xla_rt_cuda_code &code) {
  // A program that only moves data has no module.
  bool is90a = false;
  if (!kernels.empty()) {
    const xla_rt_cuda_image *image = chooseImage(device, code);
    if (!image || !(module = device.modules.load(image->ptx)))
      return false;
    is90a = image->is_exact && image->capability == 90;
    if (device.overlapsLaunches) {
      std::set<std::string_view> waiting = kernelsThatWait(image->ptx);
      for (Kernel &kernel : kernels)
        kernel.waitsForOthers = waiting.count(kernel.name) > 0;
    }
  }
  for (Kernel &kernel : kernels)
    if ((kernel.images == XLA_RT_CUDA_ALL_IMAGES || is90a == (kernel.images == XLA_RT_CUDA_SM_90A)) &&
        !device.check(device.driver.cuModuleGetFunction(&kernel.function, module, kernel.name.c_str()),
                      "find kernel '%s' (%s at %s) in the program's PTX", kernel.name.c_str(), kernel.op.c_str(),
                      kernel.location.c_str()))
      return false;
  constexpr int64_t kAlignment = 256; // that of allocations
  std::vector<int64_t> offsets;
  int64_t bytes = 0;
  for (int64_t i = 0; i < code.num_constants; ++i) {
    offsets.push_back(bytes);
    bytes += (code.constants[i].bytes + kAlignment - 1) / kAlignment * kAlignment;
  }
  if (code.num_constants > 0 &&
      !(constantMemory = static_cast<char *>(device.allocate(bytes, "the program's constants"))))
    return false;
  for (int64_t i = 0; i < code.num_constants; ++i) {
    constants.push_back(constantMemory + offsets[i]);
    if (!device.upload(constants.back(), code.constants[i].data, code.constants[i].bytes))
      return false;
  }
  return true;
}

void Program::unload() {
  const Driver &driver = device.driver;
  for (const Kernel &kernel : kernels)
    if (!device.isIdle(kernel)) {
      uint64_t over = device.endMoment();
      CUresult result = driver.cuStreamSynchronize(device.stream);
      device.ignore(result);
      if (result == CUDA_SUCCESS)
        device.finish(over);
      break;
    }
  graphs.destroy(device);
  device.free(constantMemory);
  if (module)
    device.modules.unload(module);
}

xla_rt_cuda_program *xla_rt_cuda_load(xla_rt_cuda_device *device, const xla_rt_cuda_code *code) {
  InContext context(*device);
  if (!context)
    return nullptr;
  auto *program = new Program(*device, *code);
  if (program->load(*code)) {
    device->add(*program);
    return program;
  }
  program->unload();
  delete program;
  return nullptr;
}

void xla_rt_cuda_unload(xla_rt_cuda_program *program) {
  if (!program)
    return;
  Device &device = program->device;
  CUcontext popped;
  if (device.isThere()) { // what a lost device has goes with its context
    bool isCurrent = device.driver.cuCtxPushCurrent_v2(device.context) == CUDA_SUCCESS;
    program->unload();
    if (isCurrent)
      device.driver.cuCtxPopCurrent_v2(&popped);
  }
  device.remove(*program);
  delete program;
}

int xla_rt_cuda_run(xla_rt_cuda_program *program, void *const *arguments, void *const *results,
                    xla_rt_interrupt_fn is_interrupted, void *user_data) {
  Device &device = program->device;
  InContext context(device);
  if (!context)
    return 0;
  Buffers buffers = {arguments, results, nullptr};
  if (program->arenaBytes > 0 &&
      !(buffers.arena = device.allocate(program->arenaBytes, "what the program's kernels hand on")))
    return 0;
  int stopped = 0;
  if (!program->graphs.launch(*program, context, buffers)) {
    Run run(*program, context, device.stream);
    stopped = run.call(buffers, is_interrupted, user_data);
    if (run.isFinished)
      program->graphs.learn(run, buffers);
  }
  device.freeInContext(buffers.arena);
  return stopped;
}

// === Executions ===

static thread_local Run *currentRun = nullptr;

Run::Run(Program &program, InContext &context, CUstream stream, Graph *capture)
    : program(program), device(program.device), context(context), stream(stream), capture(capture), outer(currentRun) {
  currentRun = this;
}

Run::~Run() {
  currentRun = outer;
  if (slot)
    device.staging.give(slot);
  device.giveEvent(event);
  giveMemory();
}

Run *Run::current() { return currentRun; }

int Run::call(const Buffers &buffers, xla_rt_interrupt_fn isInterrupted, void *userData) {
  xla_rt_program body = [](void *const *arguments, void *const *results, void *arena) {
    currentRun->program.entry(arguments, results, arena);
    currentRun->isFinished = true;
  };
  return xla_rt_run(body, buffers.arguments, buffers.results, buffers.arena, isInterrupted, userData);
}

CUevent Run::takenEvent() {
  if (!event)
    event = device.takeEvent();
  return event;
}

Staging::Slot *Run::takenSlot() {
  if (!slot)
    slot = device.staging.take(Staging::kSmallBytes);
  return slot;
}

void *Run::takenMemory(int64_t bytes) {
  void *block = xla_rt_alloc(bytes);
  if (block) {
    memory.push_back(block);
    return block;
  }
  char message[128];
  snprintf(message, sizeof(message), "out of memory: %lld bytes on the host for a function that runs there",
           static_cast<long long>(bytes));
  xla_rt_set_out_of_memory(message);
  return nullptr;
}

void *Run::takenCounter() {
  void *counter = device.allocate(sizeof(uint64_t));
  if (!counter)
    return nullptr;
  capture->counters.push_back(counter);
  // In the order of the device's stream, where the graph will run.
  bool isZero = device.check(device.driver.cuMemsetD8Async(address(counter), 0, sizeof(uint64_t), device.stream),
                             "fill %zu bytes", sizeof(uint64_t));
  return isZero ? counter : nullptr;
}

void Run::giveMemory() {
  for (void *block : memory)
    xla_rt_free(block);
  memory.clear();
}

int xla_rt_cuda_wait(xla_rt_cuda_device *device, xla_rt_interrupt_fn is_interrupted, void *user_data) {
  InContext context(*device);
  if (!context)
    return 0;
  CUevent event = device->takeEvent();
  if (!event)
    return 0;
  xla_rt_program wait = [](void *const *device, void *const *event, void *) {
    static_cast<Device *>(*device)->waitForAll(static_cast<CUevent>(*event), /*polls=*/true);
  };
  void *argument = device, *result = event;
  int stopped = xla_rt_run(wait, &argument, &result, nullptr, is_interrupted, user_data);
  device->giveEvent(event);
  return stopped;
}
