#include "analyzer/doctor/diagnosis.h"

#include <algorithm>
#include <array>
#include <charconv>

#include "analyzer/doctor/diagnosis_rules.h"

namespace perf {

std::vector<Finding> diagnose(const MachineState& state, const DiagnosisLimits& limits) {
  std::vector<Finding> findings;
  diagnose_sharing(state, limits, findings);
  diagnose_clock_speed(state, limits, findings);
  diagnose_memory(state, limits, findings);
  diagnose_kernel(state, findings);
  diagnose_programs(state, findings);
  diagnose_libraries(state, findings);
  std::stable_sort(findings.begin(), findings.end(),
                   [](const Finding& a, const Finding& b) { return a.severity < b.severity; });
  return findings;
}

std::string fact_of(const MachineState& state, const std::string& name) {
  for (const auto* facts : {&state.environment.machine, &state.environment.facts}) {
    if (const auto found = facts->find(name); found != facts->end()) {
      return found->second;
    }
  }
  return {};
}

std::string tenths(double value) {
  std::array<char, 400> text{};
  const auto end =
      std::to_chars(text.data(), text.data() + text.size(), value, std::chars_format::fixed, 1);
  std::string digits(text.data(), end.ptr);
  if (digits.ends_with(".0")) {
    digits.resize(digits.size() - 2);
  }
  return digits;
}

std::string cpus(double number) {
  return tenths(number) + (number == 1 ? " CPU" : " CPUs");
}

std::string listed(const std::vector<std::string>& names) {
  constexpr std::size_t kShown = 3;
  std::string text;
  for (std::size_t i = 0; i < std::min(names.size(), kShown); ++i) {
    text.append(i == 0 ? "" : ", ").append(names[i]);
  }
  return names.size() > kShown ? text + " and " + std::to_string(names.size() - kShown) + " more"
                               : text;
}

Remedy as_root(const std::string& words) {
  Remedy remedy(words);
  remedy.needs_root = true;
  return remedy;
}

Finding good(const std::string& code, const std::string& what) {
  return {code, Severity::good, what, "", "", false};
}

Finding unknown(const std::string& code, const std::string& what) {
  return {code, Severity::unknown, what, "", "", false};
}

Finding note(const std::string& code, const std::string& what, const std::string& why,
             const Remedy& remedy) {
  return {code, Severity::note, what, why, remedy.text, remedy.needs_root};
}

Finding bad(const std::string& code, const std::string& what, const std::string& why,
            const Remedy& remedy) {
  return {code, Severity::bad, what, why, remedy.text, remedy.needs_root};
}

}  // namespace perf
