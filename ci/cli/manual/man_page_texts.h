#pragma once

#include <string_view>
#include <vector>

namespace perf {

/// The day on which the fixed texts of the manual page were last changed; the same source gives the
/// same page.
inline constexpr std::string_view kManualDate = "2026-11-22";

struct ManualTerm {
  std::string_view term, text;
};

/// Paragraphs behind the program's own description.
const std::vector<std::string_view>& manual_description();
/// Variables that the program reads, or sets for the benchmarks it runs.
const std::vector<ManualTerm>& manual_environment();
const std::vector<ManualTerm>& manual_files();

}  // namespace perf
