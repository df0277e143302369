#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "schema/environment.h"
#include "schema/text/words.h"

namespace perf {

/// The severity of a cause, worst first.
enum class Severity {
  bad,      ///< timings from here are noisier than they need be, or time the wrong thing
  note,     ///< costs some precision, which pairs mostly make up for; worth knowing
  good,     ///< checked, and fine
  unknown,  ///< not available on this machine
};

inline constexpr std::array<Severity, 4> kSeverities{Severity::bad, Severity::note, Severity::good,
                                                     Severity::unknown};

/// The word for it, in JSON and for people.
template <>
inline constexpr std::array<std::string_view, 4> kWords<Severity>{"bad", "note", "good", "unknown"};

/// The result of one check of `doctor`, as docs/doctor.md lists them.
struct Cause {
  std::string code;  ///< "governor", "cpu_quota", ...: what was checked
  Severity severity = Severity::unknown;
  std::string what;         ///< what was found; unknown: why it could not be
  std::string why;          ///< its effect on timings; empty where it is good or unknown
  std::string remedy;       ///< what to do; empty where nothing has to be, or can be, done
  bool needs_root = false;  ///< the remedy needs root, or whoever runs the machine
};

/// What `doctor` has to say.
struct Diagnosis {
  std::string tool_version;
  std::string generated_at;  ///< UTC, ISO 8601
  Environment environment;
  double watched = 0;         ///< s for which the machine was watched
  std::vector<Cause> causes;  ///< worst first
};

}  // namespace perf
