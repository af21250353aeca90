// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Counts wavefronts and sectors.

#include "Profile.h"

#include <algorithm>
#include <mutex>
#include <set>

namespace cuda_emu {

namespace {

struct Totals {
  std::string source;
  bool isShared = false, isWrite = false;
  uint64_t requests = 0, units = 0, least = 0;
};
std::mutex mutex;
std::map<std::pair<std::string, unsigned>, Totals> &totals() {
  static auto *all = new std::map<std::pair<std::string, unsigned>, Totals>;
  return *all;
}

/// Lanes with 8 bytes are served by halves of a warp, with 16 by quarters. Lanes that want the same word share it.
uint64_t wavefronts(const std::vector<uint64_t> &addresses, unsigned bytes) {
  size_t group = std::max<size_t>(1, bytes <= 4 ? 32 : 128 / bytes);
  uint64_t result = 0;
  for (size_t begin = 0; begin < addresses.size(); begin += group) {
    std::set<uint64_t> banks[32];
    size_t most = 0;
    for (size_t i = begin; i < std::min(begin + group, addresses.size()); ++i)
      for (uint64_t word = addresses[i] / 4; word <= (addresses[i] + bytes - 1) / 4; ++word) {
        banks[word % 32].insert(word);
        most = std::max(most, banks[word % 32].size());
      }
    result += most;
  }
  return result;
}

uint64_t sectors(const std::vector<uint64_t> &addresses, unsigned bytes) {
  std::set<uint64_t> touched;
  for (uint64_t address : addresses)
    for (uint64_t sector = address / 32; sector <= (address + bytes - 1) / 32; ++sector)
      touched.insert(sector);
  return touched.size();
}

} // namespace

void Profiler::note(const Thread &thread, const Access &access) {
  bool isShared = access.space == AccessSpace::Shared ||
                  (access.space == AccessSpace::Generic && access.address >> 32 == sharedWindow() >> 32);
  bool isGlobal = access.space == AccessSpace::Global || (access.space == AccessSpace::Generic && !isShared);
  if (!isShared && !isGlobal)
    return;
  uint32_t execution = counts[uint64_t(thread.linear) << 32 | access.line]++;
  Request &request = requests[{uint64_t(thread.warp) << 32 | access.line, execution}];
  request.isShared = isShared;
  request.isWrite = access.flags & AccessWrite;
  request.bytes = access.bytes;
  request.lanes.emplace_back(thread.linear, access.address);
}

void Profiler::count() {
  std::lock_guard<std::mutex> lock(mutex);
  for (auto &[key, request] : requests) {
    unsigned line = uint32_t(key.first);
    Totals &all = totals()[{kernel.name, line}];
    if (all.source.empty())
      all.source = kernel.source->describe(line);
    all.isShared = request.isShared;
    all.isWrite = request.isWrite;
    ++all.requests;
    std::sort(request.lanes.begin(), request.lanes.end());
    std::vector<uint64_t> addresses;
    for (const auto &[lane, address] : request.lanes)
      addresses.push_back(address);
    uint64_t bytes = addresses.size() * request.bytes;
    if (request.isShared) {
      all.units += wavefronts(addresses, request.bytes);
      all.least += (bytes + 127) / 128;
    } else {
      all.units += sectors(addresses, request.bytes);
      all.least += (bytes + 31) / 32;
    }
  }
  requests.clear();
  counts.clear();
}

std::string profileText() {
  std::lock_guard<std::mutex> lock(mutex);
  std::string text;
  for (const auto &[key, all] : totals())
    text += key.first + ", " + all.source + ": " + (all.isShared ? "shared " : "global ") +
            (all.isWrite ? "write, " : "read, ") + std::to_string(all.requests) + " requests, " +
            std::to_string(all.units) + (all.isShared ? " wavefronts, " : " sectors, ") + std::to_string(all.least) +
            " at least\n";
  return text;
}

} // namespace cuda_emu
