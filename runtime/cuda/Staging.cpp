// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mlir_xla/runtime/cuda/Staging.h"
#include "mlir_xla/runtime/cuda/Device.h"

using namespace xla_rt::cuda;

Staging::Slot *Staging::make(int64_t bytes) {
  CUevent event = device.takeEvent();
  if (!event)
    return nullptr;
  void *memory = nullptr;
  if (!device.check(device.driver.cuMemHostAlloc(&memory, bytes, 0), "allocate %lld bytes of pinned memory",
                    static_cast<long long>(bytes))) {
    device.giveEvent(event);
    return nullptr;
  }
  auto *slot = new Slot;
  slot->data = static_cast<char *>(memory);
  slot->event = event;
  return slot;
}

bool Staging::take(int64_t bytes, bool mayWait, Slot *&slot) {
  Slots &slots = bytes <= kSmallBytes ? small : large;
  slot = nullptr;
  {
    std::unique_lock<std::mutex> lock(mutex);
    for (;;) {
      for (Slot *each : slots.slots)
        if (!each->isTaken && (!slot || each->turn < slot->turn))
          slot = each;
      // A new one is better than to wait for the device.
      bool isFree = slot && (!slot->isPending || device.driver.cuEventQuery(slot->event) == CUDA_SUCCESS);
      if (!isFree && static_cast<int64_t>(slots.slots.size()) < slots.most) {
        slot = make(slots.bytes);
        if (!slot)
          return false;
        slots.slots.push_back(slot);
      }
      if (slot)
        break;
      if (!mayWait)
        return true;
      isGiven.wait(lock);
    }
    slot->isTaken = true;
  }
  if (wait(*slot))
    return true;
  give(slot);
  return false;
}

Staging::Slot *Staging::take(int64_t bytes) {
  Slot *slot;
  return take(bytes, /*mayWait=*/true, slot) ? slot : nullptr;
}

bool Staging::takeAnother(int64_t bytes, Slot *&slot) { return take(bytes, /*mayWait=*/false, slot); }

bool Staging::markPending(Slot &slot) {
  CUresult result = device.driver.cuEventRecord(slot.event, device.stream);
  slot.isPending = result == CUDA_SUCCESS;
  if (slot.isPending)
    return true;
  device.ignore(device.driver.cuStreamSynchronize(device.stream)); // nobody would know when the slot is free
  return device.check(result, "record an event");
}

bool Staging::wait(Slot &slot) {
  if (!slot.isPending)
    return true;
  slot.isPending = false;
  return device.check(device.driver.cuEventSynchronize(slot.event), "wait for a copy");
}

void Staging::give(Slot *slot) {
  {
    std::lock_guard<std::mutex> lock(mutex);
    slot->isTaken = false;
    slot->turn = ++turns;
  }
  isGiven.notify_one();
}
