// Strings from a fuzzer, given to everything that reads a name: what is let in is harmless, and
// what is refused is said in words that can be printed.

#include <gtest/gtest.h>

#include <fstream>

#include "ci/cli/options/options.h"
#include "ci/cli/output/output.h"
#include "collector/git/repository.h"
#include "reporter/render.h"
#include "schema/config.h"
#include "schema/formats/steps.h"
#include "schema/text/shell_words.h"
#include "schema/workload_name.h"
#include "tests/ci/scratch_repository.h"
#include "tests/faults/effort.h"
#include "tests/faults/hostile_strings.h"
#include "tests/reporter/samples.h"
#include "tests/words.h"

namespace perf::test {
namespace {

constexpr std::uint64_t kSeed = 9;
constexpr std::size_t kLongestMessage = 64 * 1024;  // B

int given = 0;

struct StringReaders : testing::Test {
  static void TearDownTestSuite() {
    figure("strings", std::to_string(given) + " given to the readers");
  }
};

/// Nothing but an Error may come of a string, and its words must be fit for a terminal.
template <typename Call>
bool is_taken(const Call& call, const std::string& text) {
  ++given;
  try {
    call();
    return true;
  } catch (const Error& error) {
    const std::string said = error_text(error);
    EXPECT_TRUE(is_printable(said)) << said;
    EXPECT_LT(said.size(), kLongestMessage);
  } catch (const std::exception& error) {
    ADD_FAILURE() << error.what() << " because of " << in_json(text);
  }
  return false;
}

/// A component of a path and an argument that no program takes for an option.
bool is_harmless_name(const std::string& name) {
  return !name.empty() && name.find("..") == std::string::npos && name.front() != '/' &&
         name.front() != '-' && name.front() != '.' && name.find("/-") == std::string::npos &&
         name.find("/.") == std::string::npos &&
         name.find_first_not_of(
             "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
             "0123456789._-/") == std::string::npos;
}

std::string config_with(const std::string& text, std::size_t place) {
  const std::string hostile = in_json(text);
  const auto at = [&](std::size_t here, const std::string& usual) {
    return here == place ? hostile : in_json(usual);
  };
  return "{\"build\": {\"command\": [" + at(0, "make") + ", " + at(1, "-j2") +
         "], \"timeout\": " + at(2, "30m") + "}, \"baselines\": {" + at(3, "release") + ": " +
         at(4, "v1") + "}, \"workloads\": [{\"name\": " + at(5, "parser") + ", \"command\": [" +
         at(6, "./bench") + ", " + at(7, "--fast") + "], \"format\": " + at(8, "steps") +
         ", \"params\": {" + at(9, "layers") + ": " + at(10, "4") + "}, \"sizes\": {" +
         at(11, "smoke") + ": {\"layers\": 1}}, \"metrics\": {" + at(12, "peak_rss") +
         ": {\"threshold\": " + at(13, "5%") + "}}}], \"policy\": {\"alpha\": " + at(14, "1%") +
         "}, \"targets\": [{\"name\": " + at(15, "Pays") + ", \"metric\": " + at(16, "step_time") +
         ", \"of\": " + at(17, "parser") + ", \"at_most\": " + at(18, "2 s") + "}], " +
         at(19, "$schema") + ": \"x\"}";
}
constexpr std::size_t kConfigPlaces = 20;

TEST_F(StringReaders, RefuseOrKeepStringsOfAConfig) {
  HostileStrings strings(kSeed);
  for (int i = 0; i < tries(400, 2500); ++i) {
    const std::string text = strings.any();
    const std::size_t place = strings.below(kConfigPlaces);
    is_taken(
        [&] {
          const Config config = read_config(config_with(text, place), "perf-compare.json");
          const Workload& workload = config.workloads.at(0).workload;
          EXPECT_TRUE(is_harmless_name(workload.name)) << in_json(workload.name);
          EXPECT_EQ(workload.command.size(), 2U);
          EXPECT_EQ(config.build->command.size(), 2U);
          if (place == 1) {
            EXPECT_EQ(config.build->command[1], text);
          }
          if (place == 7) {
            EXPECT_EQ(workload.command[1], text);
          }
        },
        text);
    EXPECT_EQ(fault_in_workload_name(text).empty(),
              is_harmless_name(text) && text.size() <= kLongestWorkloadName &&
                  text.find("//") == std::string::npos && text.back() != '/')
        << in_json(text);
  }
}

TEST_F(StringReaders, RefuseOrKeepStringsOfTheProtocol) {
  HostileStrings strings(kSeed + 1);
  for (int i = 0; i < tries(400, 2000); ++i) {
    const std::string text = strings.any();
    const std::size_t place = strings.below(8);
    const auto at = [&](std::size_t here, const std::string& usual) {
      return in_json(here == place ? text : usual);
    };
    const std::string lines =
        "{\"type\":\"begin\",\"protocol\":1,\"workload\":" + at(0, "w") + ",\"params\":{" +
        at(1, "k") + ":" + at(2, "v") + "}}\n{\"type\":\"environment\"," + at(3, "blas") + ":" +
        at(4, "x") +
        "}\n{\"type\":\"step\",\"index\":0,\"warmup\":false,\"seconds\":1,\"phases\":{" +
        at(5, "forward") + ":0.5}}\n{\"type\":\"metric\",\"name\":" + at(6, "m") +
        ",\"unit\":\"s\",\"better\":\"lower\",\"value\":1}\n{\"type\":\"check\",\"name\":" +
        at(7, "c") + ",\"passed\":true}\n{\"type\":\"end\"}\n";
    is_taken(
        [&] {
          for (const Block& block : formats::read_steps(lines)) {
            EXPECT_TRUE(is_harmless_name(block.workload)) << in_json(block.workload);
          }
        },
        text);
  }
}

TEST_F(StringReaders, RefuseOrKeepArguments) {
  HostileStrings strings(kSeed + 2);
  const std::vector<Words> forms = words_of_parts(
      "compare @ HEAD; HEAD~1 @; @ @; collect @; collect HEAD @; bisect @ HEAD -w x; pin @; "
      "pin a @ --reason @; unpin @; import @ @ --rev @; show @; report @ --json @; merge @; "
      "trend --since @; trend --fail-on @; -w @; --threshold @; --base-set @; --vary @; --pairs @; "
      "--seed @; --budget @; judge @; detect @ --scale @; prune @; --color @; --size @; "
      "--completion @; -C @ HEAD; --config @ --db @ HEAD");
  for (int i = 0; i < tries(400, 2500); ++i) {
    Words arguments = forms[strings.below(forms.size())];
    std::string text;
    for (std::string& argument : arguments) {
      if (argument == "@") {
        argument = text = strings.argument();
      }
    }
    is_taken([&] { parse_command_line(arguments); }, text);
  }
}

TEST_F(StringReaders, ResolveOrRefuseRevisions) {
  ScratchRepository scratch;
  scratch.write("file", "1");
  scratch.commit("one");
  scratch.git({"tag", "a-blob", scratch.git({"rev-parse", "HEAD:file"})});
  scratch.git({"tag", "a-tree", scratch.git({"rev-parse", "HEAD^{tree}"})});
  scratch.write("file", "2");
  scratch.commit("two");
  const Repository repository = Repository::open(scratch.path(), {});  // a process would be a crash
  HostileStrings strings(kSeed + 3);
  int found = 0;
  for (int i = 0; i < tries(400, 2500); ++i) {
    const std::string text = strings.argument();
    is_taken(
        [&] {
          const Revision revision = resolve(repository, text);
          EXPECT_TRUE(repository.has_commit(revision.oid)) << in_json(text);
          ++found;
        },
        text);
  }
  EXPECT_GT(found, 0) << "the fuzzer knows names, too";
}

TEST_F(StringReaders, ShowStringsInEveryFormat) {
  HostileStrings strings(kSeed + 4);
  for (int i = 0; i < tries(20, 500); ++i) {
    const std::string text = strings.any();
    ++given;
    const Report report = samples::poisoned_report(text);
    for (const std::string& shown :
         {render_terminal(report, false), render_markdown(report), render_json(report),
          render_junit(report), render_openmetrics(report), render_github_summary(report, 900'000),
          render_github_annotations(report), render_github_outputs(report, 0)}) {
      EXPECT_TRUE(is_printable(shown)) << in_json(text) << "\n" << shown.substr(0, 4096);
    }
    EXPECT_EQ(render_html(report, {}).find('\x1b'), std::string::npos);
  }
}

/// Commands that are printed for people to paste.
TEST_F(StringReaders, QuoteForAShell) {
  const TemporaryFolder folder;
  HostileStrings strings(kSeed + 5);
  std::vector<std::string> words;
  std::string script = "exec printf '%s\\0'";
  for (int i = 0; i < tries(200, 500); ++i) {
    words.push_back(strings.argument());
    ++given;
    script += " " + shell_word(words.back());
  }
  // Where bytes are no printable text the words are $'...', which bash reads.
  std::ofstream(folder.path() / "script", std::ios::binary) << script << "\n";
  const Outcome printed = run({"bash", "./script"}, folder.path());
  std::string expected;
  for (const std::string& word : words) {
    expected += word + '\0';
  }
  EXPECT_TRUE(printed.out == expected) << printed.err.substr(0, 2000);
  EXPECT_FALSE(std::filesystem::exists(folder.path() / "SPROUT"));
}

}  // namespace
}  // namespace perf::test
