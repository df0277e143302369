#include "collector/plan/plan.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include "reporter/text/sentences.h"
#include "tests/collector/git/scratch.h"

namespace perf {
namespace {

using test::run_process;
using test::Scratch;
using test::usage_error_of;

/// A config with these workloads; `build` is the build's only argument, none where empty.
std::string config(const std::string& build, const std::vector<std::string>& names,
                   const std::string& more = "") {
  std::string text = "{\n";
  if (!build.empty()) {
    text += R"("build": {"command": ["make", ")" + build + "\"]},\n";
  }
  text += more + "\"workloads\": [";
  for (const std::string& name : names) {
    text += (name == names.front() ? "" : ", ") + (R"({"name": ")" + name) +
            R"(", "command": ["./bench", ")" + name + "\"]}";
  }
  return text + "]}\n";
}

PlannedRun plan(const Scratch& scratch, const PlanOptions& options = {}) {
  return make_plan(Repository::open(scratch.path(), run_process()), options);
}

PlanOptions between(const std::string& base, const std::string& head) {
  PlanOptions options;
  options.base = base;
  options.head = head;
  return options;
}

std::string target(const std::optional<BuildCommand>& build) {
  return build ? build->command.back() : "nothing";
}

std::vector<std::string> names(const PlannedRun& run) {
  std::vector<std::string> list;
  for (const PlannedWorkload& workload : run.plan.workloads) {
    list.push_back(workload.workload.name);
  }
  return list;
}

constexpr const char* kName = "perf-compare.json";

TEST(Plan, TakesTheWorkloadsOfTheWorkingTreeAndEachRevisionsOwnBuild) {
  Scratch scratch;
  const std::string base = scratch.commit(kName, config("old", {"a", "gone", "also/gone"}));
  const std::string head = scratch.commit(kName, config("new", {"a", "b"}));
  const PlannedRun run = plan(scratch);
  EXPECT_EQ(run.plan.base->oid, base);
  EXPECT_EQ(run.plan.head.oid, head);
  EXPECT_EQ(names(run), (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(run.plan.missing, (std::vector<std::string>{"also/gone", "gone"}));
  EXPECT_TRUE(run.plan.workloads[0].of_base);
  EXPECT_FALSE(run.plan.workloads[1].of_base);
  EXPECT_EQ(run.config_source, "perf-compare.json of the working tree");
  EXPECT_EQ(target(run.base_build), "old");
  EXPECT_EQ(target(run.head_build), "new");
  EXPECT_EQ(reporter::sentences(run.plan.warnings), std::vector<std::string>{});
  EXPECT_EQ(run.plan.size, "ci");
}

TEST(Plan, PrefersTheGivenConfigThenTheWorkingTreesThenHeads) {
  Scratch scratch;
  scratch.commit("a", "1");
  const std::string head = scratch.commit(kName, config("heads", {"heads"}));
  scratch.write(kName, config("trees", {"trees"}));
  PlanOptions options;
  test::write_file(scratch.beside("named.json"), config("nameds", {"nameds"}));
  options.config_file = scratch.beside("named.json");
  EXPECT_EQ(names(plan(scratch, options)), std::vector<std::string>{"nameds"});
  EXPECT_EQ(plan(scratch, options).config_source, scratch.beside("named.json").string());
  EXPECT_EQ(target(plan(scratch, options).head_build), "nameds") << "who names it means its build";
  test::write_file(scratch.beside("named.json"), config("", {"nameds"}, "\"build\": \"own\",\n"));
  EXPECT_EQ(target(plan(scratch, options).head_build), "heads") << "a revision builds its own way";
  test::write_file(scratch.beside("named.json"), config("", {"nameds"}));
  EXPECT_EQ(target(plan(scratch, options).head_build), "heads") << "it has none";
  EXPECT_EQ(names(plan(scratch)), std::vector<std::string>{"trees"});
  std::filesystem::remove(scratch.path() / kName);
  EXPECT_EQ(names(plan(scratch)), std::vector<std::string>{"heads"});
  EXPECT_EQ(plan(scratch).config_source, head.substr(0, 12) + ":perf-compare.json");
}

TEST(Plan, BuildsARevisionWithoutABuildAsHeadAndHeadAsTheConfigUsed) {
  Scratch scratch;
  const std::string before = scratch.commit("a", "1");
  const std::string without = scratch.commit(kName, config("", {"a"}));
  const std::string with = scratch.commit(kName, config("own", {"a"}));
  EXPECT_EQ(target(plan(scratch, between(before, with)).base_build), "own");
  EXPECT_EQ(target(plan(scratch, between(without, with)).base_build), "own");
  const PlannedRun backwards = plan(scratch, between(with, before));  // the tree's is own, too
  EXPECT_EQ(target(backwards.head_build), "own");
  scratch.write(kName, config("used", {"a"}));
  EXPECT_EQ(target(plan(scratch, between(with, without)).head_build), "used");
  EXPECT_EQ(target(plan(scratch, between(with, without)).base_build), "own");
  std::filesystem::remove(scratch.path() / kName);
  EXPECT_EQ(target(plan(scratch, between(before, without)).head_build), "nothing");
}

TEST(Plan, WarnsAboutAnInvalidConfigOfBase) {
  Scratch scratch;
  const std::string broken = scratch.commit(kName, "{ \"workloads\": 3 ");
  scratch.commit(kName, config("new", {"a"}));
  const PlannedRun run = plan(scratch);
  EXPECT_EQ(target(run.base_build), "new");
  ASSERT_EQ(run.plan.warnings.size(), 1u);
  EXPECT_EQ(
      reporter::sentence(run.plan.warnings[0]).rfind("the config of baseline is invalid (", 0), 0u)
      << reporter::sentence(run.plan.warnings[0]);
  // As the config to be used it is the asker's error.
  scratch.git({"checkout", "--quiet", "--detach", broken});
  usage_error_of([&] { plan(scratch); });
  std::filesystem::remove(scratch.path() / kName);
  usage_error_of([&] { plan(scratch); });
}

TEST(Plan, ShowsAnExampleWithoutAConfig) {
  Scratch scratch;
  scratch.commit("a", "1");
  const Error error = usage_error_of([&] { plan(scratch); });
  EXPECT_EQ(error.what, "no perf-compare.json, so there is nothing to measure");
  EXPECT_EQ(error.hint.rfind("perf-compare init", 0), 0u) << error.hint;
  const std::string example = error.hint.substr(error.hint.find('{'));
  EXPECT_EQ(read_config(example, "example").workloads.size(), 1u) << "the example must be right";
}

TEST(Plan, DoesNotFollowLinksToAConfigUnlessTheyAreNamed) {
  Scratch scratch;
  test::write_file(scratch.beside("elsewhere.json"), config("", {"a"}));
  std::filesystem::create_symlink(scratch.beside("elsewhere.json"), scratch.path() / kName);
  scratch.commit_all("Link");
  EXPECT_EQ(usage_error_of([&] { plan(scratch); }).what, "the config is a symbolic link");
  std::filesystem::remove(scratch.path() / kName);
  EXPECT_EQ(usage_error_of([&] { plan(scratch); }).what, "the config is not a regular file");
  std::filesystem::create_directory(scratch.path() / kName);
  EXPECT_NE(usage_error_of([&] { plan(scratch); }).hint, "");
  EXPECT_EQ(usage_error_of([&] { plan(scratch); }).what, "the config is not a regular file");
  std::filesystem::remove(scratch.path() / kName);
  ASSERT_EQ(mkfifo((scratch.path() / kName).c_str(), 0600), 0);  // must not wait for a writer
  EXPECT_EQ(usage_error_of([&] { plan(scratch); }).what, "the config is not a regular file");
  PlanOptions options;
  std::filesystem::create_symlink(scratch.beside("elsewhere.json"), scratch.beside("link"));
  options.config_file = scratch.beside("link");
  const PlannedRun run = plan(scratch, options);
  EXPECT_EQ(names(run), std::vector<std::string>{"a"});
  ASSERT_EQ(run.plan.warnings.size(), 2u) << "the pipe is gone, and head's own is a link";
  EXPECT_NE(reporter::sentence(run.plan.warnings[1]).find("the config of HEAD is invalid"),
            std::string::npos);
  options.config_file = scratch.beside("nowhere");
  EXPECT_EQ(usage_error_of([&] { plan(scratch, options); }).what, "no such config");
  options.config_file = scratch.path();
  EXPECT_EQ(usage_error_of([&] { plan(scratch, options); }).what,
            "the config is not a regular file");
}

TEST(Plan, ChoosesWorkloadsByGlobAndSize) {
  Scratch scratch;
  scratch.commit("x", "1");
  scratch.commit(kName, R"({"workloads": [
    {"name": "training/mlp", "command": ["b"], "params": {"n": 4}, "sizes": {"smoke": {"n": 1}}},
    {"name": "training/big", "command": ["b"], "sizes": {"smoke": false}},
    {"name": "parser", "command": ["b"]}]})");
  PlanOptions options;
  options.workload_globs = {"training/*", "pars?r"};
  EXPECT_EQ(names(plan(scratch, options)).size(), 3u);
  options.size = "smoke";
  options.workload_globs = {"training/*"};
  const PlannedRun smoke = plan(scratch, options);
  ASSERT_EQ(names(smoke), std::vector<std::string>{"training/mlp"});
  EXPECT_EQ(smoke.plan.workloads[0].workload.params.at("n"), Param(std::int64_t{1}));
  options.workload_globs = {"parser", "training/big"};
  const Error none = usage_error_of([&] { plan(scratch, options); });
  EXPECT_EQ(none.subject, "training/big");
  EXPECT_EQ(none.hint, "use one of: training/mlp, parser");
  options.size = "large";
  EXPECT_EQ(usage_error_of([&] { plan(scratch, options); }).what, "unknown size");
}

TEST(Plan, FiltersMissingWorkloadsTooAndKnowsOtherSizes) {
  Scratch scratch;
  scratch.commit(kName, config("", {"a", "left", "right", "small"}));
  scratch.commit(kName, R"({"workloads": [{"name": "a", "command": ["b"]},
    {"name": "small", "command": ["b"], "sizes": {"ci": false}}]})");
  EXPECT_EQ(plan(scratch).plan.missing, (std::vector<std::string>{"left", "right"}));
  PlanOptions options;
  options.workload_globs = {"a", "*"};
  EXPECT_EQ(plan(scratch, options).plan.missing, (std::vector<std::string>{"left", "right"}));
  options.workload_globs = {"a"};
  EXPECT_EQ(plan(scratch, options).plan.missing, std::vector<std::string>{});
}

TEST(Plan, WarnsAboutUncommittedChanges) {
  Scratch scratch;
  scratch.commit("x", "1");
  scratch.commit("y", "1");
  scratch.commit(kName, config("", {"a"}));
  scratch.write("x", "2");
  EXPECT_EQ(reporter::sentences(plan(scratch).plan.warnings),
            std::vector<std::string>{"1 uncommitted file is not measured; use `.`"});
  scratch.write("y", "2");
  EXPECT_EQ(reporter::sentences(plan(scratch).plan.warnings),
            std::vector<std::string>{"2 uncommitted files are not measured; use `.`"});
  const PlannedRun run = plan(scratch, between("baseline", "."));
  EXPECT_EQ(reporter::sentences(run.plan.warnings), std::vector<std::string>{});
  EXPECT_TRUE(run.plan.head.dirty);
  EXPECT_EQ(reporter::sentences(plan(scratch, between(".", "HEAD")).plan.warnings),
            std::vector<std::string>{});
}

TEST(Plan, IgnoresReportsAsChanges) {
  Scratch scratch;
  scratch.write("report.md", "of last week");
  scratch.write("plots/a.svg", "of last week");
  scratch.write("reports.md", "about reports");
  scratch.commit(kName, config("", {"a"}));
  scratch.write("new/report.html", "nobody told git of it");
  scratch.write("new/report.txt", "nor of this");
  EXPECT_EQ(reporter::sentences(plan(scratch).plan.warnings), std::vector<std::string>{});

  // Some commit their reports, or the store; this run writes over them.
  scratch.write("report.md", "of yesterday");
  scratch.write("plots/a.svg", "of yesterday");
  PlanOptions options;
  options.outputs = {scratch.path() / "report.md", scratch.path() / "new" / ".." / "plots/"};
  EXPECT_EQ(reporter::sentences(plan(scratch, options).plan.warnings), std::vector<std::string>{});
  scratch.write("reports.md", "changed by hand");
  EXPECT_EQ(reporter::sentences(plan(scratch, options).plan.warnings),
            std::vector<std::string>{"1 uncommitted file is not measured; use `.`"});
}

TEST(Plan, HasNoBaseAtARootCommitNorForHeadAlone) {
  Scratch scratch;
  scratch.commit(kName, config("own", {"a"}));
  EXPECT_EQ(plan(scratch).plan.base, std::nullopt);
  EXPECT_EQ(target(plan(scratch).head_build), "own");
  scratch.commit("x", "2");
  PlanOptions options;
  options.head_only = true;
  options.base = "is not looked at";
  EXPECT_EQ(plan(scratch, options).plan.base, std::nullopt);
}

TEST(Plan, ResolvesPinsAndTheConfigsBaselines) {
  Scratch scratch;
  const std::string first = scratch.commit("x", "1");
  const std::string second = scratch.commit("x", "2");
  scratch.commit(kName, config("", {"a"}, R"("baselines": {"release": ")" + first + "\"},\n"));
  EXPECT_EQ(plan(scratch, between("release", "HEAD")).plan.base->oid, first);
  std::filesystem::remove(scratch.path() / kName);  // now it is head's config that knows the name
  EXPECT_EQ(plan(scratch, between("release", "HEAD")).plan.base->oid, first);
  PlanOptions options = between("release", "HEAD");
  options.pins = {{"release", second, "", ""}};
  EXPECT_EQ(plan(scratch, options).plan.base->oid, second);
  usage_error_of([&] { plan(scratch, between("v0", "HEAD")); });
  usage_error_of([&] { plan(scratch, between("baseline", "v0")); });
}

TEST(Plan, DrawsAnIdAndASeedOfItsOwn) {
  Scratch scratch;
  scratch.commit(kName, config("", {"a"}));
  const PlannedRun one = plan(scratch), other = plan(scratch);
  EXPECT_EQ(one.plan.run_id.size(), 32u);
  EXPECT_EQ(one.plan.run_id.find_first_not_of("0123456789abcdef"), std::string::npos);
  EXPECT_NE(one.plan.run_id, other.plan.run_id);
  EXPECT_NE(one.plan.seed, other.plan.seed);
  PlanOptions options;
  options.seed = 7;
  EXPECT_EQ(plan(scratch, options).plan.seed, 7u);
}

TEST(PlanBetween, KeepsTheWorkloadsAndTakesTheBuildsOfTheOtherCommits) {
  Scratch scratch;
  const std::string first = scratch.commit(kName, config("first", {"a"}));
  const std::string second = scratch.commit(kName, config("second", {"a", "b"}));
  const std::string none = scratch.commit(kName, config("", {"c"}));
  const std::string last = scratch.commit(kName, config("last", {"a"}));
  const Repository repository = Repository::open(scratch.path(), run_process());
  PlanOptions options = between(first, last);
  options.seed = 7;
  PlannedRun run = make_plan(repository, options);
  run.plan.workloads.front().head_failed = "did not build";
  const PlannedRun other =
      plan_between(repository, run, repository.commit(second), repository.commit(none));
  EXPECT_EQ(other.plan.base->oid, second);
  EXPECT_EQ(other.plan.head.oid, none);
  EXPECT_EQ(names(other), std::vector<std::string>{"a"});
  EXPECT_EQ(other.plan.workloads.front().head_failed, "");
  EXPECT_EQ(target(other.base_build), "second");
  EXPECT_EQ(target(other.head_build), "last") << "without one of its own: that of the run's head";
  EXPECT_NE(other.plan.run_id, run.plan.run_id);
}

TEST(PlanBetween, NeedsNoBase) {
  Scratch scratch;
  const std::string first = scratch.commit(kName, config("first", {"a"}));
  const std::string last = scratch.commit(kName, config("last", {"a"}));
  const Repository repository = Repository::open(scratch.path(), run_process());
  PlanOptions options;
  options.head = last;
  options.head_only = true;
  const PlannedRun run = make_plan(repository, options);
  const PlannedRun other = plan_between(repository, run, std::nullopt, repository.commit(first));
  EXPECT_FALSE(other.plan.base);
  EXPECT_EQ(other.plan.head.oid, first);
  EXPECT_EQ(target(other.head_build), "first");
}

TEST(PlanBetween, DrawsItsSeedFromTheRunsAndTheCommits) {
  Scratch scratch;
  const std::string first = scratch.commit(kName, config("", {"a"}));
  const std::string second = scratch.commit("b", "1");
  const Repository repository = Repository::open(scratch.path(), run_process());
  PlanOptions options = between(first, second);
  options.seed = 7;
  const PlannedRun run = make_plan(repository, options);
  const Revision base = repository.commit(first), head = repository.commit(second);
  const std::uint64_t seed = plan_between(repository, run, base, head).plan.seed;
  EXPECT_EQ(plan_between(repository, run, base, head).plan.seed, seed);
  EXPECT_NE(plan_between(repository, run, head, base).plan.seed, seed);
  options.seed = 8;
  EXPECT_NE(plan_between(repository, make_plan(repository, options), base, head).plan.seed, seed);
}

/// `{"workloads": ..., MORE}` with one workload, `a`.
std::string judged(const std::string& more, const std::string& workload = "") {
  return R"({"workloads": [{"name": "a", "command": ["./a"])" + workload + "}]" + more + "}";
}

TEST(PolicyOfBase, AppliesWhateverHeadChanges) {
  struct Case {
    const char* change;
    std::string base, head;
    std::vector<std::string> warnings;
  };
  const std::string says =
      "base's policy and targets apply (--policy head uses head's); head's config changes: ";
  const std::string target = R"(, "targets": [{"name": "t", "metric": "step_time", "of": "a",)";
  const std::vector<Case> cases{
      {"nothing", judged(""), judged(""), {}},
      {"a new target", judged(""), judged(target + R"("at_most": 1}])"), {}},
      {"the policy",
       judged(R"(, "policy": {"budget": "1m"})"),
       judged(R"(, "policy": {"threshold": "900%", "alpha": "2%", "budget": "1ms"})"),
       {says + "threshold 10% -> 900%, alpha 1% -> 2%, budget 1m -> 1ms"}},
      {"a threshold",
       judged("", R"(, "metrics": {"peak_rss": {"threshold": "3%"}})"),
       judged(R"(, "policy": {"workloads": {"*": {"threshold": "50%"}}})"),
       {says + "threshold of a peak_rss 3% -> none, threshold of * none -> 50%"}},
      {"a target",
       judged(target + R"("at_most": 1}])"),
       judged(target + R"("at_most": 2}])"),
       {says + "target t changed"}},
      {"no target", judged(target + R"("at_most": 1}])"), judged(""), {says + "target t removed"}},
      {"a command",
       judged(""),
       R"({"workloads": [{"name": "a", "command": ["true"]}]})",
       {"both sides run a as in head's config, which differs from base's"}}};
  for (const Case& one : cases) {
    SCOPED_TRACE(one.change);
    Scratch scratch;
    scratch.commit(kName, one.base);
    scratch.commit(kName, one.head);
    PlanOptions options = between("HEAD~1", "HEAD");
    const PlannedRun heads = plan(scratch, options);
    EXPECT_EQ(reporter::sentences(heads.plan.warnings), std::vector<std::string>{});
    options.policy_of_base = true;
    const PlannedRun bases = plan(scratch, options);
    EXPECT_EQ(reporter::sentences(bases.plan.warnings), one.warnings);
    const Config base = read_config(one.base, "base"), head = read_config(one.head, "head");
    EXPECT_EQ(bases.config.policy.threshold, base.policy.threshold);
    EXPECT_EQ(bases.config.policy.budget, base.policy.budget);
    EXPECT_EQ(bases.config.policy.thresholds.size(), base.policy.thresholds.size());
    EXPECT_EQ(bases.config.targets, base.targets.empty() ? head.targets : base.targets);
  }
}

TEST(PolicyOfBase, IsThatOfTheConfigOfTheSamePath) {
  Scratch scratch;
  scratch.commit("perf.json", judged(R"(, "policy": {"threshold": "3%"})"));
  scratch.commit("perf.json", judged(""));
  PlanOptions options = between("HEAD~1", "HEAD");
  options.policy_of_base = true;
  options.config_file = scratch.path() / "perf.json";
  EXPECT_EQ(plan(scratch, options).config.policy.threshold, 0.03);
  scratch.write("../outside.json", judged(R"(, "policy": {"threshold": "7%"})"));
  options.config_file = scratch.beside("outside.json");
  EXPECT_EQ(plan(scratch, options).config.policy.threshold, 0.07);
}

TEST(PolicyOfBase, NamesWorkloadsThatHeadLeavesOutOfASize) {
  Scratch scratch;
  scratch.commit(kName, config("", {"a", "b"}));
  scratch.commit(kName, R"({"workloads": [{"name": "a", "command": ["b"]},
    {"name": "b", "command": ["b"], "sizes": {"ci": false}}]})");
  PlanOptions options = between("HEAD~1", "HEAD");
  options.policy_of_base = true;
  EXPECT_EQ(plan(scratch, options).plan.missing, (std::vector<std::string>{"b"}));
}

TEST(PolicyOfBase, LetsHeadNotChooseItsInputs) {
  using Globs = std::vector<std::string>;
  const auto naming = [](const std::string& inputs) {
    return R"({"workloads": [{"name": "a", "command": ["a"])" + inputs + "}]}";
  };
  const std::string of_base = R"(, "inputs": ["b"])", of_head = R"(, "inputs": ["h"])";
  for (const auto& [base, inputs] :
       {std::pair<std::string, Globs>{"", {}}, {of_base, {"h", "b"}}}) {
    Scratch scratch;
    scratch.commit(kName, naming(base));
    scratch.commit(kName, naming(of_head));
    PlanOptions options = between("HEAD~1", "HEAD");
    EXPECT_EQ(plan(scratch, options).plan.workloads[0].workload.inputs, Globs{"h"});
    options.policy_of_base = true;
    EXPECT_EQ(plan(scratch, options).plan.workloads[0].workload.inputs, inputs);
  }
}

TEST(PolicyOfBase, LetsHeadNotChooseItsBase) {
  for (const std::string name : {"baseline", "release"}) {
    SCOPED_TRACE(name);
    Scratch scratch;
    const std::string old = scratch.commit("a", "1");
    const std::string base = scratch.commit(
        kName, judged(name == "release" ? R"(, "baselines": {"release": "HEAD~2"})" : ""));
    const std::string head =
        scratch.commit(kName, judged(R"(, "baselines": {")" + name + R"(": "HEAD"})"));
    PlanOptions options = between(name, "HEAD");
    EXPECT_EQ(plan(scratch, options).plan.base->oid, head);
    options.policy_of_base = true;
    EXPECT_EQ(plan(scratch, options).plan.base->oid, name == "release" ? old : base);
  }
}

}  // namespace
}  // namespace perf
