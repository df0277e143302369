#include <gtest/gtest.h>

#include "collector/build/build_cache.h"
#include "collector/trace/built_tree.h"
#include "collector/trace/trace_programs.h"
#include "reporter/text/sentences.h"
#include "schema/files/content.h"
#include "tests/collector/git/scratch.h"
#include "tests/contains.h"

namespace perf {
namespace {

using test::run_process;
using test::Scratch;

struct Subject {
  Scratch scratch;
  std::vector<std::string> said;

  /// Commits a config whose build runs this script.
  std::string commit(const std::string& script) {
    return scratch.commit("perf-compare.json", R"({"build": {"command": ["sh", "-c", ")" + script +
                                                   R"("]}, "workloads": [
      {"name": "a", "command": ["./a"]}, {"name": "b", "command": ["./b"]}]})");
  }
  Repository open() const { return Repository::open(scratch.path(), run_process()); }
  Checkouts prepared(PlannedRun& run) {
    const Checkouts checkouts =
        prepare(run, open(), scratch.beside("cache"),
                {run_process(), [this](const std::string& line) { said.push_back(line); }});
    apply_failures(checkouts, run.plan);
    return checkouts;
  }
};

TEST(Prepare, BuildsEachSideByItsOwnCommand) {
  Subject subject;
  subject.commit("echo old > product");
  subject.commit("echo new > product");
  PlannedRun run = make_plan(subject.open(), {});
  const Checkouts checkouts = subject.prepared(run);
  EXPECT_EQ(content_of(checkouts.base.directory / "product"), "old\n");
  EXPECT_EQ(content_of(checkouts.head.directory / "product"), "new\n");
  EXPECT_EQ(checkouts.base.directory.string().size(), checkouts.head.directory.string().size());
  for (const PlannedWorkload& workload : run.plan.workloads) {
    EXPECT_EQ(workload.base_missing + workload.head_failed, "");
  }
  EXPECT_EQ(reporter::sentences(run.plan.warnings), std::vector<std::string>{});
}

TEST(Prepare, SharesTheFolderOfTwoEqualSides) {
  Subject subject;
  subject.commit("touch product");
  PlanOptions options;
  options.base = "HEAD";
  PlannedRun run = make_plan(subject.open(), options);
  const Checkouts checkouts = subject.prepared(run);
  EXPECT_EQ(checkouts.base.directory, checkouts.head.directory);
  EXPECT_EQ(subject.said.size(), 1u);
}

TEST(Prepare, ReportsRemovedBuilds) {
  Subject subject;
  const auto build_newest = [&] {
    PlannedRun run = make_plan(subject.open(), {});
    run.config.keep_builds = 2;
    subject.prepared(run);
  };
  subject.commit("echo 1 > product");
  subject.commit("echo 2 > product");
  build_newest();
  EXPECT_EQ(subject.said.size(), 2u) << "two are kept";
  subject.commit("echo 3 > product");
  build_newest();
  EXPECT_EQ(
      subject.said.back(),
      "removed 1 build of this clone, least recently used: 2 are kept (\"keep_builds\" in the "
      "config)");
}

TEST(Prepare, MakesEveryWorkloadFailWithoutHead) {
  Subject subject;
  subject.commit("true");
  subject.commit("echo broken >&2; exit 1");
  PlannedRun run = make_plan(subject.open(), {});
  const Checkouts checkouts = subject.prepared(run);
  for (const PlannedWorkload& workload : run.plan.workloads) {
    EXPECT_EQ(workload.head_failed, "head does not build (exit status 1)\nbroken\nsee " +
                                        checkouts.head.log.string() +
                                        ", of the build `sh -c echo broken >&2; exit 1` in " +
                                        checkouts.head.directory.string());
    EXPECT_EQ(workload.base_missing, "");
  }
}

TEST(Prepare, MakesEveryWorkloadNewWithoutBase) {
  Subject subject;
  subject.scratch.commit("from before the config", "1");
  subject.commit("test -e perf-compare.json");
  PlannedRun run = make_plan(subject.open(), {});
  subject.prepared(run);
  for (const PlannedWorkload& workload : run.plan.workloads) {
    EXPECT_TRUE(contains(workload.base_missing, "exit status 1"));
    EXPECT_EQ(workload.head_failed, "");
  }
  ASSERT_EQ(run.plan.warnings.size(), 1u);
  EXPECT_TRUE(contains(
      reporter::sentence(run.plan.warnings[0]),
      "does not build (exit status 1): only workloads that its config lacks count as new"));
}

TEST(Prepare, DoesNotCallWorkloadsNewWhereNeitherSideIsBuilt) {
  Subject subject;
  subject.commit("echo older >&2; exit 1");
  subject.commit("echo newer >&2; exit 1");
  PlannedRun run = make_plan(subject.open(), {});
  subject.prepared(run);
  for (const PlannedWorkload& workload : run.plan.workloads) {
    EXPECT_TRUE(contains(workload.head_failed, "newer"));
  }
  ASSERT_EQ(run.plan.warnings.size(), 1u);
  EXPECT_FALSE(contains(reporter::sentence(run.plan.warnings[0]), "as new"));
  EXPECT_TRUE(
      contains(reporter::sentence(run.plan.warnings[0]), "does not build (exit status 1) either"));
  EXPECT_TRUE(contains(run.plan.workloads[0].base_missing, "\nolder\n"));
}

TEST(Prepare, FailsNothingAfterAnInterruption) {
  Subject subject;
  subject.commit("true");
  subject.commit("true");
  PlannedRun run = make_plan(subject.open(), {});
  Checkouts checkouts;
  checkouts.base.failure = checkouts.head.failure = "interrupted";
  checkouts.base.interrupted = checkouts.head.interrupted = true;
  apply_failures(checkouts, run.plan);
  for (const PlannedWorkload& workload : run.plan.workloads) {
    EXPECT_EQ(workload.base_missing + workload.head_failed, "");
  }
  EXPECT_EQ(reporter::sentences(run.plan.warnings), std::vector<std::string>{});
}

TEST(Prepare, BuildsBothSidesWithinAnHourWhereBuildsCannotBeTraced) {
  for (const bool can_trace : {false, true}) {
    Subject subject;
    const std::string count = subject.scratch.beside("count").string();
    subject.commit("echo base >> '" + count + "'");
    subject.commit("echo head >> '" + count + "'");
    const RunProcess run = [&](const ProcessRequest& request) {
      ProcessResult none;
      none.spawn_error = "there is no strace";
      return can_trace || request.command.front() != "strace" ? run_process()(request) : none;
    };
    if (can_trace && !why_no_trace(run).empty()) {
      GTEST_SKIP() << "nothing can be traced here";
    }
    const auto built = [&] {
      const std::string before = content_of(count);
      PlannedRun planned = make_plan(subject.open(), {});
      const Checkouts checkouts =
          prepare(planned, subject.open(), subject.scratch.beside("cache"), {run});
      EXPECT_EQ(checkouts.base.failure + checkouts.head.failure, "");
      std::string all = content_of(count).substr(before.size());
      return std::pair(all, checkouts.base.directory.parent_path() / kBuiltFiles);
    };
    EXPECT_EQ(built().first.size(), 10u);
    const auto [second, list] = built();
    EXPECT_EQ(second, "");
    std::string text = content_of(list);  // "... files N BEGAN"
    const std::size_t place = text.find(' ', text.find("files ") + 6) + 1;
    const std::int64_t began = std::stoll(text.substr(place));
    text.replace(place, text.find(' ', place) - place, std::to_string(began - 3'700'000'000'000));
    test::write_file(list, text);
    EXPECT_EQ(built().first, can_trace ? "" : "base\n");
  }
}

TEST(Prepare, AcceptsAMissingBase) {
  Subject subject;
  subject.commit("true");
  PlannedRun run = make_plan(subject.open(), {});
  const Checkouts checkouts = subject.prepared(run);
  EXPECT_EQ(checkouts.base.failure, "there is no base");
  EXPECT_EQ(checkouts.head.failure, "");
  EXPECT_EQ(run.plan.workloads[0].base_missing, "");
  EXPECT_EQ(reporter::sentences(run.plan.warnings), std::vector<std::string>{});
}

TEST(Prepare, BuildsAWorkingTreeThatIsNotCommitted) {
  Subject subject;
  subject.commit("cat source > product || true");
  subject.scratch.write("source", "not committed");
  PlanOptions options;
  options.head = ".";
  options.base = "HEAD";
  PlannedRun run = make_plan(subject.open(), options);
  const Checkouts checkouts = subject.prepared(run);
  EXPECT_EQ(content_of(checkouts.head.directory / "product"), "not committed");
  EXPECT_EQ(content_of(checkouts.base.directory / "product"), "");
}

}  // namespace
}  // namespace perf
