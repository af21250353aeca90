// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Types of the llvm dialect: structs, pointers, arrays, functions, void.

#include "mlir_xla/python/bindings/DialectTypes.h"

#include "mlir-c/Dialect/LLVM.h"
#include "mlir/CAPI/IR.h"
#include "mlir/CAPI/Support.h"
#include "mlir/Dialect/LLVMIR/LLVMTypes.h"

namespace mlir::xla::python {
namespace {

template <typename CppType> bool isaType(MlirType type) { return llvm::isa<CppType>(unwrap(type)); }
template <typename CppType> MlirTypeID typeIdOf() { return wrap(mlir::TypeID::get<CppType>()); }

struct StructType : ConcreteType<StructType> {
  static constexpr const char *className = "StructType";
  static constexpr auto isa = mlirTypeIsALLVMStructType;
  static constexpr auto typeID = mlirLLVMStructTypeGetTypeID;
  static MlirStringRef name() { return mlirLLVMStructTypeGetName(); }

  using Types = std::vector<MlirType>;

  static StructType getLiteral(const Types &elements, bool packed, const std::optional<PyLocation> &loc,
                               const Ref<Ctx> &ctx) {
    ErrorCapture errors(ctx);
    MlirType type = mlirLLVMStructTypeLiteralGetChecked(locationOrUnknown(loc, ctx->get()), elements.size(),
                                                        elements.data(), packed);
    if (mlirTypeIsNull(type))
      errors.fail("Invalid type");
    return make(ctx, type);
  }

  static void bindMembers(Class &cls) {
    cls.def_static(
        "get_literal",
        [](const Types &elements, bool packed, std::optional<PyLocation> loc, std::optional<Ref<Ctx>> context) {
          Ref<Ctx> ctx = loc ? loc->ctx : context ? *context : DefaultCtx::resolve();
          return getLiteral(elements, packed, loc, ctx);
        },
        nb::arg("elements"), nb::kw_only(), nb::arg("packed") = false, nb::arg("loc") = nb::none(),
        nb::arg("context") = nb::none());
    cls.def_static(
        "get_literal_unchecked",
        [](const Types &elements, bool packed, DefaultCtx ctx) {
          return getLiteral(elements, packed, std::nullopt, ctx.ctx);
        },
        nb::arg("elements"), nb::kw_only(), nb::arg("packed") = false, nb::arg("context") = nb::none());
    cls.def_static(
        "get_identified",
        [](const std::string &name, DefaultCtx ctx) {
          return make(ctx.ctx, mlirLLVMStructTypeIdentifiedGet(ctx, toRef(name)));
        },
        nb::arg("name"), nb::kw_only(), nb::arg("context") = nb::none());
    cls.def_static(
        "get_opaque",
        [](const std::string &name, DefaultCtx ctx) {
          return make(ctx.ctx, mlirLLVMStructTypeOpaqueGet(ctx, toRef(name)));
        },
        nb::arg("name"), nb::kw_only(), nb::arg("context") = nb::none());
    cls.def_static(
        "new_identified",
        [](const std::string &name, const Types &elements, bool packed, DefaultCtx ctx) {
          return make(ctx.ctx,
                      mlirLLVMStructTypeIdentifiedNewGet(ctx, toRef(name), elements.size(), elements.data(), packed));
        },
        nb::arg("name"), nb::arg("elements"), nb::kw_only(), nb::arg("packed") = false,
        nb::arg("context") = nb::none());
    cls.def(
        "set_body",
        [](const StructType &self, const Types &elements, bool packed) {
          if (mlirLLVMStructTypeIsLiteral(self))
            throwPy(PyExc_ValueError, "A literal struct's body is part of its identity.");
          if (mlirLogicalResultIsFailure(mlirLLVMStructTypeSetBody(self, elements.size(), elements.data(), packed)))
            throwPy(PyExc_ValueError, "Struct body already set to different content.");
        },
        nb::arg("elements"), nb::kw_only(), nb::arg("packed") = false);
    cls.def_prop_ro("name", [](const StructType &self) {
      return mlirLLVMStructTypeIsLiteral(self) ? nb::object(nb::none())
                                               : nb::object(toStr(mlirLLVMStructTypeGetIdentifier(self)));
    });
    cls.def_prop_ro("body", [](const StructType &self) -> std::optional<Types> {
      // An identified struct without a body is opaque, too.
      if (mlirLLVMStructTypeIsOpaque(self))
        return std::nullopt;
      Types elements;
      for (intptr_t i = 0, e = mlirLLVMStructTypeGetNumElementTypes(self); i < e; ++i)
        elements.push_back(mlirLLVMStructTypeGetElementType(self, i));
      return elements;
    });
    cls.def_prop_ro("packed", [](const StructType &self) { return mlirLLVMStructTypeIsPacked(self); });
    cls.def_prop_ro("opaque", [](const StructType &self) { return mlirLLVMStructTypeIsOpaque(self); });
  }
};

struct PointerType : ConcreteType<PointerType> {
  static constexpr const char *className = "PointerType";
  static constexpr auto isa = mlirTypeIsALLVMPointerType;
  static constexpr auto typeID = mlirLLVMPointerTypeGetTypeID;
  static MlirStringRef name() { return mlirLLVMPointerTypeGetName(); }
  static void bindMembers(Class &cls) {
    cls.def_static(
        "get",
        [](std::optional<unsigned> addressSpace, DefaultCtx ctx) {
          return make(ctx.ctx, mlirLLVMPointerTypeGet(ctx, addressSpace.value_or(0)));
        },
        nb::arg("address_space") = nb::none(), nb::kw_only(), nb::arg("context") = nb::none());
    cls.def_prop_ro("address_space", [](const PointerType &self) { return mlirLLVMPointerTypeGetAddressSpace(self); });
  }
};

struct ArrayType : ConcreteType<ArrayType> {
  static constexpr const char *className = "ArrayType";
  static constexpr auto isa = isaType<mlir::LLVM::LLVMArrayType>;
  static constexpr auto typeID = typeIdOf<mlir::LLVM::LLVMArrayType>;
  static MlirStringRef name() { return mlirLLVMArrayTypeGetName(); }
  static void bindMembers(Class &cls) {
    cls.def_static(
        "get",
        [](MlirType element, uint64_t count) {
          if (!mlir::LLVM::LLVMArrayType::isValidElementType(unwrap(element)))
            throwPy(PyExc_ValueError, "invalid array element type: " + toString(element));
          return make(contextOf(element), wrap(mlir::LLVM::LLVMArrayType::get(unwrap(element), count)));
        },
        nb::arg("element_type"), nb::arg("num_elements"));
    cls.def_prop_ro("element_type", [](const ArrayType &self) { return mlirLLVMArrayTypeGetElementType(self); });
    cls.def_prop_ro("num_elements", [](const ArrayType &self) {
      return llvm::cast<mlir::LLVM::LLVMArrayType>(unwrap(self.type)).getNumElements();
    });
  }
};

struct FunctionType : ConcreteType<FunctionType> {
  static constexpr const char *className = "FunctionType";
  static constexpr auto isa = isaType<mlir::LLVM::LLVMFunctionType>;
  static constexpr auto typeID = typeIdOf<mlir::LLVM::LLVMFunctionType>;
  static MlirStringRef name() { return mlirLLVMFunctionTypeGetName(); }
  static void bindMembers(Class &cls) {
    cls.def_static(
        "get",
        [](MlirType result, const std::vector<MlirType> &arguments, bool isVarArg) {
          if (!mlir::LLVM::LLVMFunctionType::isValidResultType(unwrap(result)))
            throwPy(PyExc_ValueError, "invalid function result type: " + toString(result));
          for (MlirType argument : arguments)
            if (!mlir::LLVM::LLVMFunctionType::isValidArgumentType(unwrap(argument)))
              throwPy(PyExc_ValueError, "invalid function argument type: " + toString(argument));
          return make(contextOf(result), mlirLLVMFunctionTypeGet(result, arguments.size(), arguments.data(), isVarArg));
        },
        nb::arg("result_type"), nb::arg("argument_types"), nb::kw_only(), nb::arg("is_var_arg") = false);
    cls.def_prop_ro("return_type", [](const FunctionType &self) { return mlirLLVMFunctionTypeGetReturnType(self); });
    cls.def_prop_ro("inputs", [](const FunctionType &self) {
      std::vector<MlirType> types;
      for (intptr_t i = 0, e = mlirLLVMFunctionTypeGetNumInputs(self); i < e; ++i)
        types.push_back(mlirLLVMFunctionTypeGetInput(self, i));
      return types;
    });
    cls.def_prop_ro("is_var_arg", [](const FunctionType &self) {
      return llvm::cast<mlir::LLVM::LLVMFunctionType>(unwrap(self.type)).isVarArg();
    });
  }
};

struct VoidType : ConcreteType<VoidType> {
  static constexpr const char *className = "VoidType";
  static constexpr auto isa = isaType<mlir::LLVM::LLVMVoidType>;
  static constexpr auto typeID = typeIdOf<mlir::LLVM::LLVMVoidType>;
  static MlirStringRef name() { return mlirLLVMVoidTypeGetName(); }
  static void bindMembers(Class &cls) {
    cls.def_static(
        "get", [](DefaultCtx ctx) { return make(ctx.ctx, mlirLLVMVoidTypeGet(ctx)); }, nb::arg("context") = nb::none());
  }
};

} // namespace

void populateLlvmDialect(nb::module_ &m) {
  StructType::bind(m);
  PointerType::bind(m);
  ArrayType::bind(m);
  FunctionType::bind(m);
  VoidType::bind(m);
}

} // namespace mlir::xla::python
