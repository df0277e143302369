// `perf-compare init` in repositories of other people, and what its config then does.

#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <nlohmann/json.hpp>

#include "schema/config.h"
#include "schema/files/content.h"
#include "tests/ci/claimed_history.h"
#include "tests/ci/scratch_repository.h"
#include "tests/contains.h"

namespace perf::test {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

Config config_of(const ScratchRepository& repository) {
  return read_config(content_of(repository.path() / "perf-compare.json"), "perf-compare.json");
}

/// Compares what was committed last with the commit before, which had no config.
Json compare(const ScratchRepository& repository, int exit_code) {
  const Outcome outcome =
      repository.perf_compare({"HEAD~1", "HEAD", "--json", "-", "--pairs", "16"});
  EXPECT_EQ(outcome.exit_code, exit_code) << outcome.err << outcome.out;
  return outcome.out.empty() ? Json() : Json::parse(outcome.out);
}

TEST(Init, FindsAGoogleBenchmarkOfCMake) {
  ScratchRepository repository;
  repository.write("CMakeLists.txt", R"(cmake_minimum_required(VERSION 3.10)
project(sums CXX)
find_package(benchmark REQUIRED)
add_executable(sums_bench bench.cpp)
target_link_libraries(sums_bench PRIVATE benchmark::benchmark)
)");
  const auto bench = [](int count) {
    return "#include <benchmark/benchmark.h>\n"
           "static void BM_sum(benchmark::State& state) {\n"
           "  for (auto _ : state) {\n    double sum = 0;\n"
           "    for (int i = 0; i < " +
           std::to_string(count) +
           "; ++i) benchmark::DoNotOptimize(sum += i);\n  }\n}\n"
           "BENCHMARK(BM_sum);\nBENCHMARK_MAIN();\n";
  };
  repository.write("bench.cpp", bench(10000));
  repository.commit("Sum");
  const Outcome outcome = repository.perf_compare({"init"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_TRUE(contains_all(outcome.out, {"found Google Benchmark: target sums_bench",
                                         "\n  perf-compare init --try --force    # or this: ",
                                         "perf-compare selftest"}));
  repository.write("bench.cpp", bench(30000));
  repository.commit("Sum more, and say how to measure it");
  const Json report = compare(repository, 1);
  EXPECT_EQ(row(report, "sums_bench")["verdict"], "regressed");
}

TEST(Init, FindsCommandsOfHyperfine) {
  ScratchRepository repository;
  repository.write("work.sh", "i=0\nwhile [ $i -lt 3000 ]; do i=$((i+1)); done\n");
  repository.write("bench.sh", "hyperfine --warmup 2 'sh work.sh'\n");
  repository.commit("Work");
  ASSERT_EQ(repository.perf_compare({"init"}).exit_code, 0);
  repository.write("work.sh", "i=0\nwhile [ $i -lt 60000 ]; do i=$((i+1)); done\n");
  repository.commit("Work more");
  EXPECT_EQ(row(compare(repository, 1), "work.sh")["verdict"], "regressed");
}

TEST(Init, TimesAPythonProgramWithoutPackages) {
  ScratchRepository repository;
  repository.write("main.py", "sum(range(1000))\n");
  repository.commit("Sum");
  const Outcome outcome = repository.perf_compare({"init"});
  ASSERT_EQ(outcome.exit_code, 0);
  EXPECT_EQ(outcome.out.find("Wrote perf-compare.json: 1 workload, a whole program, because no "),
            0u)
      << outcome.out;
  EXPECT_TRUE(
      contains(outcome.out, "read perf-compare.json, and try its command in a fresh clone\n"));
  EXPECT_FALSE(config_of(repository).build);
  repository.write("main.py", "for _ in range(150): sum(range(200000))\n");
  repository.commit(
      "Sum more");  // much more: on a busy machine Python's start alone varies by 0.3 s
  EXPECT_EQ(row(compare(repository, 1), "main")["verdict"], "regressed");
}

// An example that is kept is a gate that never fails.
TEST(Init, AsksToReplaceAnExample) {
  ScratchRepository repository;
  repository.commit("Begin");
  const Outcome outcome = repository.perf_compare({"init"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_EQ(outcome.out.find("Wrote perf-compare.json: an example to replace"), 0u) << outcome.out;
  EXPECT_TRUE(contains(outcome.out, "Next:\n  replace the example in perf-compare.json: "));
}

// Who has no config is sent here.
TEST(Init, IsSuggestedByAComparisonWithoutConfig) {
  ScratchRepository repository;
  repository.write("main.py", "sum(range(1000))\n");
  repository.commit("Sum");
  EXPECT_TRUE(ended(repository.perf_compare({}), 2, {"\nhint: perf-compare init"}));
}

// A mistyped command is taken for a revision; whatever is wrong then, the hint has the command.
TEST(Init, SuggestsTheMistypedCommand) {
  ScratchRepository repository;
  repository.commit("Begin");
  for (const auto& [word, hint] :
       {std::pair{"lsit", "perf-compare list, if you meant this command\n      "},
        {"help", "perf-compare --help, if you want help\n      "}}) {
    EXPECT_TRUE(ended(repository.perf_compare({word}), 2, {hint}));
  }
  repository.write("main.py", "sum(range(1000))\n");
  ASSERT_EQ(repository.perf_compare({"init"}).exit_code, 0);
  const Outcome unknown = repository.perf_compare({"lsit"});
  EXPECT_TRUE(contains(unknown.err, "no such revision: lsit\nhint: perf-compare list, if"));
  repository.commit("Sum");
  repository.git({"branch", "lsit"});
  EXPECT_EQ(
      repository.perf_compare({"lsit", "HEAD", "--metric", "step_time", "--pairs", "11"}).exit_code,
      0)
      << "a branch may be called so";
}

TEST(Init, OverwritesOnlyWithForce) {
  ScratchRepository repository;
  repository.write("perf-compare.json", "mine");
  EXPECT_TRUE(ended(repository.perf_compare({"init"}), 2, {"--force"}));
  EXPECT_EQ(content_of(repository.path() / "perf-compare.json"), "mine");
  EXPECT_EQ(repository.perf_compare({"init", "--config", "other.json"}).exit_code, 0);
  EXPECT_TRUE(fs::exists(repository.path() / "other.json"));
  EXPECT_EQ(content_of(repository.path() / "perf-compare.json"), "mine");
  const Outcome forced = repository.perf_compare({"init", "--force", "-q"});
  EXPECT_EQ(forced.exit_code, 0) << forced.err;
  EXPECT_EQ(forced.out + forced.err, "");
  EXPECT_EQ(config_of(repository).workloads.size(), 1u);
}

TEST(Init, RefusesInvalidPaths) {
  ScratchRepository repository;
  EXPECT_EQ(repository.perf_compare({"init", "--config", "no/such.json"}).exit_code, 2);
  fs::create_directory(repository.path() / "folder");
  EXPECT_EQ(repository.perf_compare({"init", "--force", "--config", "folder"}).exit_code, 2);
  fs::create_symlink("/nowhere/at/all", repository.path() / "perf-compare.json");
  EXPECT_EQ(repository.perf_compare({"init"}).exit_code, 2) << "a link is a file as well";
  const TemporaryFolder empty;
  EXPECT_EQ(repository.perf_compare({"init", "-C", empty.path().string()}).exit_code, 2);
  fs::create_directory_symlink(empty.path(), repository.path() / "out");
  EXPECT_EQ(repository.perf_compare({"init", "--outside", "out/new"}).exit_code, 2);
  EXPECT_TRUE(fs::is_empty(empty.path())) << "it makes no folder through a link";
}

TEST(Init, DryRunOnlyPrints) {
  ScratchRepository repository;
  repository.write("Makefile", "bench:\n\techo hello\n");
  const Outcome outcome = repository.perf_compare({"init", "--dry-run"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_FALSE(fs::exists(repository.path() / "perf-compare.json"));
  const Config config = read_config(outcome.out, "standard output");
  EXPECT_EQ(config.workloads[0].workload.name, "bench");
}

std::string google_benchmark(const std::string& work) {
  return "#include <benchmark/benchmark.h>\n#include <cstdlib>\n"
         "static void BM_work(benchmark::State& state) {\n"
         "  for (auto _ : state) { " +
         work + " }\n}\nBENCHMARK(BM_work);\nBENCHMARK_MAIN();\n";
}

// One works, one does not link, one ends badly; the config that is left says so, and runs.
TEST(Init, LeavesOutBenchmarksThatDoNotWork) {
  ScratchRepository repository;
  repository.write("CMakeLists.txt", R"(cmake_minimum_required(VERSION 3.10)
project(press CXX)
option(PRESS_DEVELOPER_MODE "For developers" OFF)
option(WITH_BENCHMARK_APPS "Whole applications" OFF)
if(NOT PRESS_DEVELOPER_MODE)
  return()
endif()
find_package(benchmark REQUIRED)
link_libraries(benchmark::benchmark)
add_executable(good good.cpp)
if(WITH_BENCHMARK_APPS)
  add_executable(apps good.cpp)
  target_link_libraries(apps no_such_library)
endif()
add_executable(crashes crashes.cpp)
)");
  repository.write("good.cpp", google_benchmark("benchmark::DoNotOptimize(std::rand());"));
  repository.write("crashes.cpp", google_benchmark("std::exit(7);"));
  repository.commit("Begin");
  const Outcome outcome = repository.perf_compare({"init", "--try"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_EQ(outcome.out.find("Wrote perf-compare.json: 1 workload that worked\n"), 0u)
      << outcome.out;
  EXPECT_TRUE(contains(outcome.err, "good works, took "));
  const Config config = config_of(repository);
  ASSERT_EQ(config.workloads.size(), 1u);
  EXPECT_EQ(config.workloads[0].workload.name, "good");
  EXPECT_EQ(config.build->command[2],
            "cmake -S . -B build -DCMAKE_BUILD_TYPE=Release -DPRESS_DEVELOPER_MODE=ON && "
            "cmake --build build --parallel 2 --target good");
  std::string written = content_of(repository.path() / "perf-compare.json");
  EXPECT_TRUE(contains(written, "// Tried, and left out: apps: does not build (exit status "));
  EXPECT_TRUE(contains(written, "// Tried, and left out: crashes: exit status 7"));
  EXPECT_TRUE(contains_all(outcome.err, {"crashes left out: exit status 7",
                                         "apps left out: does not build", "no_such_library"}));
  EXPECT_TRUE(
      ended(repository.perf_compare({"HEAD", "HEAD", "--pairs", "16"}), 0, {"is already built"}));
}

TEST(Init, BuildsAPythonExtension) {
  ScratchRepository repository;
  repository.write("setup.py",
                   "from setuptools import setup, Extension\n"
                   "setup(name='pack', packages=['pack'],\n"
                   "      ext_modules=[Extension('pack.core', ['pack/core.c'])])\n");
  repository.write("pack/__init__.py", "from .core import answer\n");
  repository.write("pack/core.c", R"(#include <Python.h>
static PyObject* answer(PyObject* self, PyObject* none) { return PyLong_FromLong(42); }
static PyMethodDef methods[] = {{"answer", answer, METH_NOARGS, ""}, {0, 0, 0, 0}};
static struct PyModuleDef module = {PyModuleDef_HEAD_INIT, "core", 0, -1, methods, 0, 0, 0, 0};
PyMODINIT_FUNC PyInit_core(void) { return PyModule_Create(&module); }
)");
  repository.write("benchmarks/bench_answer.py", "import pack\nassert pack.answer() == 42\n");
  repository.write("benchmarks/bench_other.py", "import no_such_package\n");
  repository.write(".gitignore", "build/\n*.so\n");
  repository.commit("Begin");
  const Outcome outcome = repository.perf_compare({"init", "--try"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  const Config config = config_of(repository);
  ASSERT_EQ(config.workloads.size(), 1u) << outcome.err;
  EXPECT_EQ(config.workloads[0].workload.name, "bench_answer");
  EXPECT_TRUE(contains(outcome.err, "bench_other left out: exit status 1; last line"));
}

// Reasons to say, and nothing to write.
TEST(Init, WritesNothingIfNothingWorks) {
  ScratchRepository repository;
  EXPECT_EQ(repository.perf_compare({"init", "--try"}).exit_code, 2) << "there is no commit";
  repository.write("bench.sh", "hyperfine 'sh -c \"exit 3\"'\n");
  repository.commit("Begin");
  EXPECT_TRUE(ended(repository.perf_compare({"init", "--try"}), 3, {"left out: exit status 3"}));
  EXPECT_FALSE(fs::exists(repository.path() / "perf-compare.json"));
}

// What the machine kills says nothing of the project, and is said once.
TEST(Init, BlamesNoBenchmarkForABuildThatWasKilled) {
  ScratchRepository repository;
  repository.write("Makefile", "all:\n\tkill -9 $$$$\n");
  repository.write("bench.sh", "hyperfine 'echo one'\nhyperfine 'echo two'\n");
  repository.commit("Begin");
  const Outcome outcome = repository.perf_compare({"init", "--try"});
  EXPECT_EQ(outcome.exit_code, 3) << outcome.err;
  const std::size_t told =
      outcome.err.find(" left out: the machine lacked resources: it does not ");
  ASSERT_NE(told, std::string::npos) << outcome.err;
  EXPECT_NE(outcome.err.find("] Killed", told), std::string::npos) << outcome.err;
  EXPECT_EQ(outcome.err.find(" left out: ", told + 1), std::string::npos) << outcome.err;
  EXPECT_TRUE(contains(outcome.err, "\nhint: give the build more memory, or run fewer jobs"));
}

// The linker of whatever comes second is killed: both work, but not in one build.
TEST(Init, KeepsWorkloadsThatOnlyTogetherExceedTheMachine) {
  ScratchRepository repository;
  repository.write("CMakeLists.txt", R"(cmake_minimum_required(VERSION 3.10)
project(sums CXX)
find_package(benchmark REQUIRED)
link_libraries(benchmark::benchmark)
add_executable(one bench.cpp)
add_executable(two bench.cpp)
foreach(target one two)
  add_custom_command(TARGET ${target} PRE_LINK COMMAND sh ${PROJECT_SOURCE_DIR}/room.sh)
endforeach()
)");
  repository.write("room.sh", "mkdir room || kill -9 $$\n");
  repository.write("bench.cpp", google_benchmark("benchmark::DoNotOptimize(std::rand());"));
  repository.commit("Begin");
  const Outcome outcome = repository.perf_compare({"init", "--try"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_EQ(config_of(repository).workloads.size(), 2u) << outcome.err;
  EXPECT_TRUE(contains(outcome.out,
                       "to do: each works alone, but together: the machine lacked resources: it "));
  EXPECT_FALSE(contains(outcome.err, "left out"));
}

/// What the tool itself sets for a config outside the repository.
std::map<std::string, std::string> config_folder(const fs::path& folder) {
  return {{"PERF_COMPARE_CONFIG_DIR", folder.string()}};
}

// Commits that have no benchmark, measured with one that none of them has.
TEST(Init, BeginsABenchmarkOutsideTheHistory) {
  ScratchRepository repository;
  const TemporaryFolder outside;
  const fs::path folder = outside.path() / "bench of it";
  repository.commit("Begin");
  repository.write("work.sh", "i=0; while [ $i -lt 20000 ]; do i=$((i+1)); done\n");
  repository.commit("Work");
  repository.write("work.sh", "i=0; while [ $i -lt 60000 ]; do i=$((i+1)); done\n");
  repository.commit("Work more");
  const Outcome outcome = repository.perf_compare({"init", "--outside", folder.string()});
  ASSERT_TRUE(ended(outcome, 0));
  EXPECT_TRUE(contains(outcome.out, "perf-compare.json' v1.0 HEAD"));
  EXPECT_EQ(repository.git({"status", "--porcelain"}), "");
  const std::string config = (folder / "perf-compare.json").string();
  EXPECT_TRUE(ended(repository.perf_compare({"--config", config + "5"}), 2, {"init --outside"}));
  const auto compare = [&](const std::string& base, const std::string& head) {
    return repository.perf_compare({"--config", config, base, head, "--pairs", "16"},
                                   config_folder(folder));
  };
  EXPECT_TRUE(ended(compare("HEAD~2", "HEAD~2"), 0));
  std::ofstream(folder / "bench.sh") << "#!/bin/sh\nexec sh work.sh\n";
  EXPECT_TRUE(ended(compare("HEAD~1", "HEAD"), 1));
  EXPECT_TRUE(ended(repository.perf_compare({"init", "--outside", folder.string()}), 2))
      << "there is one already";
  EXPECT_EQ(repository.perf_compare({"init", "--outside", "inside"}).exit_code, 2);
  EXPECT_FALSE(fs::exists(repository.path() / "inside"));
}

TEST(Init, FollowsNoLinkAndRunsNothing) {
  ScratchRepository repository;
  const TemporaryFolder outside;
  std::ofstream(outside.path() / "CMakeLists.txt")
      << "project(secret)\nadd_executable(secret a.cpp)\ntarget_link_libraries(secret benchmark)\n";
  fs::create_symlink(outside.path() / "CMakeLists.txt", repository.path() / "CMakeLists.txt");
  fs::create_directory_symlink(outside.path(), repository.path() / "linked");
  for (const char* name : {"Cargo.toml", "go.mod"}) {
    fs::create_symlink(outside.path() / "CMakeLists.txt", repository.path() / name);
  }
  repository.write("ignored/CMakeLists.txt", "project(ignored)\n");
  repository.write(".gitignore", "ignored/\n");
  repository.write(std::string("$(touch pwned)\n\x1b[31m") + "/bench_x.py", "");
  repository.write("setup.py", "open('pwned', 'w')\n");
  repository.write("bench.sh", "hyperfine 'touch pwned'\n", true);
  ASSERT_EQ(run({"mkfifo", "Makefile"}, repository.path()).exit_code, 0);
  const Outcome outcome = repository.perf_compare({"init"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_FALSE(fs::exists(repository.path() / "pwned"));
  const std::string config = content_of(repository.path() / "perf-compare.json");
  EXPECT_FALSE(contains(config, "secret"));
  EXPECT_FALSE(contains(config, "ignored"));
  EXPECT_FALSE(contains(config, "cargo"));
  EXPECT_FALSE(contains(config, "go build"));
  EXPECT_EQ((outcome.out + config).find('\x1b'), std::string::npos);
  EXPECT_EQ(config_of(repository).workloads.size(), 2u) << config;
}

}  // namespace
}  // namespace perf::test
