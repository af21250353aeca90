// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mlir_xla/compiler/CpuExecutable.h"
#include "mlir_xla/dialect/Messages.h"
#include "mlir_xla/lowering/native/Codegen.h"
#include "mlir_xla/lowering/native/Jit.h"

#include "mlir_xla/runtime/xla_rt.h"

#include "llvm/Support/FormatVariadic.h"

namespace mlir::xla {

namespace {

class CpuExecutable : public Executable {
public:
  explicit CpuExecutable(ProgramImage image) : image(std::move(image)) {}

  std::string run(ArrayRef<void *> arguments, ArrayRef<void *> results,
                  llvm::function_ref<bool()> isInterrupted) const override {
    if (arguments.size() != image.signature.arguments.size() || results.size() != image.signature.results.size()) {
      xla_rt_set_error(llvm::formatv("the program takes {0} and gives {1}, got {2} and {3}",
                                     counted(image.signature.arguments.size(), "argument"),
                                     counted(image.signature.results.size(), "result"), arguments.size(),
                                     results.size())
                           .str()
                           .c_str());
      return xla_rt_take_error();
    }
    void *arena = image.arenaSize ? xla_rt_alloc(image.arenaSize) : nullptr;
    if (image.arenaSize && !arena) {
      xla_rt_set_out_of_memory(
          llvm::formatv("out of memory: the program needs {0} bytes for intermediate values", image.arenaSize)
              .str()
              .c_str());
      return xla_rt_take_error();
    }
    xla_rt_interrupt_fn ask = [](void *data) -> int { return (*static_cast<llvm::function_ref<bool()> *>(data))(); };
    int stopped =
        xla_rt_run(entry, arguments.data(), results.data(), arena, isInterrupted ? ask : nullptr, &isInterrupted);
    xla_rt_free(arena);
    const char *error = xla_rt_take_error();
    if (stopped)
      return "the program was interrupted";
    return error ? std::string(error) : std::string();
  }

  ArrayRef<BufferType> argumentTypes() const override { return image.signature.arguments; }
  ArrayRef<BufferType> resultTypes() const override { return image.signature.results; }
  ArrayRef<StageDump> stages() const override { return stageList; }
  ArrayRef<SmallVector<char, 0>> objectCode() const override { return image.objects; }
  int64_t arenaSize() const override { return image.arenaSize; }

  // The code refers to the constants, so it goes first.
  ProgramImage image;
  std::vector<StageDump> stageList;
  std::unique_ptr<LoadedCode> code;
  xla_rt_program entry = nullptr;
};

} // namespace

FailureOr<std::unique_ptr<Executable>> loadExecutable(ProgramImage image, StageLog &log, std::string &error) {
  auto executable = std::make_unique<CpuExecutable>(std::move(image));
  std::vector<std::pair<std::string, const void *>> data;
  for (const ConstantData &constant : executable->image.constants)
    data.emplace_back(constant.symbol, constant.data);
  auto code = loadCode(executable->image.objects, kEntryName, data, error);
  if (failed(code))
    return failure();
  executable->code = std::move(*code);
  executable->entry = reinterpret_cast<xla_rt_program>(executable->code->entry);
  log.finish("load");
  executable->stageList = log.take();
  return std::unique_ptr<Executable>(std::move(executable));
}

} // namespace mlir::xla
