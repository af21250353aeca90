// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mlir_xla/runtime/cuda/Graphs.h"
#include "mlir_xla/runtime/cuda/Program.h"

#include <algorithm>

using namespace xla_rt::cuda;

/// Buffers of results are often the same in turn: of two executions, or of some more.
static constexpr size_t kMostGraphs = 4, kMostSeen = 8;
/// To launch a graph takes about as long as to launch so many kernels.
static constexpr int64_t kFewestEnqueued = 3;

Addresses Graphs::addressesOf(const Buffers &buffers) const {
  Addresses addresses(buffers.arguments, buffers.arguments + numArguments);
  addresses.insert(addresses.end(), buffers.results, buffers.results + numResults);
  addresses.push_back(buffers.arena);
  return addresses;
}

void Graphs::learn(const Run &run, const Buffers &buffers) {
  bool decides = run.decisions.areAny();
  if (run.hasWaited || (decides ? !run.device.driver.hasConditionals : run.numEnqueued < kFewestEnqueued))
    arePossible = false;
  decide = decides;
  if (!arePossible)
    return;
  std::lock_guard<std::mutex> lock(mutex);
  Addresses addresses = addressesOf(buffers);
  if (std::find(seen.begin(), seen.end(), addresses) != seen.end())
    return;
  if (seen.size() < kMostSeen)
    seen.emplace_back();
  seen[nextSeen++ % kMostSeen] = std::move(addresses);
}

bool Graphs::launch(Program &program, InContext &context, const Buffers &buffers) {
  if (!arePossible)
    return false;
  std::lock_guard<std::mutex> lock(mutex);
  Addresses addresses = addressesOf(buffers);
  auto isFor = [&](const Graph &graph) { return graph.addresses == addresses; };
  auto graph = std::find_if(graphs.begin(), graphs.end(), isFor);
  if (graph == graphs.end()) {
    auto known = std::find(seen.begin(), seen.end(), addresses);
    if (known == seen.end())
      return false;
    if (graphs.size() < kMostGraphs) {
      graph = graphs.emplace(graphs.end());
    } else {
      graph = std::min_element(graphs.begin(), graphs.end(),
                               [](const Graph &a, const Graph &b) { return a.lastUse < b.lastUse; });
    }
    if (!make(program, context, buffers, *graph)) {
      destroy(program.device, *graph);
      graphs.erase(graph);
      arePossible = false;
      return false;
    }
    graph->addresses = std::move(addresses);
  }
  graph->lastUse = ++uses;
  Device &device = program.device;
  auto mark = [&] {
    for (Kernel *kernel : graph->kernels)
      kernel->launched = device.now();
  };
  mark(); // before and after, as with single launches
  CUresult result = device.driver.cuGraphLaunch(graph->exec, device.stream);
  mark();
  if (!Device::isLoss(result))
    return result == CUDA_SUCCESS;
  device.check(result, "launch a graph");
  return true;
}

bool Graphs::make(Program &program, InContext &context, const Buffers &buffers, Graph &graph) {
  Device &device = program.device;
  const Driver &driver = device.driver;
  CUstream stream = nullptr;
  CUgraph captured = nullptr;
  // Nobody says that nodes which decide can be updated.
  if (decide)
    destroy(device, graph);
  graph.kernels.clear();
  if (decide && !device.loadDecisionKernels()) {
    xla_rt_take_error();
    return false;
  }
  // On a stream that no other thread enqueues to.
  if (driver.cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING) != CUDA_SUCCESS)
    return false;
  bool isMade = false;
  if (driver.cuStreamBeginCapture_v2(stream, CU_STREAM_CAPTURE_MODE_RELAXED) == CUDA_SUCCESS) {
    Run run(program, context, stream, &graph);
    run.call(buffers, nullptr, nullptr);
    isMade = run.isFinished;
    if (!isMade) {
      xla_rt_take_error(); // which comes again when the same is enqueued piece by piece
      run.decisions.abandon();
    }
    isMade &= driver.cuStreamEndCapture(stream, &captured) == CUDA_SUCCESS && captured;
  }
  if (isMade && graph.exec) { // for other addresses until now
    CUgraphExecUpdateResultInfo info;
    if (driver.cuGraphExecUpdate_v2(graph.exec, captured, &info) != CUDA_SUCCESS) {
      driver.cuGraphExecDestroy(graph.exec);
      graph.exec = nullptr;
    }
  }
  if (isMade && !graph.exec)
    isMade = driver.cuGraphInstantiateWithFlags(&graph.exec, captured, 0) == CUDA_SUCCESS;
  if (captured)
    driver.cuGraphDestroy(captured);
  driver.cuStreamDestroy_v2(stream);
  return isMade;
}

/// What it launches may still be going on.
void Graphs::destroy(Device &device, Graph &graph) {
  if (graph.exec)
    device.driver.cuGraphExecDestroy(graph.exec);
  graph.exec = nullptr;
  for (void *counter : graph.counters)
    device.free(counter);
  graph.counters.clear();
}

void Graphs::destroy(Device &device) {
  for (Graph &graph : graphs)
    destroy(device, graph);
  graphs.clear();
}
