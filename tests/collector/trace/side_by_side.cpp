#include "tests/collector/trace/side_by_side.h"

#include <gtest/gtest.h>

#include <cstdlib>

#include "collector/build/build_cache.h"
#include "collector/trace/program.h"
#include "schema/files/content.h"

namespace perf::test {
namespace {

namespace fs = std::filesystem;

constexpr const char* kBuild =
    "for folder in */build; do [ ! -e \"$folder\" ] || (cd \"${folder%/build}\" && sh ./build) || "
    "exit 1; done";

void put(const fs::path& file, const Entry& entry) {
  fs::create_directories(file.parent_path());
  if (entry.is_link) {
    fs::create_symlink(entry.text, file);
    return;
  }
  write_file(file, entry.text);
  if (entry.is_executable) {
    fs::permissions(file, fs::perms::owner_exec, fs::perm_options::add);
  }
}

PlannedWorkload planned(const Case& one, const std::string& name, const std::string& run) {
  Workload workload;
  workload.name = name;
  const auto shell = [&one](const std::string& script) -> std::vector<std::string> {
    return {"sh", "-c", one.enters ? script : "cd " + one.name + " && " + script};
  };
  workload.command = shell(run);
  workload.cwd = one.enters ? one.name : "";
  if (!one.serve.empty()) {
    workload.serve = Server{shell(one.serve), ReadyBy::tcp, "{port}", 30};
  }
  workload.env = one.env;
  workload.prepare = one.prepare.empty() ? std::vector<std::string>{} : shell(one.prepare);
  workload.format = one.format;
  workload.inputs = one.inputs;
  workload.timeout = 60;
  return {workload, "", ""};
}

}  // namespace

Entry executable(const std::string& text) {
  Entry entry(text);
  entry.is_executable = true;
  return entry;
}

Entry link_to(const std::string& target) {
  Entry entry(target);
  entry.is_link = true;
  return entry;
}

SideBySide::SideBySide(const std::vector<Case>& cases) {
  setenv("ACTOR", WAY_ACTOR, 1);
  unsetenv("PYTHONDONTWRITEBYTECODE");
  setenv("REPO", scratch_.path().c_str(), 1);
  setenv("BESIDE", scratch_.beside("").c_str(), 1);
  Revision base, head;
  base.oid = commit(cases, true);
  head.oid = commit(cases, false);
  const Repository repository = Repository::open(scratch_.path(), run_process());
  const auto build = [&](const std::string& oid) {
    const BuildRequest request{oid, BuildCommand{{"sh", "-c", kBuild}, 600}, "machine"};
    return build_revision(repository, "a commit", request, scratch_.beside("cache"),
                          {run_process()});
  };
  checkouts_ = {build(base.oid), build(head.oid)};
  for (const Checkout* checkout : {&checkouts_.base, &checkouts_.head}) {
    EXPECT_EQ(checkout->failure, "") << content_of(checkout->log);
  }
  plan_.base = base;
  plan_.head = head;
  for (const Case& one : cases) {
    if (!one.run_before.empty()) {
      plan_.workloads.push_back(planned(one, one.name + "/before", one.run_before));
    }
    plan_.workloads.push_back(planned(one, one.name, one.run));
  }
}

std::string SideBySide::commit(const std::vector<Case>& cases, bool at_base) {
  for (const Case& one : cases) {
    fs::remove_all(scratch_.path() / one.name);
    for (const auto& [name, entry] : at_base ? one.base : one.head) {
      put(scratch_.path() / one.name / name, entry);
    }
  }
  return scratch_.commit("README.md", at_base ? "one\n" : "two\n");
}

Plan SideBySide::trace(const TraceTools& tools) {
  Plan plan = plan_;
  trace_programs(plan, checkouts_, Policy(), tools);
  return plan;
}

std::string record_of(const Plan& plan, const std::string& name) {
  for (const PlannedWorkload& one : plan.workloads) {
    if (one.workload.name == name) {
      return !one.trace_record          ? "not traced"
             : one.trace_record->same() ? "same"
                                        : one.trace_record->difference;
    }
  }
  return "no such workload";
}

void NeedsTracing::SetUp() {
  if (!why_no_trace(run_process()).empty()) {
    GTEST_SKIP() << "nothing can be traced here";
  }
}

}  // namespace perf::test
