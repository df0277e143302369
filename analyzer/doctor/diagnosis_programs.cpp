// How the subject's programs were built.

#include <algorithm>
#include <cctype>
#include <utility>

#include "analyzer/doctor/diagnosis_rules.h"

namespace perf {
namespace {

/// Programs by what is to be said of them, in the order of their first.
class Groups {
 public:
  void add(const std::string& said, const std::string& program) {
    const auto known = std::find_if(groups_.begin(), groups_.end(),
                                    [&said](const auto& group) { return group.first == said; });
    if (known != groups_.end()) {
      known->second.push_back(program);
    } else {
      groups_.push_back({said, {program}});
    }
  }
  auto begin() const { return groups_.begin(); }
  auto end() const { return groups_.end(); }

 private:
  std::vector<std::pair<std::string, std::vector<std::string>>> groups_;
};

bool is_debug(const std::string& build_type) {
  std::string lower = build_type;
  std::transform(lower.begin(), lower.end(), lower.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return lower == "debug" || lower == "none";
}

}  // namespace

void diagnose_programs(const MachineState& state, std::vector<Finding>& findings) {
  if (state.programs.empty()) {
    findings.push_back(unknown("program", state.programs_problem));
  }
  Groups instrumented, slow, fine, problems;
  for (const ProgramState& program : state.programs) {
    for (const std::string& instrument : program.instruments) {
      instrumented.add(instrument, program.path);
    }
    const std::string type = program.build_type.value_or("");
    if (is_debug(type)) {
      slow.add("CMAKE_BUILD_TYPE is " + type, program.path);
    } else if (program.optimized == false) {
      slow.add("compiled without optimization", program.path);
    } else if (!program.problem.empty()) {
      problems.add(program.problem, program.path);
    } else if (program.instruments.empty()) {
      fine.add("no sanitizer, coverage or profiling code" + (type.empty() ? "" : ", " + type),
               program.path);
    }
  }
  for (const auto& [instrument, programs] : instrumented) {
    findings.push_back(bad("program", listed(programs) + ": built with " + instrument,
                           "that code takes more time and memory than what it watches",
                           "build what is measured without it"));
  }
  for (const auto& [what, programs] : slow) {
    findings.push_back(bad("program", listed(programs) + ": " + what,
                           "what is slow in a debug build need not be slow for users",
                           "build what is measured as for users: -DCMAKE_BUILD_TYPE=Release"));
  }
  for (const auto& [what, programs] : fine) {
    findings.push_back(good("program", listed(programs) + ": " + what));
  }
  for (const auto& [problem, programs] : problems) {
    findings.push_back(unknown("program", listed(programs) + ": " + problem));
  }
}

}  // namespace perf
