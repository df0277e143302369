// The recipes of ci/recipes and the scripts they run, as far as they can be judged without the
// systems they are for: they parse, their shell is sound, they grant little, and every option that
// they name exists.

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "schema/files/content.h"
#include "tests/ci/scratch_repository.h"

namespace perf::test {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

const fs::path kRecipes = PERF_SOURCE_DIR "/ci/recipes";

/// YAML as JSON; null where there is no parser.
Json parse_yaml(const fs::path& file) {
  const Outcome outcome = run({"python3", "-c",
                               "import json, sys, yaml\n"
                               "print(json.dumps(yaml.safe_load(open(sys.argv[1]))))",
                               file.string()},
                              fs::temp_directory_path());
  if (outcome.err.find("No module named 'yaml'") != std::string::npos || outcome.exit_code == 127) {
    return nullptr;
  }
  EXPECT_EQ(outcome.exit_code, 0) << file << outcome.err;
  return outcome.exit_code == 0 ? Json::parse(outcome.out) : Json(nullptr);
}

/// Every text under a key, wherever it stands.
void collect(const Json& json, const std::string& key, std::vector<std::string>& found) {
  for (const auto& [name, value] : json.items()) {
    const bool named = json.is_object() && name == key;
    if (named && value.is_string()) {
      found.push_back(value);
    } else if (named && value.is_array()) {
      std::string lines;  // GitLab: one shell runs them all
      for (const Json& line : value) {
        lines += line.get<std::string>() + '\n';
      }
      found.push_back(lines);
    } else if (value.is_structured()) {
      collect(value, key, found);
    }
  }
}

std::vector<std::string> texts_at(const Json& json, const std::string& key) {
  std::vector<std::string> found;
  collect(json, key, found);
  return found;
}

const std::vector<std::string> kWorkflows{"pull-request.yml", "shards.yml", "comment.yml",
                                          "on-comment.yml", "nightly.yml"};

struct ShellBlock {
  std::string where, text;
};

std::vector<ShellBlock> shell_blocks() {
  std::vector<ShellBlock> blocks;
  std::vector<std::string> github = kWorkflows;
  github.push_back("action/action.yml");
  for (const std::string& name : github) {
    for (const std::string& text : texts_at(parse_yaml(kRecipes / "github" / name), "run")) {
      blocks.push_back({name, text});
    }
  }
  for (const char* name : {"gitlab-ci.yml", "gitlab-shards.yml"}) {
    const Json gitlab = parse_yaml(kRecipes / name);
    for (const char* key : {"before_script", "script"}) {
      for (const std::string& text : texts_at(gitlab, key)) {
        blocks.push_back({name, text});
      }
    }
  }
  const std::regex block("sh '''([^']*)'''");
  for (const char* name : {"Jenkinsfile", "Jenkinsfile-shards"}) {
    const std::string jenkins = content_of(kRecipes / name);
    for (std::sregex_iterator at(jenkins.begin(), jenkins.end(), block), end; at != end; ++at) {
      blocks.push_back({name, (*at)[1]});
    }
  }
  return blocks;
}

class Recipes : public ::testing::Test {
 protected:
  void SetUp() override {
    if (parse_yaml(kRecipes / "gitlab-ci.yml").is_null()) {
      GTEST_SKIP() << "there is no parser of YAML: install python3-yaml";
    }
  }
};

bool has_program(const std::string& name) {
  return run({"sh", "-c", "command -v " + name}, fs::temp_directory_path()).exit_code == 0;
}

TEST_F(Recipes, HaveValidShell) {
  const TemporaryFolder folder;
  const std::vector<ShellBlock> blocks = shell_blocks();
  EXPECT_GE(blocks.size(), 10U);
  for (const ShellBlock& block : blocks) {
    const bool is_posix = block.where.starts_with("Jenkinsfile");  // its sh is the system's
    std::ofstream(folder.path() / "block") << "#!/bin/" << (is_posix ? "sh" : "bash") << "\n# "
                                           << "shellcheck disable=SC2154\n"
                                           << block.text;
    EXPECT_TRUE(ended(run({is_posix ? "sh" : "bash", "-n", "block"}, folder.path()), 0))
        << block.where;
    if (has_program("shellcheck")) {
      EXPECT_TRUE(ended(run({"shellcheck", "block"}, folder.path()), 0)) << block.where;
    }
  }
}

/// A step that gets perf-compare, run as its system runs it. What RUNNER_TEMP is to GitHub is a
/// folder of GitLab's checkout and of Jenkins' agent.
Outcome run_step(const std::string& text, const fs::path& folder,
                 std::map<std::string, std::string> variables) {
  for (const char* name : {"RUNNER_TEMP", "WORKSPACE_TMP"}) {
    variables[name] = folder.string();
  }
  return run({"bash", "-e", "-c", text}, folder, variables);
}

/// An archive as ci/package makes one, of a program that says what it is; and its sum.
std::string make_archive(const fs::path& folder) {
  const Outcome made = run(
      {"sh", "-e", "-c",
       "mkdir -p name/bin; printf '#!/bin/sh\necho chosen\n' > name/bin/perf-compare\n"
       "chmod +x name/bin/perf-compare; tar -czf archive.tar.gz name; sha256sum archive.tar.gz"},
      folder);
  EXPECT_EQ(made.exit_code, 0) << made.err;
  return made.out.substr(0, 64);
}

/// The blocks that download it, without what follows for which this test has nothing.
std::vector<ShellBlock> downloads() {
  std::vector<ShellBlock> found;
  for (ShellBlock& block : shell_blocks()) {
    if (block.text.find("curl ") != std::string::npos && block.where[0] != 'g') {
      block.text = block.text.substr(0, block.text.find("exec "));
      found.push_back(block);
    }
  }
  return found;
}

// The steps that get perf-compare work on an empty machine, and again where it is already there.
TEST_F(Recipes, GetPerfCompareFromItsArchive) {
  const TemporaryFolder kept;
  const std::string sum = make_archive(kept.path());
  const std::string url = "file://" + (kept.path() / "archive.tar.gz").string();
  EXPECT_EQ(downloads().size(), 12U);
  for (const ShellBlock& block : downloads()) {
    const TemporaryFolder runner;
    for (const char* time : {"first", "again"}) {
      const Outcome outcome = run_step(
          block.text, runner.path(), {{"PERF_COMPARE_ARCHIVE", url}, {"PERF_COMPARE_SHA256", sum}});
      EXPECT_EQ(outcome.exit_code, 0) << block.where << ' ' << time << outcome.err;
    }
    EXPECT_EQ(run({"perf-compare/bin/perf-compare"}, runner.path()).out, "chosen\n") << block.where;
  }
}

TEST_F(Recipes, UnpackNothingWithAWrongSum) {
  const TemporaryFolder kept;
  make_archive(kept.path());
  const std::string url = "file://" + (kept.path() / "archive.tar.gz").string();
  for (const ShellBlock& block : downloads()) {
    const TemporaryFolder runner;
    const Outcome outcome =
        run_step(block.text, runner.path(),
                 {{"PERF_COMPARE_ARCHIVE", url}, {"PERF_COMPARE_SHA256", std::string(64, '0')}});
    EXPECT_NE(outcome.exit_code, 0) << block.where;
    EXPECT_FALSE(fs::exists(runner.path() / "perf-compare/bin")) << block.where;
  }
}

TEST_F(Recipes, InstallByTheAction) {
  const TemporaryFolder runner;
  const std::string sum = make_archive(runner.path());
  const Json action = parse_yaml(kRecipes / "github/action/action.yml");
  EXPECT_EQ(action["runs"]["using"], "composite");
  const std::vector<std::string> steps = texts_at(action, "run");
  ASSERT_EQ(steps.size(), 1U);
  const Outcome outcome = run_step(steps[0], runner.path(),
                                   {{"GITHUB_ACTION_PATH", (kRecipes / "github/action").string()},
                                    {"GITHUB_PATH", (runner.path() / "path").string()},
                                    {"GITHUB_OUTPUT", (runner.path() / "output").string()},
                                    {"ARCHIVE", (runner.path() / "archive.tar.gz").string()},
                                    {"SHA256", sum}});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  const std::string prefix = (runner.path() / "perf-compare").string();
  EXPECT_EQ(content_of(runner.path() / "path"), prefix + "/bin\n");
  EXPECT_EQ(content_of(runner.path() / "output"), "scripts=" + prefix + "/share/perf-compare/ci\n");
  EXPECT_EQ(run({prefix + "/bin/perf-compare"}, runner.path()).out, "chosen\n");
}

// The second way, of docs/ci.md: works on an empty machine, and again on what a cache brought back.
TEST_F(Recipes, GetPerfCompareAtItsCommit) {
  ScratchRepository tool;
  tool.write("ci/perf-compare", "#!/bin/sh\necho chosen\n", true);
  const std::string chosen = tool.commit("The commit that was chosen");
  tool.write("ci/perf-compare", "#!/bin/sh\necho newer\n", true);
  tool.commit("A newer one");
  const std::string page = content_of(PERF_SOURCE_DIR "/docs/ci.md"), fence = "```sh\n";
  const std::size_t begin = page.find(fence) + fence.size();
  const std::string step = page.substr(begin, page.find("```", begin) - begin);
  ASSERT_TRUE(contains(step, "git init"));
  const TemporaryFolder runner;
  for (const char* time : {"first", "cached"}) {
    const Outcome outcome = run_step(
        step, runner.path(),
        {{"PERF_COMPARE_URL", "file://" + tool.path().string()}, {"PERF_COMPARE_COMMIT", chosen}});
    EXPECT_EQ(outcome.exit_code, 0) << time << outcome.err;
  }
  EXPECT_EQ(run({"perf-compare/ci/perf-compare"}, runner.path()).out, "chosen\n");
}

TEST(Scripts, PassShellcheck) {
  if (!has_program("shellcheck")) {
    GTEST_SKIP() << "there is no shellcheck (ci/install_deps.sh --test)";
  }
  const Outcome outcome =
      run({"shellcheck", "-x", "gate", "nightly", "issues", "job.sh", "base.sh", "inert.sh", "test",
           "faults", "fuzz", "tidy", "install_deps.sh", "recipes/github/comment",
           "recipes/github/on-comment", "perf-compare", "install.sh", "package"},
          PERF_SOURCE_DIR "/ci");
  EXPECT_EQ(outcome.exit_code, 0) << outcome.out;
}

// What an event carries (titles, branches) is a pull request's author's: it may reach a shell as a
// variable, never as text of the script.
TEST_F(Recipes, PutNoExpressionIntoAScript) {
  for (const ShellBlock& block : shell_blocks()) {
    EXPECT_FALSE(contains(block.text, "${{")) << block.where;
  }
}

TEST_F(Recipes, PinEveryActionToACommit) {
  const std::regex pinned("[a-z/-]+@[0-9a-f]{40}");
  for (const std::string& name : kWorkflows) {
    for (const std::string& action : texts_at(parse_yaml(kRecipes / "github" / name), "uses")) {
      EXPECT_TRUE(std::regex_match(action, pinned)) << name << ": " << action;
    }
  }
}

TEST_F(Recipes, GrantNoMoreThanIsNeeded) {
  const Json pull_request = parse_yaml(kRecipes / "github/pull-request.yml");
  EXPECT_EQ(pull_request["permissions"], (Json{{"contents", "read"}}));
  EXPECT_EQ(pull_request["true"], "pull_request") << "YAML 1.1 reads `on` as true";
  const std::string measuring = content_of(kRecipes / "github/pull-request.yml");
  EXPECT_FALSE(contains(measuring, "secrets."));
  EXPECT_FALSE(contains(measuring, "github.token"));

  const Json comment = parse_yaml(kRecipes / "github/comment.yml");
  EXPECT_EQ(comment["permissions"], Json::object());
  EXPECT_EQ(comment["jobs"]["comment"]["permissions"],
            (Json{{"actions", "read"}, {"pull-requests", "write"}}));
  EXPECT_TRUE(comment["true"].contains("workflow_run"));
  EXPECT_EQ(comment["true"]["workflow_run"]["workflows"], Json::array({pull_request["name"]}));
  EXPECT_TRUE(texts_at(comment, "uses").empty()) << "nothing of the pull request is checked out";
}

TEST_F(Recipes, WriteIssuesInAJobThatRunsNothing) {
  const Json nightly = parse_yaml(kRecipes / "github/nightly.yml");
  EXPECT_EQ(nightly["permissions"], (Json{{"contents", "read"}}));
  EXPECT_FALSE(nightly["jobs"]["nightly"].contains("permissions"));
  EXPECT_FALSE(contains(nightly["jobs"]["nightly"].dump(), "github.token"));
  const Json& issues = nightly["jobs"]["issues"];
  EXPECT_EQ(issues["permissions"], (Json{{"issues", "write"}}));
  EXPECT_EQ(texts_at(issues, "uses").size(), 1U)
      << "it downloads the reports, and checks out nothing";
  EXPECT_EQ(issues["steps"][1]["with"]["name"],
            nightly["jobs"]["nightly"]["steps"].back()["with"]["name"]);
}

TEST_F(Recipes, NameTheSamePlaceAndArtifact) {
  const Json pull_request = parse_yaml(kRecipes / "github/pull-request.yml");
  for (const char* name : {"comment.yml", "on-comment.yml", "nightly.yml", "shards.yml"}) {
    EXPECT_EQ(parse_yaml(kRecipes / "github" / name)["env"], pull_request["env"]) << name;
  }
  const std::string script = content_of(kRecipes / "github/comment");
  EXPECT_TRUE(contains(script, "${ARTIFACT:-perf-compare}"));
  const Json& steps = pull_request["jobs"]["compare"]["steps"];
  EXPECT_EQ(steps.back()["with"]["name"], "perf-compare");
  const Json shards = parse_yaml(kRecipes / "github/shards.yml");
  EXPECT_EQ(shards["name"], pull_request["name"]) << "comment.yml waits for it";
  EXPECT_EQ(shards["permissions"], pull_request["permissions"]);
  EXPECT_EQ(shards["jobs"]["compare"]["steps"].back(), steps.back());
  const Json on_comment = parse_yaml(kRecipes / "github/on-comment.yml");
  EXPECT_EQ(on_comment["jobs"]["measure"]["steps"].back(), steps.back());
}

std::set<std::string> options_in(const std::string& text) {
  std::set<std::string> found;
  const std::regex option("(^|[\\s(,`|])(--[a-z][a-z-]*)");
  for (std::sregex_iterator at(text.begin(), text.end(), option), end; at != end; ++at) {
    found.insert((*at)[2]);
  }
  return found;
}

std::set<std::string> options_of(const std::vector<std::string>& command) {
  std::vector<std::string> asked = with_more({PERF_BINARY_DIR "/bin/perf-compare"}, command);
  asked.push_back("--help");
  const Outcome outcome = run(asked, fs::temp_directory_path());
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  return options_in(outcome.out);
}

/// What stands in the head of a script as `# --option`.
std::set<std::string> options_of_script(const std::string& name) {
  std::istringstream lines(content_of(fs::path(PERF_SOURCE_DIR "/ci") / name));
  std::string head;
  for (std::string line; std::getline(lines, line) && line.rfind('#', 0) == 0;) {
    head += line + '\n';
  }
  return options_in(head);
}

/// What follows `start` up to the end of the command, lines that go on included.
std::string command_after(const std::string& text, std::size_t start) {
  std::string command = text.substr(start, text.find_first_of("#'\"", start + 1) - start);
  const std::regex continued("\\\\\n");
  command = std::regex_replace(command, continued, " ");
  return command.substr(0, command.find('\n'));
}

// A recipe that names an option which the program does not have fails in the user's job, not here.
TEST_F(Recipes, NameOnlyOptionsThatExist) {
  std::string recipes = content_of(PERF_SOURCE_DIR "/docs/ci.md");
  for (const ShellBlock& block : shell_blocks()) {
    recipes += block.text + '\n';
  }
  const std::pair<std::string, std::string> runs[] = {
      {"ci/gate", "compare"}, {"ci/nightly", "trend"}, {"bin/perf-compare\" report", "report"}};
  int seen = 0;
  for (const auto& [script, command] : runs) {
    std::set<std::string> known = options_of({command});
    if (script.starts_with("ci/")) {
      known.merge(options_of_script(fs::path(script).filename()));
    }
    for (std::size_t at = recipes.find(script); at != std::string::npos;
         at = recipes.find(script, at + 1)) {
      std::size_t start = at + script.size();
      if (recipes[start] == '"')  // "$tool/ci/gate" reports
      {
        ++start;
      }
      for (const std::string& option : options_in(command_after(recipes, start))) {
        EXPECT_EQ(known.count(option), 1U) << script << ' ' << option;
        ++seen;
      }
    }
  }
  EXPECT_GE(seen, 3) << "the recipes name options: the test no longer finds them";
}

TEST(Scripts, AskOnlyForOptionsThatExist) {
  std::string gate = content_of(PERF_SOURCE_DIR "/ci/gate");
  gate = gate.substr(gate.find("outputs=("));
  const std::set<std::string> known = options_of({"compare"});
  const std::set<std::string> asked = options_in(gate);
  EXPECT_EQ(asked.count("--openmetrics"), 1U);
  for (const std::string& option : asked) {
    EXPECT_EQ(known.count(option), 1U) << option;
  }
}

}  // namespace
}  // namespace perf::test
