#include "collector/machine/cpu_topology.h"

#include <algorithm>
#include <sstream>

#include "collector/machine/processor.h"
#include "collector/machine/small_file.h"

namespace perf {
namespace {

bool overlap(const CpuRanges& left, const CpuRanges& right) {
  return std::any_of(left.begin(), left.end(), [&right](const auto& one) {
    return std::any_of(right.begin(), right.end(), [&one](const auto& other) {
      return one.first <= other.second && other.first <= one.second;
    });
  });
}

}  // namespace

std::optional<CpuRanges> parse_cpu_list(std::string_view text) {
  CpuRanges ranges;
  std::stringstream parts{std::string(text)};
  for (std::string part; std::getline(parts, part, ',');) {
    const std::size_t dash = part.find('-');
    const std::optional<std::int64_t> first = whole_number(part.substr(0, dash));
    const std::optional<std::int64_t> last =
        dash == std::string::npos ? first : whole_number(part.substr(dash + 1));
    if (!first || !last || *first < 0 || *last < *first) {
      return std::nullopt;
    }
    ranges.emplace_back(*first, *last);
  }
  return ranges;
}

std::map<std::string, int> read_governors(const std::filesystem::path& root) {
  std::map<std::string, int> governors;
  for (const auto& cpu : numbered_entries(root / "sys/devices/system/cpu", "cpu")) {
    if (const auto governor = read_line_of(cpu / "cpufreq/scaling_governor")) {
      ++governors[*governor];
    }
  }
  return governors;
}

std::optional<int> read_allowed_nodes(const std::filesystem::path& root) {
  const std::string status = read_small_file(root / "proc/self/status").value_or("");
  const std::optional<std::string_view> list = value_named(status, "Cpus_allowed_list", ':');
  const std::optional<CpuRanges> allowed = list ? parse_cpu_list(*list) : std::nullopt;
  if (!allowed || allowed->empty()) {
    return std::nullopt;
  }
  int nodes = 0;
  for (const auto& node : numbered_entries(root / "sys/devices/system/node", "node")) {
    const std::optional<CpuRanges> cpus =
        parse_cpu_list(read_line_of(node / "cpulist").value_or(""));
    nodes += cpus && overlap(*cpus, *allowed) ? 1 : 0;
  }
  return nodes > 0 ? std::optional<int>(nodes) : std::nullopt;
}

std::optional<VectorUnit> parse_vector_unit(std::string_view cpuinfo) {
  const std::optional<std::string_view> flags = value_named(cpuinfo, "flags", ':');
  const auto has_all = [&flags](std::initializer_list<const char*> wanted) {
    return flags && std::all_of(wanted.begin(), wanted.end(),
                                [&](const char* flag) { return has_word(*flags, flag); });
  };
  if (has_all({"avx512f", "avx512dq", "avx512bw", "avx512vl", "avx512cd"})) {
    return VectorUnit::avx512;
  }
  if (has_all({"avx2", "fma"})) {
    return VectorUnit::avx2;
  }
  if (has_all({"avx"})) {
    return VectorUnit::avx;
  }
  return has_all({"sse2"}) ? std::optional<VectorUnit>(VectorUnit::sse) : std::nullopt;
}

}  // namespace perf
