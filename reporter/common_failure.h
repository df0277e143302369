#pragma once

#include <optional>
#include <string>
#include <vector>

#include "schema/report.h"

namespace perf::reporter {

/// One reason for everything that failed, as when head does not build, in a report whose verdict is
/// `failed`: the headline has it, so that no row need say it again.
struct CommonFailure {
  std::string reason;
  std::size_t rows = 0;
  std::vector<std::string> told;  ///< what a program said of it, where all rows have the same
};

std::optional<CommonFailure> common_failure(const Report& report);

/// A note's lines: what a program said is kept with its line breaks.
std::vector<std::string> lines_of(const std::string& note);

}  // namespace perf::reporter
