// A libnvidia-ml.so.1 that does what the file named by NVML_SCRIPT says; it is read again at each
// sample (call of nvmlDeviceGetMemoryInfo_v2). Lines:
//   init RESULT            what nvmlInit_v2 returns
//   hang SAMPLE            that sample of each device never returns; hang init: neither does init
//   stop SAMPLE            ends perf-device (SIGTERM) at that sample
//   lost SAMPLE            from then on the devices are lost
//   device UUID NAME...    begins a device; instance UUID: begins an instance (MIG) of the last one
//   KEY VALUE...           of it, by sample, the last one for all later ones
//   process PID[@FROM[-LAST]]...  that compute on it, at these samples
// Keys: used, total (B), clock, max_clock, application_clock (MHz), energy (mJ), reasons, load (%),
// heat, limit, default_limit (mW), ecc, persistence, display, width. "KEY fails RESULT" fails.
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "collector/device/nvml.h"

namespace {

using namespace perf::nvml;
using Numbers = std::vector<unsigned long long>;

struct Scripted {
  std::string uuid, name;
  int parent = -1;  // of an instance: its card
  std::map<std::string, Numbers> values{};
  std::map<std::string, int> failing{};
  std::vector<std::string> processes{};
};

std::vector<Scripted> devices;
std::map<std::string, unsigned> samples;  // by UUID
int init_result = 0;
unsigned hangs_at = 0, lost_from = 0, stops_at = 0;  // 0: never; samples count from 1
bool hangs_at_init = false;

void read_line(std::istringstream& words, const std::string& key) {
  std::string text;
  if (key == "init") {
    words >> init_result;
  } else if (key == "hang") {
    words >> text;
    hangs_at_init = text == "init";
    hangs_at = static_cast<unsigned>(std::atoi(text.c_str()));
  } else if (key == "stop") {
    words >> stops_at;
  } else if (key == "lost") {
    words >> lost_from;
  } else if (key == "device" || key == "instance") {
    Scripted one;
    words >> one.uuid >> std::ws;
    std::getline(words, one.name);
    for (int i = 0; key == "instance" && i < static_cast<int>(devices.size()); ++i) {
      one.parent = devices[static_cast<std::size_t>(i)].parent < 0 ? i : one.parent;
    }
    devices.push_back(one);
  } else if (key == "process") {
    while (words >> text) {
      if (text == "fails") {
        words >> devices.back().failing[key];
      } else {
        devices.back().processes.push_back(text);
      }
    }
  } else {
    while (words >> text) {
      if (text == "fails") {
        words >> devices.back().failing[key];
      } else {
        devices.back().values[key].push_back(std::strtoull(text.c_str(), nullptr, 10));
      }
    }
  }
}

void read_script() {
  const char* path = std::getenv("NVML_SCRIPT");
  std::ifstream file(path == nullptr ? "" : path);
  if (!file) {
    std::fprintf(stderr, "no NVML_SCRIPT\n");
    std::abort();
  }
  std::vector<Scripted> before;
  before.swap(devices);
  for (std::string line; std::getline(file, line);) {
    std::istringstream words(line);
    std::string key;
    if (words >> key) {
      read_line(words, key);
    }
  }
  if (devices.size() < before.size()) {  // it is being written
    devices.swap(before);
  }
}

// A handle is the device's number plus one.
std::size_t index_of(Device device) {
  return reinterpret_cast<std::size_t>(device) - 1;
}
Scripted& scripted(Device device) {
  return devices.at(index_of(device));
}
Device handle(std::size_t index) {
  return reinterpret_cast<Device>(index + 1);
}

unsigned sample_of(Device device) {
  return samples[scripted(device).uuid];
}

template <class Number>
Result give(Device device, const char* key, Number* value) {
  const Scripted& one = scripted(device);
  if (lost_from > 0 && sample_of(device) >= lost_from) {
    return kLost;
  }
  if (const auto failing = one.failing.find(key); failing != one.failing.end()) {
    return failing->second;
  }
  const auto found = one.values.find(key);
  if (found == one.values.end() || found->second.empty()) {
    return kNotSupported;
  }
  const std::size_t at = sample_of(device) > 0 ? sample_of(device) - 1 : 0;
  *value = static_cast<Number>(found->second[std::min(at, found->second.size() - 1)]);
  return kSuccess;
}

std::vector<std::size_t> cards() {
  std::vector<std::size_t> found;
  for (std::size_t i = 0; i < devices.size(); ++i) {
    if (devices[i].parent < 0) {
      found.push_back(i);
    }
  }
  return found;
}

std::vector<std::size_t> instances_of(Device card) {
  std::vector<std::size_t> found;
  for (std::size_t i = 0; i < devices.size(); ++i) {
    if (devices[i].parent == static_cast<int>(index_of(card))) {
      found.push_back(i);
    }
  }
  return found;
}

void copy(const std::string& text, char* to, unsigned length) {
  std::snprintf(to, length, "%s", text.c_str());
}

}  // namespace

extern "C" {

Result nvmlInit_v2() {
  read_script();
  while (hangs_at_init) {
    pause();
  }
  return init_result;
}

Result nvmlSystemGetDriverVersion(char* version, unsigned length) {
  copy("580.159.04", version, length);
  return kSuccess;
}

Result nvmlSystemGetCudaDriverVersion_v2(int* version) {
  *version = 13000;
  return kSuccess;
}

Result nvmlDeviceGetCount_v2(unsigned* count) {
  *count = static_cast<unsigned>(cards().size());
  return kSuccess;
}

Result nvmlDeviceGetHandleByIndex_v2(unsigned index, Device* device) {
  if (index >= cards().size()) {
    return kInvalidArgument;
  }
  *device = handle(cards()[index]);
  return kSuccess;
}

Result nvmlDeviceGetName(Device device, char* name, unsigned length) {
  copy(scripted(device).name, name, length);
  return kSuccess;
}

Result nvmlDeviceGetUUID(Device device, char* uuid, unsigned length) {
  copy(scripted(device).uuid, uuid, length);
  return kSuccess;
}

Result nvmlDeviceGetMemoryInfo_v2(Device device, MemoryV2* memory) {
  if (memory->version != kMemoryV2) {
    return 25;  // NVML_ERROR_ARGUMENT_VERSION_MISMATCH
  }
  read_script();
  const unsigned sample = ++samples[scripted(device).uuid];
  while (hangs_at > 0 && sample >= hangs_at) {
    pause();
  }
  if (sample == stops_at) {
    kill(getpid(), SIGTERM);
  }
  const Result total = give(device, "total", &memory->total);
  const Result used = give(device, "used", &memory->used);
  return used == kNotSupported ? total : used;
}

Result nvmlDeviceGetMigMode(Device device, unsigned* current, unsigned* pending) {
  *current = *pending = instances_of(device).empty() ? 0 : 1;
  return kSuccess;
}

Result nvmlDeviceGetMaxMigDeviceCount(Device device, unsigned* count) {
  *count = static_cast<unsigned>(instances_of(device).size());
  return kSuccess;
}

Result nvmlDeviceGetMigDeviceHandleByIndex(Device device, unsigned index, Device* instance) {
  const std::vector<std::size_t> found = instances_of(device);
  if (index >= found.size()) {
    return kNotFound;
  }
  *instance = handle(found[index]);
  return kSuccess;
}

Result nvmlDeviceGetEccMode(Device device, unsigned* current, unsigned* pending) {
  *pending = 0;
  return give(device, "ecc", current);
}

Result nvmlDeviceGetEnforcedPowerLimit(Device device, unsigned* limit) {
  return give(device, "limit", limit);
}

Result nvmlDeviceGetPowerManagementDefaultLimit(Device device, unsigned* limit) {
  return give(device, "default_limit", limit);
}

Result nvmlDeviceGetMaxClockInfo(Device device, unsigned, unsigned* clock) {
  return give(device, "max_clock", clock);
}

Result nvmlDeviceGetApplicationsClock(Device device, unsigned, unsigned* clock) {
  return give(device, "application_clock", clock);
}

Result nvmlDeviceGetPersistenceMode(Device device, unsigned* mode) {
  return give(device, "persistence", mode);
}

Result nvmlDeviceGetCurrPcieLinkWidth(Device device, unsigned* width) {
  return give(device, "width", width);
}

Result nvmlDeviceGetDisplayActive(Device device, unsigned* active) {
  return give(device, "display", active);
}

Result nvmlDeviceGetClockInfo(Device device, unsigned, unsigned* clock) {
  return give(device, "clock", clock);
}

Result nvmlDeviceGetCurrentClocksThrottleReasons(Device device, unsigned long long* reasons) {
  return give(device, "reasons", reasons);
}

Result nvmlDeviceGetTotalEnergyConsumption(Device device, unsigned long long* energy) {
  return give(device, "energy", energy);
}

Result nvmlDeviceGetTemperature(Device device, unsigned, unsigned* heat) {
  return give(device, "heat", heat);
}

Result nvmlDeviceGetUtilizationRates(Device device, Utilization* load) {
  load->memory = 0;
  return give(device, "load", &load->gpu);
}

Result nvmlDeviceGetComputeRunningProcesses_v3(Device device, unsigned* count, Process* processes) {
  const Scripted& one = scripted(device);
  if (const auto failing = one.failing.find("process"); failing != one.failing.end()) {
    return failing->second;
  }
  std::vector<unsigned> pids;
  for (const std::string& text : one.processes) {
    unsigned pid = 0, from = 0, last = ~0U;
    std::sscanf(text.c_str(), "%u@%u-%u", &pid, &from, &last);
    if (sample_of(device) >= from && sample_of(device) <= last) {
      pids.push_back(pid);
    }
  }
  const unsigned room = *count;
  *count = static_cast<unsigned>(pids.size());
  if (room < pids.size()) {
    return kInsufficientSize;
  }
  for (std::size_t i = 0; i < pids.size(); ++i) {
    processes[i] = {pids[i], 0, 0, 0};
  }
  return kSuccess;
}

}  // extern "C"
