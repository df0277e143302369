#include "collector/profile/perf_samples.h"

#include <cxxabi.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <memory>
#include <string>
#include <tuple>
#include <utility>

#include "schema/text_parts.h"

namespace perf {
namespace {

constexpr std::string_view kHexadecimal = "0123456789abcdef";
constexpr std::size_t kLongestName = 4096;  // B; longer ones are shown as they stand

/// Where a function lies: its file, and its name there.
using Place = std::pair<std::string, std::string>;

/// Where the file's name begins, behind " (": a path, or a bracketed word such as [vdso]. Symbols
/// may hold parentheses, but hardly these.
std::size_t object_at(std::string_view line) {
  const std::size_t path = line.find(" (/"), word = line.find(" ([");
  return std::min(path, word);
}

/// The place of one sample; both empty where the line is none.
Place read_line(std::string_view line) {
  const std::size_t address = line.find_first_not_of(" \t");
  if (address == std::string_view::npos) {
    return {};
  }
  line.remove_prefix(address);
  const std::size_t end = line.find_first_not_of(kHexadecimal);
  if (end == 0 || end == std::string_view::npos || line[end] != ' ') {
    return {};
  }
  line.remove_prefix(end);
  const std::size_t object = object_at(line);
  if (object == std::string_view::npos || object < 1 || line.back() != ')') {
    return {};
  }
  const std::string_view symbol = line.substr(1, object - 1);
  const std::string_view file = line.substr(object + 2, line.size() - object - 3);
  return {std::string(file), symbol.empty() ? "[unknown]" : std::string(symbol)};
}

/// The name as its author wrote it; as it is where it is not mangled.
std::string demangled(const std::string& symbol) {
  if (symbol.compare(0, 2, "_Z") != 0 || symbol.size() > kLongestName) {
    return symbol;
  }
  // GCC appends what it made of a function: .isra.0, .cold, .part.1
  const std::size_t dot = symbol.find('.');
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> name(
      abi::__cxa_demangle(symbol.substr(0, dot).c_str(), nullptr, nullptr, &status), &std::free);
  if (status != 0 || !name) {
    return symbol;
  }
  return name.get() + (dot == std::string::npos ? "" : " [" + symbol.substr(dot) + "]");
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
  std::stable_sort(profile.functions.begin(), profile.functions.end(),
                   [](const HotFunction& a, const HotFunction& b) { return a.share > b.share; });
  return profile;
}

}  // namespace perf
