#include "collector/machine/devices.h"

#include <algorithm>
#include <cmath>
#include <functional>

#include "collector/machine/readings.h"
#include "collector/process/captured_text.h"
#include "schema/error.h"
#include "schema/text/fnv.h"
#include "schema/text/lists.h"
#include "schema/text/text_parts.h"

namespace perf {
namespace {

using DeviceFacts = std::map<std::string, std::string>;

/// The values of a fact: one where all devices have the same, else "a, b".
std::string device_values(const std::vector<DeviceState>& devices,
                          const std::function<std::string(const DeviceFacts&)>& value) {
  const std::vector<std::string> values =
      mapped(devices, [&](const DeviceState& device) { return value(device.facts); });
  const bool alike = std::ranges::all_of(values, [&](auto& one) { return one == values.front(); });
  return values.empty() || (alike && values.front().empty()) ? ""
         : alike                                             ? values.front()
                                                             : joined(values, ", ");
}

std::string device_fact(const DeviceFacts& facts, const char* name) {
  const auto found = facts.find(name);
  return found == facts.end() ? "" : found->second;
}

/// A number of a fact in another unit, rounded; empty where it is not known.
std::string in_units(const DeviceFacts& facts, const char* name, double unit) {
  const auto number = parsed<double>(device_fact(facts, name));
  return number && std::isfinite(*number) ? std::to_string(std::llround(*number / unit)) : "";
}

std::string hashed_id(const std::string& id, const std::string& salt) {
  return id.empty() || salt.empty() ? "" : hexadecimal(fnv1a_64(id, fnv1a_64(salt)));
}

}  // namespace

bool may_have_devices(const std::filesystem::path& root, const GetVariable& variable) {
  std::error_code ignored;
  for (const char* device : {"dev/nvidiactl", "dev/dxg"}) {
    if (std::filesystem::exists(root / device, ignored)) {
      return true;
    }
  }
  const std::string folders = variable("LD_LIBRARY_PATH").value_or("");
  std::string_view left = folders;
  std::string_view folder = take_word(left, ":");
  while (!folder.empty() &&
         !std::filesystem::exists(std::filesystem::path(folder) / "libnvidia-ml.so.1", ignored)) {
    folder = take_word(left, ":");
  }
  return !folder.empty();
}

std::filesystem::path device_helper() {
  return running_program().parent_path() / "../lib/perf-compare/perf-device";
}

std::vector<std::pair<std::string, std::string>> device_lines(std::string_view output) {
  std::vector<std::pair<std::string, std::string>> lines;
  while (!output.empty()) {
    const std::string_view line = take_line(output);
    if (const std::size_t tab = line.find('\t'); tab != line.npos) {
      lines.emplace_back(line.substr(0, tab), line.substr(tab + 1));
    }
  }
  return lines;
}

FoundDevices find_devices(const ProbeSources& sources) {
  FoundDevices found;
  found.problem = kNoDeviceDriver;
  if (!sources.run_process || !may_have_devices(sources.root, sources.variable)) {
    return found;
  }
  constexpr double kPatience = 20;  // s; perf-device itself ends before
  const ProcessRequest request{
      .command = {device_helper().string(), "facts"}, .directory = "/", .timeout = kPatience};
  ProcessResult result;
  try {
    result = sources.run_process(request);
  } catch (const Error&) {  // a machine that starts no processes fails later, where it matters
  }
  found.problem = !result.spawn_error.empty() ? result.spawn_error
                  : result.exit_code == 0     ? ""
                                              : "the NVIDIA driver does not answer";
  for (const auto& [name, value] : device_lines(result.stdout_text)) {
    const bool is_of_device = !found.devices.empty();
    if (name == "device") {
      found.devices.emplace_back();
    }
    if (name == "problem") {
      found.problem = to_one_line(value);
    } else if (name == "driver" || name == "cuda") {
      (name == "driver" ? found.driver : found.cuda) = value;
    } else if (name == "process" && is_of_device) {
      found.devices.back().processes.push_back(to_one_line(value));
    } else if (!found.devices.empty()) {
      put_fact(found.devices.back().facts, name, value);
    }
  }
  return found;
}

void put_device_facts(const FoundDevices& found, const std::filesystem::path& root,
                      std::map<std::string, std::string>& machine,
                      std::map<std::string, std::string>& facts) {
  const std::vector<DeviceState>& devices = found.devices;
  const auto same = [&](const char* name) {
    return device_values(devices, [=](const DeviceFacts& one) { return device_fact(one, name); });
  };
  const auto in_unit = [&](const char* name, double unit) {
    return device_values(devices,
                         [=](const DeviceFacts& one) { return in_units(one, name, unit); });
  };
  constexpr double kGib = 1024.0 * 1024.0 * 1024.0, kMilliwatts = 1000;
  const std::string name = same("name");
  const bool has_several = devices.size() > 1 && name == device_fact(devices.front().facts, "name");
  put_fact(machine, "device", has_several ? std::to_string(devices.size()) + " x " + name : name);
  put_fact(machine, "device_memory_gib", in_unit("memory", kGib));
  put_fact(machine, "device_mig", same("mig"));
  put_fact(machine, "device_ecc", same("ecc"));
  put_fact(machine, "device_power_limit", in_unit("power_limit", kMilliwatts));
  put_fact(machine, "device_driver", found.driver.substr(0, found.driver.find('.')));
  put_fact(facts, "device_driver_version", found.driver);
  put_fact(facts, "device_cuda", found.cuda);
  put_fact(facts, "device_max_clock", same("max_clock"));
  put_fact(facts, "device_application_clock", same("application_clock"));
  put_fact(facts, "device_persistence", same("persistence"));
  put_fact(facts, "device_pci_width", same("pci_width"));
  const std::string salt = read_line_of(root / "etc/machine-id");
  put_fact(facts, "device_id", device_values(devices, [&](const DeviceFacts& one) {
             return hashed_id(device_fact(one, "device"), salt);
           }));
}

}  // namespace perf
