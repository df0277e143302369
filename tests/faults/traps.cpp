#include "tests/faults/traps.h"

#include <algorithm>
#include <fstream>

namespace perf::test {

namespace fs = std::filesystem;

Traps::Traps(const fs::path& folder) : programs_(folder / "programs"), marks_(folder / "marks") {
  fs::create_directories(programs_);
  fs::create_directories(marks_);
}

std::string Traps::lay(const std::string& name) const {
  lay(name, programs_ / name);
  return (programs_ / name).string();
}

void Traps::lay(const std::string& name, const fs::path& file) const {
  fs::create_directories(file.parent_path());
  std::ofstream(file) << "#!/bin/sh\n: > '" << (marks_ / name).string() << "'\ncat\n";
  fs::permissions(file, fs::perms::owner_all);
}

std::vector<std::string> Traps::sprung() const {
  std::vector<std::string> names;
  for (const fs::directory_entry& mark : fs::directory_iterator(marks_)) {
    names.push_back(mark.path().filename().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

const std::vector<std::string>& hook_names() {
  static const std::vector<std::string> names{"applypatch-msg",     "pre-applypatch",
                                              "post-applypatch",    "pre-commit",
                                              "pre-merge-commit",   "prepare-commit-msg",
                                              "commit-msg",         "post-commit",
                                              "pre-rebase",         "post-checkout",
                                              "post-merge",         "pre-push",
                                              "pre-receive",        "update",
                                              "proc-receive",       "post-receive",
                                              "post-update",        "push-to-checkout",
                                              "post-index-change",  "pre-auto-gc",
                                              "post-rewrite",       "sendemail-validate",
                                              "fsmonitor-watchman", "reference-transaction",
                                              "p4-changelist",      "p4-post-changelist",
                                              "p4-pre-submit",      "p4-prepare-changelist"};
  return names;
}

}  // namespace perf::test
