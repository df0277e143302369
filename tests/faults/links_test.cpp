// Links in a tree, and in place of files that perf-compare writes, are not followed out of the
// repository.

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <fstream>
#include <functional>

#include "schema/files/content.h"
#include "tests/ci/claimed_benchmark.h"
#include "tests/ci/scratch_repository.h"

namespace perf::test {
namespace {

namespace fs = std::filesystem;

/// A measured repository, and a folder outside that must not change.
struct Linked : ScratchRepository {
  Linked() : outside(path().parent_path() / "outside") {
    write("perf-compare.json", kClaimedConfig);
    write("bench", kClaimedBenchmark, true);
    write("work", "100");
    commit("Add a benchmark");
    fs::create_directories(outside / "folder");
    std::ofstream(outside / "file") << "kept\n";
    std::ofstream(outside / "config.json") << kClaimedConfig;
  }

  void link(const std::string& name, const fs::path& target) const {
    fs::create_directories((path() / name).parent_path());
    fs::create_symlink(target, path() / name);
  }

  /// Everything outside, with its content.
  std::map<std::string, std::string> contents() const {
    std::map<std::string, std::string> found;
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(outside)) {
      found[entry.path()] = entry.is_regular_file() ? content_of(entry.path()) : "";
    }
    return found;
  }

  /// Runs a command, which must change nothing outside.
  Outcome harmless(const std::vector<std::string>& arguments) const {
    const std::map<std::string, std::string> before = contents();
    Outcome outcome = perf_compare(arguments);
    EXPECT_TRUE(contents() == before)
        << "changed outside, by perf-compare " << arguments.front() << "\n"
        << outcome.err;
    return outcome;
  }

  fs::path outside;
};

TEST(Links, InPlaceOfTheConfigAreRefused) {
  const Linked repository;
  for (const fs::path& target : {repository.outside / "config.json", fs::path("loop"),
                                 fs::path("/dev/zero"), fs::path("../../../../etc/passwd")}) {
    fs::remove(repository.path() / "perf-compare.json");
    repository.link("perf-compare.json", target);
    EXPECT_TRUE(ended(repository.harmless({"collect", "HEAD"}), 2, {"symbolic link"}));
  }
  fs::remove(repository.path() / "perf-compare.json");
  ASSERT_EQ(mkfifo((repository.path() / "perf-compare.json").c_str(), 0600), 0);
  EXPECT_EQ(repository.harmless({"collect", "HEAD"}).exit_code, 2);
}

TEST(Links, InPlaceOfTheStoreAreRefused) {
  const Linked repository;
  const fs::path store = repository.path() / ".perf-compare";
  const auto refused = [&](const std::string& name, const fs::path& target) {
    fs::remove_all(store);
    repository.link(name, target);
    bool none = true;
    for (const std::vector<std::string>& command : std::vector<std::vector<std::string>>{
             {"collect", "HEAD"}, {"pin", "release"}, {"prune", "--keep-steps", "1d"}, {"list"}}) {
      none = repository.harmless(command).exit_code == 3 && none;
    }
    return none;
  };
  EXPECT_TRUE(refused(".perf-compare", repository.outside / "folder"));
  EXPECT_TRUE(refused(".perf-compare", "../outside/folder"));
  EXPECT_TRUE(refused(".perf-compare/results.db", repository.outside / "file"));
  EXPECT_TRUE(refused(".perf-compare/results.db", repository.outside / "not-there"));
  refused(".perf-compare/results.db-journal", repository.outside / "file");  // taken away
}

TEST(Links, AreRefusedLikeAStoreInACommit) {
  Linked repository;
  repository.write(".perf-compare/results.db", "of somebody else's making");
  repository.commit("Bring a store");
  EXPECT_TRUE(
      ended(repository.harmless({"collect", "HEAD"}), 3, {"git rm -r --cached .perf-compare"}));
  EXPECT_EQ(repository.harmless({"collect", "HEAD", "--db", ".perf-compare/results.db"}).exit_code,
            3);
  EXPECT_EQ(repository.harmless({"collect", "HEAD", "--db", "../cache.db"}).exit_code, 0);
}

TEST(Links, InPlaceOfAnOutputAreReplacedOrRefused) {
  Linked repository;
  const auto [target, folder] =
      std::pair(repository.outside / "file", repository.outside / "folder");
  ASSERT_EQ(repository.harmless({"HEAD", "HEAD", "--pairs", "12"}).exit_code, 0);
  for (const std::string format : {"json", "markdown", "html", "junit", "openmetrics"}) {
    repository.link("file." + format, target);
    repository.link("gone." + format, repository.outside / "not-there");
    repository.link("device." + format, "/dev/full");
    for (const std::string name : {"file.", "gone.", "device."}) {
      EXPECT_TRUE(ended(repository.harmless({"report", "--" + format, name + format}), 0));
      EXPECT_EQ(fs::symlink_status(repository.path() / (name + format)).type(),
                fs::file_type::regular);
    }
  }
  repository.link("out", folder);
  repository.link("deep/out", "../../outside");
  repository.link("git", ".git");
  for (const std::vector<std::string>& output : std::vector<std::vector<std::string>>{
           {"--json", "out/report.json"},
           {"--html", "deep/out/folder/report.html"},
           {"--markdown", (repository.path() / "out" / "report.md").string()},
           {"--plots", "out"},
           {"--plots", "out/plots"},
           {"--json", "git/report.json"},
           {"--db", "out/results.db"}}) {
    const Outcome outcome =
        repository.harmless({"HEAD", "HEAD", "--pairs", "12", output[0], output[1]});
    EXPECT_EQ(outcome.exit_code, 2) << output[1] << "\n" << outcome.err;
  }
  EXPECT_EQ(repository.harmless({"export", "out/copy.db"}).exit_code, 2);
  EXPECT_EQ(repository.harmless({"init", "--config", "out/perf.json"}).exit_code, 2);
  // Links within the tree, and on the way of the user's own path, are followed.
  fs::create_directory(repository.path() / "reports");
  repository.link("inside", "reports");
  fs::create_directory_symlink(repository.outside, repository.path().parent_path() / "mine");
  EXPECT_EQ(repository.harmless({"report", "--json", "inside/report.json"}).exit_code, 0);
  EXPECT_EQ(repository.perf_compare({"report", "--json", "../mine/report.json"}).exit_code, 0);
}

TEST(Links, OutOfACheckoutAreNotFollowed) {
  Linked repository;
  for (const char* name : {"build", "build.log", "complete", "complete.new", "tree", "out"}) {
    repository.link(name, repository.outside / "folder");
  }
  repository.link("loop", "loop");
  repository.link("round/and", "../round/and/round");
  repository.link("up", "../../../../../../..");
  repository.link("data", "/dev/zero");
  repository.link("hooks", repository.outside);
  repository.write("touched", "1");
  repository.write("perf-compare.json",
                   R"({"build": {"command": ["sh", "-c", "echo 2 > touched"]},
                       "workloads": [{"name": "claimed", "command": ["./bench"]}]})");
  repository.commit("Link everywhere");
  EXPECT_TRUE(ended(repository.harmless({"collect", "HEAD"}), 0));
  // A modified checkout is removed and made again, with its links.
  for (const fs::directory_entry& entry :
       fs::directory_iterator(repository.cache() / "perf-compare")) {
    if (entry.is_directory()) {
      std::ofstream(entry.path() / "tree" / "touched") << "changed";
    }
  }
  EXPECT_EQ(repository.harmless({"collect", "HEAD"}).exit_code, 0);
  repository.write("touched", "3");
  EXPECT_TRUE(ended(repository.harmless({"HEAD", ".", "--pairs", "12"}), 0));
  EXPECT_EQ(repository.harmless({"init"}).exit_code, 2) << "there is a config";
}

/// Names that become .git where case or Unicode form is ignored; git refuses such trees itself.
TEST(Links, ToDotGitAreNotCheckedOut) {
  Linked repository;
  const std::string blob = repository.git({"hash-object", "-w", "perf-compare.json"});
  for (const std::string name :
       {".GIT/config", ".git./config", "git~1/config", "sub/.git/config"}) {
    std::string command = "printf '100644 blob " + blob + "\\tconfig\\n' | git mktree";
    std::string tree;
    fs::path place = name;
    for (place = place.parent_path(); !place.empty(); place = place.parent_path()) {
      tree = repository.git({"-c", "alias.make=!" + command, "make"});
      command = "printf '040000 tree " + tree + "\\t" + place.filename().string() +
                "\\n' | git mktree --missing";
    }
    tree = repository.git({"-c", "alias.make=!" + command, "make"});
    const std::string oid = repository.git({"commit-tree", "-m", "Reach for .git", tree});
    EXPECT_TRUE(ended(repository.harmless({"collect", oid}), 3, {"cannot be checked out"})) << name;
  }
}

}  // namespace
}  // namespace perf::test
