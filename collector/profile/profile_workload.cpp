#include "collector/profile/profile_workload.h"

#include <cxxabi.h>

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "collector/machine/readings.h"
#include "collector/process/captured_text.h"
#include "collector/process/temporary_folder.h"
#include "collector/process/workload_runner.h"
#include "schema/readings.h"
#include "schema/text/text_parts.h"

namespace perf {
namespace {

constexpr std::string_view kHexadecimal = "0123456789abcdef";
constexpr std::size_t kLongestName = 4096;  // B; longer ones are not demangled

/// A function: its file, and its name there.
using Place = std::pair<std::string, std::string>;

/// The begin of the file's name, after " (": a path, or a bracketed word such as [vdso]. Symbols
/// may contain parentheses, but hardly these.
std::size_t object_at(std::string_view line) {
  const std::size_t path = line.find(" (/"), word = line.find(" ([");
  return std::min(path, word);
}

/// The function of one sample; empty for another line.
Place read_line(std::string_view line) {
  const std::string_view address = take_word(line);
  const std::size_t object = object_at(line);
  if (address.empty() || address.find_first_not_of(kHexadecimal) != std::string_view::npos ||
      !line.starts_with(' ') || object == 0 || object == std::string_view::npos ||
      line.back() != ')') {
    return {};
  }
  const std::string_view symbol = line.substr(1, object - 1);
  const std::string_view file = line.substr(object + 2, line.size() - object - 3);
  return {std::string(file), symbol.empty() ? "[unknown]" : std::string(symbol)};
}

/// The demangled name; unchanged where it is not mangled.
std::string demangled(const std::string& symbol) {
  if (!symbol.starts_with("_Z") || symbol.size() > kLongestName) {
    return symbol;
  }
  // GCC's suffixes of function variants: .isra.0, .cold, .part.1
  const std::size_t dot = symbol.find('.');
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> name(
      abi::__cxa_demangle(symbol.substr(0, dot).c_str(), nullptr, nullptr, &status), &std::free);
  if (status != 0 || !name) {
    return symbol;
  }
  return name.get() + (dot == std::string::npos ? "" : " [" + symbol.substr(dot) + "]");
}

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

/// Whether perf recorded anything: without permission to sample, the file is empty.
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
    const std::string paranoid = read_line_of(root / "proc/sys/kernel/perf_event_paranoid");
    return "perf may not sample here: kernel.perf_event_paranoid is " +
           (paranoid.empty() ? "too high" : paranoid) +
           "; as root: sysctl kernel.perf_event_paranoid=2, or less; in a container, allow "
           "perf_event_open in its seccomp profile";
  }
  const std::string words = last_line(done.process.stderr_text);
  return "perf took no samples: " + (words.empty() ? done.failure : words);
}

/// The median (the upper one of two) over the timed steps of all blocks.
std::optional<double> step_time_of(const Invocation& done) {
  std::vector<double> seconds;
  for (const Block& block : done.blocks) {
    const std::vector<double> timed = timed_steps(block);
    seconds.insert(seconds.end(), timed.begin(), timed.end());
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

Profile read_samples(std::string_view text) {
  std::map<Place, std::int64_t> counts;
  Profile profile;
  while (!text.empty()) {
    Place place = read_line(take_line(text));
    if (!place.first.empty()) {
      ++counts[std::move(place)];
      ++profile.samples;
    }
  }
  for (const auto& [place, count] : counts) {
    const double share = static_cast<double>(count) / static_cast<double>(profile.samples);
    profile.functions.push_back({place.second, demangled(place.second), place.first, share});
  }
  std::ranges::stable_sort(profile.functions, std::greater(), &HotFunction::share);
  return profile;
}

Profile profile_workload(const RunProcess& run_process, const Workload& workload,
                         const std::filesystem::path& directory, const Invocation& invocation,
                         const std::filesystem::path& root) {
  const TemporaryFolder folder;
  const std::filesystem::path samples = folder.path() / "perf.data";
  WorkloadRunner runner(
      [&](ProcessRequest request) {
        if (!request.beside) {
          request.command = recorded(request.command, samples);
        }
        return run_process(request);
      },
      root);
  const Invocation done = runner.run(workload, directory, invocation);
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
