// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mlir_xla/python/bindings/Interruption.h"

#include "mlir_xla/runtime/xla_rt.h"

#include <algorithm>
#include <pthread.h>
#include <time.h>
#include <unistd.h>

namespace mlir::xla::python {

std::atomic<int> backgroundThreads{0};

namespace {

/// How long Python waits at its end for programs that are in functions of others and do not poll.
constexpr int64_t kPatience = 5000000000;
/// Waiting for the GIL, which other threads may hold for milliseconds at a time, takes no more than a twentieth of the
/// time of a program.
constexpr int64_t kQuietPerWait = 20, kLongestQuiet = 80000000;

// All of these are written with the GIL held.
int working = 0; // threads in C++ that have given the GIL back, and are not called back
int busy = 0;    // threads at work, by how often they have begun, without those that are called back
thread_local int busyHere = 0;
std::atomic<bool> ending{false};
pthread_t endingThread;

int64_t nanoseconds() {
  timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * 1000000000LL + now.tv_nsec;
}

/// Python's main thread is the one that it was started on, or the one that a forked process goes on with.
bool isMainThread() { return gettid() == getpid(); }

bool isFinalizing() {
#if PY_VERSION_HEX >= 0x030D0000
  return Py_IsFinalizing();
#else
  return _Py_IsFinalizing();
#endif
}

/// True for threads whose work has to stop because Python is about to end.
bool isEnding() { return ending.load(std::memory_order_relaxed) && !pthread_equal(endingThread, pthread_self()); }

} // namespace

void stay() {
  for (;;)
    pause();
}

bool isAboutToEnd() { return ending; }

LongWork::LongWork() {
  if (isEnding())
    rethrow();
  thread = PyEval_SaveThread();
}

LongWork::~LongWork() { PyEval_RestoreThread(thread); }

bool LongWork::isInterrupted() {
  if (isEnding())
    return true;
  if (!isMainThread())
    return false;
  int64_t before = nanoseconds();
  if (before < quietUntil)
    return false;
  PyEval_RestoreThread(thread);
  int64_t after = nanoseconds();
  quietUntil = after + std::min(kLongestQuiet, kQuietPerWait * (after - before));
  bool raised = PyErr_CheckSignals() != 0;
  thread = PyEval_SaveThread();
  return raised;
}

void LongWork::rethrow() {
  if (!PyErr_Occurred() && isEnding())
    PyErr_SetString(PyExc_SystemExit, "Python is about to end");
  if (PyErr_Occurred())
    throw nb::python_error();
}

void Busy::begin() {
  if (isEnding())
    LongWork::rethrow();
  ++busy;
  ++busyHere;
}

void Busy::end() {
  --busy;
  --busyHere;
}

CalledBack::CalledBack() : state(PyGILState_Ensure()) {
  --working;
  busy -= busyHere;
}

CalledBack::~CalledBack() {
  ++working;
  busy += busyHere;
  PyGILState_Release(state);
}

} // namespace mlir::xla::python

// The linker puts these in the place of Python's functions (--wrap), wherever this library calls them, nanobind
// included.

using namespace mlir::xla::python;

extern "C" {
PyThreadState *__real_PyEval_SaveThread();
void __real_PyEval_RestoreThread(PyThreadState *thread);
PyGILState_STATE __real_PyGILState_Ensure();

/// Once Python is about to end, the GIL is not given back: Python does not go on meanwhile.
PyThreadState *__wrap_PyEval_SaveThread() {
  if (isEnding())
    return nullptr;
  ++working;
  return __real_PyEval_SaveThread();
}

/// A thread that comes for the GIL when Python is being taken down gets no further.
void __wrap_PyEval_RestoreThread(PyThreadState *thread) {
  if (!thread)
    return;
  if (isFinalizing() && !isMainThread())
    stay();
  orStay([=] { __real_PyEval_RestoreThread(thread); });
  --working;
}

PyGILState_STATE __wrap_PyGILState_Ensure() {
  if (isFinalizing() && !isMainThread())
    stay();
  return orStay([] { return __real_PyGILState_Ensure(); });
}
}

namespace mlir::xla::python {

/// Called by `atexit`, when threads that Python waits for are done: what is left are daemons. They end with SystemExit,
/// which `threading` does not report, rather than to work on while what they work with is taken down.
static void endOfPython() {
  ending = true;
  endingThread = pthread_self();
  xla_rt_stop_other_threads();
  int64_t deadline = nanoseconds() + kPatience;
  while (backgroundThreads > 0 || ((working > 0 || busy > busyHere) && nanoseconds() < deadline)) {
    PyThreadState *thread = __real_PyEval_SaveThread();
    usleep(500);
    __real_PyEval_RestoreThread(thread);
    if (PyErr_CheckSignals() != 0)
      throw nb::python_error();
  }
}

void registerEndOfPython() {
  // A forked child has one thread, which holds the GIL: none is at work.
  pthread_atfork(nullptr, nullptr, [] {
    working = 0;
    busy = busyHere;
    backgroundThreads = 0;
  });
  nb::module_::import_("atexit").attr("register")(nb::cpp_function(endOfPython));
}

} // namespace mlir::xla::python
