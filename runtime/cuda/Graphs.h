// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Executions of a program as graphs: what its host code enqueues for certain addresses, recorded once and launched as
// one. Capturing and making a graph takes longer than to enqueue what is in it, so that is done when addresses come for
// the second time.

#ifndef MLIR_XLA_RUNTIME_CUDA_GRAPHS_H
#define MLIR_XLA_RUNTIME_CUDA_GRAPHS_H

#include "mlir_xla/runtime/cuda/Driver.h"
#include "mlir_xla/runtime/cuda/xla_rt_cuda.h"

#include <atomic>
#include <mutex>
#include <vector>

struct xla_rt_cuda_device;

namespace xla_rt::cuda {

class InContext;
class Run;
struct Kernel;

/// What an execution works on.
struct Buffers {
  void *const *arguments, *const *results;
  void *arena;
};

/// The addresses of the arguments, the results and the arena.
using Addresses = std::vector<void *>;

struct Graph {
  Addresses addresses;
  CUgraphExec exec = nullptr;
  std::vector<Kernel *> kernels; // that it launches
  std::vector<void *> counters;  // memory of the device for its loops
  int64_t lastUse = 0;
};

class Graphs {
public:
  Graphs(const xla_rt_cuda_code &code, bool arePossible)
      : numArguments(code.num_arguments), numResults(code.num_results),
        arePossible(arePossible && !code.reads_device && numArguments + numResults > 0) {}

  /// Launches an execution as a graph if there is one or it is time to make it. False if it is to be enqueued piece by
  /// piece, which may be because something failed here; there is no error then. True with an error if kernels failed.
  bool launch(xla_rt_cuda_program &program, InContext &context, const Buffers &buffers);
  /// After an execution that was enqueued so.
  void learn(const Run &run, const Buffers &buffers);
  void destroy(xla_rt_cuda_device &device);

private:
  static void destroy(xla_rt_cuda_device &device, Graph &graph);
  Addresses addressesOf(const Buffers &buffers) const;
  /// Captures an execution, and makes `graph` what can be launched, or has it do that instead of what it did.
  bool make(xla_rt_cuda_program &program, InContext &context, const Buffers &buffers, Graph &graph);

  const int64_t numArguments, numResults;
  std::atomic<bool> arePossible, decide{false}; // loops and branches are in them
  std::mutex mutex; // while a graph is captured or launched: the driver's graphs are for one thread at a time
  std::vector<Addresses> seen;
  size_t nextSeen = 0;
  std::vector<Graph> graphs;
  int64_t uses = 0;
};

} // namespace xla_rt::cuda

#endif // MLIR_XLA_RUNTIME_CUDA_GRAPHS_H
