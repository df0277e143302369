// perf-device facts | watch --own PID [--patience MS]: what the GPUs of this machine are, and what
// they did while a process ran. A program of its own, because a static one cannot load the driver's
// library, and because a driver may crash or hang. AMD's libraries are not read.
#include <sys/time.h>

#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "collector/device/devices.h"

namespace {

/// ms in which the driver must answer: without persistence mode it first starts the cards.
constexpr int kStartPatience = 15'000, kCallPatience = 1'000;

int usage() {
  std::fputs("usage: perf-device facts | perf-device watch --own PID [--patience MS]\n", stderr);
  return 2;
}

}  // namespace

int main(int count, char** words) {
  const std::string_view command = count > 1 ? words[1] : "";
  int own = 0, patience = 0;
  for (int i = 2; i + 1 < count; i += 2) {
    const std::string_view option = words[i];
    (option == "--own" ? own : patience) = std::atoi(words[i + 1]);
  }
  const bool watches = command == "watch" && own > 0;
  if (command != "facts" && !watches) {
    return usage();
  }
  perf::nvml::limit_call(patience > 0 ? patience : kStartPatience);
  const perf::nvml::Devices devices = perf::nvml::find_devices(std::getenv("CUDA_VISIBLE_DEVICES"));
  return watches ? perf::nvml::watch(devices, own, patience > 0 ? patience : kCallPatience)
                 : perf::nvml::print_facts(devices);
}
