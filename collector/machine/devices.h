#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "collector/machine/environment.h"
#include "schema/machine_state.h"

namespace perf {

/// Whether this machine may have a GPU that perf-device can read: it has a device of NVIDIA's
/// driver (or WSL's), or the driver's library is in LD_LIBRARY_PATH. Else nothing is started.
bool may_have_devices(const std::filesystem::path& root, const GetVariable& variable);

/// The program perf-device (collector/device/), beside the running one.
std::filesystem::path device_helper();

/// What perf-device prints: lines of a name, a tab and a value. Others are left out.
std::vector<std::pair<std::string, std::string>> device_lines(std::string_view output);

/// The GPUs that programs see, by `perf-device facts`.
struct FoundDevices {
  std::vector<DeviceState> devices{};
  std::string problem{};  ///< why there are none
  std::string driver{}, cuda{};
};
FoundDevices find_devices(const ProbeSources& sources);

/// Adds the facts that the fingerprint covers to `machine`, others to `facts`. The id of a card is
/// hashed with /etc/machine-id, which is stored nowhere; without one it is left out.
void put_device_facts(const FoundDevices& found, const std::filesystem::path& root,
                      std::map<std::string, std::string>& machine,
                      std::map<std::string, std::string>& facts);

/// probe_environment with devices that were found before.
Environment probe_environment(const ProbeSources& sources, const FoundDevices& devices);

}  // namespace perf
