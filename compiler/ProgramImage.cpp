// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mlir_xla/compiler/ProgramImage.h"

#include "mlir_xla/dialect/Messages.h"
#include "mlir_xla/lowering/Storage.h"
#include "mlir_xla/lowering/Unsupported.h"
#include "mlir_xla/lowering/xla_rt/XlaRt.h"
#include "mlir_xla/runtime/xla_rt.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

namespace mlir::xla {

ProgramImage::~ProgramImage() {
  for (ConstantData &constant : constants)
    xla_rt_free(constant.data);
}

LogicalResult ProgramImage::takeConstants(ModuleOp module) {
  for (auto global : module.getOps<LLVM::GlobalOp>()) {
    auto value = global->getAttrOfType<ElementsAttr>(XlaRtDialect::kData);
    if (!value)
      continue;
    int64_t bytes = bufferBytes(value.getShapedType());
    ConstantData constant{global.getSymName().str(), xla_rt_alloc(bytes), bytes};
    if (!constant.data) {
      std::string error = "out of memory for a constant of " + counted(bytes, "byte");
      xla_rt_set_out_of_memory(error.c_str());
      return unsupported(global.emitError(error));
    }
    constants.push_back(constant);
    if (failed(writeElements(value, {static_cast<char *>(constant.data), static_cast<size_t>(bytes)})))
      return unsupported(global.emitError("cannot read the value of the constant"));
    global->removeAttr(XlaRtDialect::kData);
  }
  return success();
}

} // namespace mlir::xla
