#include "analyzer/doctor/diagnosis.h"

#include <algorithm>
#include <iterator>

#include "analyzer/doctor/diagnosis_rules.h"
#include "schema/text/wording.h"

namespace perf {

std::vector<Cause> diagnose(const MachineState& state) {
  std::vector<Cause> causes;
  for (const auto part : {diagnose_sharing, diagnose_clock_speed, diagnose_device, diagnose_kernel,
                          diagnose_programs}) {
    std::ranges::move(part(state), std::back_inserter(causes));
  }
  std::ranges::stable_sort(causes, {}, &Cause::severity);
  return causes;
}

std::string fact_of(const MachineState& state, const std::string& name) {
  for (const auto* facts : {&state.environment.machine, &state.environment.facts}) {
    if (const auto found = facts->find(name); found != facts->end()) {
      return found->second;
    }
  }
  return {};
}

std::string cpus(double number) {
  return tenths(number) + (number == 1 ? " CPU" : " CPUs");
}

std::string listed(const std::vector<std::string>& names) {
  return some_of(names, 3);
}

Remedy as_root(const std::string& words) {
  Remedy remedy(words);
  remedy.needs_root = true;
  return remedy;
}

Cause good(const std::string& code, const std::string& what) {
  return {code, Severity::good, what, "", "", false};
}

Cause unknown(const std::string& code, const std::string& what) {
  return {code, Severity::unknown, what, "", "", false};
}

Cause graded(Severity severity, const std::string& code, const std::string& what,
             const std::string& why, const Remedy& remedy) {
  return severity == Severity::good
             ? good(code, what)
             : Cause{code, severity, what, why, remedy.text, remedy.needs_root};
}

Cause note(const std::string& code, const std::string& what, const std::string& why,
           const Remedy& remedy) {
  return graded(Severity::note, code, what, why, remedy);
}

Cause bad(const std::string& code, const std::string& what, const std::string& why,
          const Remedy& remedy) {
  return graded(Severity::bad, code, what, why, remedy);
}

}  // namespace perf
