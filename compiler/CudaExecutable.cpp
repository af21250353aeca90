// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mlir_xla/compiler/CudaExecutable.h"

#include "mlir_xla/dialect/Messages.h"
#include "mlir_xla/lowering/native/Codegen.h"
#include "mlir_xla/lowering/native/Jit.h"
#include "mlir_xla/runtime/cuda/xla_rt_cuda.h"

#include "llvm/ADT/ScopeExit.h"
#include "llvm/Support/FormatVariadic.h"

#include <dlfcn.h>
#include <mutex>

namespace mlir::xla {

namespace {

std::string takeError() {
  const char *error = xla_rt_take_error();
  return error ? error : "";
}

/// The emulator lies beside the runtime.
std::string emulatorPath() {
  Dl_info runtime;
  std::string folder;
  if (dladdr(reinterpret_cast<void *>(&xla_rt_cuda_open), &runtime) && runtime.dli_fname)
    folder = (StringRef(runtime.dli_fname).rsplit('/').first + "/").str();
  return folder + "libcuda-emu.so";
}

class CudaExecutable : public Executable {
public:
  CudaExecutable(CudaImage image, bool isEmulated) : image(std::move(image)), isEmulated(isEmulated) {}
  ~CudaExecutable() override {
    if (program)
      xla_rt_cuda_unload(program);
  }

  std::string run(ArrayRef<void *> arguments, ArrayRef<void *> results,
                  llvm::function_ref<bool()> isInterrupted) const override {
    const Signature &signature = image.host.signature;
    if (arguments.size() != signature.arguments.size() || results.size() != signature.results.size())
      return llvm::formatv("the program takes {0} and gives {1}, got {2} and {3}",
                           counted(signature.arguments.size(), "argument"), counted(signature.results.size(), "result"),
                           arguments.size(), results.size());
    if (std::string error = load(); !error.empty())
      return error;
    SmallVector<void *> onDevice;
    llvm::scope_exit release([&] {
      for (void *memory : onDevice)
        xla_rt_cuda_free(device, memory);
    });
    auto allocate = [&](const BufferType &type) {
      onDevice.push_back(xla_rt_cuda_alloc(device, type.bytes));
      return onDevice.back() || !type.bytes;
    };
    for (auto [type, from] : llvm::zip_equal(signature.arguments, arguments))
      if (!allocate(type) || xla_rt_cuda_upload(device, onDevice.back(), from, type.bytes))
        return takeError();
    for (const BufferType &type : signature.results)
      if (!allocate(type))
        return takeError();
    auto inputs = ArrayRef(onDevice).take_front(arguments.size()),
         outputs = ArrayRef(onDevice).drop_front(arguments.size());
    xla_rt_interrupt_fn ask = [](void *data) -> int { return (*static_cast<llvm::function_ref<bool()> *>(data))(); };
    int stopped =
        xla_rt_cuda_run(program, inputs.data(), outputs.data(), isInterrupted ? ask : nullptr, &isInterrupted);
    if (!stopped)
      for (auto [type, from, to] : llvm::zip_equal(signature.results, outputs, results))
        if (xla_rt_cuda_download(device, to, from, type.bytes))
          break;
    xla_rt_cuda_synchronize(device);
    std::string error = takeError();
    return stopped ? "the program was interrupted" : error;
  }

  ArrayRef<BufferType> argumentTypes() const override { return image.host.signature.arguments; }
  ArrayRef<BufferType> resultTypes() const override { return image.host.signature.results; }
  ArrayRef<StageDump> stages() const override { return stageList; }
  ArrayRef<SmallVector<char, 0>> objectCode() const override { return image.host.objects; }
  int64_t arenaSize() const override { return image.host.arenaSize; }

  // The code refers to the constants, so it goes first.
  CudaImage image;
  bool isEmulated;
  std::vector<StageDump> stageList;
  std::unique_ptr<LoadedCode> code;

private:
  /// Once a device is found and has the program. An error may be another one the next time.
  std::string load() const {
    std::lock_guard<std::mutex> lock(mutex);
    if (program)
      return "";
    device = xla_rt_cuda_open(isEmulated ? emulatorPath().c_str() : nullptr, /*ordinal=*/0);
    if (!device)
      return takeError();
    std::vector<xla_rt_cuda_kernel> kernels;
    for (const CudaKernel &kernel : image.kernels)
      kernels.push_back({kernel.name.c_str(), kernel.op.c_str(), kernel.location.c_str()});
    std::vector<xla_rt_cuda_constant> constants;
    for (const ConstantData &constant : image.host.constants)
      constants.push_back({constant.data, constant.bytes});
    xla_rt_cuda_code loaded = {image.ptx.c_str(),
                               kernels.data(),
                               static_cast<int64_t>(kernels.size()),
                               constants.data(),
                               static_cast<int64_t>(constants.size()),
                               reinterpret_cast<xla_rt_program>(code->entry),
                               image.host.arenaSize,
                               image.readsDevice};
    program = xla_rt_cuda_load(device, &loaded);
    return program ? "" : takeError();
  }

  mutable std::mutex mutex;
  mutable xla_rt_cuda_device *device = nullptr;
  mutable xla_rt_cuda_program *program = nullptr;
};

} // namespace

FailureOr<std::unique_ptr<Executable>> loadCudaExecutable(CudaImage image, bool isEmulated, StageLog &log,
                                                          std::string &error) {
  auto executable = std::make_unique<CudaExecutable>(std::move(image), isEmulated);
  auto code = loadCode(executable->image.host.objects, kEntryName, {}, error);
  if (failed(code))
    return failure();
  executable->code = std::move(*code);
  log.finish("load");
  executable->stageList = log.take();
  return std::unique_ptr<Executable>(std::move(executable));
}

} // namespace mlir::xla
