// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Pinned memory of the host, which the device copies from and to by itself: slots that are used in turn.

#ifndef MLIR_XLA_RUNTIME_CUDA_STAGING_H
#define MLIR_XLA_RUNTIME_CUDA_STAGING_H

#include "mlir_xla/runtime/cuda/Driver.h"

#include <condition_variable>
#include <mutex>
#include <vector>

struct xla_rt_cuda_device;

namespace xla_rt::cuda {

class Staging {
public:
  struct Slot {
    char *data = nullptr;
    CUevent event = nullptr; // when the device has done with it
    bool isPending = false;  // the event has been recorded
    bool isTaken = false;
    int64_t turn = 0; // when it was given back
  };

  explicit Staging(xla_rt_cuda_device &device) : device(device) {}

  /// Large enough to copy at full speed, small enough that copies of the host and of the device overlap soon.
  static constexpr int64_t kLargeBytes = 4 << 20;
  static constexpr int64_t kSmallBytes = 64 << 10;

  /// A slot for `bytes`, at most kLargeBytes, that the device has done with; null with an error. Waits while others
  /// have them all.
  Slot *take(int64_t bytes);
  /// Likewise for one who has a slot and so must not wait for others: `slot` is null if there is no other now. False
  /// with an error.
  bool takeAnother(int64_t bytes, Slot *&slot);
  /// Notes that the device is using the slot for what has just been enqueued.
  bool markPending(Slot &slot);
  bool wait(Slot &slot);
  void give(Slot *slot);

private:
  struct Slots {
    int64_t bytes, most;
    std::vector<Slot *> slots;
  };
  Slot *make(int64_t bytes);
  bool take(int64_t bytes, bool mayWait, Slot *&slot);

  xla_rt_cuda_device &device;
  std::mutex mutex;
  std::condition_variable isGiven;
  int64_t turns = 0;
  Slots small{kSmallBytes, 64, {}}, large{kLargeBytes, 8, {}};
};

} // namespace xla_rt::cuda

#endif // MLIR_XLA_RUNTIME_CUDA_STAGING_H
