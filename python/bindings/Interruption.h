// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Long work without the GIL: signals that arrive meanwhile, and the end of Python (docs/design/interruption.md).

#ifndef MLIR_XLA_PYTHON_BINDINGS_INTERRUPTION_H
#define MLIR_XLA_PYTHON_BINDINGS_INTERRUPTION_H

#include <nanobind/nanobind.h>

#include <atomic>
#include <cxxabi.h>

namespace nb = nanobind;

namespace mlir::xla::python {

/// The current thread does nothing any more.
[[noreturn]] void stay();

/// Calls `body`, in which Python may end the thread because Python itself ends: by an unwinding that must not reach
/// C++ frames which are not prepared for it (Python 3.14 keeps such threads where they are, as happens here).
template <typename Body> auto orStay(Body body) {
  try {
    return body();
  } catch (abi::__forced_unwind &) {
    stay();
  }
}

/// Gives the GIL back for the life of the object, for execution or compilation. The end of Python waits for it, as for
/// all else that is done without the GIL in this library.
class LongWork {
public:
  /// Throws SystemExit if Python is about to end.
  LongWork();
  LongWork(const LongWork &) = delete;
  ~LongWork();

  /// True if the work is to be given up: a signal has come whose handler raised an exception, which is then the
  /// thread's error, or Python is about to end. Takes the GIL on Python's main thread, where handlers run.
  bool isInterrupted();

  /// With the GIL, after work that was given up: throws the handler's exception, or SystemExit.
  static void rethrow();

private:
  PyThreadState *thread;
  int64_t quietUntil = 0;
};

/// The current thread is at work for this package, with or without the GIL: the end of Python waits for it, because C++
/// functions are on its stack time and again, and Python ends threads by an unwinding. Calls of other people's Python
/// (CalledBack) do not count. `begin` throws SystemExit if Python is about to end.
struct Busy {
  static void begin();
  static void end();

  Busy() { begin(); }
  Busy(const Busy &) = delete;
  ~Busy() { end(); }
};

/// Takes the GIL where a program calls Python.
class CalledBack {
public:
  CalledBack();
  CalledBack(const CalledBack &) = delete;
  ~CalledBack();

private:
  PyGILState_STATE state;
};

/// Threads of the compiler's own that Python has to wait for, because they may not outlive static objects.
extern std::atomic<int> backgroundThreads;

/// True once Python is about to end: what is destroyed later, it may no longer know how to destroy.
bool isAboutToEnd();

/// Has the end of Python stop and await all work.
void registerEndOfPython();

} // namespace mlir::xla::python

#endif // MLIR_XLA_PYTHON_BINDINGS_INTERRUPTION_H
