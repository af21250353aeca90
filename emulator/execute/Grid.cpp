// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A launch: the host's threads take block after block, in order.

#include "Environment.h"
#include "Faults.h"
#include "Machine.h"
#include "Worker.h"

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <cstring>
#include <memory>
#include <mutex>
#include <numeric>
#include <random>
#include <sys/mman.h>
#include <thread>

namespace cuda_emu {

std::string (*describeAddress)(uint64_t address) = nullptr;

namespace {

struct Job {
  const Kernel *kernel;
  const LaunchShape *shape;
  char *parameters;
  uint64_t grid, clusters; // a block alone is a cluster
  std::atomic<uint64_t> nextCluster{0};
  std::atomic<bool> failed{false};
  std::vector<uint32_t> order; // of the clusters, if not ascending
  std::mutex mutex;
  Failure failure;
  unsigned seed = 0;

  void work(Worker &worker) {
    CatchFaults faults(worker);
    worker.beginLaunch(*kernel, seed);
    while (!failed.load(std::memory_order_relaxed)) {
      uint64_t index = nextCluster.fetch_add(1, std::memory_order_relaxed);
      if (index >= clusters)
        return;
      if (!order.empty())
        index = order[index];
      uint64_t x = shape->grid[0] / shape->cluster[0], y = shape->grid[1] / shape->cluster[1];
      uint32_t cluster[3] = {uint32_t(index % x), uint32_t(index / x % y), uint32_t(index / x / y)};
      if (!worker.runCluster(*kernel, *shape, parameters, cluster, grid)) {
        std::lock_guard<std::mutex> lock(mutex);
        if (!failed.exchange(true))
          failure = worker.failure;
      }
    }
  }
};

/// Threads that live as long as the process. A fork has none of them and runs all blocks on the thread that launches.
class Pool {
public:
  Pool() {
    unsigned count = environmentNumber("CUDA_EMU_THREADS", std::max(1u, std::thread::hardware_concurrency()));
    for (unsigned i = 0; i < count; ++i)
      workers.push_back(std::make_unique<Worker>(i));
    for (unsigned i = 1; i < count; ++i)
      std::thread([this, i] { loop(*workers[i]); }).detach();
  }
  void run(Job &wanted) {
    // Waking others takes longer than a few small blocks.
    // Checks of races among blocks need all of them in one place.
    if (wanted.clusters > 1 && !wanted.kernel->isChecked && !wanted.kernel->isProfiled && workers.size() > 1) {
      std::lock_guard<std::mutex> lock(mutex);
      job = &wanted;
      ++generation;
      wake.notify_all();
    }
    wanted.work(*workers[0]);
    std::unique_lock<std::mutex> lock(mutex);
    job = nullptr;
    done.wait(lock, [&] { return !busy; });
  }

private:
  void loop(Worker &worker) {
    uint64_t seen = 0;
    std::unique_lock<std::mutex> lock(mutex);
    while (true) {
      wake.wait(lock, [&] { return job && generation != seen; });
      seen = generation;
      Job *mine = job;
      ++busy;
      lock.unlock();
      mine->work(worker);
      lock.lock();
      if (!--busy)
        done.notify_all();
    }
  }

  std::vector<std::unique_ptr<Worker>> workers;
  std::mutex mutex;
  std::condition_variable wake, done;
  Job *job = nullptr;
  uint64_t generation = 0;
  unsigned busy = 0;
};

} // namespace

bool launch(const Kernel &kernel, const LaunchShape &shape, const char *parameters, Failure &failure) {
  static std::mutex oneAtATime;
  static Pool *pool = new Pool;
  static uint64_t grids = 0;
  std::lock_guard<std::mutex> lock(oneAtATime);
  struct alignas(128) Line { // as tensor maps among the parameters need it
    char bytes[128];
  };
  std::vector<Line> copy(kernel.parameterBytes / sizeof(Line) + 1);
  memcpy(copy.data(), parameters, kernel.parameterBytes);
  Job job;
  job.kernel = &kernel;
  job.shape = &shape;
  job.parameters = reinterpret_cast<char *>(copy.data());
  job.grid = grids++;
  job.clusters = 1;
  for (unsigned d = 0; d < 3; ++d)
    job.clusters *= shape.grid[d] / shape.cluster[d];
  if (kernel.isChecked) {
    job.seed = environmentNumber("CUDA_EMU_SEED", 0);
    if (job.seed && job.clusters < 1000000) {
      job.order.resize(job.clusters);
      std::iota(job.order.begin(), job.order.end(), 0);
      std::shuffle(job.order.begin(), job.order.end(), std::mt19937(job.seed));
    }
  }
  pool->run(job);
  failure = job.failure;
  return !job.failed;
}

uint64_t sharedWindow() {
  // Reserved, so that nothing of the host ever has these addresses.
  static const uint64_t window = [] {
    uint64_t size = uint64_t(1) << 32;
    void *map = mmap(nullptr, 2 * size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return (reinterpret_cast<uint64_t>(map) + size - 1) / size * size;
  }();
  return window;
}

} // namespace cuda_emu
