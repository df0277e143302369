#include <gtest/gtest.h>
#include <sys/stat.h>

#include <set>

#include "collector/plan/config_source.h"
#include "tests/collector/git/scratch.h"

namespace perf {
namespace {

namespace fs = std::filesystem;
using test::run_process;
using test::Scratch;
using test::write_file;

const std::string kHead = R"({"build": {"command": ["make"]}, )";
const std::string kWorkloads = R"("workloads": [{"name": "a", "command": ["./bench"]}]})";

/// A repository, and beside it a folder `bench` with a config and a benchmark.
struct Beside : Scratch {
  Beside() {
    commit("a", "1");
    put("perf.json", kHead + kWorkloads);
    put("bench.cpp", "int main() {}");
    put("data/large", "123");
  }
  fs::path folder() const { return beside("bench"); }
  void put(const std::string& name, const std::string& text) const {
    fs::create_directories((folder() / name).parent_path());
    write_file(folder() / name, text);
  }
  void uses(const std::string& globs) const {
    put("perf.json", kHead + "\"uses\": " + globs + ", " + kWorkloads);
  }

  Outside outside(const std::vector<fs::path>& outputs = {}) const {
    return outside_of(config_of_file(folder() / "perf.json"),
                      Repository::open(path(), run_process()), outputs);
  }
  std::string digest() const { return outside().digest; }
  /// What tells the series of workload `a`.
  std::string series() const {
    const FoundConfig found = config_of_file(folder() / "perf.json");
    Workload workload = found.config.workloads.front().workload;
    add_outside(outside(), found.config, workload);
    return workload.outside;
  }
  Error refusal() const {
    return test::usage_error_of([this] { outside(); });
  }
};

TEST(Outside, IsTheContentOfTheConfigsFolder) {
  const Beside beside;
  const std::string before = beside.digest();
  EXPECT_EQ(before.size(), 16u);
  EXPECT_EQ(beside.digest(), before);
  beside.put("bench.cpp", "int main() { }");
  EXPECT_NE(beside.digest(), before);
  EXPECT_EQ(beside.outside().latest, "bench.cpp");
  beside.put("bench.cpp", "int main() {}");
  EXPECT_EQ(beside.digest(), before) << "of the content, not of its time";
  fs::rename(beside.folder() / "data/large", beside.folder() / "data/small");
  EXPECT_NE(beside.digest(), before);
  fs::rename(beside.folder() / "data/small", beside.folder() / "data/large");
  fs::permissions(beside.folder() / "bench.cpp", fs::perms::owner_exec, fs::perm_options::add);
  EXPECT_NE(beside.digest(), before);
}

TEST(Outside, IsTheSameWhereTheFolderIsMoved) {
  const Beside beside, elsewhere;
  EXPECT_EQ(beside.digest(), elsewhere.digest());
  EXPECT_EQ(beside.outside().folder, fs::canonical(beside.folder()));
  EXPECT_EQ(beside.outside().folder_seen(), fs::canonical(beside.folder()).string());
}

TEST(Outside, LeavesOutOutputs) {
  const Beside beside;
  const std::string before = beside.digest();
  beside.put(".git/index", "x");
  beside.put(".perf-compare/results.db", "x");
  beside.put("lib/__pycache__/bench.cpython-311.pyc", "x");
  beside.put("old.db", std::string("SQLite format 3\0", 16) + std::string(52, 'x') + "prfc");
  beside.put("report.html", "x");
  EXPECT_NE(beside.digest(), before);
  EXPECT_EQ(beside.outside({beside.folder() / "report.html"}).digest, before);
}

TEST(Outside, LeavesOutTheRepositoryItself) {
  const Beside beside;
  write_file(beside.beside("perf.json"), kHead + kWorkloads);
  const auto digest = [&] {
    return outside_of(config_of_file(beside.beside("perf.json")),
                      Repository::open(beside.path(), run_process()), {})
        .digest;
  };
  const std::string before = digest();
  beside.write("a", "2");
  EXPECT_EQ(digest(), before);
  beside.put("bench.cpp", "other");
  EXPECT_NE(digest(), before);
}

TEST(Outside, IncludesTheBuildAndTheWorkloadsCommand) {
  const Beside beside;
  const std::string before = beside.series();
  EXPECT_EQ(before.size(), 16u);
  const auto with = [&](const std::string& config) {
    beside.put("perf.json", config);
    return beside.series();
  };
  EXPECT_EQ(with(kHead + R"("policy": {"threshold": "5%"}, )" + kWorkloads), before);
  EXPECT_EQ(with(kHead + R"("workloads": [{"name": "a", "command": ["./bench"], "timeout": "1m",
                     "metrics": {"step_time": {"threshold": "3%"}}},
                     {"name": "b", "command": ["./other"]}]})"),
            before);
  EXPECT_NE(with(kHead + R"("workloads": [{"name": "a", "command": ["./bench", "x"]}]})"), before);
  std::set<std::string> series{before};
  for (const char* key :
       {R"("cwd": "sub")", R"("env": {"A": "1"})", R"("env": {"A": "2"})",
        R"("prepare": ["make", "clean"])", R"("serve": {"command": ["s"], "ready": {"tcp": 1}})"}) {
    const std::string needs = kHead + R"("workloads": [{"name": "a", "command": ["./bench"], )";
    EXPECT_TRUE(series.insert(with(needs + key + "}]}")).second) << key;
  }
  EXPECT_NE(with(R"({"build": {"command": ["make", "x"]}, )" + kWorkloads), before);
  EXPECT_NE(with(R"({"build": "own", )" + kWorkloads), with("{" + kWorkloads));
}

TEST(Outside, FollowsUses) {
  const Beside beside;
  write_file(beside.beside("shared"), "1");
  beside.uses(R"(["*.cpp", "data", "../sha*"])");
  const std::string before = beside.digest();
  beside.put("notes.txt", "x");
  EXPECT_EQ(beside.digest(), before);
  beside.put("data/large", "4");
  EXPECT_NE(beside.digest(), before);
  beside.put("data/large", "123");
  write_file(beside.beside("shared"), "2");
  EXPECT_NE(beside.digest(), before);
  beside.uses("[]");
  const std::string nothing = beside.digest();
  beside.put("bench.cpp", "other");
  EXPECT_EQ(beside.digest(), nothing);
  for (const char* globs :
       {R"(["no-such-file"])", R"(["*.rs"])", R"(["bench.cpp", "nowhere/*"])"}) {
    beside.uses(globs);
    EXPECT_EQ(beside.refusal().what, "nothing that the config uses matches");
  }
  beside.uses(R"(["*.cpp", "bench.cpp"])");
  EXPECT_EQ(beside.digest().size(), 16u) << "found twice";
}

TEST(Outside, IsWhatAConfigInTheRepositoryUses) {
  Scratch scratch;
  scratch.commit("perf-compare.json", kHead + kWorkloads);
  scratch.write("data", "1");
  const auto digest = [&](const char* name) {
    const Repository repository = Repository::open(scratch.path(), run_process());
    return outside_of(name == nullptr ? *config_of_working_tree(repository)
                                      : config_of_file(scratch.path() / name),
                      repository, {})
        .digest;
  };
  EXPECT_EQ(digest(nullptr), "");
  EXPECT_EQ(digest("perf-compare.json"), "");
  scratch.write("perf-compare.json", kHead + R"("uses": ["data"], )" + kWorkloads);
  const std::string before = digest(nullptr);
  EXPECT_NE(before, "");
  EXPECT_EQ(digest("perf-compare.json"), before);
  scratch.write("data", "2");
  EXPECT_NE(digest(nullptr), before);
}

TEST(Outside, RefusesAThousandAndOneFiles) {
  const Beside beside;
  fs::remove_all(beside.folder() / "data");
  for (int i = 1; i < 1000; ++i) {
    beside.put("many/" + std::to_string(i), "");
  }
  EXPECT_EQ(beside.digest().size(), 16u);
  beside.put("many/one", "");
  EXPECT_EQ(beside.refusal().what, "the config uses more than 1000 files from outside the history");
  EXPECT_NE(beside.refusal().hint.find(R"("uses": [)"), std::string::npos);
  beside.uses(R"(["bench.cpp"])");
  EXPECT_EQ(beside.digest().size(), 16u);
}

TEST(Outside, RefusesMoreThan64MiB) {
  const Beside beside;
  beside.put("huge", "");
  fs::resize_file(beside.folder() / "huge", kMostBytesOutside + 1);
  EXPECT_EQ(beside.refusal().what, "the config uses more than 64 MiB from outside the history");
}

TEST(Outside, FollowsLinksAndOpensNoPipe) {
  for (const std::string link : {"shared", "shared/file"}) {
    const Beside beside;
    beside.put("../shared/file", "1");
    fs::create_symlink("../" + link, beside.folder() / "link");
    fs::create_symlink("circle", beside.folder() / "circle");
    fs::create_symlink("..", beside.folder() / "data/up");
    fs::create_symlink(beside.path(), beside.folder() / "measured");
    fs::create_symlink(beside.path() / "a", beside.folder() / "a");
    ASSERT_EQ(mkfifo((beside.folder() / "pipe").c_str(), 0600), 0);
    const std::string before = beside.digest();
    beside.write("a", "2");
    EXPECT_EQ(beside.digest(), before) << "the measured repository is left out";
    beside.put("../shared/file", "2");
    EXPECT_NE(beside.digest(), before) << link;
    beside.put("../shared/file", "1");
    EXPECT_EQ(beside.digest(), before);
    beside.put("../shared/huge", "");
    fs::resize_file(beside.beside("shared/huge"), kMostBytesOutside + 1);
    fs::remove(beside.folder() / "link");
    fs::create_symlink("../shared/huge", beside.folder() / "link");
    const std::string huge = beside.digest();
    EXPECT_NE(huge, before) << "it counts by its size and time";
    fs::resize_file(beside.beside("shared/huge"), kMostBytesOutside + 2);
    EXPECT_NE(beside.digest(), huge);
    fs::remove(beside.folder() / "link");
    fs::create_symlink("../shared/none", beside.folder() / "link");
    EXPECT_NE(beside.digest(), before) << "where a link leads to is its content";
  }
}

TEST(Outside, IsCheckedForChangesMeanwhile) {
  const Beside beside;
  const Outside outside = beside.outside();
  require_unchanged(outside);
  beside.put("bench.cpp", "other");
  const Error error = test::error_of([&] { require_unchanged(outside); });
  EXPECT_NE(error.subject.find("bench.cpp"), std::string::npos) << error.subject;
  require_unchanged({});
}

}  // namespace
}  // namespace perf
