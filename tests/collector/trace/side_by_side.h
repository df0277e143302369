#pragma once

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "collector/git/repository.h"
#include "collector/trace/trace_programs.h"
#include "schema/plan.h"
#include "tests/collector/git/scratch.h"

namespace perf::test {

/// What a commit has at a path: text, a program or script, or a link.
struct Entry {
  Entry(const char* content) : text(content) {}
  Entry(std::string content) : text(std::move(content)) {}
  std::string text;
  bool is_executable = false;
  bool is_link = false;
};
Entry executable(const std::string& text);
Entry link_to(const std::string& target);

/// A workload in a folder of its own in one repository, by the name of the folder. A file `build`
/// in it is the script that builds it there.
struct Case {
  std::string name;
  std::map<std::string, Entry> base, head;
  std::string run;                    ///< for sh, in the folder
  std::string run_before{};           ///< a workload of its own, traced before
  std::vector<std::string> inputs{};  ///< globs
  std::string format = "process";
  bool enters = false;  ///< the folder is the workload's `cwd`
  std::map<std::string, std::string> env{};
  std::string prepare{};  ///< for sh, in the folder
  std::string serve{};    ///< a server for sh, in the folder, ready at {port}; empty: none
};

/// Both commits of a repository with all cases, built.
class SideBySide {
 public:
  explicit SideBySide(const std::vector<Case>& cases);

  /// Traces all workloads; returns the plan with their records.
  Plan trace(const TraceTools& tools = {run_process()});
  const Checkouts& checkouts() const { return checkouts_; }
  /// A file beside the repository, of which cases know by $BESIDE/NAME.
  std::filesystem::path beside(const std::string& name) const { return scratch_.beside(name); }

 private:
  std::string commit(const std::vector<Case>& cases, bool at_base);

  Scratch scratch_;
  Plan plan_;
  Checkouts checkouts_;
};

/// Tests that are skipped where no process may be traced.
class NeedsTracing : public testing::Test {
 protected:
  void SetUp() override;
};

/// The trace record of a workload: "same", "not traced", or why it is measured.
std::string record_of(const Plan& plan, const std::string& name);

}  // namespace perf::test
