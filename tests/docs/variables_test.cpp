// Variables that the program reads are in its manual page, and the gate's shell reads the same
// ones.

#include <gtest/gtest.h>

#include <regex>
#include <set>

#include "schema/files/content.h"
#include "tests/ci/scratch_repository.h"

namespace perf::test {
namespace {

namespace fs = std::filesystem;
using Names = std::vector<std::string>;

Names matches(const std::string& text, const std::regex& pattern) {
  Names names;
  for (std::sregex_iterator at(text.begin(), text.end(), pattern); at != std::sregex_iterator();
       ++at) {
    names.push_back((*at)[1]);
  }
  return names;
}

/// The body of the list `name` in a source; empty if there is none.
std::string list_named(const std::string& name, const std::string& source) {
  for (std::size_t at = source.find(name); at != std::string::npos; at = source.find(name, at)) {
    at += name.size();
    const std::size_t begin = source.find_first_not_of("[]= ", at);
    if (begin != std::string::npos && source[begin] == '{') {
      return source.substr(begin, source.find("};", begin) - begin);
    }
  }
  return {};
}

/// Texts that look like a variable. Names of CI services are lower case.
Names variables_in(const std::string& list) {
  static const std::regex name("\"([A-Z][A-Z0-9_]+|ImageVersion)\"");
  return matches(list, name);
}

/// The variables that a source reads, by a call or through a list.
std::set<std::string> variables_read_in(const std::string& source) {
  static const std::regex call(
      "\\b(?:getenv|\\w*variable|file_of|value_of|is_set)\\((?:variable, )?\"(\\w+)\"");
  if (source.find("getenv") == std::string::npos && source.find("ariable") == std::string::npos) {
    return {};  // regular expressions are slow
  }
  const Names called = matches(source, call);
  std::set<std::string> names(called.begin(), called.end());
  for (const char* list : {"kVariables", "kTargetVariables", "kBeforeVariables", "kCiServices"}) {
    for (const std::string& name : variables_in(list_named(list, source))) {
      names.insert(name);
    }
  }
  return names;
}

std::set<std::string> variables_read() {
  std::set<std::string> names;
  for (const char* layer : {"schema", "collector", "analyzer", "reporter", "ci/cli"}) {
    for (const fs::directory_entry& file :
         fs::recursive_directory_iterator(fs::path(PERF_SOURCE_DIR) / layer)) {
      if (file.path().extension() == ".cpp") {
        names.merge(variables_read_in(content_of(file.path())));
      }
    }
  }
  return names;
}

std::string manual_environment() {
  const Outcome outcome =
      run({PERF_BINARY_DIR "/bin/perf-compare", "--man"}, fs::temp_directory_path());
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  const std::size_t begin = outcome.out.find(".SH ENVIRONMENT");
  const std::string text = outcome.out.substr(begin, outcome.out.find(".SH ", begin + 1) - begin);
  return std::regex_replace(text, std::regex(R"(\\f[BIR])"), " ");  // bold and italic
}

TEST(Variables, AreInTheManual) {
  const Names listed = matches(manual_environment(), std::regex("\\b(\\w+)\\b"));
  const std::set<std::string> words(listed.begin(), listed.end());
  const std::set<std::string> read = variables_read();
  EXPECT_GT(read.size(), 60U);  // or they are not found
  for (const char* name : {"NO_COLOR", "GITHUB_OUTPUT", "TMPDIR", "CI_JOB_IMAGE", "CXX", "HOME",
                           "BITBUCKET_PR_DESTINATION_BRANCH", "OMP_NUM_THREADS", "TRAVIS"}) {
    EXPECT_EQ(read.count(name), 1U) << name;
  }
  for (const std::string& name : read) {
    EXPECT_EQ(words.count(name), 1U) << name << " is read, but not in the manual page";
  }
}

/// The names of an array in a shell script.
Names shell_array(const std::string& name, const std::string& script) {
  std::smatch match;
  const std::regex definition("\n" + name + "=\\(([^)]*)\\)");
  return std::regex_search(script, match, definition)
             ? matches(match[1], std::regex("([A-Z][A-Z0-9_]+)"))
             : Names{};
}

TEST(Variables, AreTheSameInTheGate) {
  const std::string source = content_of(PERF_SOURCE_DIR "/collector/git/ci_event.cpp");
  const std::string script = content_of(PERF_SOURCE_DIR "/ci/base.sh");
  const Names targets = variables_in(list_named("kTargetVariables", source));
  EXPECT_EQ(targets.size(), 6U);
  EXPECT_EQ(shell_array("target_variables", script), targets);
  const Names before = variables_in(list_named("kBeforeVariables", source));
  EXPECT_EQ(before.size(), 2U);
  EXPECT_EQ(shell_array("before_variables", script), before);
  for (const std::string& name : variables_read_in(source)) {
    EXPECT_NE(script.find(name), std::string::npos) << name << " is missing in ci/base.sh";
  }
}

}  // namespace
}  // namespace perf::test
