// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the entry points work on. Everything that is enqueued is done at once, in the order of the calls, or kept for a
// graph while its stream captures.

#ifndef CUDA_EMU_DRIVER_STATE_H
#define CUDA_EMU_DRIVER_STATE_H

#include "../execute/Checker.h"
#include "../translate/Jit.h"
#include "Cuda.h"

#include <chrono>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

using Action = std::function<CUresult()>;
namespace cuda_emu {
struct Conditional;
}

struct CUctx_st {
  unsigned references = 0;
  CUresult failure = CUDA_SUCCESS; // sticky
};
struct CUfunc_st {
  CUmodule module;
  cuda_emu::Kernel *kernel;
  bool isNoted = false; // in the journal
};
struct CUmod_st {
  std::unique_ptr<cuda_emu::LoadedModule> loaded;
  uint64_t hash; // of its text
  std::vector<CUdeviceptr> memory;
  std::map<std::string, std::unique_ptr<CUfunc_st>> functions;
};
struct CUgraph_st {
  std::vector<Action> actions;
  std::vector<std::shared_ptr<cuda_emu::Conditional>> conditionals; // whose handles were made for it
};
struct CUgraphExec_st {
  std::vector<Action> actions;
};
/// What is known of an event: how often it was recorded in a stream's order, of those that were asked for.
struct EventState {
  uint64_t done = 0;
  std::chrono::steady_clock::time_point time;
};
/// What a stream that runs late has to do: one of the three.
struct StreamWork {
  Action action;
  std::shared_ptr<EventState> records, waitsFor;
  uint64_t serial = 0; // of the recording
};
struct CUstream_st {
  std::deque<StreamWork> work;         // if streams run late
  std::shared_ptr<CUgraph_st> capture; // what is captured, null if it is not capturing
  bool isIntoGraph = false;            // which was there before
  bool isOrigin = false;
  unsigned flags = 0;
  int priority = 0;
};
struct CUevent_st {
  std::shared_ptr<CUgraph_st> capture; // recorded in a stream that captures
  std::shared_ptr<EventState> state = std::make_shared<EventState>();
  uint64_t recorded = 0; // how often
};
struct CUmemPoolHandle_st {};

namespace cuda_emu {

/// Held by each entry point.
using Lock = std::lock_guard<std::recursive_mutex>;
std::recursive_mutex &stateMutex();

/// Of CUDA: 12090 is 12.9.
unsigned driverVersion();
/// The only device's primary context.
CUctx_st &context();
/// Whether cuInit was called and nothing has failed for good.
CUresult ready();
/// Whether all CUDA_EMU_* have values that they take; else cuGetErrorString tells which has not.
CUresult checkEnvironment();
/// Makes the context fail for good; the text goes to stderr and to cuda_emu_last_finding.
CUresult failForGood(CUresult error, const std::string &text);

/// Whether streams do their work when it is waited for, not at once.
bool areStreamsLate();
void addStream(CUstream stream);
/// After all that it has to do.
void removeStream(CUstream stream);
/// Does what is enqueued.
void drain(CUstream stream);
void drainAll(bool onlyBlocking = false);
void drainUntil(const EventState &event, uint64_t serial);
/// The default streams are null and small numbers.
inline bool isDefault(CUstream stream) { return reinterpret_cast<uintptr_t>(stream) <= 2; }

/// Runs `action` now, or keeps it if the stream captures or runs late.
CUresult enqueue(CUstream stream, Action action);
CUresult run(const std::vector<Action> &actions);
/// For calls that are no part of a graph.
CUresult refuseCapture(CUstream stream);

/// Memory of the device: of the host, but not accessible to it but while a kernel or a copy runs.
class DeviceMemory {
public:
  static DeviceMemory &get();
  /// 0 if there is not enough.
  CUdeviceptr allocate(size_t bytes);
  bool release(CUdeviceptr memory);
  /// Whether [address, address + bytes) lies in one allocation, whose beginning and size are given if asked for.
  bool contains(CUdeviceptr address, size_t bytes, CUdeviceptr *start = nullptr, size_t *size = nullptr) const;
  bool isReserved(CUdeviceptr address) const;
  /// ", 4 bytes behind an allocation of 16 bytes": empty for an address in an allocation.
  std::string describe(CUdeviceptr address) const;
  std::vector<Range> ranges();
  /// Checked mode knows which bytes were written: those of a fill, or as those of a copy's source, or all that there
  /// are.
  void noteFill(CUdeviceptr to, size_t bytes);
  void noteCopy(CUdeviceptr to, CUdeviceptr from, size_t bytes);
  void noteAll();
  size_t freeBytes() const { return total - used; }
  size_t totalBytes() const { return total; }
  void open();
  void close();

private:
  DeviceMemory();
  struct Allocation {
    size_t bytes, mapped;
    std::vector<uint64_t> written; // a bit for each byte; empty outside of checked mode
  };
  Allocation *find(CUdeviceptr address, size_t &offset);
  std::map<CUdeviceptr, Allocation> allocations;
  std::multimap<size_t, CUdeviceptr> freed; // by mapped size; their pages are kept
  char *base = nullptr;
  size_t reserved = 0, next = 0, total = 0, used = 0;
  unsigned openCount = 0;
  bool isProtected = true;
};

/// Device memory is accessible while it lives.
struct OpenMemory {
  OpenMemory() { DeviceMemory::get().open(); }
  ~OpenMemory() { DeviceMemory::get().close(); }
};

} // namespace cuda_emu

#endif // CUDA_EMU_DRIVER_STATE_H
