#pragma once

#include <string>

namespace perf::test {

/// Expects a text to be that of the file in tests/reporter/golden/, to the letter. A wanted change is
/// approved by PERF_COMPARE_APPROVE=1, which rewrites the file: read the difference before
/// committing it.
void expect_golden(const std::string& name, const std::string& text);

}  // namespace perf::test
