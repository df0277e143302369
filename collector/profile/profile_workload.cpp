#include "collector/profile/profile_workload.h"

#include <algorithm>
#include <optional>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "collector/machine/small_file.h"
#include "collector/process/captured_text.h"
#include "collector/process/temporary_folder.h"
#include "collector/process/workload_runner.h"
#include "collector/profile/perf_samples.h"

namespace perf {
namespace {

constexpr std::size_t kScriptLimit = 1 << 28;  // B: 256 MiB are an hour of one thread
constexpr double kScriptTimeout = 300;         // s

std::vector<std::string> recorded(const std::vector<std::string>& command,
                                  const std::filesystem::path& samples) {
  std::vector<std::string> words{
      "perf", "record",  // -N: leave no copies in ~/.debug
      "-q",   "-N",      //
      "-e",   "cpu-clock:u", "-F", std::to_string(kSamplesPerSecond), "-o", samples.string(), "--"};
  words.insert(words.end(), command.begin(), command.end());
  return words;
}

/// Whether perf came so far as to write anything: without the right to sample, the file is empty.
bool has_samples(const std::filesystem::path& samples) {
  std::error_code error;
  const std::uintmax_t size = std::filesystem::file_size(samples, error);
  return !error && size > 0;
}

std::string why_no_samples(const Invocation& done, const std::filesystem::path& directory,
                           const std::filesystem::path& root) {
  std::error_code error;
  if (!done.process.spawn_error.empty() && std::filesystem::is_directory(directory, error)) {
    return "perf could not be started (" + done.process.spawn_error +
           "): install it, for example with apt-get install linux-perf (Debian) or "
           "linux-tools-generic (Ubuntu)";
  }
  if (done.process.stderr_text.find("perf_event_paranoid") != std::string::npos) {
    return "perf may not sample here: kernel.perf_event_paranoid is " +
           read_line_of(root / "proc/sys/kernel/perf_event_paranoid").value_or("too high") +
           "; as root: sysctl kernel.perf_event_paranoid=2, or less; in a container its seccomp "
           "profile has to allow perf_event_open";
  }
  const std::string words = last_line(done.process.stderr_text);
  return "perf took no samples: " + (words.empty() ? done.failure : words);
}

/// The median (the upper one of two) over the timed steps of all blocks.
std::optional<double> step_time_of(const Invocation& done) {
  std::vector<double> seconds;
  for (const Block& block : done.blocks) {
    for (const Step& step : block.steps) {
      if (!step.warmup) {
        seconds.push_back(step.seconds);
      }
    }
  }
  if (seconds.empty()) {
    return std::nullopt;
  }
  const auto middle = seconds.begin() + static_cast<std::ptrdiff_t>(seconds.size() / 2);
  std::nth_element(seconds.begin(), middle, seconds.end());
  return *middle;
}

ProcessResult print_samples(const RunProcess& run_process, const std::filesystem::path& folder,
                            const std::filesystem::path& samples) {
  return run_process(
      {.command = {"perf", "script", "--no-demangle", "-i", samples.string(), "-F", "ip,sym,dso"},
       .directory = folder,
       .environment = {{"DEBUGINFOD_URLS", ""}},  // nothing leaves the machine
       .timeout = kScriptTimeout,
       .stdout_limit = kScriptLimit});
}

}  // namespace

Profile profile_workload(const RunProcess& run_process, const Workload& workload,
                         const std::filesystem::path& directory, const Invocation& wish,
                         const std::filesystem::path& root) {
  const TemporaryFolder folder;
  const std::filesystem::path samples = folder.path() / "perf.data";
  WorkloadRunner runner(
      [&](ProcessRequest request) {
        request.command = recorded(request.command, samples);
        return run_process(request);
      },
      root);
  const Invocation done = runner.run(workload, directory, wish);
  Profile profile;
  if (!has_samples(samples)) {
    profile.problem = why_no_samples(done, directory, root);
    return profile;
  }
  if (!done.ok()) {
    profile.problem = "the workload failed under perf: " + done.failure;
    return profile;
  }
  const ProcessResult printed = print_samples(run_process, folder.path(), samples);
  const std::string failure = failure_of(printed, kScriptTimeout);
  if (!failure.empty()) {
    profile.problem = "perf script could not read the samples: " + failure;
    return profile;
  }
  profile = read_samples(printed.stdout_text);
  profile.step_time = step_time_of(done);
  if (profile.samples == 0) {
    profile.problem = "perf took no samples: the workload ran too short in user mode";
  }
  return profile;
}

}  // namespace perf
