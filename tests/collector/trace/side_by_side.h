#pragma once

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
  std::string run_before{};           ///< a workload of its own, looked at before
  std::vector<std::string> inputs{};  ///< globs
  std::string format = "process";
};

/// Both commits of a repository with all cases, built; and what looking at them said.
class SideBySide {
 public:
  explicit SideBySide(const std::vector<Case>& cases);

  /// Looks at all workloads; `tools`: with these hands in place of ordinary ones.
  Plan look(const TraceTools& tools = {run_process()});
  const Checkouts& checkouts() const { return checkouts_; }
  /// A file beside the repository, of which cases know by $BESIDE/NAME.
  std::filesystem::path beside(const std::string& name) const { return scratch_.beside(name); }

 private:
  std::string commit(const std::vector<Case>& cases, bool at_base);

  Scratch scratch_;
  Plan plan_;
  Checkouts checkouts_;
};

/// Whether a process may be traced on this machine; tests of what is the same are skipped
/// elsewhere.
bool can_trace();

/// What looking said of a workload: "same", "not looked at", or why it is measured.
std::string told_of(const Plan& plan, const std::string& name);

}  // namespace perf::test
