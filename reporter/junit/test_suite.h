#pragma once

#include <string>
#include <utility>
#include <vector>

namespace perf::reporter {

/// How a test case ended; the words are the elements of JUnit.
enum class CaseResult { passed, failure, error, skipped };

/// A test case; its texts are not escaped yet.
struct TestCase {
  std::string group;  ///< classname: the workload
  std::string name;   ///< unique within the group
  CaseResult result = CaseResult::passed;
  std::string message{};               ///< what happened, a sentence; of what passed, nothing
  std::vector<std::string> details{};  ///< lines of the case
};

struct TestSuite {
  std::string name;
  std::string timestamp;  ///< ISO 8601; empty: left out
  double seconds = 0;     ///< of measuring
  std::vector<std::pair<std::string, std::string>> properties{};
  std::vector<TestCase> cases{};
};

/// The suite as JUnit XML that readers of every descent take: Jenkins, GitLab, GitHub's actions.
/// A case has no `time`: it is not the test that is slow. Two cases of one name are numbered.
std::string junit_xml(TestSuite suite);

}  // namespace perf::reporter
