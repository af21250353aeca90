// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checked mode: looks at every access to memory before it happens. Bounds, alignment, shared memory that was not
// written, and data races, by vector clocks within a block and by who wrote or read last among blocks.

#ifndef CUDA_EMU_EXECUTE_CHECKER_H
#define CUDA_EMU_EXECUTE_CHECKER_H

#include "Clocks.h"
#include "Machine.h"

#include <map>
#include <memory>
#include <unordered_map>

namespace cuda_emu {

/// What compiled code says about an access.
enum AccessFlags : unsigned {
  AccessWrite = 1,
  AccessAtomic = 2,
  AccessRelease = 4,
  AccessAcquire = 8,
  AccessWarp = 16,     // by a whole warp: what any of its lanes has waited for is enough
  AccessMbarrier = 32, // by an instruction for barriers in memory
};

/// Which writes of a thread a fence of it makes visible, and to whom.
enum ProxyFence : unsigned { FenceAsyncShared = 1, FenceAsyncGlobal = 2, FenceMbarrierInit = 4 };
constexpr unsigned numProxyFences = 3;

/// As ptx::Space.
enum class AccessSpace : unsigned { Generic, Global, Shared, Local, Const, Param };

struct Access {
  uint64_t address;
  AccessSpace space;
  unsigned bytes, alignment, flags, line;
};

struct Range {
  uint64_t begin, end;
  uint64_t *written; // a bit for each byte, null if that is not known
};
/// Bits [begin, end) of a map.
bool isAnySet(const uint64_t *bits, uint64_t begin, uint64_t end);
void setBits(uint64_t *bits, uint64_t begin, uint64_t end);
/// All that is allocated on the device, in order: set by whoever allocates.
extern std::vector<Range> (*allocatedRanges)();

/// Blocks that run together. Threads of a block begin at multiples of `threadStride`.
struct Cluster {
  const Block *blocks = nullptr;
  unsigned numBlocks = 0, numThreads = 0, threadStride = 0;
  const Thread *threads = nullptr;
};

class Checker {
public:
  void beginLaunch(const Kernel &kernel);
  void beginCluster(const Cluster &cluster, uint32_t serial);

  /// A text if the access is not allowed; else it is recorded.
  std::string check(const Thread &thread, const Access &access);
  /// The same for what the asynchronous proxy does: `thread` starts it, so it comes after all that is known to that; it
  /// is done in the name of `agent`, now.
  std::string checkAsync(const Thread &thread, const Access &access, unsigned agent);
  /// Before and after the life of a barrier in memory; between them only mbarrier instructions may touch it.
  std::string initMbarrier(const Thread &thread, const Access &access);
  std::string useMbarrier(const Thread &thread, const Access &access, bool isAsync);
  std::string invalidateMbarrier(const Thread &thread, const Access &access);
  void fence(const Thread &thread);
  /// `kinds` are of ProxyFence.
  void proxyFence(const Thread &thread, unsigned kinds);
  /// What came before the thread's last fence.mbarrier_init.
  void publishInit(const Thread &thread, Clock &into);
  /// An asynchronous copy to shared memory is going on: nobody may look at it.
  void setPending(const Thread &thread, uint64_t address, unsigned bytes, bool isPending);
  Clocks clocks;

private:
  struct Reader {
    uint16_t thread;
    uint32_t time;
  };
  /// Who has read a cell since it was written: a few, or else the time of each thread.
  struct Readers {
    std::vector<Reader> few;
    std::vector<uint32_t> times;
    uint32_t line = 0;
  };
  struct Cell {
    uint32_t writeTime = 0, writeLine = 0, writeBlock = 0, readLine = 0;
    uint32_t firstReadBlock = 0, readBlock = 0; // the last one
    uint16_t writeThread = 0;
    bool isWriteAtomic = false, areReadsAtomic = true, isPending = false, isMbarrier = false;
    uint32_t readers = 0; // a list, or none
  };
  struct Page {
    std::unique_ptr<Cell[]> cells;
  };

  /// Where an access goes.
  struct Target {
    bool isShared = false, isTracked = true;
    unsigned rank = 0; // the block whose shared memory it is
  };
  static constexpr unsigned nobody = ~0u;

  uint64_t sharedBytes() const;
  std::string locate(Access &access, const Thread &thread, Target &target) const;
  bool knowsOf(unsigned rank, const Thread &thread) const;
  std::string noteWritten(const Range &range, const Access &access) const;
  std::string checkCells(const Thread &thread, const Access &access, const Target &target, unsigned agent);
  std::string record(Cell &cell, const Thread &thread, const Access &access, bool isShared, unsigned agent);
  std::string race(const char *what, unsigned thread, uint32_t block, unsigned line, const Access &access,
                   bool isShared) const;
  std::string describe(const Access &access, bool isShared) const;
  std::string nameOf(unsigned thread) const;
  bool isOrdered(unsigned other, uint32_t time, const Thread &thread, const Access &access) const;
  bool isFenced(unsigned other, uint32_t time, const Thread &thread, const Access &access, unsigned kinds) const;
  void addReader(Cell &cell, unsigned reader, unsigned line, const Thread &thread, const Access &access);
  int findReader(const Readers &list, const Thread &thread, const Access &access) const;
  Cell &globalCell(uint64_t granule);
  Cell &sharedCell(unsigned rank, uint64_t granule) { return shared[rank * cellsOfBlock + granule]; }

  const Kernel *kernel = nullptr;
  Cluster cluster;
  uint32_t serial = 0;
  unsigned granule = 1;
  uint64_t cellsOfBlock = 0;
  std::vector<Cell> shared;
  std::unordered_map<uint64_t, Page> global;
  uint64_t lastPage = ~uint64_t(0);
  Cell *lastCells = nullptr;
  std::vector<Readers> lists = std::vector<Readers>(1);
  std::vector<uint32_t> freeLists;
  std::vector<Range> allocations;
  /// What is visible of blocks through atomics and fences, until which times of their threads.
  using Visible = std::map<uint32_t, std::shared_ptr<Clock>>;
  static void merge(Visible &into, const Visible &from);
  bool areAcquired(uint32_t first, uint32_t last);
  bool isVisible(uint32_t block, unsigned other, uint32_t time) const;
  void acquire(const Thread &thread, uint64_t key);
  void publish(uint64_t key, const std::shared_ptr<Clock> &clock, const Visible &others);
  Visible acquired;                                // by this block
  uint32_t knownFirst = 0, knownLast = 0;          // of blocks that are all acquired, as was found last
  std::unordered_map<uint64_t, Visible> published; // at each atomic's address
  std::unordered_map<uint64_t, std::shared_ptr<Clock>> publishedClocks; // there, of this cluster
  std::vector<std::vector<uint32_t>> proxyFences[numProxyFences];       // times of each thread
  std::vector<std::shared_ptr<Clock>> initClocks;                       // of each thread's last fence.mbarrier_init
  /// What came before each thread's last fence, which its atomics publish.
  struct Fenced {
    std::shared_ptr<Clock> clock;
    Visible others;
  };
  std::vector<Fenced> fenced;
  std::vector<std::vector<uint64_t>> seen; // addresses of atomics that a thread has read since its last fence
};

} // namespace cuda_emu

#endif // CUDA_EMU_EXECUTE_CHECKER_H
