// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mlir_xla/compiler/CudaExecutable.h"

#include "mlir_xla/dialect/Messages.h"
#include "mlir_xla/lowering/native/Codegen.h"
#include "mlir_xla/lowering/native/Jit.h"
#include "mlir_xla/lowering/xla_rt/XlaRt.h"

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

/// A program on one device.
struct LoadedProgram {
  xla_rt_cuda_device *device;
  xla_rt_cuda_program *program;
};

class CudaExecutable : public Executable {
public:
  CudaExecutable(CudaImage image, bool isEmulated) : image(std::move(image)), isEmulated(isEmulated) {}
  ~CudaExecutable() override {
    for (LoadedProgram &each : programs)
      xla_rt_cuda_unload(each.program);
  }

  StringRef deviceKind() const override { return isEmulated ? kCudaEmulated : kCuda; }

  std::string enqueue(xla_rt_cuda_device *device, ArrayRef<void *> arguments, ArrayRef<void *> results,
                      llvm::function_ref<bool()> isInterrupted) const override {
    if (std::string error = checkCounts(arguments.size(), results.size()); !error.empty())
      return error;
    xla_rt_cuda_program *program = load(device);
    if (!program)
      return takeError();
    int stopped =
        xla_rt_cuda_run(program, arguments.data(), results.data(), isInterrupted ? ask : nullptr, &isInterrupted);
    std::string error = takeError();
    return stopped ? kInterrupted : error;
  }

  std::string run(ArrayRef<void *> arguments, ArrayRef<void *> results,
                  llvm::function_ref<bool()> isInterrupted) const override {
    if (std::string error = checkCounts(arguments.size(), results.size()); !error.empty())
      return error;
    xla_rt_cuda_device *device = xla_rt_cuda_open(cudaLibrary(deviceKind()), /*ordinal=*/0);
    if (!device)
      return takeError();
    const Signature &signature = image.host.signature;
    SmallVector<void *> onDevice;
    llvm::scope_exit release([&] {
      for (void *memory : onDevice)
        xla_rt_cuda_free(device, memory);
    });
    std::string error;
    auto allocate = [&](const BufferType &type, StringRef what, size_t number) {
      onDevice.push_back(xla_rt_cuda_alloc(device, type.bytes));
      if (onDevice.back())
        return true;
      error = takeError();
      if (xla_rt_out_of_memory())
        error = llvm::formatv("{0} {1}: {2}", what, number, error);
      return false;
    };
    for (auto [i, type] : llvm::enumerate(signature.arguments))
      if (!allocate(type, "argument", i))
        return error;
      else if (xla_rt_cuda_upload(device, onDevice.back(), arguments[i], type.bytes))
        return takeError();
    for (auto [i, type] : llvm::enumerate(signature.results))
      if (!allocate(type, "result", i))
        return error;
    auto inputs = ArrayRef(onDevice).take_front(arguments.size()),
         outputs = ArrayRef(onDevice).drop_front(arguments.size());
    if (error = enqueue(device, inputs, outputs, isInterrupted); !error.empty())
      return error;
    if (xla_rt_cuda_wait(device, isInterrupted ? ask : nullptr, &isInterrupted))
      return kInterrupted;
    for (auto [type, from, to] : llvm::zip_equal(signature.results, outputs, results))
      if (xla_rt_cuda_download(device, to, from, type.bytes))
        break;
    return takeError();
  }

  ArrayRef<BufferType> argumentTypes() const override { return image.host.signature.arguments; }
  ArrayRef<BufferType> resultTypes() const override { return image.host.signature.results; }
  ArrayRef<std::pair<int64_t, int64_t>> mayAlias() const override { return image.mayAlias; }
  ArrayRef<StageDump> stages() const override { return stageList; }
  ArrayRef<SmallVector<char, 0>> objectCode() const override { return image.host.objects; }
  int64_t arenaSize() const override { return image.host.arenaSize; }

  // The code refers to the constants, so it goes first.
  CudaImage image;
  bool isEmulated;
  std::vector<StageDump> stageList;
  std::unique_ptr<LoadedCode> code;

private:
  static constexpr const char *kInterrupted = "the program was interrupted";
  static int ask(void *isInterrupted) { return (*static_cast<llvm::function_ref<bool()> *>(isInterrupted))(); }

  std::string checkCounts(size_t arguments, size_t results) const {
    const Signature &signature = image.host.signature;
    if (arguments == signature.arguments.size() && results == signature.results.size())
      return "";
    return llvm::formatv("the program takes {0} and gives {1}, got {2} and {3}",
                         counted(signature.arguments.size(), "argument"), counted(signature.results.size(), "result"),
                         arguments, results);
  }

  /// The program on a device, once for each; null with the runtime's error. Another attempt may fare better.
  xla_rt_cuda_program *load(xla_rt_cuda_device *device) const {
    std::lock_guard<std::mutex> lock(mutex);
    for (LoadedProgram &each : programs)
      if (each.device == device)
        return each.program;
    std::vector<xla_rt_cuda_kernel> kernels;
    for (const CudaKernel &kernel : image.kernels)
      kernels.push_back({kernel.name.c_str(), kernel.op.c_str(), kernel.location.c_str(),
                         kernel.devices.empty()                     ? XLA_RT_CUDA_ALL_IMAGES
                         : kernel.devices == XlaRtDialect::kOnly90a ? XLA_RT_CUDA_SM_90A
                                                                    : XLA_RT_CUDA_OTHERS});
    std::vector<xla_rt_cuda_constant> constants;
    for (const ConstantData &constant : image.host.constants)
      constants.push_back({constant.data, constant.bytes});
    std::vector<xla_rt_cuda_image> images;
    for (const CudaPtx &ptx : image.ptx)
      images.push_back({ptx.text.c_str(), ptx.target.capability, ptx.target.isExact, ptx.target.isFamily});
    xla_rt_cuda_code loaded = {images.data(),
                               static_cast<int64_t>(images.size()),
                               kernels.data(),
                               static_cast<int64_t>(kernels.size()),
                               constants.data(),
                               static_cast<int64_t>(constants.size()),
                               reinterpret_cast<xla_rt_program>(code->entry),
                               image.host.arenaSize,
                               image.readsDevice,
                               static_cast<int64_t>(image.host.signature.arguments.size()),
                               static_cast<int64_t>(image.host.signature.results.size())};
    xla_rt_cuda_program *program = xla_rt_cuda_load(device, &loaded);
    if (program)
      programs.push_back({device, program});
    return program;
  }

  mutable std::mutex mutex;
  mutable SmallVector<LoadedProgram, 1> programs;
};

} // namespace

const char *cudaLibrary(StringRef deviceKind) {
  if (deviceKind != kCudaEmulated)
    return nullptr;
  // The emulator lies beside the runtime.
  static const std::string *path = [] {
    Dl_info runtime;
    std::string folder;
    if (dladdr(reinterpret_cast<void *>(&xla_rt_cuda_open), &runtime) && runtime.dli_fname)
      folder = (StringRef(runtime.dli_fname).rsplit('/').first + "/").str();
    return new std::string(folder + "libcuda-emu.so");
  }();
  return path->c_str();
}

std::string Executable::enqueue(xla_rt_cuda_device *, ArrayRef<void *>, ArrayRef<void *>,
                                llvm::function_ref<bool()>) const {
  return "the program runs on the host";
}

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
