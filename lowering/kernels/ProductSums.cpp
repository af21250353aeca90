// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds contractions whose results only the kernel of another contraction adds to its own (docs/design/contractions.md,
// "Sums of products"). A block of rows goes through all of them, and what the first ones come to is its own.

#include "mlir_xla/lowering/kernels/ProductSums.h"

#include "mlir_xla/lowering/ProductWork.h"
#include "mlir_xla/lowering/Storage.h"
#include "mlir_xla/lowering/nest/Contraction.h"
#include "mlir_xla/lowering/nest/NestStructure.h"

using namespace mlir;
using namespace mlir::xla;

namespace {
class Fuser {
public:
  Fuser(std::vector<Cluster> &clusters, KernelOps &known, const Machine &machine)
      : clusters(clusters), known(known), machine(machine) {
    for (auto [i, cluster] : llvm::enumerate(clusters))
      for (Operation *op : cluster.ops)
        clusterOf[op].push_back(i);
  }
  void run();

private:
  struct Product {
    int64_t rows, columns, steps, columnBytes;
    int64_t multiplications() const { return rows * columns * steps; }
  };

  std::optional<Product> productOf(const Cluster &cluster);
  bool isReadBy(const Cluster &cluster, unsigned reader);
  void fuse(unsigned number);

  std::vector<Cluster> &clusters;
  KernelOps &known;
  const Machine &machine;
  DenseMap<Operation *, SmallVector<unsigned, 1>> clusterOf;
};
} // namespace

/// The only reduction of `cluster`, if it is a product of a matrix of rows with columns that are neighbours in memory.
std::optional<Fuser::Product> Fuser::productOf(const Cluster &cluster) {
  if (cluster.kind != KernelKind::Contraction)
    return std::nullopt;
  linalg::GenericOp found;
  for (Operation *op : cluster.ops) {
    if (!known.get(op).isReduction)
      continue;
    auto product = dyn_cast<linalg::GenericOp>(op);
    if (found || !product || !matchContraction(product))
      return std::nullopt;
    found = product;
  }
  if (!found || found.getNumLoops() != 3 || found.getNumReductionLoops() != 1)
    return std::nullopt;
  Type element = getElementTypeOrSelf(found.getResult(0));
  SmallVector<AffineMap> maps = found.getIndexingMapsArray();
  auto isMap = [&](AffineMap map, ArrayRef<unsigned> dims) {
    return map == AffineMap::getMultiDimMapWithTargets(3, dims, found.getContext());
  };
  auto isOfSums = [&](Value factor) { return getElementTypeOrSelf(factor) == element; };
  if (!(element.isF32() || element.isF64()) || !isMap(maps[2], {0, 1}) || !llvm::all_of(found.getDpsInputs(), isOfSums))
    return std::nullopt;
  for (unsigned rows : {0, 1})
    if (isMap(maps[rows], {0, 2}) && isMap(maps[1 - rows], {2, 1})) {
      SmallVector<int64_t> sizes = found.getStaticLoopRanges();
      return Product{sizes[0], sizes[1], sizes[2], sizes[1] * sizes[2] * elementStorageBytes(element)};
    }
  return std::nullopt;
}

/// Is all that others read of `cluster` one value, which the cluster `reader` alone reads?
bool Fuser::isReadBy(const Cluster &cluster, unsigned reader) {
  if (cluster.outputs.size() != 1)
    return false;
  auto output = cast<OpResult>(cluster.outputs.front());
  const KernelOp::Users &users = known.usersOf(known.get(output.getOwner()))[output.getResultNumber()];
  return !users.byOthers && llvm::all_of(users.readers, [&](const KernelOp *user) {
    return llvm::all_of(clusterOf.at(user->op), [&](unsigned i) { return i == reader || &clusters[i] == &cluster; });
  });
}

/// How many of `rows` are a block: four cores compute as few of them twice, and load as little again, as can be. There
/// are 16 at least, as the columns of fewer are no work for all cores, or do not stay in the second-level cache.
static int64_t blockOf(int64_t rows, const Machine &machine) {
  constexpr int64_t cores = 4, fewest = 4;
  int64_t vectors = machine.vectorsOfTile(), step = machine.accumulators() / vectors, best = fewest;
  double least = 0;
  for (int64_t block = fewest; block <= 2 * step; ++block) {
    int64_t tile = block <= step ? block : Machine::rowsOfTile(block, step, vectors);
    auto blocks = static_cast<int64_t>(llvm::alignTo(llvm::divideCeil(rows, block), cores));
    double time = static_cast<double>(blocks) * Machine::timeOfTiles(block, tile, vectors);
    if (block % tile == 0 && (block == fewest || time < least)) {
      best = block;
      least = time;
    }
  }
  return best;
}

void Fuser::fuse(unsigned number) {
  std::optional<Product> last = productOf(clusters[number]);
  if (!last || last->multiplications() >= kProductOfCores)
    return;
  SmallVector<unsigned> parts{number};
  int64_t multiplications = last->multiplications(), columnBytes = last->columnBytes;
  for (Operation *op : clusters[number].ops)
    for (const KernelOp::Read &read : known.get(op).reads) {
      ArrayRef<unsigned> sources = clusterOf.at(read.source->op);
      if (sources.size() != 1 || llvm::is_contained(parts, sources[0]) || !read.isDirect ||
          !isReadBy(clusters[sources[0]], number))
        continue;
      std::optional<Product> other = productOf(clusters[sources[0]]);
      if (!other || other->rows != last->rows || other->columns != last->columns ||
          other->multiplications() >= kProductOfCores)
        continue;
      parts.push_back(sources[0]);
      multiplications += other->multiplications();
      columnBytes += other->columnBytes;
    }
  if (parts.size() == 1 || multiplications < kProductsOfKernel || columnBytes > machine.l2Share())
    return;
  Cluster whole;
  whole.kind = KernelKind::Rows;
  whole.rows = {last->rows};
  whole.block = blockOf(last->rows, machine);
  whole.outputs = clusters[number].outputs;
  for (unsigned part : parts)
    llvm::append_range(whole.ops, clusters[part].ops);
  // What several clusters compute, each for itself, would be there twice.
  if (llvm::any_of(whole.ops, [&](Operation *op) { return clusterOf.at(op).size() != 1; }))
    return;
  llvm::sort(whole.ops, [](Operation *lhs, Operation *rhs) { return lhs->isBeforeInBlock(rhs); });
  SmallVector<KernelOp *> ops = llvm::map_to_vector(whole.ops, [&](Operation *op) { return &known.get(op); });
  NestRefusal refusal;
  if (failed(analyzeNests(known, ops, whole.outputs, whole.rows, whole.block, refusal)))
    return;
  for (unsigned part : parts)
    clusters[part].ops.clear();
  for (Operation *op : whole.ops)
    clusterOf[op] = {number};
  clusters[number] = std::move(whole);
}

void Fuser::run() {
  for (unsigned i = 0; i < clusters.size(); ++i)
    if (!clusters[i].ops.empty())
      fuse(i);
  llvm::erase_if(clusters, [](const Cluster &cluster) { return cluster.ops.empty(); });
}

void mlir::xla::fuseProductSums(std::vector<Cluster> &clusters, KernelOps &known, const Machine &machine) {
  Fuser(clusters, known, machine).run();
}
