// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mlir_xla/lowering/gpu/MergedKernel.h"
#include "mlir_xla/lowering/GpuMachine.h"
#include "mlir_xla/lowering/gpu/DeviceLibrary.h"
#include "mlir_xla/lowering/gpu/LastBlock.h"
#include "mlir_xla/lowering/gpu/Places.h"
#include "mlir_xla/lowering/schedule/Aliases.h"

namespace mlir::xla {

/// Different kernels in one: their code is there once more.
static constexpr size_t kSections = 16;
/// Blocks that may be there together whatever the registers and the shared memory of one, about.
static constexpr int64_t kBlocks = GpuMachine::multiprocessors;
/// Registers of a thread of the device's library, about; and rounds of blocks that do next to nothing which take less
/// than a launch.
static constexpr int64_t kRegistersOfLibrary = 64, kRounds = 2;
/// Threads of a block that a kernel may get for what its last block does: more of them would leave each few registers.
static constexpr int64_t kThreadsOfLast = 256;
/// Blocks of a kernel that one block does one after the other in less time than a launch takes; blocks that count
/// themselves at one place, one after the other, while others still compute.
static constexpr int64_t kTurnsOfLast = 2, kCountedBlocks = 4096;

//===- Parts ------------------------------------------------------------------------------------------------------===//

/// Its phases, and bytes that it moves.
static std::pair<int64_t, int64_t> factsOfStep(DictionaryAttr facts) {
  auto fact = [&](StringRef name) { return facts.getAs<IntegerAttr>(name).getInt(); };
  return {fact("phases"), fact("read") + fact("written")};
}

std::optional<PartKernel> PartKernel::find(func::FuncOp declaration, const SymbolTable &symbols,
                                           gpu::GPUModuleOp onDevice) {
  PartKernel found;
  found.declaration = declaration;
  found.contract = declaration ? implementationOf(declaration) : ImplementationAttr();
  if (!found.contract || found.contract.getScratch())
    return std::nullopt;
  auto host = symbols.lookup<func::FuncOp>(found.contract.getFunction().getAttr());
  std::optional<Launched> launched = Launched::find(host, onDevice);
  // What numbers its blocks is no part of anything.
  if (!launched || launched->kernel->hasAttr(XlaRtDialect::kNumbersBlocks))
    return std::nullopt;
  found.together = launched->kernel->getAttrOfType<IntegerAttr>(NVVM::NVVMDialect::getMinctasmAttrName());
  unsigned given = declaration.getNumArguments() + declaration.getNumResults();
  for (Value operand : launched->launch.getKernelOperands())
    if (cast<BlockArgument>(operand).getArgNumber() >= given)
      return std::nullopt;
  found.launched = *launched;
  if (!launched->meets)
    found.counted = launched->countedThreads();
  if (auto facts = launched->launch->getAttrOfType<DictionaryAttr>(kStep))
    std::tie(found.phases, found.moved) = factsOfStep(facts);
  if (launched->kernel.getKnownBlockSizeAttr())
    for (StringRef function : libraryFunctionsOf(launched->kernel, onDevice))
      if (deviceSharedBytes(function))
        found.functions.push_back(function);
  found.hasShared = !found.functions.empty() || !sharedMemoryOf(launched->kernel, onDevice).empty();
  return found;
}

int64_t PartKernel::cost() const {
  auto cost = launched.kernel->getAttrOfType<IntegerAttr>(kCost);
  return cost ? cost.getInt() : INT64_MAX;
}

bool PartKernel::updates(unsigned argument) const {
  return llvm::any_of(contract.getResults(), [&](ResultMemory memory) {
    return memory.kind == ResultMemory::Updates && memory.argument == argument;
  });
}

bool PartKernel::updatesAny() const {
  return llvm::any_of(contract.getResults(),
                      [](const ResultMemory &memory) { return memory.kind == ResultMemory::Updates; });
}

Value rootOfViews(Value value) {
  while (Operation *def = value.getDefiningOp()) {
    if (!isView(*def))
      break;
    value = def->getOperand(cast<OpResult>(value).getResultNumber());
  }
  return value;
}

//===- What can be one --------------------------------------------------------------------------------------------===//

void MergedKernel::add(func::CallOp call, PartKernel &kernel) {
  parts.push_back({call, &kernel});
  auto section = llvm::find_if(sections, [&](const Section &each) { return each.kernel == &kernel && !each.isLast; });
  if (section == sections.end())
    section = &sections.emplace_back(Section{&kernel, {}, {}});
  section->calls.push_back(call);
}

void MergedKernel::addLast(func::CallOp call, PartKernel &kernel) {
  parts.push_back({call, &kernel, /*isLast=*/true});
  sections.push_back({&kernel, {call}, {}, /*isLast=*/true});
}

bool MergedKernel::isOfPart(Value value) const {
  return llvm::any_of(parts, [&](const Part &part) { return value.getDefiningOp() == part.call; });
}

/// Those of all but the last parts.
int64_t MergedKernel::blocks() const {
  int64_t count = 0;
  for (const Section &section : sections)
    if (!section.isLast)
      count += blocksOf(*section.kernel) * static_cast<int64_t>(section.calls.size());
  return count;
}

/// That of all whose threads meet, or whose numbers are not all that counts; else the largest.
std::optional<int64_t> MergedKernel::blockSize() const {
  int64_t fixed = 0, largest = GpuMachine::warp;
  for (const Section &section : sections) {
    int64_t threads = section.kernel->launched.threads;
    if (!section.isLast)
      largest = std::max(largest, threads);
    if (section.kernel->counted)
      continue;
    if (fixed && threads != fixed)
      return std::nullopt;
    fixed = threads;
  }
  return fixed ? fixed : largest;
}

int64_t MergedKernel::blocksOf(const PartKernel &kernel) const {
  return kernel.counted ? llvm::divideCeil(*kernel.counted, *blockSize()) : kernel.launched.blocks;
}

SmallVector<gpu::GPUFuncOp> MergedKernel::kernels() const {
  return llvm::map_to_vector(sections, [](const Section &section) { return section.kernel->launched.kernel; });
}

/// A block does one part at a time, so their memory is the same; what functions of the library have is there once.
int64_t MergedKernel::sharedBytes(gpu::GPUModuleOp onDevice) const {
  int64_t bytes = SharedLayout(kernels(), onDevice).bytes;
  llvm::SmallDenseSet<StringRef> seen;
  for (const Section &section : sections)
    for (StringRef function : section.kernel->functions)
      if (seen.insert(function).second)
        bytes += deviceSharedBytes(function);
  return bytes;
}

/// No part reads what another one writes. Several may write one tensor, each its places, one after the other in
/// the schedule.
bool MergedKernel::areIndependent() const {
  for (const Part &part : parts) {
    if (part.isLast)
      continue;
    for (OpOperand &operand : part.call->getOpOperands()) {
      Value value = operand.get();
      if (!part.kernel->updates(operand.getOperandNumber())) {
        if (isOfPart(value))
          return false;
        continue;
      }
      Value memory = memoryOf(value);
      if (isOfPart(memory)) // all of it has been computed
        return false;
      for (const Part &other : parts)
        for (OpOperand &read : other.call->getOpOperands())
          if (isTensor(read.get()) && &read != &operand && rootOfViews(memoryOf(read.get())) == rootOfViews(memory)) {
            bool areApart = other.kernel->updates(read.getOperandNumber()) &&
                            (isOfPart(value) || isOfPart(read.get())) &&
                            Places::areApart(part.kernel->declaration, other.kernel->declaration);
            if (!areApart)
              return false;
          }
      if (isOfPart(value) && !value.hasOneUse())
        return false;
    }
  }
  return true;
}

bool MergedKernel::isPossible(gpu::GPUModuleOp onDevice) const {
  std::optional<int64_t> size = blockSize();
  if (!size || sections.size() > kSections)
    return false;
  int64_t counted = 0, entries = 0;
  bool areAllCounted = true, hasCounted = false, hasLast = false, isOfLibrary = true;
  for (const Section &section : sections) {
    // The registers of a thread follow from it.
    if (section.kernel->together != sections.front().kernel->together)
      return false;
    entries += section.kernel->launched.kernel.getNumArguments() * section.calls.size();
    if (section.isLast) {
      hasLast = true;
      // Scans go through their elements one after the other: another turn is as much again.
      bool isScan = kernelOf(section.kernel->declaration).getKind() == KernelKind::Scan;
      if (blocksOf(*section.kernel) > (isScan ? 1 : kTurnsOfLast))
        return false;
      continue;
    }
    hasCounted |= section.kernel->counted.has_value();
    areAllCounted &= section.kernel->counted.has_value();
    isOfLibrary &= section.kernel->counted || kernelOf(section.kernel->declaration).getKind() == KernelKind::Library;
    if (section.kernel->counted)
      counted += blocksOf(*section.kernel) * static_cast<int64_t>(section.calls.size());
  }
  int64_t shared = sharedBytes(onDevice);
  if (shared > GpuMachine::staticSharedBytes || entries * 8 > GpuMachine::parameterBytes)
    return false;
  if (hasLast && (blocks() > kCountedBlocks || (areAllCounted && *size > kThreadsOfLast)))
    return false;
  // Those that need few registers and no shared memory would wait for those of others.
  int64_t together = std::min({GpuMachine::threads / *size, GpuMachine::registers / (kRegistersOfLibrary * *size),
                               GpuMachine::sharedBytes / std::max<int64_t>(1, shared)});
  int64_t most = isOfLibrary ? kRounds * together * GpuMachine::multiprocessors : kBlocks;
  return (areAllCounted || !hasCounted || counted <= std::max(kBlocks, most)) && areIndependent();
}

//===- The kernel -------------------------------------------------------------------------------------------------===//

/// What the host's code of a call is given as an argument of its own.
Value MergedKernel::givenTo(func::CallOp call, Value hostArgument) const {
  unsigned number = cast<BlockArgument>(hostArgument).getArgNumber(), operands = call->getNumOperands();
  return memoryOf(number < operands ? call->getOperand(number) : call->getResult(number - operands));
}

/// The first value that a part's result is an update of, if another part goes on with it. What the last block reads may
/// be a view of what another part computes.
Value MergedKernel::memoryOf(Value value) const {
  if (Value root = rootOfViews(value); isOfPart(root))
    value = root;
  for (const Part &part : parts)
    if (auto result = dyn_cast<OpResult>(value); result && result.getOwner() == part.call) {
      ResultMemory memory = part.kernel->contract.getResult(result.getResultNumber());
      return memory.kind == ResultMemory::Updates ? memoryOf(part.call->getOperand(memory.argument)) : value;
    }
  return value;
}

void MergedKernel::fillTable() {
  for (Section &section : sections)
    for (Value argument : section.kernel->launched.launch.getKernelOperands()) {
      SmallVector<Value> given =
          llvm::map_to_vector(section.calls, [&](func::CallOp call) { return givenTo(call, argument); });
      bool isShared = llvm::all_equal(given);
      section.arguments.push_back({static_cast<int64_t>(table.size()), isShared});
      table.append(given.begin(), isShared ? given.begin() + 1 : given.end());
    }
}

std::string MergedKernel::name() const {
  std::string first = parts[0].kernel->launched.kernel.getName().str();
  if (parts.size() == 2 && sections.size() == 2)
    return first + (parts[1].isLast ? "_then_" : "_and_") + parts[1].kernel->launched.kernel.getName().str();
  return first + "_and_" + std::to_string(parts.size() - 1) + "_more";
}

Location MergedKernel::location() const {
  SmallVector<Location> places;
  for (const Part &part : parts) {
    Location loc = part.call->getLoc();
    if (auto file = loc->findInstanceOf<FileLineColLoc>())
      loc = file;
    places.push_back(loc);
  }
  return FusedLoc::get(parts[0].call->getContext(), places);
}

void MergedKernel::emitSection(ImplicitLocOpBuilder &b, const Section &section, Value block, Value table,
                               KernelParts &code) {
  auto index = [&](int64_t value) -> Value { return arith::ConstantIndexOp::create(b, value); };
  Launched launched = section.kernel->launched;
  Value number; // of the call
  if (section.calls.size() > 1) {
    Value blocks = index(blocksOf(*section.kernel));
    number = arith::IndexCastOp::create(b, b.getI64Type(), arith::DivUIOp::create(b, block, blocks));
    block = arith::RemUIOp::create(b, block, blocks);
  }
  IRMapping inside;
  for (auto [parameter, argument] : llvm::zip_equal(launched.kernel.getArguments(), section.arguments)) {
    Value entry = arith::ConstantIntOp::create(b, argument.entry, 64);
    if (number && !argument.isShared)
      entry = arith::AddIOp::create(b, entry, number);
    Value place = LLVM::GEPOp::create(b, table.getType(), b.getI64Type(), table, LLVM::GEPArg(entry));
    Value value;
    if (auto type = dyn_cast<LLVM::LLVMPointerType>(parameter.getType())) {
      // What comes from memory could be an address of any kind; these are of the device's.
      auto global = LLVM::LLVMPointerType::get(b.getContext(), /*addressSpace=*/1);
      value = LLVM::LoadOp::create(b, type, place);
      value = LLVM::AddrSpaceCastOp::create(b, type, LLVM::AddrSpaceCastOp::create(b, global, value));
    } else {
      value = LLVM::LoadOp::create(b, b.getI64Type(), place);
      value = arith::IndexCastOp::create(b, parameter.getType(), value);
    }
    inside.map(parameter, value);
  }
  for (Operation &op : launched.kernel.getBody().front().without_terminator()) {
    if (isa<gpu::BlockIdOp>(op)) {
      inside.map(op.getResult(0), block);
    } else if (isa<gpu::BlockDimOp>(op)) {
      inside.map(op.getResult(0), index(*blockSize()));
    } else if (isa<gpu::GridDimOp>(op)) {
      inside.map(op.getResult(0), index(blocksOf(*section.kernel)));
    } else {
      code.adapt(b.clone(op, inside), /*threads=*/0);
    }
  }
}

gpu::GPUFuncOp MergedKernel::emitKernel(StringRef name, gpu::GPUModuleOp onDevice) {
  ImplicitLocOpBuilder b(location(), onDevice.getContext());
  SymbolTable names(onDevice);
  KernelParts code(onDevice);
  if (sections.size() > 1)
    code.shareMemory(kernels(), (name + "_shared").str());
  b.setInsertionPointToEnd(onDevice.getBody());
  auto pointer = LLVM::LLVMPointerType::get(b.getContext());
  auto kernel = gpu::GPUFuncOp::create(b, name, b.getFunctionType({pointer}, {}));
  kernel->setAttr(gpu::GPUDialect::getKernelFuncAttrName(), b.getUnitAttr());
  kernel.setKnownBlockSizeAttr(b.getDenseI32ArrayAttr({static_cast<int32_t>(*blockSize()), 1, 1}));
  if (IntegerAttr together = sections.front().kernel->together)
    kernel->setAttr(NVVM::NVVMDialect::getMinctasmAttrName(), together);
  // A convolution beside another product comes close to the registers for which the assembler has one more block on
  // each multiprocessor, and would rather spill than exceed them.
  auto isOf = [](auto... kinds) {
    return [=](const Section &section) {
      KernelKind kind = kernelOf(section.kernel->declaration).getKind();
      return ((kind == kinds) || ...);
    };
  };
  if (llvm::any_of(sections, isOf(KernelKind::Convolution)) &&
      llvm::count_if(sections, isOf(KernelKind::Convolution, KernelKind::Contraction)) > 1)
    kernel->setAttr(NVVM::NVVMDialect::getMinctasmAttrName(), b.getI32IntegerAttr(1));
  kernel.setArgAttr(0, LLVM::LLVMDialect::getByValAttrName(),
                    TypeAttr::get(LLVM::LLVMArrayType::get(b.getI64Type(), slots())));
  kernel.setArgAttr(0, LLVM::LLVMDialect::getAlignAttrName(), b.getI64IntegerAttr(8));
  kernel->setAttr(kParts, b.getArrayAttr(llvm::map_to_vector(parts, [&](const Part &part) -> Attribute {
    return b.getStringAttr(part.kernel->launched.kernel.getName());
  })));
  if (int64_t last = llvm::count_if(parts, [](const Part &part) { return part.isLast; }))
    kernel->setAttr(kLastParts, b.getI64IntegerAttr(last));
  int64_t phases = 0;
  for (const Part &part : parts)
    phases = std::max(phases, part.kernel->phases);
  if (phases)
    kernel->setAttr(kPartPhases, b.getI64IntegerAttr(phases));
  Block *entry = &kernel.getBody().front();
  b.setInsertionPointToEnd(entry);
  Value block = gpu::BlockIdOp::create(b, gpu::Dimension::x);
  auto end = gpu::ReturnOp::create(b);
  b.setInsertionPoint(end);
  int64_t begin = 0, all = blocks();
  for (const Section &section : sections) {
    if (section.isLast)
      break;
    int64_t blocks = blocksOf(*section.kernel) * static_cast<int64_t>(section.calls.size());
    Value own = begin ? arith::SubIOp::create(b, block, arith::ConstantIndexOp::create(b, begin)) : block;
    begin += blocks;
    if (begin == all) {
      emitSection(b, section, own, entry->getArgument(0), code);
      continue;
    }
    Value is = arith::CmpIOp::create(b, arith::CmpIPredicate::ult, block, arith::ConstantIndexOp::create(b, begin));
    auto branch = scf::IfOp::create(b, is, /*withElseRegion=*/true);
    b.setInsertionPointToStart(branch.thenBlock());
    emitSection(b, section, own, entry->getArgument(0), code);
    b.setInsertionPointToStart(branch.elseBlock());
  }
  names.insert(kernel);
  if (sections.back().isLast) {
    b.setInsertionPoint(end);
    emitLast(b, kernel, code);
  }
  return kernel;
}

/// What the threads of a block access when they do a part. Bases are what the section's call is given, or computes.
SmallVector<ThreadAccess> MergedKernel::accessesOfBlock(const Section &section, gpu::GPUModuleOp onDevice) const {
  Launched launched = section.kernel->launched;
  if (section.kernel->counted && !launched.isSingle)
    launched.threads = *blockSize();
  SmallVector<ThreadAccess> found = accessesOf(launched, *blockSize(), onDevice);
  for (ThreadAccess &access : found)
    if (auto parameter = cast_or_null<BlockArgument>(access.base)) {
      Value given = launched.launch.getKernelOperands()[parameter.getArgNumber()];
      access.base = rootOfViews(givenTo(section.calls[0], given));
    }
  return found;
}

/// Whether threads that do a part have to wait for those that have done another one before, or another turn of it: for
/// shared memory, or where one reads what another thread has written.
bool MergedKernel::mustMeet(const Section &before, const Section &after, gpu::GPUModuleOp onDevice) const {
  auto hasShared = [](const PartKernel &kernel) { return !kernel.counted || kernel.hasShared; };
  if (hasShared(*before.kernel) && hasShared(*after.kernel))
    return true;
  SmallVector<ThreadAccess> written = accessesOfBlock(before, onDevice), read = accessesOfBlock(after, onDevice);
  func::CallOp writer = before.calls[0], reader = after.calls[0];
  for (Value operand : reader.getOperands()) {
    if (rootOfViews(operand).getDefiningOp() != writer)
      continue;
    Value memory = rootOfViews(memoryOf(operand));
    auto isOfMemory = [&](const ThreadAccess &access) { return !access.base || access.base == memory; };
    for (const ThreadAccess &write : written)
      for (const ThreadAccess &access : read)
        if (isOfMemory(write) && isOfMemory(access) && haveToMeet(write, access))
          return true;
  }
  return false;
}

/// What comes when all blocks have done the other parts. Its blocks take turns, and have the same shared memory.
void MergedKernel::emitLast(ImplicitLocOpBuilder &b, gpu::GPUFuncOp kernel, KernelParts &code) {
  auto onDevice = kernel->getParentOfType<gpu::GPUModuleOp>();
  auto meet = [&] { gpu::BarrierOp::create(b); };
  SmallVector<const Section *> unmet;
  if (blocks() == 1) {
    unmet.push_back(&sections.front());
  } else {
    Arrival arrival;
    arrival.counters = addCounters(onDevice, b.getLoc(), kernel.getName(), /*count=*/1);
    arrival.number = arith::ConstantIntOp::create(b, 0, 64);
    arrival.blocks = blocks();
    arrival.isFirst = arith::CmpIOp::create(b, arith::CmpIPredicate::eq, gpu::ThreadIdOp::create(b, gpu::Dimension::x),
                                            arith::ConstantIndexOp::create(b, 0));
    arrival.flag = LLVM::AddressOfOp::create(b, addFlag(onDevice, b.getLoc(), kernel.getName()));
    arrival.isWrittenByFirst = llvm::all_of(sections, [&](const Section &section) {
      return section.isLast || section.kernel->launched.isWrittenByFirst(onDevice);
    });
    auto branch = scf::IfOp::create(b, emitArrival(b, arrival, meet), /*withElseRegion=*/false);
    b.setInsertionPointToStart(branch.thenBlock());
  }
  // Neither do turns overwrite what others read in shared memory, nor does a part read what is not there yet. Parts
  // write memory of their own.
  for (const Section &section : sections) {
    if (!section.isLast)
      continue;
    for (int64_t turn = 0; turn < blocksOf(*section.kernel); ++turn) {
      if (llvm::any_of(unmet, [&](const Section *before) { return mustMeet(*before, section, onDevice); })) {
        meet();
        unmet.clear();
      }
      unmet.push_back(&section);
      emitSection(b, section, arith::ConstantIndexOp::create(b, turn), kernel.getBody().front().getArgument(0), code);
    }
  }
}

/// What all parts need, if each is a step of the device's library: they are done at the same time.
DictionaryAttr MergedKernel::stepOfParts() const {
  llvm::MapVector<StringAttr, int64_t> found;
  for (const Part &part : parts) {
    auto facts = part.kernel->launched.launch->getAttrOfType<DictionaryAttr>(kStep);
    if (!facts)
      return {};
    for (NamedAttribute fact : facts) {
      bool isOfAll = llvm::is_contained({"read", "written", "products"}, fact.getName().getValue());
      int64_t value = cast<IntegerAttr>(fact.getValue()).getInt();
      int64_t &sum = found[fact.getName()];
      sum = isOfAll ? sum + value : std::max(sum, value);
    }
  }
  Builder b(parts.front().kernel->contract.getContext());
  return b.getDictionaryAttr(llvm::map_to_vector(
      found, [&](auto fact) { return NamedAttribute(fact.first, b.getI64IntegerAttr(fact.second)); }));
}

/// Host code that fills the table on its stack and launches the kernel.
func::FuncOp MergedKernel::emitHost(func::FuncOp declaration, gpu::GPUFuncOp kernel) {
  OpBuilder outer(declaration);
  ImplicitLocOpBuilder b(declaration.getLoc(), outer);
  auto pointer = LLVM::LLVMPointerType::get(b.getContext());
  SmallVector<Type> inputs = llvm::map_to_vector(
      operands, [&](Value value) -> Type { return isTensor(value) ? Type(pointer) : value.getType(); });
  inputs.append(results.size(), pointer);
  inputs.append(2, b.getIndexType());
  auto host = func::FuncOp::create(b, (declaration.getName() + ".impl").str(), b.getFunctionType(inputs, {}));
  host.setPrivate();
  host->setAttr(XlaRtDialect::kLaunches, b.getUnitAttr());
  b.setInsertionPointToEnd(host.addEntryBlock());
  IRMapping given;
  given.map(operands, host.getArguments().take_front(operands.size()));
  for (auto [i, result] : llvm::enumerate(results))
    if (Value memory = memoryOf(result); memory == result)
      given.map(result, host.getArgument(operands.size() + i));
  Type i64 = b.getI64Type();
  Value array = LLVM::AllocaOp::create(b, pointer, i64, arith::ConstantIntOp::create(b, slots(), 64),
                                       /*alignment=*/8);
  for (auto [i, value] : llvm::enumerate(table)) {
    Value stored = given.lookup(value);
    if (stored.getType().isIndex())
      stored = arith::IndexCastOp::create(b, i64, stored);
    LLVM::StoreOp::create(b, stored,
                          LLVM::GEPOp::create(b, pointer, i64, array, LLVM::GEPArg(static_cast<int32_t>(i))));
  }
  auto constant = [&](int64_t value) -> Value { return arith::ConstantIndexOp::create(b, value); };
  Value one = constant(1);
  auto name = SymbolRefAttr::get(b.getStringAttr(kKernelsModule), {FlatSymbolRefAttr::get(kernel)});
  auto launch = gpu::LaunchFuncOp::create(b, name, {constant(blocks()), one, one}, {constant(*blockSize()), one, one},
                                          /*dynamicSharedMemorySize=*/Value(), ValueRange(array));
  if (DictionaryAttr facts = stepOfParts())
    launch->setAttr(kStep, facts);
  func::ReturnOp::create(b);
  return host;
}

void MergedKernel::emit(ModuleOp module, gpu::GPUModuleOp onDevice, SymbolTable &symbols) {
  // Operands that are read by several are given once, and none of these can be overwritten.
  DenseMap<Value, unsigned> numbers, uses;
  for (const Part &part : parts)
    for (Value value : part.call->getOperands()) {
      ++uses[value];
      if (!isOfPart(rootOfViews(value)) && numbers.try_emplace(value, operands.size()).second)
        operands.push_back(value);
    }
  SmallVector<ResultMemory> memories;
  for (const Part &part : parts)
    for (OpResult result : part.call->getResults()) {
      ResultMemory memory = part.isLast ? ResultMemory() : part.kernel->contract.getResult(result.getResultNumber());
      if (memory.kind == ResultMemory::Updates) {
        if (llvm::any_of(result.getUsers(), [&](Operation *user) {
              return llvm::any_of(parts, [&](const Part &other) { return user == other.call; });
            }))
          continue;
        memory.argument = numbers.at(memoryOf(result));
      } else if (memory.kind == ResultMemory::MayReuse) {
        Value operand = part.call->getOperand(memory.argument);
        for (const Part &other : parts)
          if (other.isLast)
            for (Value read : other.call->getOperands())
              uses[operand] += read != operand && isTensor(read) && rootOfViews(read) == rootOfViews(operand);
        memory = uses.at(operand) == 1 ? ResultMemory{ResultMemory::MayReuse, numbers.at(operand)} : ResultMemory();
      }
      memories.push_back(memory);
      results.push_back(result);
    }
  fillTable();

  // What follows reads results of all parts.
  func::CallOp last = std::prev(llvm::find_if(parts, [](const Part &part) { return part.isLast; }))->call;
  OpBuilder outer(module.getContext());
  outer.setInsertionPointToEnd(module.getBody());
  SmallVector<Type> resultTypes = llvm::to_vector(ValueRange(results).getTypes());
  auto declaration = func::FuncOp::create(outer, location(), name(),
                                          outer.getFunctionType(ValueRange(operands).getTypes(), resultTypes));
  declaration.setPrivate();
  symbols.insert(declaration);
  gpu::GPUFuncOp kernel = emitKernel(declaration.getName(), onDevice);
  func::FuncOp host = emitHost(declaration, kernel);
  symbols.insert(host);
  declaration->setAttr(
      XlaRtDialect::kKernel,
      KernelAttr::get(module.getContext(), kernelOf(parts[0].kernel->declaration).getKind(), /*rows=*/{}, /*block=*/0));
  declaration->setAttr(XlaRtDialect::kImplementation,
                       ImplementationAttr::get(module.getContext(), FlatSymbolRefAttr::get(host), /*work=*/1,
                                               kLaunchCost, /*scratch=*/0, /*ordered=*/false, memories, /*team=*/1));
  OpBuilder b(last);
  auto call = func::CallOp::create(b, location(), declaration, operands);
  for (auto [result, replacement] : llvm::zip_equal(results, call.getResults()))
    result.replaceAllUsesWith(replacement);
  for (const Part &part : llvm::reverse(parts))
    part.call->erase();
}

} // namespace mlir::xla
