// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The dialect of the schedule: what makes a function a kernel, and what may be assumed of its implementation.

#ifndef MLIR_XLA_LOWERING_XLA_RT_XLART_TD
#define MLIR_XLA_LOWERING_XLA_RT_XLART_TD

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/EnumAttr.td"

def XlaRt_Dialect : Dialect {
  let name = "xla_rt";
  let cppNamespace = "::mlir::xla";
  let summary = "The contract between the schedule of a program and its kernels";
  let description = [{
    From the stage `kernels` on, a program is a *schedule* (control flow, buffers, calls) and *kernels* that compute. A
    kernel is a function with the attribute `xla_rt.kernel`. Once it has an implementation on pointers, it is a
    declaration, and its attribute `xla_rt.implementation` says which function that is and what the schedule may assume
    of it. Whatever meets the contract is a kernel: a loop nest, a call of a library, loops written by hand.

    ```mlir
    func.func private @double(tensor<4xf32>) -> tensor<4xf32> attributes {
      xla_rt.kernel = #xla_rt.kernel<elementwise>,
      xla_rt.implementation = #xla_rt.implementation<@double.impl, work = 4, cost = 2, results = [may_reuse 0]>}
    func.func private @double.impl(%x: !llvm.ptr, %y: !llvm.ptr, %begin: index, %end: index) {...}
    ```
  }];
  let useDefaultAttributePrinterParser = 1;
  let hasOperationAttrVerify = 1;
  let extraClassDeclaration = [{
    /// Names of the discardable attributes. On functions:
    static constexpr ::llvm::StringLiteral kKernel = "xla_rt.kernel";
    static constexpr ::llvm::StringLiteral kImplementation = "xla_rt.implementation";
    /// on a kernel with a body: how each of its loop nests is walked, an array of #xla_rt.nest, tiles or blocks;
    static constexpr ::llvm::StringLiteral kPlans = "xla_rt.plans";
    /// likewise, beside those, for devices that have the instructions of sm_90a;
    static constexpr ::llvm::StringLiteral kPlans90a = "xla_rt.plans_sm_90a";
    /// a kernel of a GPU that is for devices of sm_90a only, or for all others only: "sm_90a" or "others";
    static constexpr ::llvm::StringLiteral kDevices = "xla_rt.devices", kOnly90a = "sm_90a", kNot90a = "others";
    /// On a function of the device: its blocks have numbers in the order in which they begin, counted in its own memory.
    static constexpr ::llvm::StringLiteral kNumbersBlocks = "xla_rt.numbers_blocks";
    /// an implementation whose operands come in an array, as the thread pool calls it;
    static constexpr ::llvm::StringLiteral kTask = "xla_rt.task";
    /// an implementation that is host code, and leaves the work to a GPU;
    static constexpr ::llvm::StringLiteral kLaunches = "xla_rt.launches";
    /// the bytes of the arena that `@main` on pointers needs.
    static constexpr ::llvm::StringLiteral kArenaSize = "xla_rt.arena_size";
    /// On `@main` and on custom calls: the function type before elements became signless and tensors pointers.
    static constexpr ::llvm::StringLiteral kSignature = "xla_rt.signature";
    /// On an external global: the elements of the constant that lives there.
    static constexpr ::llvm::StringLiteral kData = "xla_rt.data";
    /// On a loop: its first iteration is certain. It then needs no test before it.
    static constexpr ::llvm::StringLiteral kNonEmpty = "xla_rt.nonempty";
    /// On the first of two steps of a reduction: its results that only the second step reads, and does not pass on.
    static constexpr ::llvm::StringLiteral kUnread = "xla_rt.unread";
    /// On a sum of products of f32: factors may be rounded to tf32 before they are multiplied.
    static constexpr ::llvm::StringLiteral kTf32 = "xla_rt.tf32";
    /// On an exponential that is a weight of a softmax: a mask leaves many of them 0, and whole vectors of them.
    static constexpr ::llvm::StringLiteral kMasked = "xla_rt.masked";
  }];
}

class XlaRt_Attr<string name, string attrMnemonic> : AttrDef<XlaRt_Dialect, name> { let mnemonic = attrMnemonic; }

def XlaRt_KernelKind
    : I32EnumAttr<"KernelKind", "what a kernel computes",
                  [I32EnumAttrCase<"Elementwise", 0, "elementwise">, I32EnumAttrCase<"Reduction", 1, "reduction">,
                   I32EnumAttrCase<"Contraction", 2, "contraction">, I32EnumAttrCase<"Convolution", 3, "convolution">,
                   I32EnumAttrCase<"Rows", 4, "rows">, I32EnumAttrCase<"Update", 5, "update">,
                   I32EnumAttrCase<"Scan", 6, "scan">, I32EnumAttrCase<"Library", 7, "library">,
                   I32EnumAttrCase<"Sort", 8, "sort">, I32EnumAttrCase<"Scatter", 9, "scatter">,
                   I32EnumAttrCase<"Random", 10, "random">]> {
  let cppNamespace = "::mlir::xla";
  let genSpecializedAttr = 0;
}

def XlaRt_RandomAlgorithm
    : I32EnumAttr<"RandomAlgorithm", "a generator of random bits",
                  [I32EnumAttrCase<"Philox", 0, "philox">, I32EnumAttrCase<"ThreeFry", 1, "three_fry">]> {
  let cppNamespace = "::mlir::xla::rt";
}

def XlaRt_KernelAttr : XlaRt_Attr<"Kernel", "kernel"> {
  let summary = "makes a function a kernel";
  let description = [{
    ```mlir
    #xla_rt.kernel<contraction>
    #xla_rt.kernel<rows, [64]>
    #xla_rt.kernel<rows, [8, 512] by 48>
    ```
    A kernel of several loop nests executes them one after the other for each row. The list has the sizes of the rows'
    dimensions, which lead those of its tensors; only the kind `rows` has one. `by 48`: they are executed for 48
    neighbouring rows of the last of these dimensions ([blocks of rows](attention.md)); without a contraction among
    them, each nest walks all of these rows before the next one does. The kernels `library`, `sort`, `scatter` and
    `random` hold one operation of this dialect, which has an emitter of its own and no plans.
  }];
  let parameters = (ins EnumParameter<XlaRt_KernelKind>:$kind, OptionalArrayRefParameter<"int64_t">:$rows,
      DefaultValuedParameter<"int64_t", "0">:$block);
  let assemblyFormat = "`<` $kind (`,` `[` $rows^ `]` (`by` $block^)?)? `>`";
  let genVerifyDecl = 1;
}

def XlaRt_ImplementationAttr : XlaRt_Attr<"Implementation", "implementation"> {
  let summary = "the function that does a kernel's work, and what the schedule may assume of it";
  let description = [{
    ```mlir
    #xla_rt.implementation<@update.impl, work = 12, cost = 5000, scratch = 1024, results = [new, may_reuse 1, updates 0]>
    ```
    - The function takes a pointer for each tensor and an `index` for each scalar argument of the kernel, in their
      order; a pointer for each result; with `scratch`, a pointer to memory of its own; and the begin and the end of
      the items of work to do.
    - `work`: how many items there are. They may be done in any order and at the same time, if `ordered` is not said.
    - `team`: how many threads of a GPU do an item together; each of them calls the function, for one item at a time,
      and they meet before the next.
    - `cost`: roughly the nanoseconds of all items together on one core.
    - `scratch`: bytes of memory for every call, aligned to 64 bytes.
    - `results`, one for each: in memory that is `new`; `may_reuse N`, if argument N is dead, its memory, because
      nothing is read there after it was written; `updates N`, which must be the memory of argument N, whose elements
      stay where they are not written.

    `new`, 1 item of work and zeros need not be written.
  }];
  let parameters = (ins "::mlir::FlatSymbolRefAttr":$function, DefaultValuedParameter<"int64_t", "1">:$work,
      DefaultValuedParameter<"int64_t", "0">:$cost, DefaultValuedParameter<"int64_t", "0">:$scratch,
      DefaultValuedParameter<"bool", "false">:$ordered, ArrayRefParameter<"::mlir::xla::ResultMemory">:$results,
      DefaultValuedParameter<"int64_t", "1">:$team);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    /// Where result `i` lives.
    ::mlir::xla::ResultMemory getResult(unsigned i) const {
      return i < getResults().size() ? getResults()[i] : ::mlir::xla::ResultMemory();
    }
  }];
}

def XlaRt_NestAttr : XlaRt_Attr<"Nest", "nest"> {
  let summary = "how a loop nest of a kernel is walked";
  let description = [{
    ```mlir
    #xla_rt.nest<1000x200x64, lanes d1 16x4, jam d0 6, reduce d2, cut d1 64, cut d0 120, masked, overlap>
    ```
    It begins with the sizes of the nest, after neighbouring dimensions were merged where all addresses walk them as
    one. `d0` is the first of them. The other parts may come in any order:

    - `lanes d1 16x4`: 16 neighbouring iterations of d1 are the lanes of a vector, and a step takes 4 vectors. Without
      it, the code is scalar.
    - `jam d0 6`: a step takes 6 iterations of d0 at the same time, which share what does not depend on d0.
    - `apart`: the iterations of d0 that a step takes are not neighbours but as far apart as there are steps, or a few more
      so that they begin sectors of memory alike. Steps are items of parallel work, in the place of d0 among the dimensions.
      So, on a GPU, a thread has several elements, and neighbouring threads are at neighbours all the same; a block with
      `square` has several squares, which are behind each other if d0 is the second dimension of the square.
    - `work d2, d3`: the iterations of these parallel dimensions are items of parallel work.
    - `loop d4, d5`: those of the other parallel dimensions are loops within an item, outermost first.
    - `reduce d6, d7`: the reduced dimensions that are not in lanes, outermost first.
    - `ordered d8`: the dimension of a scan, whose iterations come in order and carry values, in lanes or not.
    - `cut d1 64`: the dimension in lanes, or the jammed one, is parallel work in blocks of 64 iterations. One that is
      ordered: each block of threads has a tile of so many, and asks for what those before it come to.
    - `masked`: the last step along the lanes is whole, with a mask. Otherwise what remains has code of its own.
    - `overlap`: the last step along the jammed dimension begins early enough to be whole, and does some iterations
      twice. Otherwise what remains has code of its own.
    - `in_memory`: a reduction keeps its running values in the memory of the result. It walks the lanes inside the
      reduced dimensions, of which the innermost is the jammed one.
    - `transpose 4`: loads that are contiguous along the jammed dimension and not along the lanes read 4 neighbours at
      a time and transpose them in registers.
    - `slide`: the innermost reduced dimension, that of a window, is written out for each step along the jammed one. What
      the windows of neighbours have in common is read once, and stays in registers.
    - `partition`: steps along the lanes, and iterations of other dimensions, in which comparisons of indices with
      bounds come out as in the middle, as those of padding do, have code of their own, which compares nothing; or, where
      there are no edges, steps with and without a condition that is the same in all lanes.
    - `lookup 16`: what is read at computed places of a table of a few elements is chosen from registers of 16 elements of
      4 bytes, or 8 of 8 bytes, by permutations, for which a table is read once. One has up to 16 of them.
    - `distribute 32`: steps along the lanes go in blocks of 32. Where the instructions of a step are a long chain, a
      block has a loop for each of a few parts of it, one after the other, which leave values for each other in memory.
      (So has a loop over what is computed of the results of a step of a reduction, whatever the plan says.)
    - `stream`: whole vectors of results are written past the caches, which do not read first what is overwritten. Where
      the memory of a result is not aligned to 64 bytes, they are not.
    - `threads d6 32`: on a GPU, an item of work is done by 32 neighbouring threads, a warp, or by a block of 64 to
      1024, of scans up to 256, to which the iterations of d6 are dealt in turn: those of a loop, or of the innermost reduced dimension, whose
      partial results are then folded, or of a scan, of which threads have pieces of `lanes`. Nests of one kernel have as
      many threads. Without a dimension, they do the same, and one of them stores.
    - `columns d0`: an item of work of a block of threads is 32 iterations of the parallel dimension d0, which
      neighbouring threads have. Iterations of the reduced dimension that is dealt are the warps', whose partial results
      are folded for each of the 32.
    - `square d0 d1`: an item of work of a block of threads is a square of 32 by 32 iterations of d0 and d1. What is
      contiguous along d0 in memory is read along it and exchanged in shared memory; all else is walked along d1.
    - `aligned`: vectors of lanes begin at multiples of their size, and so do the buffers, as those of a GPU do.
    - `trim`: a sum of products ends early: where one factor is zero in all rows from there on, as it is behind a mask,
      and the other one finite.
    - `pairs`: a step along the innermost reduced dimension adds two products of bf16 to a sum of f32, by `vdpbf16ps`.
    - `tile_registers`: beside `pairs`, steps of 16 or more jammed iterations by vectors of 16 are in AMX's registers, one
      for each 16 by 16, to which `tdpbf16ps` adds 32 products at a time.

    Whether the nest can be walked like that is checked where the kernel is emitted.
  }];
  let parameters = (ins OptionalArrayRefParameter<"int64_t">:$sizes,
      DefaultValuedParameter<"int64_t", "-1">:$lanesDim, DefaultValuedParameter<"int64_t", "1">:$lanes,
      DefaultValuedParameter<"int64_t", "1">:$vectors, DefaultValuedParameter<"int64_t", "-1">:$jamDim,
      DefaultValuedParameter<"int64_t", "1">:$jam, DefaultValuedParameter<"int64_t", "-1">:$ordered,
      OptionalArrayRefParameter<"int64_t">:$work,
      OptionalArrayRefParameter<"int64_t">:$loops, OptionalArrayRefParameter<"int64_t">:$reductionLoops,
      DefaultValuedParameter<"int64_t", "0">:$lanesBlock, DefaultValuedParameter<"int64_t", "0">:$jamBlock,
      DefaultValuedParameter<"bool", "false">:$masked, DefaultValuedParameter<"bool", "false">:$overlap,
      DefaultValuedParameter<"bool", "false">:$inMemory, DefaultValuedParameter<"int64_t", "1">:$transpose,
      DefaultValuedParameter<"bool", "false">:$stream, DefaultValuedParameter<"int64_t", "-1">:$threadsDim,
      DefaultValuedParameter<"int64_t", "1">:$threads, DefaultValuedParameter<"bool", "false">:$aligned,
      DefaultValuedParameter<"int64_t", "-1">:$squareRow, DefaultValuedParameter<"int64_t", "-1">:$squareColumn,
      DefaultValuedParameter<"int64_t", "-1">:$columnsDim, DefaultValuedParameter<"bool", "false">:$trim,
      DefaultValuedParameter<"bool", "false">:$slide, DefaultValuedParameter<"bool", "false">:$pairs,
      DefaultValuedParameter<"bool", "false">:$tileRegisters, DefaultValuedParameter<"bool", "false">:$apart, DefaultValuedParameter<"int64_t", "0">:$orderedBlock,
      DefaultValuedParameter<"bool", "false">:$partition, DefaultValuedParameter<"int64_t", "0">:$lookup,
      DefaultValuedParameter<"int64_t", "0">:$distribute);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
}

def XlaRt_ProductInstruction
    : I32EnumAttr<"ProductInstruction", "what multiplies and adds",
                  [I32EnumAttrCase<"Fma", 0, "fma">, I32EnumAttrCase<"Pmaddwd", 1, "pmaddwd">,
                   I32EnumAttrCase<"Vpdpbusd", 2, "vpdpbusd">,
                   I32EnumAttrCase<"Vdpbf16ps", 3, "vdpbf16ps">, I32EnumAttrCase<"Tdpbssd", 4, "tdpbssd">,
                   I32EnumAttrCase<"Tdpbf16ps", 5, "tdpbf16ps">, I32EnumAttrCase<"Tdpfp16ps", 6, "tdpfp16ps">]> {
  let cppNamespace = "::mlir::xla";
  let genSpecializedAttr = 0;
}

def XlaRt_TilesAttr : XlaRt_Attr<"Tiles", "tiles"> {
  let summary = "how a loop nest that sums products is walked in blocks";
  let description = [{
    ```mlir
    #xla_rt.tiles<8x512x512x512, m d1 258, n d2 128, k d3 512, register 6x4, lanes 16, instruction vpdpbusd, pack a, b, work d0>
    ```
    The product's factors are the *rows*, which depend on m, and the *columns*, which depend on n; both depend on k, the
    reduced dimension. It begins with the sizes of the nest, as `#xla_rt.nest` does. The other parts may come in any
    order:

    - `m d1 258`, `n d2 128`, `k d3 512`: the dimensions, and the sizes of their blocks. A block of m by a block of n is
      an item of parallel work, which walks the blocks of k in order.
    - `register 6x4`: running values of 6 rows by 4 vectors are in registers while a block of k is walked.
    - `lanes 16`: those of a vector of running values, along n.
    - `instruction vpdpbusd`: what multiplies and adds. `fma` takes a step of k, and is a multiplication and an addition
      for integers; `pmaddwd` takes two of integers of at most 16 bits, `vpdpbusd` four of 8 bits, `vdpbf16ps` two of
      bf16. `tdpbssd`, `tdpbf16ps` and `tdpfp16ps` are those of AMX: 16 times 64 bytes of each row in registers by as many
      of each column. All but the first are x86 processors' and must be theirs.
    - `pack a, b`: the rows (a), the columns (b) of a block are copied into memory of the worker in the order in which
      they are read, with whatever is computed of them. Instructions that take several steps of k need both, those of
      AMX the columns.
    - `prefetch 16`: a step of k asks for the packed columns of the 16th one after it.
    - `work d0`: iterations of these other parallel dimensions are items of parallel work.
  }];
  let parameters = (ins OptionalArrayRefParameter<"int64_t">:$sizes, "int64_t":$mDim, "int64_t":$mBlock,
      "int64_t":$nDim, "int64_t":$nBlock, "int64_t":$kDim, "int64_t":$kBlock, "int64_t":$rows, "int64_t":$vectors,
      "int64_t":$lanes, "::mlir::xla::ProductInstruction":$instruction, "bool":$packA, "bool":$packB,
      "int64_t":$prefetch, OptionalArrayRefParameter<"int64_t">:$work);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    /// AMX: a tile register has 16 rows of 64 bytes.
    static constexpr int64_t kTileRegisters = 8, kTileRows = 16, kTileBytes = 64, kTileLanes = 16;
    static bool usesTileRegisters(::mlir::xla::ProductInstruction instruction);
    /// Steps of k that one lane of an instruction takes.
    static int64_t groupOf(::mlir::xla::ProductInstruction instruction);

    /// Where running values and factors are in tile registers: first the sums, row by row of tiles. Of the factor that
    /// is kept, all tiles of a step of k have registers; those of the other take turns.
    struct TileRegisters {
      TileRegisters(int64_t rows, int64_t vectors);
      bool fit() const { return turns > 0; }
      int64_t rowTiles, columnTiles, sums, kept, turns;
      bool keepsRows;
    };
  }];
}

def XlaRt_BlockInstruction
    : I32EnumAttr<"BlockInstruction", "what multiplies and adds in a block of threads",
                  [I32EnumAttrCase<"Scalar", 0, "scalar">, I32EnumAttrCase<"Mma", 1, "mma">,
                   I32EnumAttrCase<"Wgmma", 2, "wgmma">]> {
  let cppNamespace = "::mlir::xla";
  let genSpecializedAttr = 0;
}

def XlaRt_BlocksAttr : XlaRt_Attr<"Blocks", "blocks"> {
  let summary = "how blocks of a GPU's threads do a loop nest that sums products";
  let description = [{
    ```mlir
    #xla_rt.blocks<8x512x512x512, m d1 64, n d2 64, k d3 16, register 8x8, work d0>
    #xla_rt.blocks<8x32x32x64x3x3x64, m d0, d1, d2 128, n d3 64, k d4, d5, d6 32, register 64x32, instruction mma>
    #xla_rt.blocks<4096x4096x4096, m d0 128, n d1 256, k d2 64, register 64x256, instruction wgmma, stages 4, cluster 4>
    ```
    The product's factors are the *rows*, which depend on m, and the *columns*, which depend on n; both depend on k, the
    reduced dimensions. It begins with the sizes of the nest, as `#xla_rt.nest` does. The other parts may come in any
    order:

    - `m d0, d1, d2 128`, `n d3 64`, `k d4, d5, d6 32`: the dimensions, outermost first, and the sizes of tiles. A block
      of threads has a tile of m by one of n, where several dimensions are walked as one. Tile by tile along k, it brings
      its rows and its columns into shared memory, with whatever is computed of them. A product with a vector has no
      dimension for m or n: `n 8`.
    - `register 8x8`: a thread has the sums of 8 rows by 8 columns in its registers; with `instruction mma`, a warp.
    - `instruction mma`: tensor cores multiply and add bf16, f16 and bytes that are widened, f64, and f32 whose algorithm
      allows tf32. Otherwise every thread does, a step of k at a time.
    - `instruction wgmma`: tensor cores of sm_90a multiply what they read from shared memory, for a warpgroup of four warps
      at a time, of which `register 64x256` are the sums. The tensor memory accelerator brings tiles of k, which are 128
      bytes of it, with those bytes swizzled; one more warpgroup asks for them. Factors are read as they are, from one
      dimension for each of m, n and k, and up to three of `work`.
    - `stages 3`: so many tiles of k are in shared memory at the same time, being computed with or on their way; no more
      than there are, and two of panels that threads store instead of copies that nobody waits for.
      Without tensor cores, there are two.
    - `cluster 4`: with wgmma, the blocks of four tiles, or two, that follow each other along m share their columns: each
      asks for a part of them, which comes to all.
    - `split 8`: the tiles along k are divided among 8 blocks, whose sums go to memory; a second launch adds them up in
      order.
    - `work d0`: iterations of these other parallel dimensions are blocks of their own.
  }];
  let parameters = (ins OptionalArrayRefParameter<"int64_t">:$sizes, OptionalArrayRefParameter<"int64_t">:$mDims,
      "int64_t":$mTile, OptionalArrayRefParameter<"int64_t">:$nDims, "int64_t":$nTile,
      OptionalArrayRefParameter<"int64_t">:$kDims, "int64_t":$kTile, "int64_t":$rows, "int64_t":$columns,
      "::mlir::xla::BlockInstruction":$instruction, "int64_t":$stages, "int64_t":$cluster, "int64_t":$split,
      OptionalArrayRefParameter<"int64_t">:$work);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    static constexpr int64_t kWarp = 32, kWarpgroup = 128;
    /// Who has sums in registers: a thread, a warp or a warpgroup.
    static int64_t threadsTogether(::mlir::xla::BlockInstruction instruction) {
      return instruction == ::mlir::xla::BlockInstruction::Mma     ? kWarp
             : instruction == ::mlir::xla::BlockInstruction::Wgmma ? kWarpgroup
                                                                   : 1;
    }
    /// Threads of a block that multiply.
    int64_t getThreads() const {
      return getMTile() / getRows() * (getNTile() / getColumns()) * threadsTogether(getInstruction());
    }
  }];
}

def XlaRt_StreamAttr : XlaRt_Attr<"Stream", "stream"> {
  let summary = "how a GPU's threads do a sum of products of a few rows with what they read once";
  let description = [{
    ```mlir
    #xla_rt.stream<8x4x2048x64, rows d1 4, keys d2 8, lanes d3 4x16, threads 256, split 8>   // scores
    #xla_rt.stream<8x4x64x2048, rows d1 4, keys d3 8, lanes d2 4x16, threads 256, split 8>   // what is summed up with them
    ```
    Both contractions of attention, which walk the same keys. It begins with the sizes of the nest, as `#xla_rt.nest`
    does. The other parts may come in any order:

    - `rows d1 4`: a block of threads has 4 rows, in the registers of each of its threads.
    - `lanes d3 4x16`: 16 threads, a *group*, share a key: each reads 4 neighbours, and every 64 elements 4 more.
    - `keys d2 8`: a group reads so many keys at a time, and has a maximum and sums of those that it has read.
    - `threads 256`: of a block, whose groups take their keys in turn and meet at the end.
    - `split 8`: the keys are divided among 8 blocks, whose maxima and sums go to memory; a second launch combines them.
  }];
  let parameters = (ins ArrayRefParameter<"int64_t">:$sizes, "int64_t":$rowDim, "int64_t":$rows, "int64_t":$keyDim,
      "int64_t":$keys, "int64_t":$laneDim, "int64_t":$lanes, "int64_t":$group, "int64_t":$threads, "int64_t":$split);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
}

def XlaRt_UpdateSharing
    : I32EnumAttr<"UpdateSharing", "which thread makes which updates of a scatter",
                  [I32EnumAttrCase<"Each", 0, "each">, I32EnumAttrCase<"Atomic", 1, "atomic">,
                   I32EnumAttrCase<"Owners", 2, "owners">, I32EnumAttrCase<"Tables", 3, "tables">,
                   I32EnumAttrCase<"Dealt", 4, "dealt">]> {
  let cppNamespace = "::mlir::xla";
  let genSpecializedAttr = 0;
}

def XlaRt_UpdatesAttr : XlaRt_Attr<"Updates", "updates"> {
  let summary = "how threads of a GPU share a scatter";
  let description = [{
    ```mlir
    #xla_rt.updates<each 4>
    #xla_rt.updates<atomic 1>
    #xla_rt.updates<tables 264>
    #xla_rt.updates<owners 264>
    #xla_rt.updates<dealt 4>
    ```
    - `each 4`: a thread makes the updates of 4 neighbours in a window. No two index vectors may address the same place,
      unless they are `ordered`: then the first thread at a place makes all of its updates.
    - `atomic 1`: likewise, by atomic instructions, if the combiner is an integer operation whose order is no matter.
    - `tables 264`: each of 264 blocks of threads combines a part of the updates in a table of all elements, in shared
      memory, by atomic instructions, and the tables are combined likewise.
    - `owners 264`: each of 264 blocks of threads owns a range of places. It looks at all index vectors and makes those
      updates that are its own, in their order.
    - `dealt 4`: each of the owners to whom index vectors were dealt sorts its own, some at a time. Then a thread makes all
      of them of a place, of 4 neighbours in the window.

    Whether a scatter can be shared like that is checked where the kernel is emitted.
  }];
  let parameters = (ins EnumParameter<XlaRt_UpdateSharing>:$sharing, "int64_t":$count);
  let assemblyFormat = "`<` $sharing $count `>`";
  let genVerifyDecl = 1;
}

#endif // MLIR_XLA_LOWERING_XLA_RT_XLART_TD
