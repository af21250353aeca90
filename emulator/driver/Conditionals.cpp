// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Conditional nodes: the body of one is a graph, which runs as often as the value of a handle says. Kernels set it.

#include "../execute/Worker.h"
#include "State.h"

#include <unordered_map>

namespace cuda_emu {

struct Conditional {
  uint64_t handle = 0;
  unsigned value = 0;
  bool isSet = false;

  ~Conditional();
};

namespace {

/// Kernels ask for handles on threads of their own, so there is a lock beside that of the entry points.
struct Handles {
  std::mutex mutex;
  std::unordered_map<uint64_t, Conditional *> known;
  uint64_t last = 0;
};

Handles &handles() {
  static auto *all = new Handles;
  return *all;
}

/// The value of a handle, which something has to have set.
CUresult read(const Conditional &conditional, unsigned &value) {
  std::lock_guard<std::mutex> lock(handles().mutex);
  value = conditional.value;
  if (conditional.isSet)
    return CUDA_SUCCESS;
  return failForGood(CUDA_ERROR_LAUNCH_FAILED,
                     "a conditional node asks for the value of a handle that nothing has set");
}

/// The first driver whose nodes choose between bodies, which may do nothing.
constexpr unsigned kSwitchVersion = 12080;

CUresult runBody(const CUgraph_st &body) {
  if (body.actions.empty() && driverVersion() < kSwitchVersion)
    return failForGood(CUDA_ERROR_LAUNCH_FAILED, "a conditional node has an empty body, which needs CUDA 12.8");
  return run(body.actions);
}

} // namespace

Conditional::~Conditional() {
  std::lock_guard<std::mutex> lock(handles().mutex);
  handles().known.erase(handle);
}

bool setConditional(uint64_t handle, unsigned value) {
  std::lock_guard<std::mutex> lock(handles().mutex);
  auto found = handles().known.find(handle);
  if (found == handles().known.end())
    return false;
  found->second->value = value;
  found->second->isSet = true;
  return true;
}

} // namespace cuda_emu

using namespace cuda_emu;

/// With a default value (flags 1) it counts as set.
CUDA_EMU_API CUresult cuGraphConditionalHandleCreate(uint64_t *handle, CUgraph graph, CUcontext, unsigned value,
                                                     unsigned flags) {
  Lock lock(stateMutex());
  if (CUresult state = ready())
    return state;
  if (!handle || !graph || flags > 1)
    return CUDA_ERROR_INVALID_VALUE;
  auto conditional = std::make_shared<Conditional>();
  std::lock_guard<std::mutex> ofHandles(handles().mutex);
  *handle = conditional->handle = ++handles().last;
  conditional->value = value;
  conditional->isSet = flags == 1;
  handles().known[*handle] = conditional.get();
  if (flags == 1)
    graph->actions.push_back([conditional, value] {
      setConditional(conditional->handle, value);
      return CUDA_SUCCESS;
    });
  graph->conditionals.push_back(std::move(conditional));
  return CUDA_SUCCESS;
}

/// Only conditional nodes; others are captured.
CUDA_EMU_API CUresult cuGraphAddNode_v2(CUgraphNode *node, CUgraph graph, const CUgraphNode *, const void *, size_t,
                                        CUgraphNodeParams *params) {
  Lock lock(stateMutex());
  if (CUresult state = ready())
    return state;
  if (!node || !graph || !params)
    return CUDA_ERROR_INVALID_VALUE;
  if (params->type != 13)
    return CUDA_ERROR_NOT_SUPPORTED;
  auto &wanted = params->conditional;
  unsigned most = wanted.type == 0 ? 2 : wanted.type == 1 ? 1 : ~0u;
  if (driverVersion() < kSwitchVersion)
    most = wanted.type == 2 ? 0 : 1;
  if (wanted.type < 0 || wanted.type > 2 || wanted.size == 0 || wanted.size > most)
    return CUDA_ERROR_INVALID_VALUE;
  std::shared_ptr<Conditional> conditional;
  for (const auto &each : graph->conditionals)
    if (each->handle == wanted.handle)
      conditional = each;
  if (!conditional)
    return CUDA_ERROR_INVALID_VALUE;
  auto bodies = std::make_shared<std::vector<CUgraph_st>>(wanted.size);
  auto pointers = std::make_shared<std::vector<CUgraph>>();
  for (CUgraph_st &body : *bodies)
    pointers->push_back(&body);
  wanted.graphs = pointers->data();
  *node = nullptr;
  graph->actions.push_back([conditional, bodies, pointers, type = wanted.type]() -> CUresult {
    for (;;) {
      unsigned value = 0;
      if (CUresult problem = read(*conditional, value))
        return problem;
      // The number of the body: what is beyond is none.
      unsigned which = type == 2 ? value : value == 0;
      if (which >= bodies->size())
        return CUDA_SUCCESS;
      if (CUresult problem = runBody((*bodies)[which]))
        return problem;
      if (type != 1)
        return CUDA_SUCCESS;
    }
  });
  return CUDA_SUCCESS;
}
