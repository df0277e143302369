#include "collector/device/devices.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <iterator>
#include <string_view>

namespace perf::nvml {
namespace {

bool load(Library& library) {
  void* const handle = dlopen("libnvidia-ml.so.1", RTLD_NOW);
  if (handle == nullptr) {
    return false;
  }
#define PERF_NVML_LOAD(member, symbol, ...) \
  library.member = reinterpret_cast<Result (*)(__VA_ARGS__)>(dlsym(handle, #symbol));
  PERF_NVML_FUNCTIONS(PERF_NVML_LOAD)
#undef PERF_NVML_LOAD
  return library.init != nullptr && library.count != nullptr && library.by_index != nullptr;
}

std::vector<Visible> instances_of(const Library& library, Device card) {
  std::vector<Visible> instances;
  const unsigned most = number(library.mig_count, card).value_or(0);
  for (unsigned i = 0; library.mig_by_index != nullptr && i < most; ++i) {
    Device instance = nullptr;
    if (library.mig_by_index(card, i, &instance) == kSuccess) {
      instances.push_back({instance, card});
    }
  }
  return instances;
}

bool is_split(const Library& library, Device card) {
  return number(library.mig_mode, card) == 1U;
}

std::vector<Device> cards_of(const Library& library, unsigned count) {
  std::vector<Device> cards;
  for (unsigned i = 0; i < count; ++i) {
    Device card = nullptr;
    if (library.by_index(i, &card) == kSuccess) {
      cards.push_back(card);
    }
  }
  return cards;
}

/// Where some card is split CUDA shows one instance, and no card that is not.
std::vector<Visible> shown_by_default(const Library& library, const std::vector<Device>& cards) {
  std::vector<Visible> whole;
  for (const Device card : cards) {
    if (!is_split(library, card)) {
      whole.push_back({card, card});
    } else if (const auto instances = instances_of(library, card); !instances.empty()) {
      return {instances.front()};
    }
  }
  return whole;
}

/// The device of an entry, if there is exactly one.
std::optional<Visible> named(const Library& library, const std::vector<Device>& cards,
                             std::string_view entry) {
  std::vector<Visible> found;
  if (entry.starts_with("GPU-") || entry.starts_with("MIG-")) {
    for (const Device card : cards) {
      std::vector<Visible> candidates = instances_of(library, card);
      candidates.push_back({card, card});
      std::ranges::copy_if(candidates, std::back_inserter(found), [&](const Visible& one) {
        return text<kUuidSize>(library.uuid, one.device).starts_with(entry);
      });
    }
  } else if (!entry.empty() && entry.find_first_not_of("0123456789") == entry.npos) {
    const unsigned long index = std::strtoul(std::string(entry).c_str(), nullptr, 10);
    if (index < cards.size()) {
      const auto instances = is_split(library, cards[index]) ? instances_of(library, cards[index])
                                                             : std::vector<Visible>();
      found.push_back(instances.empty() ? Visible{cards[index], cards[index]} : instances.front());
    }
  }
  return found.size() == 1 ? std::optional(found.front()) : std::nullopt;
}

std::vector<Visible> shown_by(const Library& library, const std::vector<Device>& cards,
                              std::string_view entries) {
  std::vector<Visible> shown;
  while (!entries.empty()) {
    const std::size_t end = std::min(entries.find(','), entries.size());
    std::string_view entry = entries.substr(0, end);
    entries.remove_prefix(std::min(end + 1, entries.size()));
    entry.remove_prefix(std::min(entry.find_first_not_of(" \t"), entry.size()));
    entry = entry.substr(0, entry.find_last_not_of(" \t") + 1);
    const std::optional<Visible> device = named(library, cards, entry);
    const bool is_twice = device && std::ranges::any_of(shown, [&](const Visible& other) {
                            return other.device == device->device;
                          });
    if (!device || is_twice) {  // CUDA shows nothing where one is named twice
      return is_twice ? std::vector<Visible>() : shown;
    }
    shown.push_back(*device);
  }
  return shown;
}

std::optional<MemoryV2> memory_of(const Library& library, Device device) {
  MemoryV2 memory{};
  memory.version = kMemoryV2;
  if (library.memory_v2 != nullptr && library.memory_v2(device, &memory) == kSuccess) {
    return memory;
  }
  Memory old{};
  if (library.memory == nullptr || library.memory(device, &old) != kSuccess) {
    return std::nullopt;
  }
  return MemoryV2{1, old.total, 0, old.free, old.used};
}

}  // namespace

std::string problem_of(Result result) {
  switch (result) {
    case kNoPermission:
      return "no permission to use the NVIDIA driver";
    case kDriverNotLoaded:
      return "the NVIDIA driver is not loaded";
    case kLost:
      return "a GPU is lost: the driver cannot reach it";
    default:
      return "the NVIDIA driver library fails with error " + std::to_string(result);
  }
}

Devices find_devices(const char* cuda_visible_devices) {
  Devices devices;
  Library& library = devices.library;
  if (!load(library)) {
    devices.problem = "no NVIDIA driver library";
    devices.absent = true;
    return devices;
  }
  unsigned count = 0;
  Result result = library.init();
  result = result == kSuccess ? library.count(&count) : result;
  if (result != kSuccess) {
    devices.problem = problem_of(result);
    devices.absent = result == kDriverNotLoaded;
    return devices;
  }
  const std::vector<Device> cards = cards_of(library, count);
  devices.visible = cuda_visible_devices == nullptr
                        ? shown_by_default(library, cards)
                        : shown_by(library, cards, cuda_visible_devices);
  if (cards.size() < count) {
    devices.problem = problem_of(kLost);
  } else if (devices.visible.empty()) {
    devices.problem = count == 0 ? "no NVIDIA device" : "CUDA_VISIBLE_DEVICES shows no device";
    devices.absent = true;
  }
  return devices;
}

std::optional<unsigned long long> memory_used(const Library& library, Device device) {
  const std::optional<MemoryV2> memory = memory_of(library, device);
  return memory ? std::optional(memory->used) : std::nullopt;
}

std::optional<unsigned long long> memory_total(const Library& library, Device device) {
  const std::optional<MemoryV2> memory = memory_of(library, device);
  return memory ? std::optional(memory->total) : std::nullopt;
}

std::optional<std::vector<unsigned>> processes_on(const Library& library, Device device) {
  constexpr std::size_t kMost = 4096;
  std::optional<std::vector<unsigned>> pids;
  for (const auto list : {library.processes, library.mps_processes}) {
    std::vector<Process> processes(64);
    Result result = kInsufficientSize;
    while (list != nullptr && result == kInsufficientSize && processes.size() <= kMost) {
      unsigned count = static_cast<unsigned>(processes.size());
      result = list(device, &count, processes.data());
      processes.resize(result == kSuccess ? std::min<std::size_t>(count, processes.size())
                                          : 2 * processes.size());
    }
    if (result != kSuccess) {
      continue;
    }
    pids = pids ? pids : std::vector<unsigned>();
    for (const Process& one : processes) {
      pids->push_back(one.pid);
    }
  }
  return pids;
}

std::string reason_names(unsigned long long reasons) {
  std::string names;
  for (const Reason& reason : kReasons) {
    if ((reasons & reason.bit) != 0) {
      names += (names.empty() ? "" : ", ") + std::string(reason.name);
    }
  }
  return names;
}

std::string proc_file(unsigned pid, const char* name) {
  // Not a stream of the standard library, which would be most of this program.
  std::string text(4096, '\0');
  const int file =
      open(("/proc/" + std::to_string(pid) + "/" + name).c_str(), O_RDONLY | O_CLOEXEC);
  const ssize_t size = file < 0 ? 0 : read(file, text.data(), text.size());
  close(file);
  text.resize(size > 0 ? static_cast<std::size_t>(size) : 0);
  return text;
}

std::string process_name(unsigned pid) {
  std::string name = proc_file(pid, "comm");
  std::erase_if(name, [](unsigned char c) { return c < ' ' || c == 127; });
  return name;
}

}  // namespace perf::nvml
