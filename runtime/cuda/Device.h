// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A device: its context, its stream, its memory, and what is known of work that has not been waited for.
//
// All host threads enqueue to the device's one stream, without a lock: calls of different threads may alternate there,
// and whatever a call has enqueued comes before all that is enqueued after it has returned. Functions that can fail
// return false, with the thread's error set.

#ifndef MLIR_XLA_RUNTIME_CUDA_DEVICE_H
#define MLIR_XLA_RUNTIME_CUDA_DEVICE_H

#include "mlir_xla/runtime/cuda/Decisions.h"
#include "mlir_xla/runtime/cuda/Driver.h"
#include "mlir_xla/runtime/cuda/Modules.h"
#include "mlir_xla/runtime/cuda/Staging.h"
#include "mlir_xla/runtime/cuda/xla_rt_cuda.h"

#include <atomic>
#include <mutex>
#include <string>
#include <vector>

namespace xla_rt::cuda {

/// A kernel of a program, with what errors say of it.
struct Kernel {
  std::string name, op, location;
  int images = XLA_RT_CUDA_ALL_IMAGES;
  CUfunction function = nullptr;                  // null: the device's image does not have it
  bool waitsForOthers = false;                    // and so may begin before those in front of it have ended
  std::atomic<bool> mayUseAllSharedMemory{false}; // beyond what every device has
  std::atomic<uint64_t> launched{0};              // Device::now() right after the last launch
};

} // namespace xla_rt::cuda

struct xla_rt_cuda_device {
  using CUresult = xla_rt::cuda::CUresult;
  using CUevent = xla_rt::cuda::CUevent;
  using Kernel = xla_rt::cuda::Kernel;

  const xla_rt::cuda::Driver &driver;
  const int ordinal;
  xla_rt::cuda::CUdevice device = 0;
  xla_rt::cuda::CUcontext context = nullptr;
  xla_rt::cuda::CUstream stream = nullptr;
  xla_rt::cuda::CUmemoryPool pool = nullptr; // null: the device has no stream-ordered allocation
  std::string name;
  int capability = 0, multiprocessors = 0, mostSharedBytes = 0;
  bool syncsEachLaunch = false;  // XLA_RT_CUDA_SYNC=1
  bool overlapsLaunches = false; // not with XLA_RT_CUDA_OVERLAP=0
  xla_rt::cuda::Staging staging{*this};
  xla_rt::cuda::Modules modules{*this};

  xla_rt_cuda_device(const xla_rt::cuda::Driver &driver, int ordinal) : driver(driver), ordinal(ordinal) {}
  bool open();  // the context becomes current
  void close(); // of a device that could not be opened, in its context

  // Errors (Failures.cpp).

  /// Whether kernels have failed, or the hardware, and the context with them.
  static bool isLoss(CUresult result);
  /// Whether calls make sense: the device has not been lost, and the process is the one that opened it.
  bool isThere() const;
  /// Likewise, with an error.
  bool isUsable();
  /// True for success. Otherwise sets the error: "<device>: cannot <what>: <error>"; after the failure of a kernel,
  /// what is known about that.
  __attribute__((format(printf, 3, 4))) bool check(CUresult result, const char *what, ...);
  /// Every error is about `kernel`.
  bool checkKernel(CUresult result, const Kernel &kernel);
  /// An error that matters only if the device is lost with it, and then to the next call.
  void ignore(CUresult result);

  // What has been launched and not been waited for. A moment is a number; those up to `finished` are over.

  uint64_t now() const { return moment.load(std::memory_order_relaxed); }
  /// Before waiting for all that has been enqueued so far: the moment that will be over then.
  uint64_t endMoment() { return moment.fetch_add(1); }
  void finish(uint64_t moment);
  bool isIdle(const Kernel &kernel) const { return kernel.launched.load() <= finished.load(); }

  // Programs whose kernels may be the ones that fail.

  void add(xla_rt_cuda_program &program);
  void remove(xla_rt_cuda_program &program);

  // Events are kept and used again.

  CUevent takeEvent();
  void giveEvent(CUevent event);
  /// Records `event` in the stream and waits for it. With `polls`, which is for code that compiled code calls, the
  /// execution may end meanwhile.
  bool waitForAll(CUevent event, bool polls);
  bool waitFor(CUevent event, bool polls);

  // Memory (Memory.cpp), in the device's context.

  /// `what` it is for is part of the error.
  void *allocate(int64_t bytes, const char *what = nullptr);
  void free(void *memory);          // leaves no error
  void freeInContext(void *memory); // wherever it is called
  bool upload(void *to, const void *from, int64_t bytes);
  bool download(void *to, const void *from, int64_t bytes);
  /// Copies of an element of 1, 2, 4, 8 or 16 bytes (Fill.cpp).
  bool fill(xla_rt::cuda::CUstream stream, void *to, const void *element, int64_t size, int64_t count);

  // Loops and branches in graphs (Decisions.cpp).

  /// Once; false with an error if the driver does not take them.
  bool loadDecisionKernels();
  xla_rt::cuda::DecisionKernels decisionKernels;

private:
  /// False if it was lost already.
  bool lose(CUresult result, const Kernel *culprit);
  std::string suspects();

  std::atomic<uint64_t> moment{1}, finished{0};
  std::atomic<bool> isLost{false};
  std::atomic<xla_rt::cuda::CUfunction> fillKernel{nullptr};
  std::mutex decisionMutex; // while they are loaded
  std::mutex mutex;         // of what follows
  std::string loss;
  std::vector<xla_rt_cuda_program *> programs;
  std::vector<CUevent> events;
};

namespace xla_rt::cuda {

using Device = xla_rt_cuda_device;

/// The device's context is current while this lives; others in the process may have theirs.
class InContext {
public:
  explicit InContext(Device &device) : device(device) { enter(); }
  ~InContext() { leave(); }
  InContext(const InContext &) = delete;
  /// False, with the error set, if the device cannot be used.
  explicit operator bool() const { return isCurrent; }

  bool enter();
  void leave();

private:
  Device &device;
  bool isCurrent = false;
};

/// Copies as the runtime's pool of threads does, whatever execution the calling thread is in. False if the process is
/// about to end.
bool copyOnHost(void *to, const void *from, int64_t bytes);

inline CUdeviceptr address(const void *memory) { return reinterpret_cast<CUdeviceptr>(memory); }

} // namespace xla_rt::cuda

#endif // MLIR_XLA_RUNTIME_CUDA_DEVICE_H
