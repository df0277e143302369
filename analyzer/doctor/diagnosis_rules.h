#pragma once

#include <string>
#include <utility>
#include <vector>

#include "analyzer/doctor/diagnosis.h"

namespace perf {

/// The parts of diagnose(): the causes of each in the order of docs/doctor.md.
std::vector<Cause> diagnose_sharing(const MachineState& state);
std::vector<Cause> diagnose_clock_speed(const MachineState& state);
std::vector<Cause> diagnose_device(const MachineState& state);
std::vector<Cause> diagnose_kernel(const MachineState& state);
std::vector<Cause> diagnose_programs(const MachineState& state);

/// A fact of the environment, machine or image; empty where unknown.
std::string fact_of(const MachineState& state, const std::string& name);

/// "1 CPU", "1.5 CPUs".
std::string cpus(double number);

/// "a, b, c and 2 more".
std::string listed(const std::vector<std::string>& names);

/// What to do about a cause.
struct Remedy {
  Remedy(const char* words) : text(words) {}
  Remedy(std::string words) : text(std::move(words)) {}
  std::string text;
  bool needs_root = false;
};

/// A remedy that only root, or whoever runs the machine, can apply.
Remedy as_root(const std::string& words);

Cause good(const std::string& code, const std::string& what);
Cause unknown(const std::string& code, const std::string& what = "not available on this machine");
/// Why and remedy are left out where it is good.
Cause graded(Severity severity, const std::string& code, const std::string& what,
             const std::string& why, const Remedy& remedy);
Cause note(const std::string& code, const std::string& what, const std::string& why,
           const Remedy& remedy);
Cause bad(const std::string& code, const std::string& what, const std::string& why,
          const Remedy& remedy);

}  // namespace perf
