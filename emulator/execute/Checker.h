// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checked mode: looks at every access to memory before it happens. Bounds, alignment, shared memory that was not
// written, and data races, by vector clocks within a block and by who wrote or read last among blocks.

#ifndef CUDA_EMU_EXECUTE_CHECKER_H
#define CUDA_EMU_EXECUTE_CHECKER_H

#include "Clocks.h"
#include "Machine.h"

#include <memory>
#include <set>
#include <unordered_map>

namespace cuda_emu {

/// What compiled code says about an access.
enum AccessFlags : unsigned { AccessWrite = 1, AccessAtomic = 2, AccessRelease = 4, AccessAcquire = 8 };

/// As ptx::Space.
enum class AccessSpace : unsigned { Generic, Global, Shared, Local, Const, Param };

struct Access {
  uint64_t address;
  AccessSpace space;
  unsigned bytes, alignment, flags, line;
};

struct Range {
  uint64_t begin, end;
};
/// All that is allocated on the device, in order: set by whoever allocates.
extern std::vector<Range> (*allocatedRanges)();

class Checker {
public:
  void beginLaunch(const Kernel &kernel);
  void beginBlock(const Block &block, uint32_t serial, unsigned threads, const Thread *all);

  /// A text if the access is not allowed; else it is recorded.
  std::string check(const Thread &thread, const Access &access);
  void fence(const Thread &thread);
  /// An asynchronous copy to shared memory is going on: nobody may look at it.
  void setPending(uint64_t address, unsigned bytes, bool isPending);
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
    uint32_t writeTime = 0, writeLine = 0, writeBlock = 0, readBlock = 0, readLine = 0;
    uint16_t writeThread = 0;
    bool isWriteAtomic = false, areReadsAtomic = true, isReadByMany = false, isPending = false;
    uint32_t readers = 0; // a list, or none
  };
  struct Page {
    std::unique_ptr<Cell[]> cells;
  };

  std::string locate(Access &access, const Thread &thread, bool &isShared, bool &isTracked) const;
  std::string record(Cell &cell, const Thread &thread, const Access &access, bool isShared);
  std::string race(const char *what, unsigned thread, uint32_t block, unsigned line, const Access &access,
                   bool isShared) const;
  void addReader(Cell &cell, const Thread &thread, const Access &access);
  int findReader(const Readers &list, const Thread &thread) const;
  Cell &globalCell(uint64_t granule);

  const Kernel *kernel = nullptr;
  const Block *block = nullptr;
  const Thread *threads = nullptr;
  uint32_t serial = 0;
  unsigned granule = 1;
  std::vector<Cell> shared;
  std::unordered_map<uint64_t, Page> global;
  uint64_t lastPage = ~uint64_t(0);
  Cell *lastCells = nullptr;
  std::vector<Readers> lists = std::vector<Readers>(1);
  std::vector<uint32_t> freeLists;
  std::vector<Range> allocations;
  /// Blocks whose work is visible to this one, through atomics and fences; and what each atomic's address publishes.
  std::set<uint32_t> acquired;
  std::unordered_map<uint64_t, std::set<uint32_t>> published;
  std::unordered_map<uint64_t, std::shared_ptr<Clock>> publishedClocks;
  std::vector<bool> hasFenced;
  std::vector<std::vector<uint64_t>> seen; // addresses of atomics that a thread has read since its last fence
};

} // namespace cuda_emu

#endif // CUDA_EMU_EXECUTE_CHECKER_H
