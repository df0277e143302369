#pragma once

#include <string>
#include <utility>
#include <vector>

#include "analyzer/doctor/diagnosis.h"

namespace perf {

/// The parts of diagnose(): the findings of each in the order of docs/doctor.md.
std::vector<Finding> diagnose_sharing(const MachineState& state);
std::vector<Finding> diagnose_clock_speed(const MachineState& state);
std::vector<Finding> diagnose_kernel(const MachineState& state);
std::vector<Finding> diagnose_programs(const MachineState& state);

/// A fact of the environment, machine or image; empty where unknown.
std::string fact_of(const MachineState& state, const std::string& name);

/// "1 CPU", "1.5 CPUs".
std::string cpus(double number);

/// "a, b, c and 2 more".
std::string listed(const std::vector<std::string>& names);

/// What to do about a finding.
struct Remedy {
  Remedy(const char* words) : text(words) {}
  Remedy(std::string words) : text(std::move(words)) {}
  std::string text;
  bool needs_root = false;
};

/// A remedy that only root, or whoever runs the machine, can apply.
Remedy as_root(const std::string& words);

Finding good(const std::string& code, const std::string& what);
Finding unknown(const std::string& code, const std::string& what = "the machine does not tell");
/// Of what is good, why and remedy are not told.
Finding graded(Severity severity, const std::string& code, const std::string& what,
               const std::string& why, const Remedy& remedy);
Finding note(const std::string& code, const std::string& what, const std::string& why,
             const Remedy& remedy);
Finding bad(const std::string& code, const std::string& what, const std::string& why,
            const Remedy& remedy);

}  // namespace perf
