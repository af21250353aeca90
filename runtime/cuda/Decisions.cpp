// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Who decides: the host, which waits for the device if it has to, or conditional nodes of a graph that is captured.
// Those ask for the value of a handle, which a kernel sets before.

#include "mlir_xla/runtime/cuda/Messages.h"
#include "mlir_xla/runtime/cuda/Program.h"

#include <limits.h>
#include <string.h>
#include <string_view>

using namespace xla_rt::cuda;

/// One thread each. `xla_rt_decide`: whether the value means the branch `wanted` of `count`, or which one it means if
/// `wanted` is kWhich. `xla_rt_count`: whether the number of this call is smaller than `limit`; the next call after
/// that is the first again. The driver has the function that both call; nothing has to be linked for it.
static const char kDecidePtx[] = R"(.version 8.0
.target sm_80
.address_size 64
.extern .func cudaGraphSetConditional(.param .b64 handle, .param .b32 value);
.visible .entry xla_rt_decide(.param .u64 handle, .param .u64 value, .param .u32 isIndex, .param .u32 wanted,
                              .param .u32 count)
{
  .reg .pred %p<4>;
  .reg .b32 %r<9>;
  .reg .b64 %rd<4>;
  ld.param.u64 %rd1, [handle];
  ld.param.u64 %rd2, [value];
  ld.param.u32 %r1, [isIndex];
  ld.param.u32 %r2, [wanted];
  ld.param.u32 %r3, [count];
  cvta.to.global.u64 %rd3, %rd2;
  sub.u32 %r8, %r3, 1;
  setp.ne.u32 %p1, %r1, 0;
  @%p1 bra $INDEX;
  ld.global.u8 %r4, [%rd3];
  and.b32 %r5, %r4, 1;
  xor.b32 %r6, %r5, 1;
  bra $SET;
$INDEX:
  ld.global.u32 %r4, [%rd3];
  min.u32 %r6, %r4, %r8;
$SET:
  setp.eq.u32 %p2, %r6, %r2;
  selp.b32 %r7, 1, 0, %p2;
  setp.eq.u32 %p3, %r2, 0xffffffff;
  selp.b32 %r7, %r6, %r7, %p3;
  {
    .param .b64 p0;
    .param .b32 p1;
    st.param.b64 [p0], %rd1;
    st.param.b32 [p1], %r7;
    call.uni cudaGraphSetConditional, (p0, p1);
  }
  ret;
}
.visible .entry xla_rt_count(.param .u64 handle, .param .u64 counter, .param .u64 limit)
{
  .reg .pred %p<2>;
  .reg .b32 %r<2>;
  .reg .b64 %rd<8>;
  ld.param.u64 %rd1, [handle];
  ld.param.u64 %rd2, [counter];
  ld.param.u64 %rd3, [limit];
  cvta.to.global.u64 %rd4, %rd2;
  ld.global.u64 %rd5, [%rd4];
  add.s64 %rd6, %rd5, 1;
  setp.lt.u64 %p1, %rd6, %rd3;
  selp.b64 %rd7, %rd6, 0, %p1;
  st.global.u64 [%rd4], %rd7;
  selp.b32 %r1, 1, 0, %p1;
  {
    .param .b64 p0;
    .param .b32 p1;
    st.param.b64 [p0], %rd1;
    st.param.b32 [p1], %r1;
    call.uni cudaGraphSetConditional, (p0, p1);
  }
  ret;
}
)";

static constexpr int64_t kWhich = 0xffffffff;

bool Device::loadDecisionKernels() {
  std::lock_guard<std::mutex> lock(decisionMutex);
  if (decisionKernels.count)
    return true;
  CUmodule module = modules.load(kDecidePtx); // stays
  return module &&
         check(driver.cuModuleGetFunction(&decisionKernels.decide, module, "xla_rt_decide"),
               "find kernel 'xla_rt_decide'") &&
         check(driver.cuModuleGetFunction(&decisionKernels.count, module, "xla_rt_count"),
               "find kernel 'xla_rt_count'");
}

// === Conditional nodes ===

bool Decisions::launchDecide(CUgraphConditionalHandle handle, const void *value, bool isIndex, int64_t wanted,
                             int64_t count) {
  unsigned numbers[] = {isIndex, static_cast<unsigned>(wanted), static_cast<unsigned>(count)};
  void *arguments[] = {&handle, &value, &numbers[0], &numbers[1], &numbers[2]};
  return run.device.check(run.device.driver.cuLaunchKernel(run.device.decisionKernels.decide, 1, 1, 1, 1, 1, 1, 0,
                                                           run.stream, arguments, nullptr),
                          "launch kernel 'xla_rt_decide'");
}

bool Decisions::launchCount(const Decision &loop) {
  // The first call is before the first body.
  uint64_t limit = loop.bodies + 1;
  CUgraphConditionalHandle handle = loop.handles[0];
  void *counter = loop.counter, *arguments[] = {&handle, &counter, &limit};
  return run.device.check(run.device.driver.cuLaunchKernel(run.device.decisionKernels.count, 1, 1, 1, 1, 1, 1, 0,
                                                           run.stream, arguments, nullptr),
                          "launch kernel 'xla_rt_count'");
}

/// In the graph that is being captured.
bool Decisions::makeHandle(CUgraphConditionalHandle &handle) {
  const Driver &driver = run.device.driver;
  if (!driver.hasConditionals) {
    setError("%s: its driver has no graphs that decide", run.device.name.c_str());
    return false;
  }
  CUstreamCaptureStatus status;
  uint64_t id;
  CUgraph graph;
  const CUgraphNode *last;
  const CUgraphEdgeData *data;
  size_t count;
  return run.device.check(driver.cuStreamGetCaptureInfo_v3(run.stream, &status, &id, &graph, &last, &data, &count),
                          "ask what is captured") &&
         run.device.check(driver.cuGraphConditionalHandleCreate(&handle, graph, run.device.context, 0, 0),
                          "make a handle of a conditional node");
}

/// Adds a node after all that has been captured on the stream, which goes on behind it.
bool Decisions::addNode(CUgraphConditionalHandle handle, CUgraphConditionalNodeType type, int64_t size,
                        CUgraph *&bodies) {
  Device &device = run.device;
  const Driver &driver = device.driver;
  CUstreamCaptureStatus status;
  uint64_t id;
  CUgraph graph;
  const CUgraphNode *last;
  const CUgraphEdgeData *data;
  size_t count;
  CUgraphNode node;
  CUgraphNodeParams params = {};
  params.type = CU_GRAPH_NODE_TYPE_CONDITIONAL;
  params.conditional.handle = handle;
  params.conditional.type = type;
  params.conditional.size = static_cast<unsigned>(size);
  params.conditional.ctx = device.context;
  if (!device.check(driver.cuStreamGetCaptureInfo_v3(run.stream, &status, &id, &graph, &last, &data, &count),
                    "ask what is captured") ||
      !device.check(driver.cuGraphAddNode_v2(&node, graph, last, data, count, &params), "make a conditional node") ||
      !device.check(driver.cuStreamUpdateCaptureDependencies_v2(run.stream, &node, nullptr, 1,
                                                                CU_STREAM_SET_CAPTURE_DEPENDENCIES),
                    "go on behind a conditional node"))
    return false;
  bodies = params.conditional.phGraph_out; // the driver's, as long as there is the node
  return true;
}

/// Captures what is enqueued from now on as the body of a node.
bool Decisions::openBody(Decision &decision, CUgraph body) {
  Device &device = run.device;
  const Driver &driver = device.driver;
  if (!device.check(driver.cuStreamCreate(&decision.inner, CU_STREAM_NON_BLOCKING), "make a stream"))
    return false;
  if (!device.check(
          driver.cuStreamBeginCaptureToGraph(decision.inner, body, nullptr, nullptr, 0, CU_STREAM_CAPTURE_MODE_RELAXED),
          "capture what a conditional node does")) {
    device.ignore(driver.cuStreamDestroy_v2(decision.inner));
    return false;
  }
  decision.outer = run.stream;
  decision.isOpen = true;
  run.stream = decision.inner;
  return true;
}

bool Decisions::closeBody(Decision &decision) {
  CUgraph graph; // the node's
  const Driver &driver = run.device.driver;
  CUresult result = driver.cuStreamEndCapture(decision.inner, &graph);
  run.device.ignore(driver.cuStreamDestroy_v2(decision.inner));
  run.stream = decision.outer;
  decision.isOpen = false;
  return run.device.check(result, "capture what a conditional node does");
}

void Decisions::abandon() {
  for (; !stack.empty(); stack.pop_back())
    if (stack.back().isOpen && !closeBody(stack.back()))
      xla_rt_take_error(); // the one that was first is what counts
}

// === Loops ===

bool Decisions::beginLoop(int64_t count, int64_t unrolled) {
  Decision &loop = stack.emplace_back();
  loop.left = count;
  loop.unrolled = unrolled;
  hasDecided = true;
  return true;
}

bool Decisions::repeatCounted(Decision &loop, bool &goesOn) {
  if (run.capture && !loop.isOpen && loop.left >= 2 * loop.unrolled && loop.left % loop.unrolled == 0) {
    loop.handles.emplace_back();
    loop.counter = run.takenCounter();
    loop.bodies = loop.left / loop.unrolled;
    if (!loop.counter || !makeHandle(loop.handles[0]) || !launchCount(loop) ||
        !addNode(loop.handles[0], CU_GRAPH_COND_TYPE_WHILE, 1, loop.bodyGraphs) || !openBody(loop, loop.bodyGraphs[0]))
      return false;
    loop.left = loop.unrolled;
  }
  goesOn = loop.left > 0;
  loop.left -= goesOn;
  return goesOn || !loop.isOpen || (launchCount(loop) && closeBody(loop));
}

bool Decisions::repeat(const void *predicate, bool &goesOn) {
  if (stack.empty()) {
    setError("%s: the program repeats what is no loop", run.device.name.c_str());
    return false;
  }
  Decision &loop = stack.back();
  if (loop.left >= 0) {
    if (!repeatCounted(loop, goesOn))
      return false;
  } else if (!run.capture) {
    unsigned char value;
    if (!run.read(&value, predicate, 1))
      return false;
    goesOn = value & 1;
  } else if (!loop.isOpen) {
    loop.handles.emplace_back();
    goesOn = true;
    if (!makeHandle(loop.handles[0]) || !launchDecide(loop.handles[0], predicate, false, 0, 2) ||
        !addNode(loop.handles[0], CU_GRAPH_COND_TYPE_WHILE, 1, loop.bodyGraphs) || !openBody(loop, loop.bodyGraphs[0]))
      return false;
  } else {
    goesOn = false;
    if (!launchDecide(loop.handles[0], predicate, false, 0, 2) || !closeBody(loop))
      return false;
  }
  if (!goesOn)
    stack.pop_back();
  return true;
}

// === Branches ===

bool Decisions::beginBranches(const void *value, bool isIndex, int64_t count, const char *asked) {
  Decision &branches = stack.emplace_back();
  hasDecided = true;
  if (!run.capture) {
    uint32_t number = 0;
    if (!run.read(&number, value, isIndex ? 4 : 1))
      return false;
    branches.chosen = !isIndex ? !(number & 1) : number < count - 1 ? number : count - 1;
    return true;
  }
  // Before the first branch, which may overwrite the value. A handle without a node would be an error.
  std::string_view which(asked, count);
  if (run.device.driver.hasSwitches && which.find('1') != which.rfind('1')) {
    CUgraphConditionalHandle handle;
    return makeHandle(handle) && launchDecide(handle, value, isIndex, kWhich, count) &&
           addNode(handle, CU_GRAPH_COND_TYPE_SWITCH, which.rfind('1') + 1, branches.bodyGraphs);
  }
  branches.handles.resize(count);
  for (int64_t i = 0; i < count; ++i)
    if (asked[i] == '1' &&
        (!makeHandle(branches.handles[i]) || !launchDecide(branches.handles[i], value, isIndex, i, count)))
      return false;
  return true;
}

bool Decisions::takeBranch(int64_t branch, bool &isTaken) {
  Decision &branches = stack.back();
  if (!run.capture) {
    isTaken = branch == branches.chosen;
    return true;
  }
  isTaken = true;
  if (branches.isOpen && !closeBody(branches))
    return false;
  if (branches.handles.empty())
    return openBody(branches, branches.bodyGraphs[branch]);
  return addNode(branches.handles[branch], CU_GRAPH_COND_TYPE_IF, 1, branches.bodyGraphs) &&
         openBody(branches, branches.bodyGraphs[0]);
}

bool Decisions::endBranches() {
  if (stack.back().isOpen && !closeBody(stack.back()))
    return false;
  stack.pop_back();
  return true;
}
