#include <algorithm>
#include <array>
#include <cctype>
#include <functional>

#include "collector/machine/readings.h"
#include "collector/process/captured_text.h"
#include "schema/text/text_parts.h"

namespace perf {
namespace {

std::vector<std::string_view> words_of(std::string_view line) {
  std::vector<std::string_view> words;
  for (std::string_view word = take_word(line); !word.empty(); word = take_word(line)) {
    words.push_back(word);
  }
  return words;
}

bool is_cpu(std::string_view word) {
  return word.size() > 3 && word.starts_with("cpu") &&
         std::isdigit(static_cast<unsigned char>(word[3])) != 0;
}

}  // namespace

std::optional<CpuTimes> parse_cpu_times(std::string_view stat) {
  std::string_view words = take_line(stat);
  if (take_word(words) != "cpu") {
    return std::nullopt;
  }
  std::array<double, 8> ticks{};  // user nice system idle iowait irq softirq steal
  for (double& one : ticks) {
    const std::optional<std::int64_t> number = whole_number(take_word(words));
    if (!number || *number < 0) {
      return std::nullopt;
    }
    one = static_cast<double>(*number);
  }
  CpuTimes times{ticks[0] + ticks[1] + ticks[2] + ticks[5] + ticks[6], ticks[3] + ticks[4],
                 ticks[7], 0};
  while (stat.starts_with("cpu")) {  // they come first; the lines after them are long
    times.cpus += is_cpu(take_line(stat)) ? 1 : 0;
  }
  return times;
}

std::optional<ProcessTime> parse_process_time(std::string_view stat) {
  // The name may contain blanks and brackets: it ends at the last bracket.
  const std::size_t open = stat.find('(');
  const std::size_t close = stat.rfind(')');
  if (open == std::string_view::npos || close == std::string_view::npos || close < open) {
    return std::nullopt;
  }
  constexpr std::size_t kUser = 11, kSystem = 12, kStarted = 19;  // counted from the state
  const std::vector<std::string_view> words = words_of(stat.substr(close + 1));
  if (words.size() <= kStarted) {
    return std::nullopt;
  }
  const std::optional<std::int64_t> user = whole_number(words[kUser]);
  const std::optional<std::int64_t> system = whole_number(words[kSystem]);
  if (!user || !system) {
    return std::nullopt;
  }
  return ProcessTime{to_one_line(stat.substr(open + 1, close - open - 1)),
                     std::string(words[kStarted]),
                     static_cast<double>(*user) + static_cast<double>(*system)};
}

std::map<std::string, ProcessTime> read_process_times(const std::filesystem::path& root) {
  std::map<std::string, ProcessTime> processes;
  for (const std::filesystem::path& folder : numbered_entries(root / "proc", "")) {
    if (auto time = parse_process_time(read_small_file(folder / "stat"))) {
      processes.emplace(folder.filename().string(), *std::move(time));
    }
  }
  return processes;
}

std::vector<BusyProcess> busiest_processes(const std::map<std::string, ProcessTime>& before,
                                           const std::map<std::string, ProcessTime>& after,
                                           double seconds, double ticks_per_second, double least,
                                           std::size_t count) {
  std::map<std::string, double> ticks;
  for (const auto& [id, now] : after) {
    const auto then = before.find(id);
    const bool same = then != before.end() && then->second.started == now.started;
    ticks[now.name] += same ? now.ticks - then->second.ticks : now.ticks;
  }
  std::vector<BusyProcess> busy;
  for (const auto& [name, used] : ticks) {
    const double cores = used / ticks_per_second / seconds;
    if (cores >= least) {
      busy.push_back({name, cores});
    }
  }
  std::ranges::stable_sort(busy, std::greater(), &BusyProcess::cores);
  busy.resize(std::min(busy.size(), count));
  return busy;
}

}  // namespace perf
