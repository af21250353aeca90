// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loops and branches of a program that is being executed, or captured for a graph whose conditional nodes decide.

#ifndef MLIR_XLA_RUNTIME_CUDA_DECISIONS_H
#define MLIR_XLA_RUNTIME_CUDA_DECISIONS_H

#include "mlir_xla/runtime/cuda/Driver.h"

#include <vector>

struct xla_rt_cuda_device;

namespace xla_rt::cuda {

class Run;

/// Kernels that give handles of conditional nodes their values.
struct DecisionKernels {
  CUfunction decide = nullptr, count = nullptr;
};

/// A loop or branches that the host code is in.
struct Decision {
  int64_t left = -1;    // of a counted loop: iterations that have not begun, here or in the node's body
  int64_t unrolled = 1; // iterations of a counted loop in the body
  int64_t bodies = 0;   // how often that is to run
  int64_t chosen = -1;  // of branches, unless they are captured
  bool isOpen = false;  // what is enqueued goes into the body of a conditional node
  CUstream outer = nullptr, inner = nullptr;
  std::vector<CUgraphConditionalHandle> handles; // one, or that of each branch; none if branches are one node
  CUgraph *bodyGraphs = nullptr;                 // of the last node, the driver's
  void *counter = nullptr;                       // of the iterations of the body
};

class Decisions {
public:
  explicit Decisions(Run &run) : run(run) {}

  // False with an error.

  bool beginLoop(int64_t count, int64_t unrolled);
  bool repeat(const void *predicate, bool &goesOn);
  bool beginBranches(const void *value, bool isIndex, int64_t count, const char *asked);
  bool takeBranch(int64_t branch, bool &isTaken);
  bool endBranches();
  /// Ends captures that a failure has left open.
  void abandon();

  bool areAny() const { return hasDecided; }

private:
  bool repeatCounted(Decision &loop, bool &goesOn);
  bool makeHandle(CUgraphConditionalHandle &handle);
  bool addNode(CUgraphConditionalHandle handle, CUgraphConditionalNodeType type, int64_t size, CUgraph *&bodies);
  bool openBody(Decision &decision, CUgraph body);
  bool closeBody(Decision &decision);
  bool launchDecide(CUgraphConditionalHandle handle, const void *value, bool isIndex, int64_t wanted, int64_t count);
  bool launchCount(const Decision &loop);

  Run &run;
  bool hasDecided = false;
  std::vector<Decision> stack;
};

} // namespace xla_rt::cuda

#endif // MLIR_XLA_RUNTIME_CUDA_DECISIONS_H
