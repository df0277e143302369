#include "collector/build/build_cache.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <cstdlib>

#include "collector/git/repository.h"
#include "collector/process/temporary_folder.h"
#include "collector/trace/built_tree.h"
#include "collector/trace/trace_programs.h"
#include "schema/files/content.h"
#include "tests/collector/git/scratch.h"
#include "tests/contains.h"

namespace perf {
namespace {

namespace fs = std::filesystem;
using test::error_of;
using test::run_process;
using test::Scratch;
using test::variables;

/// A repository, a cache beside it, and what was said.
struct Cache {
  Scratch scratch;
  fs::path folder = scratch.beside("cache");
  std::vector<std::string> said;
  bool reports_cached = true;
  RunProcess run = run_process();

  BuildTools tools() {
    return {run, [this](const std::string& line) { said.push_back(line); }, nullptr,
            reports_cached};
  }
  bool counts = false;
  /// Builds a commit with a shell script.
  Checkout build(const std::string& oid, const std::string& script, double timeout = 600,
                 std::uint64_t layout_seed = 0) {
    BuildRequest request{oid, std::nullopt, "machine", layout_seed, {}, counts};
    if (!script.empty()) {
      request.build = BuildCommand{{"sh", "-c", script}, timeout};
    }
    said.clear();
    return build(request, tools());
  }
  Checkout build(const BuildRequest& request, const BuildTools& with) const {
    return build_revision(repository(), "base v1", request, folder, with);
  }
  Repository repository() const { return Repository::open(scratch.path(), run_process()); }
  fs::path clone() const { return repository().common_dir(); }
  std::string counted() const { return content_of(scratch.beside("count")); }
  /// A script that leaves a mark outside each time that it runs.
  std::string counting() const { return "echo x >> '" + scratch.beside("count").string() + "'"; }
};

/// A cache, and a commit to build.
class BuildCache : public testing::Test {
 protected:
  Cache cache;
  std::string oid = cache.scratch.commit("source", "one");
};

/// The same where a build can be traced.
class TracedBuildCache : public BuildCache {
 protected:
  void SetUp() override {
    if (!why_no_trace(run_process()).empty()) {
      GTEST_SKIP() << "nothing can be traced here";
    }
  }
};

TEST_F(BuildCache, ReportsTheProgressOfABuild) {
  BuildTools tools = cache.tools();
  std::vector<BuildProgress> told;
  tools.progress = [&](const BuildProgress& progress) { told.push_back(progress); };
  const BuildRequest request{
      oid, BuildCommand{{"sh", "-c", "echo '[1/2] a'; echo '[2/2] b' >&2"}, 600}, "machine"};
  cache.build(request, tools);
  EXPECT_EQ(told.size(), 2u);
}

TEST(BuildCacheFolder, FollowsTheXdgSpecification) {
  EXPECT_EQ(build_cache_folder(variables({{"XDG_CACHE_HOME", "/x"}, {"HOME", "/h"}})),
            "/x/perf-compare");
  EXPECT_EQ(build_cache_folder(variables({{"HOME", "/h"}})), "/h/.cache/perf-compare");
  EXPECT_EQ(build_cache_folder(variables({{"XDG_CACHE_HOME", "relative"}, {"HOME", "/h"}})),
            "/h/.cache/perf-compare");
  const Error error = error_of([] { build_cache_folder(variables({})); });
  EXPECT_EQ(error.what, "no folder for the build cache");
  EXPECT_TRUE(contains(error.hint, "XDG_CACHE_HOME"));
}

TEST(BuildKey, HasOneWidthAndDependsOnEveryPart) {
  const std::string oid(40, 'a');
  const BuildRequest plain{oid, BuildCommand{{"a b"}}, "m", 0};
  std::vector<BuildRequest> requests(9, plain);
  requests[1].oid = std::string(40, 'b');
  requests[2].build = BuildCommand{{"a", "b"}};
  requests[3].build = std::nullopt;
  requests[4].machine = "n";
  requests[5].layout_seed = 1;
  requests[6].build = BuildCommand{{"a b", ""}};
  requests[7].build = BuildCommand{{"a b\nargument 0 "}};
  requests[8].build->submodules = true;
  std::vector<std::string> keys;
  for (const BuildRequest& request : requests) {
    keys.push_back(build_key(request));
    EXPECT_EQ(keys.back().size(), 33u);
  }
  std::sort(keys.begin(), keys.end());
  EXPECT_EQ(std::unique(keys.begin(), keys.end()), keys.end());
  BuildRequest patient = plain;
  patient.build->timeout = 1;
  EXPECT_EQ(build_key(patient), build_key(plain)) << "a timeout changes no build";
}

TEST_F(BuildCache, ChecksOutAndBuildsOnce) {
  const std::string second = cache.scratch.commit("source", "two");
  const std::string script =
      "cp source product; echo built; echo to stderr >&2; " + cache.counting();
  const Checkout checkout = cache.build(oid, script);
  EXPECT_EQ(checkout.failure, "");
  EXPECT_EQ(content_of(checkout.directory / "product"), "one");
  const std::string log = content_of(checkout.log);
  EXPECT_TRUE(contains(log, "built\n"));
  EXPECT_TRUE(contains(log, "to stderr\n"));
  ASSERT_EQ(cache.said.size(), 1u);
  EXPECT_EQ(cache.said[0].rfind("building base v1: sh -c cp source", 0), 0u) << cache.said[0];
  EXPECT_EQ(test::git(checkout.directory, {"rev-parse", "HEAD"}), oid);

  cache.build(second, script);
  EXPECT_EQ(cache.counted(), "x\nx\n");
}

TEST_F(BuildCache, ReusesBuilds) {
  const fs::path first = cache.build(oid, cache.counting()).directory;
  const fs::path again = cache.build(oid, cache.counting()).directory;
  EXPECT_EQ(again, first);
  EXPECT_EQ(cache.counted(), "x\n");
  EXPECT_EQ(cache.said, std::vector<std::string>{"base v1 is already built"});
  cache.reports_cached = false;
  cache.build(oid, cache.counting());
  EXPECT_EQ(cache.said, std::vector<std::string>{}) << "no news to who asks for news alone";
}

TEST_F(BuildCache, GivesEveryBuildAPathOfTheSameLength) {
  const std::string second = cache.scratch.commit("source", "two");
  const std::size_t length = cache.build(oid, "").directory.string().size();
  EXPECT_EQ(cache.build(second, "true").directory.string().size(), length);
  EXPECT_EQ(cache.build(second, "true", 600, 1234567).directory.string().size(), length);
}

TEST_F(BuildCache, SetsTheLayoutSeedAndUnsetsGitVariables) {
  const std::string script =
      "echo \"$PERF_COMPARE_LAYOUT_SEED|${GIT_DIR-none}|$(git rev-parse HEAD)\" > seen";
  setenv("GIT_DIR", "/nowhere", 1);
  setenv("GIT_WORK_TREE", "/nowhere", 1);
  setenv("GIT_INDEX_FILE", "/nowhere/index", 1);
  const Checkout plain = cache.build(oid, script);
  const Checkout seeded = cache.build(oid, script, 600, 42);
  unsetenv("GIT_DIR");
  unsetenv("GIT_WORK_TREE");
  unsetenv("GIT_INDEX_FILE");
  EXPECT_EQ(plain.failure, "");
  EXPECT_EQ(content_of(plain.directory / "seen"), "|none|" + oid + "\n");
  EXPECT_EQ(content_of(seeded.directory / "seen"), "42|none|" + oid + "\n");
  EXPECT_NE(plain.directory, seeded.directory);
}

TEST_F(BuildCache, SetsAVariableInCountedBuilds) {
  const std::string script = "echo \"count=$PERF_COMPARE_COUNT\" > seen";
  const Checkout plain = cache.build(oid, script);
  EXPECT_EQ(content_of(plain.directory / "seen"), "count=\n");
  cache.counts = true;
  const Checkout counted = cache.build(oid, script);
  EXPECT_EQ(content_of(counted.directory / "seen"), "count=1\n");
  EXPECT_NE(counted.directory, plain.directory);
}

/// Compiles once, and marks it; links each time.
std::string compile_and_link(const Cache& cache) {
  return "[ -e object ] || { " + cache.counting() +
         "; cp source object; }; "
         "echo \"$(cat object) $PERF_COMPARE_LAYOUT_SEED\" > program";
}

TEST_F(BuildCache, RelinksTheBuildWithoutALayoutSeed) {
  const std::string script = compile_and_link(cache);
  const Checkout plain = cache.build(oid, script);
  Checkout relinked = cache.build(oid, script, 600, 42);
  EXPECT_EQ(relinked.failure, "");
  EXPECT_EQ(cache.counted(), "x\n") << "compiled once";
  EXPECT_EQ(content_of(plain.directory / "program"), "one \n") << "the original is left alone";
  EXPECT_EQ(content_of(relinked.directory / "program"), "one 42\n");
  EXPECT_EQ(fs::last_write_time(relinked.directory / "object"),
            fs::last_write_time(plain.directory / "object"));
  relinked.hold.reset();
  EXPECT_EQ(cache.build(oid, script, 600, 42).failure, "");
  EXPECT_EQ(cache.said, std::vector<std::string>{"base v1 is already built"});
}

TEST_F(BuildCache, CompilesAgainWhereFilesContainTheirPath) {
  for (const std::string trace : {"pwd > configured; ", "ln -sf \"$PWD/source\" link; "}) {
    Cache fresh;
    const std::string commit = fresh.scratch.commit("source", "one");
    const std::string script = trace + compile_and_link(fresh);
    fresh.build(commit, script);
    const Checkout relinked = fresh.build(commit, script, 600, 42);
    EXPECT_EQ(relinked.failure, "");
    EXPECT_EQ(fresh.counted(), "x\nx\n") << trace;
    EXPECT_EQ(content_of(relinked.directory / "program"), "one 42\n");
  }
}

TEST_F(BuildCache, CompilesAgainWhereTheCopyDoesNotBuild) {
  const std::string script = "[ ! -e object ] || exit 1; " + compile_and_link(cache);
  cache.build(oid, script);
  const Checkout relinked = cache.build(oid, script, 600, 42);
  EXPECT_EQ(relinked.failure, "");
  EXPECT_EQ(cache.counted(), "x\nx\n");
  EXPECT_EQ(content_of(relinked.directory / "program"), "one 42\n");
  EXPECT_EQ(cache.build(oid, "exit 3", 600, 42).failure, "does not build (exit status 3)");
}

TEST_F(BuildCache, DiscardsABuildThatIsNotHeld) {
  Checkout checkout = cache.build(oid, "true", 600, 42);
  const BuildRequest request{oid, BuildCommand{{"sh", "-c", "true"}}, "machine", 42};
  discard_build(request, cache.folder);
  EXPECT_TRUE(fs::exists(checkout.directory)) << "it is held";
  checkout.hold.reset();
  discard_build(request, cache.folder);
  EXPECT_FALSE(fs::exists(checkout.directory));
  discard_build(request, cache.folder);
}

TEST_F(BuildCache, TriesAFailedBuildAgain) {
  const std::string script = cache.counting() + "; echo 'no rule to make this' >&2; echo; exit 3";
  for (int time = 0; time < 2; ++time) {
    const Checkout checkout = cache.build(oid, script);
    EXPECT_EQ(failure_line(checkout),
              "does not build (exit status 3): no rule to make this; see " + checkout.log.string());
    EXPECT_TRUE(contains(content_of(checkout.log), "no rule to make this"));
  }
  EXPECT_EQ(cache.counted(), "x\nx\n");
}

TEST_F(BuildCache, ReportsHowABuildFailed) {
  EXPECT_TRUE(contains(cache.build(oid, "kill -SEGV $$").failure, "(killed by signal 11)"));
  const std::string slow = cache.build(oid, "sleep 1000", 0.2).failure;
  EXPECT_TRUE(contains(slow, "(timed out after 0.2 s"));
  BuildRequest absent{oid, BuildCommand{{"no-such-program-anywhere"}}, "machine", 0};
  const Checkout checkout = cache.build(absent, cache.tools());
  EXPECT_EQ(checkout.failure.rfind("does not build (could not be started: ", 0), 0u)
      << checkout.failure;
  EXPECT_EQ(checkout.built, "the build `no-such-program-anywhere`");
}

TEST_F(BuildCache, DistinguishesCommitsFromMachinesAsReason) {
  for (const char* told : {"no rule to make this", "Killed", "no space left"}) {
    EXPECT_FALSE(cache.build(oid, "echo '" + std::string(told) + "' >&2; exit 3").starved) << told;
  }
  EXPECT_FALSE(cache.build(oid, "kill -SEGV $$").starved);
  const auto remedy = [&](const std::string& script) {
    const Checkout checkout = cache.build(oid, script);
    EXPECT_TRUE(checkout.starved) << script;
    return checkout.remedy;
  };
  EXPECT_TRUE(contains(remedy("kill -KILL $$"), "more memory"));
  EXPECT_TRUE(
      contains(remedy("echo 'cc1plus: out of memory: Cannot allocate memory'; exit 1"), "memory"));
  for (const std::string said :
       {"gmake[2]: *** [Makefile:2: all] Killed", "pkg/x: /usr/lib/go/compile: signal: killed",
        "clang: error: unable to execute command: Killed",
        "collect2: fatal error: ld terminated with signal 9 [Killed]",
        "error: could not compile `x`\n  (signal: 9, SIGKILL: kill)"}) {
    EXPECT_TRUE(contains(remedy("echo '" + said + "' >&2; exit 1"), "memory")) << said;
  }
  EXPECT_TRUE(contains(remedy("cat /dev/zero >/dev/full"), "free space on the disk"));
  for (const std::string said :
       {"fatal: unable to access: Could not resolve host: github.com",
        "CMake Error at x.cmake:39 (message):\n  Failed to clone repository: https://github.com",
        "ERROR: Could not find a version that satisfies the requirement x (from versions: none)"}) {
    EXPECT_TRUE(contains(remedy("echo '" + said + "' >&2; exit 1"), "network access")) << said;
  }
}

TEST_F(BuildCache, RestartsInterruptedBuilds) {
  Checkout checkout = cache.build(oid, "touch product");
  checkout.hold.reset();
  fs::remove(checkout.directory.parent_path() / "complete");
  test::write_file(checkout.directory / "half", "half a build");
  checkout = cache.build(oid, "touch product");
  EXPECT_EQ(checkout.failure, "");
  EXPECT_FALSE(fs::exists(checkout.directory / "half"));
  EXPECT_TRUE(fs::exists(checkout.directory / "product"));
}

TEST_F(BuildCache, PutsBackWhatWorkloadsChanged) {
  cache.scratch.write("kept", "1");
  oid = cache.scratch.commit("source", "one");
  // The build itself may change tracked files, and leave others.
  const std::string script =
      "echo generated > source; mkdir made; echo 1 > made/data; ln -s kept link; " +
      cache.counting();
  const fs::path tree = cache.build(oid, script).directory;
  const auto listing = [&] {
    std::string text;
    for (const char* name : {"kept", "source", "made/data", "link"}) {
      text += std::string(name) + ' ' + content_of(tree / name) + ' ' +
              std::to_string(built_file_at(tree / name).value_or(BuiltFile()).modified) + '\n';
    }
    return text + std::to_string(built_file_at(tree / "made")->modified);
  };
  const auto list = [&] { return built_file_at(tree.parent_path() / kBuiltFiles)->modified; };
  const std::string built = listing();
  const std::int64_t ended = list();
  test::write_file(tree / "history.log", "a run\n");
  test::write_file(tree / "made" / "cache", "of a run\n");
  cache.build(oid, script);
  EXPECT_EQ(cache.counted(), "x\n") << "what was added is removed";
  EXPECT_FALSE(fs::exists(tree / "history.log") || fs::exists(tree / "made" / "cache"));
  EXPECT_EQ(listing(), built);

  const auto spoil = [&] {
    test::write_file(tree / "kept", "2");
    test::write_file(tree / "source", "generated again, by somebody else\n");
    test::write_file(tree / "made" / "data", "2\n");
    fs::remove(tree / "link");
    fs::create_symlink("source", tree / "link");
  };
  spoil();
  cache.build(oid, script);
  EXPECT_EQ(cache.counted(), "x\nx\n") << "there were no copies";
  EXPECT_EQ(cache.said.front(), "files of base v1 have changed since it was built");
  const std::string again = listing();
  spoil();
  fs::remove(tree / "made" / "data");
  cache.build(oid, script);
  EXPECT_EQ(cache.counted(), "x\nx\n");
  EXPECT_EQ(listing(), again);
  EXPECT_GT(list(), ended) << "it was built again";
  spoil();
  const std::int64_t ended_again = list();
  put_back(Checkout{tree, "", ""}, run_process());
  EXPECT_EQ(listing(), again) << "before a comparison";
  EXPECT_EQ(list(), ended_again);

  const std::string next = cache.scratch.commit("kept", "3");
  const fs::path other = cache.build(next, script).directory;
  test::write_file(other / "made" / "data", "2\n");
  cache.build(next, script);
  EXPECT_EQ(cache.counted(), "x\nx\nx\n") << "copies of what workloads of the clone change";
}

TEST_F(BuildCache, LeavesWhatPythonCompiledFromTheSource) {
  oid = cache.scratch.commit("m.py", "x = 1\n");
  const fs::path tree = cache.build(oid, "true").directory;
  const auto put = [&](const std::string& name, std::uint32_t flags, std::int64_t time) {
    std::array<std::uint32_t, 4> header{3495, flags, static_cast<std::uint32_t>(time), 6};
    fs::create_directory(tree / "__pycache__");
    test::write_file(tree / "__pycache__" / name,
                     std::string(reinterpret_cast<const char*>(header.data()), sizeof header));
  };
  const std::int64_t time = built_file_at(tree / "m.py")->modified / 1'000'000'000;
  put("m.cpython-311.pyc", 0, time);
  put("m.cpython-312.pyc", 0, time - 1);
  put("m.cpython-313.pyc", 1, time);
  put("other.cpython-311.pyc", 0, time);
  put("m.nbc", 0, time);
  cache.build(oid, "true");
  std::vector<std::string> left;
  for (const fs::directory_entry& entry : fs::directory_iterator(tree / "__pycache__")) {
    left.push_back(entry.path().filename().string());
  }
  EXPECT_EQ(left, std::vector<std::string>{"m.cpython-311.pyc"});
}

TEST(BuildKey, DependsOnVariablesAndToolsOfBuilds) {
  const BuildRequest request{std::string(40, 'a'), BuildCommand{{"make"}}, "m"};
  const std::string before = build_key(request);
  struct Case {
    const char *name, *value;
    bool counts;
  };
  for (const auto& [name, value, counts] : {Case{"CFLAGS", "-O1", true},
                                            {"RUSTFLAGS", "-C opt-level=0", true},
                                            {"GOFLAGS", "-tags=slow", true},
                                            {"CC", "gcc-11", true},
                                            {"C_INCLUDE_PATH", "/x", true},
                                            {"CARGO_PROFILE_RELEASE_OPT_LEVEL", "0", true},
                                            {"PYTHONPATH", "/x", true},
                                            {"CMAKE_BUILD_TYPE", "Debug", true},
                                            {"MAKEFLAGS", "-j8 SLOW=1", true},
                                            {"MAKEFLAGS", "w -j8 --jobserver-auth=3,4", false},
                                            {"CARGO_BUILD_JOBS", "8", false},
                                            {"CARGO_REGISTRY_TOKEN", "secret", false},
                                            {"CMAKE_BUILD_PARALLEL_LEVEL", "8", false},
                                            {"EDITOR", "vi", false}}) {
    const char* set = std::getenv(name);
    const std::optional<std::string> old =
        set != nullptr ? std::optional<std::string>(set) : std::nullopt;
    setenv(name, value, 1);
    EXPECT_EQ(build_key(request) != before, counts) << name << '=' << value;
    old ? setenv(name, old->c_str(), 1) : unsetenv(name);
  }
  const TemporaryFolder folder;
  const std::string path = std::getenv("PATH");
  setenv("PATH", (folder.path().string() + ":" + path).c_str(), 1);
  test::write_file(folder.path() / "mycc", "#!/bin/sh\n");
  EXPECT_EQ(build_key(request), before);
  test::write_file(folder.path() / "cc", "#!/bin/sh\nexec gcc -O2\n");
  const std::string wrapped = build_key(request);
  EXPECT_NE(wrapped, before);
  test::write_file(folder.path() / "cc", "#!/bin/sh\nexec gcc -O1\n");
  EXPECT_NE(build_key(request), wrapped);
  setenv("PATH", path.c_str(), 1);
  EXPECT_EQ(build_key(request), before);
}

TEST_F(BuildCache, BuildsAgainWhereTheUsersFilterHasChanged) {
  const fs::path filter = cache.scratch.beside("filter"), config = cache.scratch.beside("config");
  const auto set_filter = [&](const std::string& script) {
    test::write_file(filter, "#!/bin/sh\n" + script + '\n');
    fs::permissions(filter, fs::perms::owner_all);
  };
  cache.scratch.commit(".gitattributes", "source filter=mine\n");
  oid = cache.scratch.commit("source", "one\n");
  const char* set = std::getenv("GIT_CONFIG_GLOBAL");
  const std::string old = set != nullptr ? set : "";
  setenv("GIT_CONFIG_GLOBAL", config.c_str(), 1);
  test::write_file(config, "[filter \"mine\"]\n\tsmudge = " + filter.string() + " %f\n");
  const std::string script = cache.counting();
  set_filter("sed s/one/two/");
  EXPECT_EQ(content_of(cache.build(oid, script).directory / "source"), "two\n");
  cache.build(oid, script);
  EXPECT_EQ(cache.counted(), "x\n");
  set_filter("sed s/one/six/");
  EXPECT_EQ(content_of(cache.build(oid, script).directory / "source"), "six\n");
  EXPECT_EQ(cache.counted(), "x\nx\n");
  test::write_file(config, "");
  EXPECT_EQ(content_of(cache.build(oid, script).directory / "source"), "one\n");
  EXPECT_EQ(cache.counted(), "x\nx\nx\n");
  test::write_file(config, "[core]\n\tsymlinks = false\n");
  cache.build(oid, script);
  EXPECT_EQ(cache.counted(), "x\nx\nx\nx\n");

  // Two sides of one command ask git once, and again where a build may have changed a filter.
  int asked = 0;
  cache.run = [&asked](ProcessRequest request) {
    asked += std::ranges::count(request.command, "--show-scope");
    return run_process()(request);
  };
  std::string filters;
  BuildTools tools = cache.tools();
  tools.filters = &filters;
  const auto build = [&](const std::string& commit) {
    cache.build({commit, BuildCommand{{"sh", "-c", script}, 600}, "machine"}, tools);
  };
  build(oid);
  const int once = asked;
  build(oid);
  EXPECT_EQ(asked, once) << "known";
  const std::string next = cache.scratch.commit("source", "two\n");
  build(next);
  EXPECT_EQ(asked, once) << "as before the build";
  build(oid);
  EXPECT_GT(asked, once) << "something was built";
  set != nullptr ? setenv("GIT_CONFIG_GLOBAL", old.c_str(), 1) : unsetenv("GIT_CONFIG_GLOBAL");
}

TEST_F(TracedBuildCache, BuildsAgainWhereAFileThatTheBuildReadOutsideHasChanged) {
  const fs::path outside = cache.scratch.beside("outside");
  fs::create_directories(outside / "v1");
  fs::create_directories(outside / "v2");
  fs::create_directory_symlink("v1", outside / "inc");
  for (const char* name : {"v1/lib.h", "v2/lib.h", "\xc3\xbc \".h", "unread.h", "own"}) {
    test::write_file(outside / name, "1");
  }
  fs::copy_file("/bin/true", outside / "generator");
  const std::string script =
      "cd '" + outside.string() +
      "'; \"$PWD/generator\" 'a\\nb'; cat inc/lib.h \xc3\xbc*.h own; echo 2 > own; "
      "cat own; echo 1 > tool; "
      "chmod +x tool; cp tool new; mv new renamed; (sleep 1000 &) ; " +
      cache.counting();
  const auto is_built_again = [&] {
    const std::size_t before = cache.counted().size();
    EXPECT_EQ(cache.build(oid, script).failure, "");
    return cache.counted().size() != before;
  };
  EXPECT_TRUE(is_built_again());
  EXPECT_FALSE(is_built_again());
  test::write_file(outside / "unread.h", "2");
  test::write_file(outside / "own", "3");
  fs::last_write_time(outside / "v1/lib.h", fs::file_time_type::clock::now());
  EXPECT_FALSE(is_built_again()) << "neither other files, nor what it writes itself, nor a time";
  test::write_file(outside / "v1/lib.h", "2");
  EXPECT_TRUE(is_built_again()) << "a header";
  EXPECT_EQ(cache.said.front(), (outside / "inc/lib.h").string() +
                                    ", outside the checkout of base v1, has changed since it was "
                                    "built");
  fs::copy_file("/bin/echo", outside / "generator", fs::copy_options::overwrite_existing);
  EXPECT_TRUE(is_built_again()) << "a program";
  test::write_file(outside / "\xc3\xbc \".h", "2");
  EXPECT_TRUE(is_built_again()) << "a name of other bytes";
  fs::remove(outside / "inc");
  fs::create_directory_symlink("v2", outside / "inc");
  EXPECT_TRUE(is_built_again()) << "a link on the way";
  test::write_file(outside / "tool", "another build's");
  EXPECT_TRUE(is_built_again()) << "what it has installed";
  test::write_file(outside / "renamed", "another build's");
  EXPECT_TRUE(is_built_again()) << "the same by rename";
}

// A header in a folder that is searched earlier; a configuration of the user.
TEST_F(TracedBuildCache, BuildsAgainWhereAFileThatTheBuildMissedOutsideIsThere) {
  const fs::path missed = cache.scratch.beside("missed.h");
  const std::string own = "'" + cache.scratch.beside("own").string() + "'";
  const std::string script = "cat '" + missed.string() + "'; cat " + own + " || echo 1 > " + own +
                             "; f=$(mktemp); cat $f; rm $f; " + cache.counting();
  cache.build(oid, script);
  cache.build(oid, script);
  EXPECT_EQ(cache.counted(), "x\n") << "what it has made itself is no news";
  test::write_file(missed, "1");
  cache.build(oid, script);
  EXPECT_EQ(cache.counted(), "x\nx\n");
  EXPECT_TRUE(cache.said.front().starts_with(missed.string())) << cache.said.front();
}

TEST_F(TracedBuildCache, BuildsAgainWhereAFolderThatItListedOrAPathThatItAskedForIsAnother) {
  const fs::path outside = cache.scratch.beside("outside");
  for (const char* name : {"listed/a", "asked/a", "made/a"}) {
    fs::create_directories(outside / name);
  }
  fs::create_symlink("v1", outside / "link");
  const std::string script = "cd '" + outside.string() +
                             "'; ls listed; ls made; mkdir -p made/b; "
                             "[ -d asked ] && [ -e flag ]; readlink \"$PWD/link\"; " +
                             cache.counting();
  const auto builds = [&] {
    cache.build(oid, script);
    return cache.counted().size() / 2;
  };
  builds();
  EXPECT_EQ(builds(), 1u);
  fs::create_directory(outside / "asked/b");
  fs::create_directory(outside / "made/c");
  EXPECT_EQ(builds(), 1u) << "not listed, or changed by the build itself";
  test::write_file(outside / "listed/b", "1");
  EXPECT_EQ(builds(), 2u);
  EXPECT_EQ(builds(), 2u);
  test::write_file(outside / "flag", "1");
  EXPECT_EQ(builds(), 3u);
  EXPECT_EQ(builds(), 3u);
  fs::remove_all(outside / "asked");
  EXPECT_EQ(builds(), 4u);
  fs::remove(outside / "link");
  fs::create_symlink("v2", outside / "link");
  EXPECT_EQ(builds(), 5u);
}

TEST_F(TracedBuildCache, BuildsAgainWhereAVariableThatItsScriptsNameDiffers) {
  cache.scratch.write("read.py", "os.environ.get('by_name'); plain\n");
  cache.scratch.commit("read.mk", "BUILD_MODE ?= release\nX = $(of_make)\n");
  oid = cache.scratch.commit("unread.mk", "OTHER_MODE ?= release\n");
  const std::string script = "cat read.mk read.py; echo $OF_COMMAND -O$O; " + cache.counting();
  const auto builds_again = [&](const char* name) {
    cache.build(oid, script);
    const std::size_t before = cache.counted().size();
    setenv(name, "debug", 1);
    cache.build(oid, script);
    unsetenv(name);
    return cache.counted().size() != before;
  };
  EXPECT_TRUE(builds_again("BUILD_MODE"));
  EXPECT_TRUE(builds_again("OF_COMMAND"));
  EXPECT_TRUE(builds_again("O"));
  EXPECT_TRUE(builds_again("of_make"));
  EXPECT_TRUE(builds_again("by_name"));
  EXPECT_FALSE(builds_again("plain")) << "any word";
  EXPECT_FALSE(builds_again("OTHER_MODE")) << "the build does not read its file";
  EXPECT_FALSE(builds_again("MODE")) << "a part of a name";
}

TEST_F(BuildCache, KnowsTheVariablesOfABuildThatCannotBeTraced) {
  cache.run = [](const ProcessRequest& request) {
    ProcessResult result;
    result.spawn_error = "there is no strace";
    return request.command.front() == "strace" ? result : run_process()(request);
  };
  oid = cache.scratch.commit("any.mk", "BUILD_MODE ?= release\n");
  for (const auto& [mode, builds] : {std::pair{"debug", 1}, {"debug", 1}, {"release", 2}}) {
    setenv("BUILD_MODE", mode, 1);
    EXPECT_EQ(cache.build(oid, cache.counting()).failure, "");
    EXPECT_EQ(cache.counted().size(), 2u * builds) << mode;
  }
  unsetenv("BUILD_MODE");
}

TEST_F(TracedBuildCache, RefusesABuildOfTheWorkingTree) {
  cache.scratch.write("untracked", "1");
  const std::string tree = cache.scratch.path().string();
  EXPECT_EQ(cache.build(oid, "cat source '" + tree + "/untracked'").failure, "");
  const Checkout foreign = cache.build(oid, "cat '" + tree + "/source'");
  EXPECT_EQ(foreign.failure, "builds the working tree, not the commit");
  EXPECT_EQ(foreign.excerpt, std::vector{"the build reads " + tree + "/source"});
}

TEST_F(BuildCache, KnowsWhatChangedSinceTheBuild) {
  const Checkout checkout = cache.build(oid, "echo 1 > product");
  EXPECT_EQ(changed_since_build(checkout), std::set<std::string>());
  test::write_file(checkout.directory / "log", "1");
  test::write_file(checkout.directory / "product", "other");
  EXPECT_EQ(changed_since_build(checkout), std::set<std::string>{"product"});
  fs::remove(checkout.directory / "source");
  EXPECT_EQ(changed_since_build(checkout), (std::set<std::string>{"product", "source"}));
}

TEST_F(BuildCache, BuildsAgainWhereTheCloneThatItBorrowedFromIsGone) {
  const fs::path clone = cache.scratch.beside("clone");
  cache.scratch.git({"clone", "--quiet", cache.scratch.path().string(), clone.string()});
  const BuildRequest request{oid, BuildCommand{{"touch", "product"}}, "machine", 0};
  build_revision(Repository::open(clone, run_process()), "base", request, cache.folder,
                 cache.tools());
  fs::remove_all(clone);
  const Checkout checkout = cache.build(request, cache.tools());
  EXPECT_EQ(checkout.failure, "");
  EXPECT_EQ(content_of(checkout.directory / "source"), "one");
  EXPECT_NE(std::find(cache.said.begin(), cache.said.end(), "the checkout of base v1 is damaged"),
            cache.said.end());
}

TEST_F(BuildCache, RemovesReadOnlyFoldersOfAnOldBuild) {
  cache.build(oid, "mkdir -p deep/er; touch deep/er/file; chmod -R a-w deep; exit 1");
  const Checkout checkout =
      cache.build(oid, "mkdir -p deep/er; touch deep/er/file; chmod -R a-w deep; exit 1");
  EXPECT_TRUE(contains(checkout.failure, "exit status 1"));
}

TEST_F(BuildCache, LetsASecondRunWaitUntilTheFirstIsDone) {
  Checkout first = cache.build(oid, "true");
  BuildTools tools = cache.tools();
  tools.interrupted = [&] {
    first.hold.reset();
    return false;
  };
  const BuildRequest request{oid, BuildCommand{{"sh", "-c", "true"}}, "machine", 0};
  const Checkout second = cache.build(request, tools);
  EXPECT_EQ(second.failure, "");
  EXPECT_EQ(cache.said.at(1), "waiting for another run that uses base v1");
  tools.interrupted = [] { return true; };
  EXPECT_EQ(cache.build(request, tools).failure, "interrupted");
}

TEST_F(BuildCache, DistinguishesInterruptionsFromFailures) {
  const BuildRequest request{oid, BuildCommand{{"false"}}, "machine", 0};
  BuildTools tools = cache.tools();
  bool interrupted = false;
  tools.interrupted = [&] { return interrupted; };
  const auto built = [&] { return cache.build(request, tools); };
  EXPECT_FALSE(built().interrupted);
  tools.run = [&](const ProcessRequest& process) {  // a signal ends it
    interrupted = true;
    return run_process()(process);
  };
  const Checkout during = built();
  EXPECT_TRUE(during.interrupted);
  EXPECT_EQ(during.failure, "interrupted");
  EXPECT_TRUE(built().interrupted) << "before it began";
}

TEST_F(BuildCache, SurvivesInterruptions) {
  cache.build(oid, cache.counting());
  bool interrupted = true;
  BuildTools tools = cache.tools();
  tools.interrupted = [&] { return interrupted; };
  // The signal ends the git that looks at the checkout, too.
  const RunProcess ended = [](const ProcessRequest& process) {
    ProcessResult result = run_process()(process);
    if (std::find(process.command.begin(), process.command.end(), "--name-only") !=
        process.command.end()) {
      result.exit_code.reset();
      result.signal = SIGKILL;
    }
    return result;
  };
  const BuildRequest request{oid, BuildCommand{{"sh", "-c", cache.counting()}}, "machine", 0};
  cache.said.clear();
  EXPECT_TRUE(build_revision(Repository::open(cache.scratch.path(), ended), "base v1", request,
                             cache.folder, tools)
                  .interrupted);
  EXPECT_EQ(cache.said, std::vector<std::string>{});
  cache.build(oid, cache.counting());
  EXPECT_EQ(cache.counted(), "x\n");

  interrupted = false;  // until after the build
  const RunProcess ended_late = [&](const ProcessRequest& process) {
    const ProcessResult result = ended(process);
    interrupted = interrupted || result.signal.has_value();
    return result;
  };
  const BuildRequest other{oid, BuildCommand{{"true"}}, "machine", 0};
  EXPECT_TRUE(build_revision(Repository::open(cache.scratch.path(), ended_late), "base v1", other,
                             cache.folder, tools)
                  .interrupted);

  interrupted = false;  // until the files of a build that is there are listed
  const RunProcess ended_listing = [&](const ProcessRequest& process) {
    ProcessResult result = run_process()(process);
    if (std::ranges::find(process.command, "ls-files") != process.command.end()) {
      interrupted = true;
      result.exit_code.reset();
      result.signal = SIGKILL;
    }
    return result;
  };
  EXPECT_TRUE(build_revision(Repository::open(cache.scratch.path(), ended_listing), "base v1",
                             request, cache.folder, tools)
                  .interrupted);
}

TEST_F(BuildCache, NamesTheLogOfAFailure) {
  const Checkout checkout = cache.build(oid, "exit 3");
  EXPECT_EQ(failure_line(checkout), "does not build (exit status 3); see " + checkout.log.string());
  EXPECT_EQ(failure_lines("base", checkout),
            "base does not build (exit status 3)\nsee " + checkout.log.string() +
                ", of the build `sh -c exit 3` in " + checkout.directory.string());
  const Checkout absent = cache.build(std::string(40, '1'), "true");
  EXPECT_TRUE(contains(failure_line(absent), "; see " + absent.log.string()));
}

TEST_F(BuildCache, NamesIgnoredFilesThatABuildLacks) {
  cache.scratch.write(".gitignore", "data/\n");
  oid = cache.scratch.commit("source", "one");
  cache.scratch.write("data/model.bin", "weights");
  EXPECT_EQ(cache.build(oid, "cat data/model.bin").remedy,
            "the working tree has data/model.bin, but git ignores it: commit it (git-lfs for large "
            "files), or let the build fetch it");
  EXPECT_EQ(cache.build(oid, "cat data/other.bin").remedy, "");
}

TEST_F(BuildCache, RunsNoHooksAndFollowsNoLinksOut) {
  const fs::path touched = cache.scratch.beside("touched"),
                 outside = cache.scratch.beside("outside");
  fs::create_directory(outside);
  // What a checked-out tree can try: hooks and attributes of its own, links where we write.
  for (const char* name : {"post-checkout", "monitor", "filter"}) {
    cache.scratch.write(std::string("hooks/") + name,
                        "#!/bin/sh\ntouch '" + touched.string() + "'\ncat\n");
    fs::permissions(cache.scratch.path() / "hooks" / name, fs::perms::owner_all);
  }
  cache.scratch.write(".gitattributes", "* filter=trap\n");
  cache.scratch.write(".gitconfig", "[core]\n\thooksPath = hooks\n\tfsmonitor = hooks/monitor\n");
  cache.scratch.write(".gitmodules", "[submodule \"s\"]\n\tpath = s\n\turl = ext::touch\n");
  for (const char* name : {"build.log", "complete", "tree", "build"}) {
    fs::create_directory_symlink(outside, cache.scratch.path() / name);
  }
  oid = cache.scratch.commit("source", "one");
  // Drivers and hooks of this repository alone are not those of all of the user's.
  cache.scratch.git({"config", "filter.trap.smudge", "hooks/filter"});
  cache.scratch.git({"config", "core.hooksPath", "hooks"});
  // Users who keep hooks in each repository have told git so for all of them.
  const fs::path settings = cache.scratch.beside("gitconfig");
  test::write_file(settings, "[core]\n\thooksPath = hooks\n\tfsmonitor = hooks/monitor\n");
  setenv("GIT_CONFIG_GLOBAL", settings.c_str(), 1);
  cache.build(oid, "true");
  const Checkout checkout = cache.build(oid, "true");
  setenv("GIT_CONFIG_GLOBAL", "/dev/null", 1);
  EXPECT_EQ(checkout.failure, "");
  EXPECT_TRUE(fs::is_symlink(checkout.directory / "build"));
  EXPECT_FALSE(fs::exists(touched));
  EXPECT_TRUE(fs::is_empty(outside));
}

TEST_F(BuildCache, SaysThatFilesOfGitLfsAreMissing) {
  cache.scratch.write(".gitattributes", "*.bin filter=lfs\n");
  oid = cache.scratch.commit("model.bin", "version 1");
  const fs::path settings = cache.scratch.beside("gitconfig");
  test::write_file(settings, "[filter \"lfs\"]\n\tsmudge = false\n\trequired = true\n");
  setenv("GIT_CONFIG_GLOBAL", settings.c_str(), 1);
  const Checkout checkout = cache.build(oid, "true");
  setenv("GIT_CONFIG_GLOBAL", "/dev/null", 1);
  EXPECT_EQ(checkout.failure, "cannot be checked out");
  EXPECT_TRUE(
      contains(checkout.excerpt.at(0), "pointers instead of git-lfs files (fatal: model.bin: "))
      << checkout.excerpt[0];
  EXPECT_TRUE(contains(checkout.remedy, "lfs fetch origin " + oid));
}

TEST_F(BuildCache, LeavesTheUsersRepositoryAlone) {
  oid = cache.scratch.commit("source", "two");
  const auto listing = [&] {
    std::vector<std::string> files;
    for (const fs::directory_entry& entry :
         fs::recursive_directory_iterator(cache.scratch.path())) {
      files.push_back(entry.path().string() +
                      (entry.is_regular_file() ? content_of(entry.path()) : ""));
    }
    std::sort(files.begin(), files.end());
    return files;
  };
  const std::vector<std::string> before = listing();
  cache.build(oid, "touch product");
  EXPECT_EQ(listing(), before);
}

TEST_F(BuildCache, BorrowsFromShallowPartialAndLinkedRepositories) {
  const std::string second = cache.scratch.commit("source", "two");
  cache.scratch.git({"config", "uploadpack.allowFilter", "true"});
  cache.scratch.git({"config", "uploadpack.allowAnySHA1InWant", "true"});
  const std::string url = "file://" + cache.scratch.path().string();
  const fs::path shallow = cache.scratch.beside("shallow"),
                 partial = cache.scratch.beside("partial"), linked = cache.scratch.beside("linked");
  cache.scratch.git({"clone", "--quiet", "--depth", "1", url, shallow.string()});
  cache.scratch.git({"clone", "--quiet", "--filter=blob:none", url, partial.string()});
  cache.scratch.git({"worktree", "add", "--quiet", linked.string()});
  const auto built = [&](const fs::path& where, const std::string& revision) {
    const BuildRequest request{revision, std::nullopt, where.string(), 0};
    const Checkout checkout = build_revision(Repository::open(where, run_process()), "base",
                                             request, cache.folder, cache.tools());
    EXPECT_EQ(checkout.failure, "") << where;
    return content_of(checkout.directory / "source");
  };
  EXPECT_EQ(built(shallow, second), "two");
  EXPECT_EQ(built(partial, second), "two");
  EXPECT_EQ(built(partial, oid), "one") << "git fetches what the partial clone lacks";
  EXPECT_EQ(built(linked, oid), "one");
  EXPECT_EQ(Repository::open(partial, run_process()).read_file(oid, "source"), "one");
}

TEST_F(BuildCache, ReportsAFailedCheckout) {
  const Checkout checkout = cache.build(std::string(40, '1'), "true");
  EXPECT_EQ(checkout.failure, "cannot be checked out");
  ASSERT_EQ(checkout.excerpt.size(), 1u);
  EXPECT_EQ(checkout.excerpt[0].rfind("this clone lacks objects of 111111111111", 0), 0u)
      << checkout.excerpt[0];
  EXPECT_EQ(checkout.remedy.rfind("git -C " + cache.scratch.path().string(), 0), 0u);
  EXPECT_TRUE(contains(checkout.remedy, " fetch URL " + std::string(40, '1')));
}

TEST_F(BuildCache, HintsHowToFetchMissingObjects) {
  const std::string blob = cache.scratch.git({"rev-parse", oid + ":source"});
  fs::remove(cache.scratch.path() / ".git" / "objects" / blob.substr(0, 2) / blob.substr(2));
  const Checkout checkout = cache.build(oid, "true");
  EXPECT_EQ(checkout.failure, "cannot be checked out");
  ASSERT_EQ(checkout.excerpt.size(), 1u);
  EXPECT_EQ(checkout.excerpt[0].rfind("this clone lacks objects of " + oid, 0), 0u);
  EXPECT_TRUE(contains(checkout.excerpt[0], blob));
  EXPECT_TRUE(contains(checkout.remedy, " fetch --refetch URL " + oid));
}

TEST_F(BuildCache, ReportsALongCommandOnceAndCut) {
  std::string said_command;
  BuildTools tools = cache.tools();
  tools.reported_command = &said_command;
  for (const char* name : {"one", "two"}) {
    const BuildRequest request{cache.scratch.commit("name", name),
                               BuildCommand{{"sh", "-c", ": " + std::string(300, 'x')}}, "m", 0};
    build_revision(cache.repository(), name, request, cache.folder, tools);
  }
  ASSERT_EQ(cache.said.size(), 2u);
  EXPECT_EQ(cache.said[0].rfind("building one: sh -c : xxx", 0), 0u) << cache.said[0];
  EXPECT_EQ(cache.said[0].substr(cache.said[0].size() - 4), "x...") << cache.said[0];
  EXPECT_EQ(cache.said[1], "building two");
}

TEST_F(BuildCache, NeedsAWritableFolder) {
  test::write_file(cache.folder, "a file");
  EXPECT_EQ(error_of([&] { cache.build(oid, "true"); }).what, "cannot create the build cache");
}

TEST(PruneBuilds, KeepsTheNewestAndTheHeld) {
  Cache cache;
  std::vector<Checkout> checkouts;
  for (int i = 0; i < 5; ++i) {
    const std::string oid = cache.scratch.commit("source", std::to_string(i));
    checkouts.push_back(cache.build(oid, "true"));
    fs::last_write_time(checkouts.back().directory.parent_path() / "complete",
                        fs::file_time_type::clock::now() - std::chrono::hours(10 - i));
  }
  test::write_file(cache.folder / "somebody-elses", "file");
  EXPECT_EQ(prune_builds(cache.folder, cache.clone(), 2), 0u) << "all are held";
  for (int i : {1, 2, 3, 4}) {
    checkouts[static_cast<std::size_t>(i)].hold.reset();
  }
  EXPECT_EQ(prune_builds(cache.folder, cache.clone(), 2), 2u);
  const std::vector<bool> kept{true, false, false, true, true};
  for (std::size_t i = 0; i < 5; ++i) {
    EXPECT_EQ(fs::exists(checkouts[i].directory), kept[i]) << i;
  }
  EXPECT_TRUE(fs::exists(cache.folder / "somebody-elses"));
  EXPECT_EQ(prune_builds(cache.scratch.beside("nowhere"), {}, 2), 0u);
}

TEST(PruneBuilds, LeavesTheBuildsOfOtherClonesAlone) {
  Cache cache, other;
  other.folder = cache.folder;
  std::vector<fs::path> own, others;
  for (int i = 0; i < 2; ++i) {
    const std::string number = std::to_string(i);
    own.push_back(cache.build(cache.scratch.commit("source", "own " + number), "true")
                      .directory.parent_path());
    others.push_back(other.build(other.scratch.commit("source", "other " + number), "true")
                         .directory.parent_path());
  }
  EXPECT_EQ(prune_builds(cache.folder, cache.clone(), 1), 1u);
  EXPECT_TRUE(fs::exists(others[0]) && fs::exists(others[1]));
  fs::rename(other.scratch.path(), other.scratch.beside("gone"));
  EXPECT_EQ(prune_builds(cache.folder, cache.clone(), 1), 0u);
  EXPECT_FALSE(fs::exists(others[0]) || fs::exists(others[1])) << "nobody could complete them";
}

TEST(PruneBuilds, AgesBuildsWithFutureTimes) {
  Cache cache;
  std::vector<fs::path> builds;
  for (int i = 0; i < 2; ++i) {
    const std::string oid = cache.scratch.commit("source", std::to_string(i));
    builds.push_back(cache.build(oid, "true").directory.parent_path());
  }
  const auto set_back = [](const fs::path& build, int hours) {
    fs::last_write_time(build / "complete",
                        fs::file_time_type::clock::now() - std::chrono::hours(hours));
  };
  set_back(builds[0], -24 * 365 * 10);
  set_back(builds[1], -24);
  EXPECT_EQ(prune_builds(cache.folder, cache.clone(), 2), 0u);
  set_back(builds[1], 0);
  EXPECT_EQ(prune_builds(cache.folder, cache.clone(), 1), 1u);
  EXPECT_TRUE(fs::exists(builds[1])) << "used after the clock was set right";
}

TEST(PruneBuilds, RemovesFilesOfAKilledRun) {
  Cache cache;
  const auto put = [&](const std::string& name) {
    fs::create_directories(cache.folder / name / "build" / "tree");
    return cache.folder / name;
  };
  const fs::path left = put("perf-compare-tmp-aB3xYz");
  const std::string key = "0123456789abcdef-0123456789abcde";
  const fs::path idle = cache.folder / (key + "0.lock");
  test::write_file(idle, "");
  const BuildLock in_use_before_its_folder = try_lock(cache.folder / (key + "1.lock"));
  const std::vector<fs::path> others{put("perf-compare-master"), put("perf-compare-tmp-"),
                                     put("perf-compare-tmp-aB3xYz2"), put("other-tmp-aB3xYz")};
  const TemporaryFolder in_use(cache.folder);
  EXPECT_EQ(prune_builds(cache.folder, {}), 0u);
  EXPECT_FALSE(fs::exists(left));
  EXPECT_FALSE(fs::exists(idle));
  EXPECT_TRUE(fs::exists(in_use.path()));
  EXPECT_TRUE(fs::exists(cache.folder / (key + "1.lock")));
  for (const fs::path& other : others) {
    EXPECT_TRUE(fs::exists(other)) << other;
  }
}

}  // namespace
}  // namespace perf
