#pragma once

#include <string>

#include "collector/process/temporary_folder.h"

namespace perf::testing {

/// Puts the scripted library in place of the driver's for this process and those it starts, until
/// it is destroyed.
class ScriptedDevices {
 public:
  explicit ScriptedDevices(const std::string& script);
  ~ScriptedDevices();
  ScriptedDevices(const ScriptedDevices&) = delete;
  ScriptedDevices& operator=(const ScriptedDevices&) = delete;

  std::string file() const { return (folder_.path() / "script").string(); }
  /// What `perf-device WORDS`, a shell's words, prints, and a last line "exit STATUS".
  std::string run(const std::string& words) const;
  /// The same of `watch`, as the parent of the processes that are ours.
  std::string watch(const std::string& options = {}) const;

 private:
  TemporaryFolder folder_;
};

/// A script of one device, with more lines for it.
std::string one_device(const std::string& lines);

/// This process, which is ours to `watch`, and the first of the machine, which is not.
std::string our_pid();
inline constexpr const char* kOtherPid = "1";

}  // namespace perf::testing
