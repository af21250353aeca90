// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Opening of devices, and waiting for them.

#include "mlir_xla/runtime/cuda/Device.h"
#include "mlir_xla/runtime/core/Environment.h"
#include "mlir_xla/runtime/cuda/Messages.h"

#include <map>
#include <stdlib.h>
#include <string.h>
#include <time.h>

using namespace xla_rt::cuda;

/// What the PTX that is emitted by default asks for.
static constexpr int kOldestCapability = 80;

// === Opening ===

static int attribute(const Driver &driver, CUdevice device, CUdevice_attribute which, CUresult &result) {
  int value = 0;
  if (result == CUDA_SUCCESS)
    result = driver.cuDeviceGetAttribute(&value, which, device);
  return value;
}

bool Device::open() {
  char driversName[128] = "";
  name = "device " + std::to_string(ordinal);
  CUresult result = driver.cuDeviceGet(&device, ordinal);
  if (result == CUDA_SUCCESS)
    result = driver.cuDeviceGetName(driversName, sizeof(driversName), device);
  driversName[sizeof(driversName) - 1] = 0;
  name = std::string(*driversName ? driversName : "a device") + " (cuda:" + std::to_string(ordinal) + ")";
  int major = attribute(driver, device, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, result);
  int minor = attribute(driver, device, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, result);
  multiprocessors = attribute(driver, device, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT, result);
  mostSharedBytes = attribute(driver, device, CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN, result);
  int hasPools = attribute(driver, device, CU_DEVICE_ATTRIBUTE_MEMORY_POOLS_SUPPORTED, result);
  if (!check(result, "read its properties"))
    return false;
  capability = major * 10 + minor;
  if (capability < kOldestCapability) {
    setError("%s is too old: it has compute capability %d.%d, and %d.%d or newer is needed", name.c_str(), major, minor,
             kOldestCapability / 10, kOldestCapability % 10);
    return false;
  }
  uint64_t sync = 0, overlap = 1;
  char problem[256];
  auto read = [&](const char *variable, uint64_t &value) {
    if (xla_rt::readEnvironment(variable, 0, 1, value, problem, sizeof(problem)) != xla_rt::Setting::Wrong)
      return true;
    setError("%s: %s", name.c_str(), problem);
    return false;
  };
  if (!read("XLA_RT_CUDA_SYNC", sync) || !read("XLA_RT_CUDA_OVERLAP", overlap))
    return false;
  syncsEachLaunch = sync;
  // Drivers capture launches that begin early since they have conditional nodes.
  overlapsLaunches = overlap && capability >= 90 && driver.hasConditionals;
  if (!check(driver.cuDevicePrimaryCtxRetain(&context, device), "get its context"))
    return false;
  if (!check(driver.cuCtxPushCurrent_v2(context), "enter its context")) {
    driver.cuDevicePrimaryCtxRelease_v2(device);
    return false;
  }
  bool isOpen = check(driver.cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING), "make a stream");
  if (isOpen && hasPools) {
    // A pool of its own: what it keeps is not for others in the process to decide.
    CUmemPoolProps properties = {};
    properties.allocType = CU_MEM_ALLOCATION_TYPE_PINNED;
    properties.location = {CU_MEM_LOCATION_TYPE_DEVICE, device};
    uint64_t everything = UINT64_MAX;
    isOpen = check(driver.cuMemPoolCreate(&pool, &properties), "make a pool of memory") &&
             check(driver.cuMemPoolSetAttribute(pool, CU_MEMPOOL_ATTR_RELEASE_THRESHOLD, &everything),
                   "have a pool keep its memory");
  }
  if (!isOpen)
    close();
  CUcontext popped;
  driver.cuCtxPopCurrent_v2(&popped);
  if (!isOpen)
    driver.cuDevicePrimaryCtxRelease_v2(device);
  return isOpen;
}

void Device::close() {
  if (pool)
    driver.cuMemPoolDestroy(pool);
  if (stream)
    driver.cuStreamDestroy_v2(stream);
}

namespace {

/// Never destroyed, nor are the devices: arrays may be freed while the process ends.
struct Devices {
  std::mutex mutex;
  std::map<std::pair<const Driver *, int>, Device *> open;
};

Devices &devices() {
  static auto *all = new Devices;
  return *all;
}

/// -1 with an error.
int countDevices(const Driver &driver) {
  int count = 0;
  if (!driver.hasDevices)
    return 0;
  CUresult result = driver.cuDeviceGetCount(&count);
  if (result == CUDA_SUCCESS)
    return count;
  setError("cuda: cannot count the devices of '%s': %s", driver.library, driver.describe(result).text);
  return -1;
}

} // namespace

int xla_rt_cuda_device_count(const char *library) {
  const Driver *driver = Driver::open(library);
  return driver ? countDevices(*driver) : -1;
}

xla_rt_cuda_device *xla_rt_cuda_open(const char *library, int ordinal) {
  const Driver *driver = Driver::open(library);
  if (!driver)
    return nullptr;
  int count = countDevices(*driver);
  if (count < 0)
    return nullptr;
  if (ordinal < 0 || ordinal >= count) {
    if (count == 0)
      setError("cuda: '%s' finds no GPU", driver->library);
    else
      setError("cuda: there is no device %d: '%s' has %d", ordinal, driver->library, count);
    return nullptr;
  }
  std::lock_guard<std::mutex> lock(devices().mutex);
  Device *&slot = devices().open[{driver, ordinal}];
  if (slot)
    return slot;
  auto *device = new Device(*driver, ordinal);
  if (device->open())
    return slot = device;
  delete device;
  return nullptr;
}

const char *xla_rt_cuda_device_name(xla_rt_cuda_device *device) { return device->name.c_str(); }
int xla_rt_cuda_device_ordinal(xla_rt_cuda_device *device) { return device->ordinal; }
int xla_rt_cuda_compute_capability(xla_rt_cuda_device *device) { return device->capability; }
int xla_rt_cuda_multiprocessors(xla_rt_cuda_device *device) { return device->multiprocessors; }
void *xla_rt_cuda_stream(xla_rt_cuda_device *device) { return device->stream; }

bool InContext::enter() {
  return isCurrent =
             device.isUsable() && device.check(device.driver.cuCtxPushCurrent_v2(device.context), "enter its context");
}

void InContext::leave() {
  CUcontext popped;
  if (isCurrent)
    device.ignore(device.driver.cuCtxPopCurrent_v2(&popped));
  isCurrent = false;
}

// === Waiting ===

CUevent Device::takeEvent() {
  {
    std::lock_guard<std::mutex> lock(mutex);
    if (!events.empty()) {
      CUevent event = events.back();
      events.pop_back();
      return event;
    }
  }
  CUevent event = nullptr;
  return check(driver.cuEventCreate(&event, CU_EVENT_DISABLE_TIMING), "make an event") ? event : nullptr;
}

void Device::giveEvent(CUevent event) {
  if (!event)
    return;
  std::lock_guard<std::mutex> lock(mutex);
  events.push_back(event);
}

bool Device::waitFor(CUevent event, bool polls) {
  if (!polls)
    return check(driver.cuEventSynchronize(event), "wait for what it computes");
  // Most waits are for microseconds, and what comes next is waiting for them; others may last for seconds.
  constexpr int kSpins = 500;
  for (int round = 0;; ++round) {
    CUresult result = driver.cuEventQuery(event);
    if (result != CUDA_ERROR_NOT_READY)
      return check(result, "wait for what it computes");
    xla_rt_poll();
    if (round > kSpins) {
      timespec pause = {0, 20000};
      nanosleep(&pause, nullptr);
    }
  }
}

bool Device::waitForAll(CUevent event, bool polls) {
  uint64_t over = endMoment();
  if (!check(driver.cuEventRecord(event, stream), "record an event") || !waitFor(event, polls))
    return false;
  finish(over);
  return true;
}

int xla_rt_cuda_synchronize(xla_rt_cuda_device *device) {
  InContext context(*device);
  if (!context)
    return 1;
  uint64_t over = device->endMoment();
  if (!device->check(device->driver.cuStreamSynchronize(device->stream), "wait for what it computes"))
    return 1;
  device->finish(over);
  return 0;
}

/// Has `later` wait for what has been enqueued to `earlier`.
static int order(Device &device, CUstream earlier, CUstream later) {
  InContext context(device);
  CUevent event = context ? device.takeEvent() : nullptr;
  if (!event)
    return 1;
  const Driver &driver = device.driver;
  bool done = device.check(driver.cuEventRecord(event, earlier), "record an event") &&
              device.check(driver.cuStreamWaitEvent(later, event, 0), "have a stream wait for another");
  device.giveEvent(event); // a wait is for the event as it is now
  return done ? 0 : 1;
}

int xla_rt_cuda_release_to(xla_rt_cuda_device *device, void *other) {
  return order(*device, device->stream, static_cast<CUstream>(other));
}

int xla_rt_cuda_acquire_from(xla_rt_cuda_device *device, void *other) {
  return order(*device, static_cast<CUstream>(other), device->stream);
}
