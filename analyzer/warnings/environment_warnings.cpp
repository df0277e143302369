#include "analyzer/warnings/environment_warnings.h"

#include <algorithm>
#include <array>
#include <map>
#include <string>
#include <string_view>

namespace perf {
namespace {

using Facts = std::map<std::string, std::string>;

// Of the facts outside the fingerprint; those in it all do.
bool fact_of_machine_changes_timing(std::string_view fact) {
  constexpr std::array<std::string_view, 9> facts{"aslr",        "boost",    "clock_source",
                                                  "cpus_online", "governor", "frequency_driver",
                                                  "power",       "smt",      "thp"};
  return std::find(facts.begin(), facts.end(), fact) != facts.end();
}

void compare(const Facts& begin, const Facts& end, bool all, std::vector<Warning>& warnings) {
  for (const auto& [name, before] : begin) {
    const auto after = end.find(name);
    if (after == end.end() || after->second == before ||
        !(all || fact_of_machine_changes_timing(name))) {
      continue;
    }
    warnings.push_back({WarningKind::environment_changed, {},
                        {{"name", name}, {"before", before}, {"after", after->second}}});
  }
}

}  // namespace

std::vector<Warning> environment_warnings(const Environment& begin, const Environment& end) {
  std::vector<Warning> warnings;
  compare(begin.machine, end.machine, true, warnings);
  compare(begin.facts, end.facts, false, warnings);
  return warnings;
}

}  // namespace perf
