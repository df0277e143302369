#pragma once

#include <string>
#include <vector>

namespace perf::samples {

/// Texts that attack a report: tags, Markdown, mentions, workflow commands, escape sequences,
/// bidirectional and invisible characters, bad UTF-8, 10 kB names.
const std::vector<std::string>& hostile_texts();

}  // namespace perf::samples
