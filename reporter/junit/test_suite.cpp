#include "reporter/junit/test_suite.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "reporter/escape/markup.h"
#include "reporter/text/quantity.h"
#include "schema/text/lists.h"

namespace perf::reporter {
namespace {

std::string attribute(const char* name, const std::string& value) {
  return std::string(" ") + name + "=\"" + xml_text(value) + "\"";
}

std::string count_of(const TestSuite& suite, CaseResult result) {
  return std::to_string(std::ranges::count(suite.cases, result, &TestCase::result));
}

std::string counts(const TestSuite& suite) {
  return attribute("tests", std::to_string(suite.cases.size())) +
         attribute("failures", count_of(suite, CaseResult::failure)) +
         attribute("errors", count_of(suite, CaseResult::error));
}

/// Readers tell cases apart by these two names as they are written, and show one of two that are
/// alike.
void number_twins(std::vector<TestCase>& cases) {
  std::set<std::pair<std::string, std::string>> taken;
  for (TestCase& one : cases) {
    const std::string name = one.name;
    for (int number = 2; !taken.emplace(xml_text(one.group), xml_text(one.name)).second; ++number) {
      one.name = name + " #" + std::to_string(number);
    }
  }
}

std::string lines_of(const TestCase& one) {
  return perf::joined(one.details, "",
                      [](const std::string& line) { return xml_text(line) + "\n"; });
}

/// The element says what happened; what passed keeps its lines as output.
std::string case_xml(const TestCase& one) {
  std::string xml =
      "    <testcase" + attribute("classname", one.group) + attribute("name", one.name);
  const std::string lines = lines_of(one);
  switch (one.result) {
    case CaseResult::passed:
      return xml + (lines.empty()
                        ? "/>\n"
                        : ">\n      <system-out>" + lines + "</system-out>\n    </testcase>\n");
    case CaseResult::failure:
    case CaseResult::error: {
      const std::string element = one.result == CaseResult::error ? "error" : "failure";
      return xml + ">\n      <" + element + attribute("message", one.message) +
             attribute("type", element == "error" ? "not measured" : "regression") + ">" + lines +
             "</" + element + ">\n    </testcase>\n";
    }
    case CaseResult::skipped:
      break;
  }
  xml += ">\n      <skipped" + attribute("message", one.message) + "/>\n";
  if (!lines.empty()) {
    xml += "      <system-out>" + lines + "</system-out>\n";
  }
  return xml + "    </testcase>\n";
}

std::string suite_xml(const TestSuite& suite) {
  std::string xml = "  <testsuite" + attribute("name", suite.name) + counts(suite) +
                    attribute("skipped", count_of(suite, CaseResult::skipped)) +
                    attribute("time", fixed(std::isfinite(suite.seconds) ? suite.seconds : 0, 3));
  if (!suite.timestamp.empty()) {
    xml += attribute("timestamp", suite.timestamp);
  }
  xml += ">\n";
  if (!suite.properties.empty()) {
    xml += "    <properties>\n";
    for (const auto& [name, value] : suite.properties) {
      xml += "      <property" + attribute("name", name) + attribute("value", value) + "/>\n";
    }
    xml += "    </properties>\n";
  }
  for (const TestCase& one : suite.cases) {
    xml += case_xml(one);
  }
  return xml + "  </testsuite>\n";
}

}  // namespace

std::string junit_xml(TestSuite suite) {
  number_twins(suite.cases);
  return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites" +
         attribute("name", "perf-compare") + counts(suite) + ">\n" + suite_xml(suite) +
         "</testsuites>\n";
}

}  // namespace perf::reporter
