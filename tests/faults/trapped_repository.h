#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <string>
#include <vector>

#include "tests/ci/claimed_benchmark.h"
#include "tests/ci/scratch_repository.h"
#include "tests/faults/traps.h"

namespace perf::test {

/// A repository in which everything that can name a program names a trap.
struct TrappedRepository : ScratchRepository {
  TrappedRepository() : traps(path().parent_path() / "traps") {
    write("perf-compare.json", kClaimedConfig);
    write("bench", kClaimedBenchmark, true);
    write("work", "100");
    write("data", "one\n");
    first = commit("Add a benchmark");
    lay_traps_in_tree();
    write("work", "130");
    git({"add", "-A"});
    std::filesystem::create_directory(path() / "sub");  // else git takes it for deleted
    git({"update-index", "--add", "--cacheinfo", "160000," + first + ",sub"});
    commit("Slow it down");
    write("data", "two\n");
    commit("Change data");
    lay_traps_in_clone();
  }

  /// What a push can contain.
  void lay_traps_in_tree() {
    for (const std::string& hook : hook_names()) {
      traps.lay("tree-hook-" + hook, path() / "hooks" / hook);
    }
    // By relative folders of PATH; a command may also be looked for where it runs.
    for (const char* program :
         {"git", "c++", "objdump", "perf", "grep", "find", "cp", "valgrind"}) {
      traps.lay(std::string("path-") + program, path() / "bin" / program);
      traps.lay(std::string("here-") + program, path() / program);
    }
    write(".gitattributes",
          "* filter=trap diff=trap merge=trap export-subst\nweights filter=lfs\n*.utf16 "
          "working-tree-encoding=UTF-16\n");
    write("text.utf16", "");
    write("weights", "1\n");
    write("versions", "$Format:%H%(trailers)$\n");
    write(".gitmodules",
          "[submodule \"../../hooks\"]\n\tpath = sub\n\turl = -u./bin/git\n\tupdate = !" +
              traps.lay("submodule-update") + "\n\tbranch = --upload-pack=x\n" +
              "[submodule \"b\"]\n\tpath = ../.git\n\turl = ext::" + traps.lay("submodule-url") +
              "\n");
    write(".gitconfig", settings("tree-settings"));
    write(".lfsconfig",
          "[lfs]\n\turl = http://127.0.0.1:9/\n[lfs \"customtransfer.x\"]\n\tpath = " +
              traps.lay("lfs-transfer") + "\n[lfs]\n\tstandalonetransferagent = x\n");
    write(".valgrindrc", "--log-file=" + (traps_folder() / "marks" / "valgrindrc").string() + "\n");
    write(".perfconfig", "[core]\n\tproc-map-timeout = 1\n");
    write("template/hooks/post-checkout", "");
    traps.lay("template-hook", path() / "template" / "hooks" / "post-checkout");
  }

  /// Settings of this clone alone; hooks in both places where git looks.
  void lay_traps_in_clone() {
    const std::filesystem::path git_dir = path() / ".git";
    for (const std::string& hook : hook_names()) {
      traps.lay("hook-" + hook, git_dir / "hooks" / hook);
    }
    std::ofstream(git_dir / "more-config") << settings("included");
    std::ofstream(git_dir / "config", std::ios::app)
        << settings("clone") << "[include]\n\tpath = more-config\n\tpath = ../.gitconfig\n"
        << "[extensions]\n\tworktreeConfig = true\n";
    std::ofstream(git_dir / "config.worktree") << settings("worktree");
    std::ofstream(git_dir / "info" / "attributes") << "data filter=trap diff=trap\n";
  }

  /// Every setting whose value git may run, as text of a config file.
  std::string settings(const std::string& where) const {
    const auto trap = [&](const std::string& name) { return traps.lay(where + "-" + name); };
    std::string text = "[core]\n\thooksPath = " + (path() / "hooks").string() +
                       "\n\tfsmonitor = " + trap("fsmonitor") + "\n\tsshCommand = " + trap("ssh") +
                       "\n\taskPass = " + trap("askpass") + "\n\teditor = " + trap("editor") +
                       "\n\tpager = " + trap("pager") + "\n\tgitProxy = " + trap("proxy") +
                       "\n\talternateRefsCommand = " + trap("alternates") + "\n";
    text += "[filter \"trap\"]\n\tclean = " + trap("clean") + "\n\tsmudge = " + trap("smudge") +
            "\n\trequired = true\n[filter \"lfs\"]\n\tclean = " + trap("lfs-clean") +
            "\n\tprocess = " + trap("lfs-process") + "\n";
    text += "[diff]\n\texternal = " + trap("external-diff") +
            "\n[diff \"trap\"]\n\tcommand = " + trap("diff") +
            "\n\ttextconv = " + trap("textconv") + "\n";
    text +=
        "[merge \"trap\"]\n\tdriver = " + trap("merge") +
        "\n[credential]\n\thelper = " + trap("credential") + "\n[gpg]\n\tprogram = " + trap("gpg") +
        "\n[commit]\n\tgpgSign = true\n[log]\n\tshowSignature = true\n[sequence]\n\teditor = " +
        trap("sequence-editor") + "\n[interactive]\n\tdiffFilter = " + trap("diff-filter") +
        "\n[remote \"origin\"]\n\tuploadpack = " + trap("upload-pack") +
        "\n\treceivepack = " + trap("receive-pack") +
        "\n[uploadpack]\n\tpackObjectsHook = " + trap("pack-objects") +
        "\n[init]\n\ttemplateDir = " + (path() / "template").string() +
        "\n[submodule \"sub\"]\n\tactive = true\n\turl = ext::x\n\tupdate = !" + trap("submodule") +
        "\n[submodule]\n\trecurse = true\n[pager]\n\tstatus = " + trap("status-pager") + "\n";
    for (const char* command : {"status", "add", "checkout", "init", "diff", "write-tree", "x"}) {
      text += std::string("[alias]\n\t") + command + " = !" + trap("alias") + "\n";
    }
    return text;
  }

  std::filesystem::path traps_folder() const { return path().parent_path() / "traps"; }

  /// perf-compare with an environment that redirects git and its helpers as well.
  Outcome trapped(const std::vector<std::string>& arguments) const {
    const std::filesystem::path elsewhere = path().parent_path() / "elsewhere";
    std::map<std::string, std::string> variables{
        {"PATH", ":.:bin:" + std::string(std::getenv("PATH")) + ":"},
        {"GIT_DIR", (elsewhere / "git").string()},
        {"GIT_WORK_TREE", elsewhere.string()},
        {"GIT_INDEX_FILE", (elsewhere / "index").string()},
        {"GIT_OBJECT_DIRECTORY", (elsewhere / "objects").string()},
        {"GIT_ALTERNATE_OBJECT_DIRECTORIES", (elsewhere / "others").string()},
        {"GIT_COMMON_DIR", elsewhere.string()},
        {"GIT_NAMESPACE", "elsewhere"},
        {"GIT_TEMPLATE_DIR", (path() / "template").string()},
        {"GIT_CONFIG_COUNT", "2"},
        {"GIT_CONFIG_KEY_0", "core.fsmonitor"},
        {"GIT_CONFIG_VALUE_0", traps.lay("variable-fsmonitor")},
        {"GIT_CONFIG_KEY_1", "core.hooksPath"},
        {"GIT_CONFIG_VALUE_1", (path() / "hooks").string()}};
    for (const char* name : {"GIT_EXTERNAL_DIFF", "GIT_PAGER", "GIT_EDITOR", "GIT_SEQUENCE_EDITOR",
                             "GIT_ASKPASS", "GIT_SSH_COMMAND", "GIT_SSH", "GIT_PROXY_COMMAND",
                             "PAGER", "EDITOR", "VISUAL", "SSH_ASKPASS", "BROWSER"}) {
      variables[name] = traps.lay(std::string("variable-") + name);
    }
    return perf_compare(arguments, variables);
  }

  /// Runs a command that must not start a trap; returns its outcome.
  Outcome unsprung(const std::vector<std::string>& arguments) {
    ++runs;
    Outcome outcome = trapped(arguments);
    EXPECT_EQ(traps.sprung(), std::vector<std::string>{})
        << "by perf-compare " << arguments.front() << "\n"
        << outcome.err;
    EXPECT_FALSE(std::filesystem::exists(path().parent_path() / "elsewhere"));
    return outcome;
  }

  Traps traps;
  std::string first;
  int runs = 0;
};

}  // namespace perf::test
