// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Streams, events and graphs. A graph is the list of what was captured, in the order of the calls, which is one of the
// orders that its edges allow. Conditional nodes are in Conditionals.cpp.

#include "State.h"

#include <unordered_set>

using namespace cuda_emu;

namespace {

/// Streams that have joined a capture, to be released when it ends.
std::unordered_set<CUstream> &capturing() {
  static auto *streams = new std::unordered_set<CUstream>;
  return *streams;
}

} // namespace

namespace cuda_emu {

CUresult run(const std::vector<Action> &actions) {
  for (const Action &action : actions)
    if (CUresult error = action())
      return error;
  return CUDA_SUCCESS;
}

CUresult enqueue(CUstream stream, Action action) {
  if (CUresult state = ready())
    return state;
  if (!isDefault(stream) && stream->capture) {
    stream->capture->actions.push_back(std::move(action));
    return CUDA_SUCCESS;
  }
  // The legacy default stream would have to wait for what a blocking stream captures.
  if (isDefault(stream) && stream != reinterpret_cast<CUstream>(2))
    for (CUstream other : capturing())
      if (!(other->flags & 1))
        return CUDA_ERROR_STREAM_CAPTURE_IMPLICIT;
  if (areStreamsLate()) {
    if (!isDefault(stream)) {
      stream->work.push_back({std::move(action), nullptr, nullptr, 0});
      return CUDA_SUCCESS;
    }
    drainAll(/*onlyBlocking=*/true);
  }
  return action();
}

CUresult refuseCapture(CUstream stream) {
  return !isDefault(stream) && stream->capture ? CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED : ready();
}

} // namespace cuda_emu

CUDA_EMU_API CUresult cuStreamCreate(CUstream *stream, unsigned flags) {
  *stream = new CUstream_st;
  (*stream)->flags = flags;
  Lock lock(stateMutex());
  addStream(*stream);
  return CUDA_SUCCESS;
}
CUDA_EMU_API CUresult cuStreamCreateWithPriority(CUstream *stream, unsigned flags, int priority) {
  cuStreamCreate(stream, flags);
  (*stream)->priority = priority;
  return CUDA_SUCCESS;
}
CUDA_EMU_API CUresult cuStreamDestroy_v2(CUstream stream) {
  Lock lock(stateMutex());
  if (isDefault(stream))
    return CUDA_ERROR_INVALID_HANDLE;
  capturing().erase(stream);
  removeStream(stream);
  delete stream;
  return CUDA_SUCCESS;
}
CUDA_EMU_API CUresult cuStreamSynchronize(CUstream stream) {
  Lock lock(stateMutex());
  if (CUresult refused = refuseCapture(stream))
    return refused;
  if (isDefault(stream))
    drainAll(/*onlyBlocking=*/true);
  else
    drain(stream);
  return ready();
}
CUDA_EMU_API CUresult cuStreamQuery(CUstream stream) {
  Lock lock(stateMutex());
  if (CUresult refused = refuseCapture(stream))
    return refused;
  if (isDefault(stream) || stream->work.empty())
    return cuStreamSynchronize(stream);
  // The next one is told that it is done.
  drain(stream);
  return CUDA_ERROR_NOT_READY;
}
CUDA_EMU_API CUresult cuStreamGetFlags(CUstream stream, unsigned *flags) {
  *flags = isDefault(stream) ? 0 : stream->flags;
  return CUDA_SUCCESS;
}
CUDA_EMU_API CUresult cuStreamGetPriority(CUstream stream, int *priority) {
  *priority = isDefault(stream) ? 0 : stream->priority;
  return CUDA_SUCCESS;
}
CUDA_EMU_API CUresult cuStreamGetCtx(CUstream, CUcontext *result) {
  *result = &context();
  return CUDA_SUCCESS;
}

CUDA_EMU_API CUresult cuStreamWaitEvent(CUstream stream, CUevent event, unsigned) {
  Lock lock(stateMutex());
  if (!event)
    return CUDA_ERROR_INVALID_HANDLE;
  if (CUresult state = ready())
    return state;
  if (event->capture) {
    // The stream joins the capture.
    if (isDefault(stream))
      return CUDA_ERROR_STREAM_CAPTURE_IMPLICIT;
    if (stream->capture && stream->capture != event->capture)
      return CUDA_ERROR_STREAM_CAPTURE_ISOLATION;
    stream->capture = event->capture;
    capturing().insert(stream);
  } else if (!isDefault(stream) && stream->capture) {
    return CUDA_ERROR_STREAM_CAPTURE_ISOLATION;
  } else if (isDefault(stream)) {
    drainUntil(*event->state, event->recorded);
  } else if (areStreamsLate()) {
    stream->work.push_back({nullptr, nullptr, event->state, event->recorded});
  }
  return CUDA_SUCCESS;
}

CUDA_EMU_API CUresult cuLaunchHostFunc(CUstream stream, CUhostFn function, void *data) {
  Lock lock(stateMutex());
  return enqueue(stream, [=] {
    function(data);
    return CUDA_SUCCESS;
  });
}

// --- Events ---

CUDA_EMU_API CUresult cuEventCreate(CUevent *event, unsigned) {
  *event = new CUevent_st;
  return CUDA_SUCCESS;
}
CUDA_EMU_API CUresult cuEventDestroy_v2(CUevent event) {
  delete event;
  return CUDA_SUCCESS;
}
CUDA_EMU_API CUresult cuEventRecord(CUevent event, CUstream stream) {
  Lock lock(stateMutex());
  if (!event)
    return CUDA_ERROR_INVALID_HANDLE;
  if (CUresult state = ready())
    return state;
  if (!isDefault(stream) && stream->capture) {
    event->capture = stream->capture;
    return CUDA_SUCCESS;
  }
  event->capture = nullptr;
  ++event->recorded;
  if (!isDefault(stream) && areStreamsLate()) {
    stream->work.push_back({nullptr, event->state, nullptr, event->recorded});
    return CUDA_SUCCESS;
  }
  if (isDefault(stream))
    drainAll(/*onlyBlocking=*/true);
  event->state->done = event->recorded;
  event->state->time = std::chrono::steady_clock::now();
  return CUDA_SUCCESS;
}
CUDA_EMU_API CUresult cuEventSynchronize(CUevent event) {
  Lock lock(stateMutex());
  if (!event)
    return CUDA_ERROR_INVALID_HANDLE;
  if (event->capture)
    return CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED;
  drainUntil(*event->state, event->recorded);
  return ready();
}
CUDA_EMU_API CUresult cuEventQuery(CUevent event) {
  Lock lock(stateMutex());
  bool isDone = event && event->state->done >= event->recorded;
  CUresult result = cuEventSynchronize(event); // the next query is told that it is done
  return !result && !isDone ? CUDA_ERROR_NOT_READY : result;
}
CUDA_EMU_API CUresult cuEventElapsedTime(float *milliseconds, CUevent start, CUevent end) {
  if (!start || !end || !start->recorded || !end->recorded)
    return CUDA_ERROR_INVALID_HANDLE;
  if (start->state->done < start->recorded || end->state->done < end->recorded)
    return CUDA_ERROR_NOT_READY;
  *milliseconds = std::chrono::duration<float, std::milli>(end->state->time - start->state->time).count();
  return CUDA_SUCCESS;
}
CUDA_EMU_API CUresult cuEventElapsedTime_v2(float *milliseconds, CUevent start, CUevent end) {
  return cuEventElapsedTime(milliseconds, start, end);
}

// --- Graphs ---

static CUresult beginCapture(CUstream stream, std::shared_ptr<CUgraph_st> graph, bool isIntoGraph) {
  if (CUresult state = ready())
    return state;
  if (isDefault(stream))
    return CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED;
  if (stream->capture)
    return CUDA_ERROR_INVALID_VALUE;
  stream->capture = std::move(graph);
  stream->isOrigin = true;
  stream->isIntoGraph = isIntoGraph;
  capturing().insert(stream);
  return CUDA_SUCCESS;
}

CUDA_EMU_API CUresult cuStreamBeginCapture_v2(CUstream stream, int) {
  Lock lock(stateMutex());
  return beginCapture(stream, std::make_shared<CUgraph_st>(), /*isIntoGraph=*/false);
}

/// After what is in the graph already, whatever the dependencies.
CUDA_EMU_API CUresult cuStreamBeginCaptureToGraph(CUstream stream, CUgraph graph, const CUgraphNode *, const void *,
                                                  size_t, int) {
  Lock lock(stateMutex());
  if (!graph)
    return CUDA_ERROR_INVALID_VALUE;
  return beginCapture(stream, {graph, [](CUgraph) {}}, /*isIntoGraph=*/true); // whoever made it keeps it
}

/// There is one node that all else depends on: the last.
CUDA_EMU_API CUresult cuStreamGetCaptureInfo_v3(CUstream stream, int *status, uint64_t *id, CUgraph *graph,
                                                const CUgraphNode **dependencies, const void **edges, size_t *count) {
  Lock lock(stateMutex());
  static CUgraphNode last = nullptr;
  bool isCapturing = !isDefault(stream) && stream->capture;
  *status = isCapturing;
  if (id)
    *id = isCapturing ? reinterpret_cast<uint64_t>(stream->capture.get()) : 0;
  if (graph)
    *graph = isCapturing ? stream->capture.get() : nullptr;
  if (dependencies)
    *dependencies = &last;
  if (edges)
    *edges = nullptr;
  if (count)
    *count = isCapturing && !stream->capture->actions.empty();
  return ready();
}

CUDA_EMU_API CUresult cuStreamUpdateCaptureDependencies_v2(CUstream stream, CUgraphNode *, const void *, size_t,
                                                           unsigned) {
  Lock lock(stateMutex());
  return isDefault(stream) || !stream->capture ? CUDA_ERROR_INVALID_VALUE : ready();
}

CUDA_EMU_API CUresult cuStreamEndCapture(CUstream stream, CUgraph *graph) {
  Lock lock(stateMutex());
  *graph = nullptr;
  if (isDefault(stream) || !stream->capture)
    return CUDA_ERROR_INVALID_VALUE;
  if (!stream->isOrigin)
    return CUDA_ERROR_STREAM_CAPTURE_UNMATCHED;
  std::shared_ptr<CUgraph_st> capture = stream->capture;
  for (auto it = capturing().begin(); it != capturing().end();) {
    if ((*it)->capture == capture) {
      (*it)->capture = nullptr;
      (*it)->isOrigin = false;
      it = capturing().erase(it);
    } else {
      ++it;
    }
  }
  if (stream->isIntoGraph)
    *graph = capture.get();
  else
    *graph = new CUgraph_st(*capture);
  return CUDA_SUCCESS;
}

CUDA_EMU_API CUresult cuStreamIsCapturing(CUstream stream, int *status) {
  Lock lock(stateMutex());
  *status = !isDefault(stream) && stream->capture;
  return CUDA_SUCCESS;
}

CUDA_EMU_API CUresult cuThreadExchangeStreamCaptureMode(int *mode) {
  *mode = 0;
  return CUDA_SUCCESS;
}

CUDA_EMU_API CUresult cuGraphCreate(CUgraph *graph, unsigned) {
  *graph = new CUgraph_st;
  return CUDA_SUCCESS;
}
CUDA_EMU_API CUresult cuGraphDestroy(CUgraph graph) {
  delete graph;
  return CUDA_SUCCESS;
}
CUDA_EMU_API CUresult cuGraphGetNodes(CUgraph graph, CUgraphNode *, size_t *count) {
  *count = graph->actions.size();
  return CUDA_SUCCESS;
}
CUDA_EMU_API CUresult cuGraphInstantiateWithFlags(CUgraphExec *exec, CUgraph graph, unsigned long long) {
  if (!graph)
    return CUDA_ERROR_INVALID_VALUE;
  *exec = new CUgraphExec_st{graph->actions};
  return CUDA_SUCCESS;
}
/// A graph of as many nodes takes the place of the old one.
CUDA_EMU_API CUresult cuGraphExecUpdate_v2(CUgraphExec exec, CUgraph graph, void *) {
  Lock lock(stateMutex());
  if (exec->actions.size() != graph->actions.size())
    return CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE;
  exec->actions = graph->actions;
  return CUDA_SUCCESS;
}
CUDA_EMU_API CUresult cuGraphExecDestroy(CUgraphExec exec) {
  delete exec;
  return CUDA_SUCCESS;
}
CUDA_EMU_API CUresult cuGraphUpload(CUgraphExec, CUstream) { return CUDA_SUCCESS; }
static unsigned long graphLaunches = 0;
/// How often a graph was launched: for tests, which cannot see it otherwise.
CUDA_EMU_API unsigned long cuda_emu_graph_launches() {
  Lock lock(stateMutex());
  return graphLaunches;
}
CUDA_EMU_API CUresult cuGraphLaunch(CUgraphExec exec, CUstream stream) {
  Lock lock(stateMutex());
  if (!exec)
    return CUDA_ERROR_INVALID_HANDLE;
  ++graphLaunches;
  std::vector<Action> actions = exec->actions;
  return enqueue(stream, [actions] { return run(actions); });
}
