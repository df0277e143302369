// The documentation names no command and no option that the program does not have.

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <regex>
#include <set>

#include "tests/ci/scratch_repository.h"
#include "tests/docs/page.h"

namespace perf::test {
namespace {

/// Options of each command, by its help; general options have the key "".
using Options = std::map<std::string, std::set<std::string>>;

std::string help(const std::vector<std::string>& arguments) {
  std::vector<std::string> command{PERF_BINARY_DIR "/bin/perf-compare"};
  command.insert(command.end(), arguments.begin(), arguments.end());
  const Outcome outcome = run(command, std::filesystem::temp_directory_path());
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  return outcome.out;
}

std::set<std::string> options_in(const std::string& text) {
  static const std::regex option("(^|[^A-Za-z0-9-])(--?[a-zA-Z][a-z-]*)");
  std::set<std::string> options;
  for (std::sregex_iterator at(text.begin(), text.end(), option); at != std::sregex_iterator();
       ++at) {
    options.insert((*at)[2]);
  }
  return options;
}

/// The manual page has a heading for each command.
Options known_options() {
  Options options{{"", options_in(help({"--help"}))}};
  static const std::regex heading("\\n\\.SS ([a-z]+)");
  const std::string page = help({"--man"});
  for (std::sregex_iterator at(page.begin(), page.end(), heading); at != std::sregex_iterator();
       ++at) {
    options[(*at)[1]] = options_in(help({(*at)[1], "--help"}));
  }
  return options;
}

/// The arguments of the program on a line of code. "of perf-compare" and "for perf-compare" are
/// prose.
std::vector<std::string> calls_in(const std::string& line) {
  static const std::regex call("(^|[\\s/\"$(\\[])perf-compare((\\s+[^|;&#)\\]]*)?)");
  static const std::regex prose("(^|\\s)(of|for)$");
  std::vector<std::string> calls;
  for (std::sregex_iterator at(line.begin(), line.end(), call); at != std::sregex_iterator();
       ++at) {
    if ((*at)[2].length() > 0 && !std::regex_search(at->prefix().str(), prose)) {
      calls.push_back((*at)[2]);
    }
  }
  return calls;
}

/// The fault of a call; empty if it is valid.
std::string fault_of(const std::string& call, const Options& known) {
  // Revisions in place of a command: pins of the examples, and `baseline`.
  static const std::set<std::string> revisions{"baseline", "release", "main", "old"};
  static const std::regex first_word("^\\s+([a-z]+)(\\s|$)");
  std::smatch word;
  std::string command = "compare";
  if (std::regex_search(call, word, first_word)) {
    if (known.count(word[1]) > 0) {
      command = word[1];
    } else if (revisions.count(word[1]) == 0) {
      return "there is no command " + word[1].str();
    }
  }
  for (const std::string& option : options_in(call)) {
    if (known.at(command).count(option) == 0 && known.at("").count(option) == 0) {
      return command + " has no option " + option;
    }
  }
  return {};
}

/// The option of code such as `--budget 10m`; else empty.
std::string option_alone(const std::string& code) {
  static const std::regex option("^(--[a-z][a-z-]*)([ =].*)?$");
  std::smatch match;
  return std::regex_match(code, match, option) ? match[1].str() : std::string();
}

/// Options of other programs, by page.
const std::set<std::pair<std::string, std::string>> kForeign{
    {"docs/ci.md", "--store"},
    {"docs/config.md", "--key"},
    {"docs/evidence.md", "--peers"},
    {"docs/formats.md", "--benchmark-autosave"},
    {"docs/formats.md", "--benchmark-json"},
    {"docs/formats.md", "--export-json"},
    {"docs/formats.md", "--jsonbin"},
    {"docs/formats.md", "--key"},
    {"docs/formats.md", "--record-samples"},
    {"docs/formats.md", "--reporter"},
    {"docs/formats.md", "--save-baseline"},
    {"docs/nightly.md", "--issue-budget"},
    {"docs/nightly.md", "--issues"},
    {"docs/protocol.md", "--key"},
    {"docs/protocol.md", "--plant-allocation"},
    {"docs/protocol.md", "--plant-slowdown"},
    {"docs/same-program.md", "--remap-path-prefix"},
    {"docs/same-program.md", "--stamp"},
    {"docs/variants.md", "--threads"},
};

TEST(Commands, ExistWhereTheyAreNamed) {
  const Options known = known_options();
  ASSERT_GT(known.size(), 15U);
  int calls = 0;
  for (const Page& page : all_pages(PERF_SOURCE_DIR)) {
    for (const std::string& code : page.code) {
      for (const std::string& call : calls_in(code)) {
        ++calls;
        EXPECT_EQ(fault_of(call, known), "") << page.name << ": " << code;
      }
    }
  }
  EXPECT_GT(calls, 100);  // or they are not found
}

TEST(Commands, HaveEveryNamedOption) {
  const Options known = known_options();
  const auto knows = [&](const std::string& option) {
    return std::any_of(known.begin(), known.end(),
                       [&](const auto& command) { return command.second.count(option) > 0; });
  };
  int options = 0;
  for (const Page& page : all_pages(PERF_SOURCE_DIR)) {
    for (const std::string& code : page.code) {
      const std::string option = option_alone(code);
      if (option.empty() || kForeign.count({page.name, option}) > 0) {
        continue;
      }
      ++options;
      EXPECT_TRUE(knows(option)) << page.name << ": " << code;
    }
  }
  EXPECT_GT(options, 100);
}

TEST(Commands, AreReportedWhereTheyDoNotExist) {
  const Options known = known_options();
  const auto fault = [&](const std::string& line) {
    const std::vector<std::string> calls = calls_in(line);
    return calls.empty() ? "no call" : fault_of(calls.front(), known);
  };
  EXPECT_EQ(fault("perf-compare v1.2 HEAD --threshold 5%"), "");
  EXPECT_EQ(fault("\"$PERF\"/ci/perf-compare trend --fail-on new  # --every night"), "");
  EXPECT_EQ(fault("perf-compare colect HEAD"), "there is no command colect");
  EXPECT_EQ(fault("perf-compare trend --every 3"), "trend has no option --every");
  EXPECT_EQ(fault("perf-compare HEAD~1 HEAD --thresold 5%"), "compare has no option --thresold");
}

}  // namespace
}  // namespace perf::test
