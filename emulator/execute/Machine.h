// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What compiled kernels and the scheduler share: threads, blocks, kernels. Compiled code reads some fields by their
// offsets (translate/Function.cpp).

#ifndef CUDA_EMU_EXECUTE_MACHINE_H
#define CUDA_EMU_EXECUTE_MACHINE_H

#include <cstdint>
#include <string>
#include <vector>

namespace cuda_emu {

struct Block;
struct Worker;

constexpr unsigned maxThreadsPerBlock = 1024;
constexpr unsigned warpSize = 32;
constexpr unsigned numBarriers = 16;
constexpr unsigned maxClusterBlocks = 16;
/// Shared memory of block `rank` of a cluster is also at (rank + 1) << clusterShift of each of its blocks.
constexpr unsigned clusterShift = 24;

/// What a lane leaves while it waits for the others of a warp's collective, and what it gets.
struct Mailbox {
  uint32_t kind, mask;
  uint64_t a, b, c;
  uint64_t result;
  uint64_t code; // of an instruction with matrices
};

struct Thread {
  // Read by compiled code.
  uint32_t tid[3];
  uint32_t lane, warp, linear;
  Block *block;
  uint64_t stackLimit; // where a function may not begin any more
  // The scheduler's.
  void *stackPointer;
  Mailbox mailbox;
  uint32_t barrierResult;
  uint32_t spins;
  uint64_t stackLow, stackBytes;
  uint32_t index;     // among all threads that run together: blocks of a cluster begin at multiples of a warp
  uint32_t hasPolled; // an mbarrier in vain
};

struct Block {
  // Read by compiled code.
  char *shared; // host address of offset 0; 4 GiB are reserved, so that no 32-bit offset reaches anything else
  char *parameters;
  uint32_t ctaid[3], ntid[3], nctaid[3];
  uint32_t dynamicOffset, dynamicBytes, staticBytes;
  uint32_t numWarps, worker;
  uint64_t grid;
  uint32_t clusterBlock[3], clusterShape[3], cluster[3], clusters[3]; // the block in its cluster, that in the grid
  uint32_t rank, clusterBlocks;
  // The scheduler's.
  Worker *owner;
};

using KernelCode = void (*)(Thread *);

/// Where an instruction comes from.
class SourceMap {
public:
  virtual ~SourceMap() = default;
  /// The line of PTX of an address in the code, 0 if it is not known.
  virtual unsigned lineOf(uint64_t address) const = 0;
  /// "PTX line 12 (model.mlir:3:4)", or an empty string for line 0.
  virtual std::string describe(unsigned line) const = 0;
};

struct Parameter {
  uint64_t offset, bytes;
};

/// A kernel, ready to run.
struct Kernel {
  std::string name;
  KernelCode code = nullptr;
  const SourceMap *source = nullptr;
  bool needsFibres = false;
  bool meets = false; // its threads wait for each other
  bool isChecked = false, isProfiled = false;
  bool waitsFirst = false; // for launches in front of it, before it uses memory
  uint32_t granule = 1;    // divides the bytes of every access of a checked kernel
  uint32_t staticShared = 0, dynamicAlignment = 1;
  uint64_t localBytes = 0; // bound of what one thread has in .local and in parameters of calls
  uint64_t frameBytes = 0; // of its code and of all functions that it may call
  std::vector<Parameter> parameters;
  uint64_t parameterBytes = 0;
  uint64_t maxThreads = 0;
  uint32_t requiredThreads[3] = {0, 0, 0}, requiredCluster[3] = {0, 0, 0};
  uint32_t maxDynamicShared = 48 * 1024; // attributes of the function
  bool allowsLargeClusters = false;      // of more than 8 blocks
};

struct LaunchShape {
  uint32_t grid[3], block[3], cluster[3];
  uint32_t dynamicShared;
};

struct Failure {
  std::string text;
  bool isAddress = false; // an access that is not allowed
};

/// Runs all blocks and returns when they are done. False if a thread failed.
bool launch(const Kernel &kernel, const LaunchShape &shape, const char *parameters, Failure &failure);

/// What an address of global memory is: set by whoever allocates it.
extern std::string (*describeAddress)(uint64_t address);

/// "0x1f"
std::string hex(uint64_t value);

/// Generic addresses of shared memory have these upper 32 bits.
uint64_t sharedWindow();

/// Functions that compiled code calls, by name.
struct RuntimeFunction {
  const char *name;
  void *address;
};
const std::vector<RuntimeFunction> &runtimeFunctions();

/// Gives the handle of a conditional node its value (driver/Conditionals.cpp). False if there is no such handle.
bool setConditional(uint64_t handle, unsigned value);

} // namespace cuda_emu

#endif // CUDA_EMU_EXECUTE_MACHINE_H
