#include <map>
#include <string>
#include <string_view>

#include "analyzer/samples/same_work.h"
#include "analyzer/warnings/machine_warnings.h"

namespace perf {
namespace {

using Facts = std::map<std::string, std::string>;

// Of the facts outside the fingerprint; those in it all do.
bool fact_of_machine_changes_timing(std::string_view fact) {
  return is_one_of(fact, {"aslr", "boost", "clock_source", "cpus_online", "governor",
                          "frequency_driver", "power", "smt", "thp"});
}

void compare(const Facts& begin, const Facts& end, bool all, std::vector<Warning>& warnings) {
  for (const Unlike& one : unlike(begin, end)) {
    if (all || fact_of_machine_changes_timing(one.name)) {
      warnings.push_back({WarningKind::environment_changed,
                          {},
                          {{"name", one.name}, {"before", one.base}, {"after", one.head}}});
    }
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
