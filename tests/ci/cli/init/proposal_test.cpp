#include "ci/cli/init/proposal.h"

#include <gtest/gtest.h>

#include <map>

#include "schema/config.h"
#include "tests/contains.h"
#include "tests/reporter/samples.h"

namespace perf {
namespace {

using Files = std::map<std::string, std::string>;

SourceTree tree_of(const Files& files) {
  SourceTree tree;
  for (const auto& [path, text] : files) {
    tree.files.push_back(path);
  }
  tree.read = [files](const std::string& path) {
    const auto at = files.find(path);
    return at == files.end() ? std::string() : at->second;
  };
  return tree;
}

Proposal proposal_of(const Files& files) {
  return propose_workloads(tree_of(files));
}

/// The config of a repository with these files, read back.
Config config_of(const Files& files) {
  return read_config(render_config(proposal_of(files)), "perf-compare.json");
}

using Command = std::vector<std::string>;

TEST(Proposal, FindsGoogleBenchmarkWithItsFolderAndSwitch) {
  const Config config = config_of({{"CMakeLists.txt", R"(
project(shapes)
option(SHAPES_BUILD_BENCHMARKS "Build the benchmarks" OFF)
option(SHAPES_SHARED "Shared" OFF)
add_executable(shapes_tests t.cpp)
target_link_libraries(shapes_tests GTest::gtest_main)
add_subdirectory(bench))"},
                                   {"bench/CMakeLists.txt", R"(
find_package(benchmark REQUIRED)
add_executable(${PROJECT_NAME}_bench b.cpp)
target_link_libraries(${PROJECT_NAME}_bench PRIVATE shapes benchmark::benchmark_main)
)"}});
  ASSERT_TRUE(config.build);
  EXPECT_EQ(config.build->command,
            (Command{"sh", "-c",
                     "cmake -S . -B build -DCMAKE_BUILD_TYPE=Release -DSHAPES_BUILD_BENCHMARKS=ON "
                     "&& cmake --build build --parallel 2 --target shapes_bench"}));
  ASSERT_EQ(config.workloads.size(), 1u);
  const Workload& workload = config.workloads[0].workload;
  EXPECT_EQ(workload.name, "shapes_bench");
  EXPECT_EQ(workload.format, "google-benchmark");
  EXPECT_EQ(workload.command[0], "build/bench/shapes_bench");
}

TEST(Proposal, FollowsOutputDirectoriesOfCMake) {
  const Config config =
      config_of({{"cpp/CMakeLists.txt",
                  "project(x)\nset(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/bin)\n"
                  "add_executable(b b.cpp)\ntarget_link_libraries(b benchmark)\n"
                  "add_executable(c c.cpp)\ntarget_link_libraries(c benchmark)\n"
                  "set_target_properties(a c PROPERTIES FOLDER x RUNTIME_OUTPUT_DIRECTORY "
                  "${PROJECT_BINARY_DIR}/tests)\n"},
                 {"third_party/lib/CMakeLists.txt", "project(other)\n"}});
  ASSERT_EQ(config.workloads.size(), 2u);
  EXPECT_EQ(config.workloads[0].workload.command[0], "build/bin/b");
  EXPECT_EQ(config.workloads[1].workload.command[0], "build/tests/c");
  EXPECT_TRUE(contains(config.build->command[2], "-S ./cpp "));
}

// As lz4 has it.
TEST(Proposal, FollowsOutputNamesOfCMake) {
  const Proposal proposal =
      proposal_of({{"CMakeLists.txt",
                    "project(x)\nadd_executable(b b.cpp)\ntarget_link_libraries(b benchmark)\n"
                    "set_target_properties(b PROPERTIES OUTPUT_NAME x RUNTIME_OUTPUT_NAME bench)\n"
                    "add_executable(c c.cpp)\ntarget_link_libraries(c benchmark)\n"
                    "set_target_properties(c PROPERTIES OUTPUT_NAME c_${VERSION})\n"
                    "add_executable(cli cli.cpp)\n"
                    "set_target_properties(cli PROPERTIES OUTPUT_NAME x)\n"}});
  ASSERT_EQ(proposal.workloads.size(), 2u);
  EXPECT_EQ(proposal.workloads[0].name, "b");
  EXPECT_EQ(proposal.workloads[0].command[0], "build/bench");
  EXPECT_EQ(proposal.workloads[1].command[0], "build/c");
  ASSERT_EQ(proposal.programs.size(), 1u);
  EXPECT_EQ(proposal.programs[0].command, Command{"build/x"});
}

// As nlohmann/json has it.
TEST(Proposal, FindsBenchmarksWithTheirOwnProject) {
  const Config config =
      config_of({{"CMakeLists.txt", "project(x)\nadd_executable(tool main.cpp)\n"},
                 {"examples/CMakeLists.txt", "project(examples)\nadd_executable(example e.cpp)\n"},
                 {"tests/benchmarks/CMakeLists.txt",
                  "project(Benchmarks)\nadd_executable(bench b.cpp)\n"
                  "target_link_libraries(bench benchmark ${CMAKE_THREAD_LIBS_INIT})\n"}});
  ASSERT_EQ(config.workloads.size(), 1u);
  EXPECT_EQ(config.workloads[0].workload.command[0], "build/bench");
  EXPECT_EQ(config.build->command[2],
            "cmake -S ./tests/benchmarks -B build -DCMAKE_BUILD_TYPE=Release && "
            "cmake --build build --parallel 2 --target bench");
}

// As fast_float has them: its benchmark prints what only people read.
TEST(Proposal, PrefersAProgramNamedBenchmark) {
  Files files{{"CMakeLists.txt",
               "project(x)\noption(TESTS \"\" OFF)\nif(TESTS)\n add_subdirectory(tests)\nendif()\n"
               "add_executable(tool main.cpp)\nadd_subdirectory(benchmarks)\n"},
              {"tests/CMakeLists.txt", "add_executable(issue72 issue72.cpp)\n"},
              {"benchmarks/CMakeLists.txt", "add_executable(real real.cpp)\n"}};
  EXPECT_EQ(proposal_of(files).workloads.at(0).name, "real");
  files["benchmarks/CMakeLists.txt"].clear();
  EXPECT_EQ(proposal_of(files).workloads.at(0).name, "tool");
}

// As lz4 has sources in a folder "build", and others a script of that name.
TEST(Proposal, ChoosesAFreeBuildFolder) {
  for (const char* taken : {"build", "build/cmake/notes.txt"}) {
    const Config config =
        config_of({{"CMakeLists.txt",
                    "project(x)\n"
                    "set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/bin)\n"
                    "add_executable(tool main.cpp)\n"},
                   {taken, "#!/bin/sh\n"}});
    EXPECT_EQ(config.build->command[2],
              "cmake -S . -B cmake-build -DCMAKE_BUILD_TYPE=Release && "
              "cmake --build cmake-build --parallel 2 --target tool");
    EXPECT_EQ(config.workloads.at(0).workload.command, Command{"cmake-build/bin/tool"});
  }
}

// As snappy has its Google Benchmark.
TEST(Proposal, ChecksOutSubmodules) {
  const std::pair<std::string, std::string> make{"Makefile", "all:\n\tcc -o bench bench.c\n"};
  EXPECT_TRUE(config_of({{".gitmodules", "[submodule \"lib\"]\n"}, make}).build->submodules);
  EXPECT_FALSE(config_of({make}).build->submodules);
}

TEST(Proposal, ReportsTargetsNamedByVariables) {
  const Proposal proposal =
      proposal_of({{"CMakeLists.txt",
                    "project(x)\nforeach(n ${NAMES})\nadd_executable(${n} ${n}.cpp)\n"
                    "target_link_libraries(${n} benchmark::benchmark)\nendforeach()\n"
                    "add_executable(tool main.cpp)\n"}});
  ASSERT_EQ(proposal.notes.size(), 1u);
  EXPECT_TRUE(contains(proposal.notes[0], "${n} in CMakeLists.txt"));
  ASSERT_EQ(proposal.workloads.size(), 1u);
  EXPECT_EQ(proposal.workloads[0].format, "process");
  EXPECT_EQ(proposal.workloads[0].command, Command{"build/tool"});
}

// As simdjson has it.
TEST(Proposal, FindsBenchmarksByLinkLibrariesBehindAnOption) {
  const Proposal proposal = proposal_of(
      {{"CMakeLists.txt", R"(
project(fast)
if(top)
  option(FAST_DEVELOPER_MODE "For developers" OFF)
endif()
if(NOT FAST_DEVELOPER_MODE)
  return()
endif()
include(cmake/developer.cmake)
if(CMAKE_SIZEOF_VOID_P EQUAL 8)
  add_subdirectory(benchmark)
endif())"},
       {"cmake/developer.cmake", "option(FAST_SANITIZE \"Sanitize\" OFF)"},
       {"benchmark/CMakeLists.txt", R"(
add_executable(features features.cpp)
if (TARGET benchmark::benchmark)
  link_libraries(benchmark::benchmark)
  add_executable(bench_parse parse.cpp)
endif()
if(HAS_REFLECTION)
  add_subdirectory(reflect)
else()
  add_subdirectory(${CMAKE_CURRENT_SOURCE_DIR}/from)
endif())"},
       {"benchmark/from/CMakeLists.txt", "add_executable(bench_from from.cpp)"},
       {"benchmark/reflect/CMakeLists.txt", "add_executable(bench_reflect reflect.cpp)"},
       {"examples/CMakeLists.txt", "project(example)\nadd_executable(x x.cpp)"}});
  ASSERT_EQ(proposal.workloads.size(), 3u) << "whether reflection works, --try shows";
  EXPECT_EQ(proposal.workloads[0].command[0], "build/benchmark/bench_parse");
  EXPECT_EQ(proposal.workloads[1].command[0], "build/benchmark/from/bench_from");
  EXPECT_EQ(
      build_lines(proposal),
      (Command{"cmake -S . -B build -DCMAKE_BUILD_TYPE=Release -DFAST_DEVELOPER_MODE=ON",
               "cmake --build build --parallel 2 --target bench_parse bench_from bench_reflect"}));
}

// As zlib-ng has it.
TEST(Proposal, SetsTheOptionsOfEachBenchmark) {
  Proposal proposal = proposal_of({{"CMakeLists.txt", R"(
project(press C)
option(WITH_TESTS "Tests" ON)
option(WITH_BENCHMARKS "Benchmarks" OFF)
option(WITH_BENCHMARK_APPS "Whole applications" OFF)
if(WITH_TESTS)
  add_subdirectory(test)
endif())"},
                                   {"test/CMakeLists.txt", R"(
if(WITH_GTEST OR WITH_BENCHMARKS)
  enable_language(CXX)
endif()
if(WITH_BENCHMARKS)
  add_subdirectory(benchmarks)
endif())"},
                                   {"test/benchmarks/CMakeLists.txt", R"(
add_executable(press_bench a.cc)
target_link_libraries(press_bench press benchmark::benchmark)
if(WITH_BENCHMARK_APPS)
  option(BUILD_ALT_BENCH "Another implementation" OFF)
  add_executable(press_apps b.cc)
  target_link_libraries(press_apps libpng.a benchmark::benchmark)
endif())"}});
  ASSERT_EQ(proposal.workloads.size(), 2u);
  EXPECT_EQ(build_lines(proposal),
            (Command{"cmake -S . -B build -DCMAKE_BUILD_TYPE=Release -DWITH_BENCHMARKS=ON "
                     "-DWITH_BENCHMARK_APPS=ON",
                     "cmake --build build --parallel 2 --target press_bench press_apps"}));
  proposal.workloads.pop_back();
  EXPECT_EQ(build_lines(proposal),
            (Command{"cmake -S . -B build -DCMAKE_BUILD_TYPE=Release -DWITH_BENCHMARKS=ON",
                     "cmake --build build --parallel 2 --target press_bench"}));
}

// Comments, quotes and variables of CMake; what ends in the midst is no error.
TEST(Proposal, ReadsCMakeCommands) {
  const Proposal proposal = proposal_of({{"CMakeLists.txt", R"(
# add_executable(commented out)
Project ( "my \"tool\"" VERSION 1.0 )
set(NAME ${PROJECT_NAME}-${NAME}${OTHER})
option(A "An (optional) A" OFF)
if((X OR A) AND NOT B) # add_executable(no)
  add_executable(one a.cpp # add_executable(no)
    b.cpp)
  target_link_libraries(one benchmark)
else()
  add_executable(two a.cpp)
endif()
add_executable(three a.cpp)
set_target_properties(three PROPERTIES OUTPUT_NAME "${NAME")
)"}});
  ASSERT_EQ(proposal.workloads.size(), 1u);
  EXPECT_EQ(build_lines(proposal)[0], "cmake -S . -B build -DCMAKE_BUILD_TYPE=Release -DA=ON");
  ASSERT_EQ(proposal.programs.size(), 2u);
  EXPECT_EQ(proposal.programs[0].build[0].words, Command{});
  EXPECT_EQ(proposal.found[0], "a CMake project my \"tool\" (CMakeLists.txt)");
  for (const char* text :
       {"", "(", "add_executable(", "a(\"", "a(\"\\", "#", "a(#", "a(\\", "set(x (((", "\xff(",
        "))))", "a b c", "endif()", "else()", "return()"}) {
    EXPECT_EQ(proposal_of({{"CMakeLists.txt", std::string("project(x)\n") + text}}).found.size(),
              1u)
        << text;
  }
}

TEST(Proposal, FindsCriterion) {
  const Config config = config_of({{"Cargo.toml",
                                    "[package]\nname = \"parse\"\n[dev-dependencies]\n"
                                    "criterion = \"0.5\"\n[[bench]]\nname = \"speed\"\n"
                                    "harness = false\n"},
                                   {"benches/speed.rs", ""},
                                   {"benches/more.rs", ""}});
  ASSERT_EQ(config.workloads.size(), 2u);
  EXPECT_EQ(config.workloads[0].workload.name, "speed");
  EXPECT_EQ(config.workloads[0].workload.format, "criterion");
  EXPECT_EQ(config.workloads[1].workload.name, "more");
  EXPECT_EQ(config.build->command[2], "cargo bench --no-run --workspace");
}

TEST(Proposal, FindsBenchmarksOfLibtest) {
  const std::string bench = "#![feature(test)]\nextern crate test;\n#[bench]\nfn b() {}\n";
  Files files{
      {"Cargo.toml", "[package]\nname = \"kit\"\n"},
      {"benches/parse.rs", bench},
      {"src/lib.rs", "#![cfg_attr(feature = \"unstable\", feature(test))]\nmod sort;\n"},
      {"src/sort.rs", "#[cfg(all(test, feature = \"unstable\"))] mod b { #[bench] fn c() {} }"}};
  const Config config = config_of(files);
  ASSERT_EQ(config.workloads.size(), 2u);
  EXPECT_EQ(
      config.workloads[0].workload.command,
      (Command{"cargo", "+nightly", "bench", "--quiet", "--package", "kit", "--bench", "parse"}));
  EXPECT_EQ(config.workloads[0].workload.format, "criterion") << "which reads its text";
  EXPECT_EQ(config.workloads[1].workload.command,
            (Command{"cargo", "+nightly", "bench", "--quiet", "--package", "kit", "--lib",
                     "--features", "unstable"}));
  EXPECT_EQ(config.build->command[2],
            "cargo +nightly bench --no-run --package kit && "
            "cargo +nightly bench --no-run --package kit --features unstable");
  files["rust-toolchain.toml"] = "[toolchain]\nchannel = \"nightly-2024-03-01\"\n";
  EXPECT_EQ(config_of(files).workloads[0].workload.command[1], "bench");
}

TEST(Proposal, FindsBenchmarksOfTheCrateBencher) {
  const Files files{
      {"Cargo.toml", "[package]\nname = \"kit\"\n[dev-dependencies]\nbencher = \"0.1\"\n"},
      {"benches/parse.rs", "benchmark_group!(b, f); benchmark_main!(b);"}};
  EXPECT_EQ(config_of(files).workloads[0].workload.command,
            (Command{"cargo", "bench", "--quiet", "--package", "kit", "--bench", "parse"}));
}

TEST(Proposal, FindsBenchmarksOfCatch2) {
  const std::string tests =
      "#include <catch2/catch_all.hpp>\nTEST_CASE(\"sort\", \"[!benchmark]\") {\n"
      "  BENCHMARK(\"1000\") { return sort(1000); };\n}\n";
  Files files{{"CMakeLists.txt", R"(
project(kit)
add_executable(kit_tests tests/main.cpp tests/sort.cpp)
add_executable(other_tests tests/main.cpp)
target_link_libraries(kit_tests Catch2::Catch2WithMain)
target_link_libraries(other_tests Catch2::Catch2WithMain))"},
              {"tests/main.cpp", "#include <catch2/catch_all.hpp>\nTEST_CASE(\"a\") {}"},
              {"tests/sort.cpp", tests}};
  Config config = config_of(files);
  ASSERT_EQ(config.workloads.size(), 1u);
  const Workload& workload = config.workloads[0].workload;
  EXPECT_EQ(workload.command, (Command{"build/kit_tests", "[!benchmark]", "--reporter", "xml",
                                       "--out", "{out}", "--benchmark-samples", "20"}));
  EXPECT_EQ(workload.format, "catch2");
  EXPECT_TRUE(contains(config.build->command[2], "--target kit_tests"));
  files["tests/sort.cpp"] = "TEST_CASE(\"sort\") { BENCHMARK_ADVANCED(\"b\")(auto m) {}; }";
  EXPECT_TRUE(contains(proposal_of(files).workloads[0].comment, "To do: its other tests run, too"));
  files["CMakeLists.txt"] =
      "project(kit)\nfile(GLOB S tests/*.cpp)\nadd_executable(t ${S})\n"
      "target_link_libraries(t Catch2::Catch2)\n";
  EXPECT_EQ(proposal_of(files).workloads.at(0).format, "catch2");
  files.erase("CMakeLists.txt");
  const Proposal without = proposal_of(files);
  ASSERT_EQ(without.notes.size(), 1u);
  EXPECT_TRUE(contains(without.notes[0], "the benchmarks of Catch2 in tests/sort.cpp"));
}

TEST(Proposal, FindsBenchmarkDotNet) {
  Files files{{"Kit.sln", ""},
              {"src/Kit/Kit.csproj", "<Project/>"},
              {"bench/my kit/Kit.Bench.csproj",
               R"(<PackageReference Include="BenchmarkDotNet" Version="0.13.12" />)"},
              {"bench/my kit/Program.cs", "BenchmarkSwitcher.FromAssembly(a).Run(args);"}};
  const Config config = config_of(files);
  ASSERT_EQ(config.workloads.size(), 1u);
  const Workload& workload = config.workloads[0].workload;
  EXPECT_EQ(workload.name, "Kit.Bench");
  EXPECT_EQ(workload.format, "benchmarkdotnet");
  EXPECT_TRUE(contains(workload.command[2],
                       "--project './bench/my kit/Kit.Bench.csproj' -- --filter '*' "
                       "--join"));
  EXPECT_EQ(config.build->command[2],
            "dotnet build --configuration Release './bench/my kit/Kit.Bench.csproj'");
  EXPECT_FALSE(contains(proposal_of(files).workloads[0].comment, "To do"));
  files["bench/my kit/Program.cs"] = "BenchmarkRunner.Run<Load>();";
  EXPECT_TRUE(contains(proposal_of(files).workloads[0].comment, "To do: its main program"));
  files.erase("bench/my kit/Kit.Bench.csproj");
  EXPECT_EQ(proposal_of(files).found, std::vector<std::string>{"a .NET project"});
}

TEST(Proposal, GivesAConfigToCompleteForOtherManifests) {
  Files files{{"MODULE.bazel", "module(name = \"kit\")"}, {"kit/sort_benchmark.cc", ""}};
  Config config = config_of(files);
  EXPECT_EQ(config.workloads.at(0).workload.name, "bazel");
  EXPECT_EQ(config.build->command[2], "bazel build --compilation_mode=opt //REPLACE:BENCHMARK");
  EXPECT_EQ(proposal_of(files).workloads[0].comment.find("To do: MODULE.bazel"), 0u);
  files.erase("kit/sort_benchmark.cc");
  EXPECT_EQ(proposal_of(files).basis, Basis::example) << "no benchmark in it is known";
  EXPECT_EQ(proposal_of(files).found, std::vector<std::string>{"a Bazel module (MODULE.bazel)"});
  config = config_of({{"build.sbt", "enablePlugins(JmhPlugin)"}});
  EXPECT_EQ(config.workloads.at(0).workload.format, "jmh");
  config = config_of({{"Gemfile", "gem 'benchmark-ips'\n"}, {"benchmark/parse.rb", ""}});
  EXPECT_EQ(config.workloads.at(0).workload.command[3], "benchmark/REPLACE.rb");
  config = config_of({{"justfile", "bench:\n"}, {"bench.sh", ""}});
  EXPECT_EQ(config.workloads.at(0).workload.name, "bench") << "the script";
  config = config_of({{".justfile", "bench:\n"}});
  EXPECT_EQ(config.workloads.at(0).workload.command, (Command{"just", "bench"}));
  config = config_of({{"Taskfile.yaml", "tasks:\n  bench:\n"}});
  EXPECT_EQ(config.workloads.at(0).workload.command, (Command{"task", "bench"}));
}

TEST(Proposal, TimesACargoProgramWithoutBenches) {
  const Config config = config_of(
      {{"Cargo.toml", "[package]\nname = \"tool\"\n[dependencies]\n"}, {"src/main.rs", ""}});
  EXPECT_EQ(config.workloads[0].workload.command, Command{"target/release/tool"});
  EXPECT_EQ(config.workloads[0].workload.format, "process");
}

TEST(Proposal, FindsGoPackagesWithBenchmarks) {
  const Config config = config_of(
      {{"go.mod", "module example.org/x\n"},
       {"x_test.go", "package x\n\nfunc BenchmarkX(b *testing.B) {}\n"},
       {"in ner/y_test.go", "func BenchmarkY(b *testing.B) {}"},
       {"plain/z_test.go", "func TestZ(t *testing.T) {}\n// func BenchmarkNo(b *testing.B)"},
       {"other/go.mod", "module other"},
       {"other/o_test.go", "func BenchmarkO(b *testing.B) {}"}});
  ASSERT_EQ(config.workloads.size(), 2u);
  EXPECT_EQ(config.workloads[0].workload.command[0], "./perf-compare.test");
  EXPECT_EQ(config.workloads[0].workload.format, "go");
  EXPECT_EQ(config.workloads[1].workload.name, "in_ner");
  EXPECT_EQ(config.workloads[1].workload.command[2].rfind("cd './in ner' && exec ", 0), 0u);
  EXPECT_EQ(config.build->command[2],
            "go test -c -o ./perf-compare.test . && "
            "go test -c -o './in ner/perf-compare.test' './in ner'");
}

TEST(Proposal, RunsLoopsOverListsOfCMake) {
  const Config config = config_of({{"CMakeLists.txt", R"(
project(kit CXX)
option(KIT_BENCH "" OFF)
set(MORE sort "big sort")
if(KIT_BENCH)
  find_package(benchmark REQUIRED)
  foreach(b parse IN LISTS MORE)
    foreach(n 1;2)
      add_executable(bench_${b}_${n} ${b}.cpp)
    endforeach()
    target_link_libraries(bench_${b}_1 PRIVATE benchmark::benchmark_main)
  endforeach()
endif())"}});
  ASSERT_EQ(config.workloads.size(), 3u);
  EXPECT_EQ(config.workloads[0].workload.name, "bench_parse_1");
  EXPECT_EQ(config.workloads[1].workload.name, "bench_sort_1");
  EXPECT_EQ(config.workloads[2].workload.command[0], "build/bench_big sort_1");
  EXPECT_TRUE(contains(config.build->command[2], "-DKIT_BENCH=ON"));
}

TEST(Proposal, NamesBenchesOfAWorkspaceByTheirPackage) {
  const std::string of = "\n[dev-dependencies]\ncriterion = \"0.5\"\n";
  const Config config = config_of({{"Cargo.toml", "[workspace]\nmembers = [\"crates/*\"]\n"},
                                   {"crates/a/Cargo.toml", "[package]\nname = \"kit-a\"" + of},
                                   {"crates/a/benches/parse.rs", ""},
                                   {"crates/b/Cargo.toml", "[package]\nname = 'kit-b'" + of},
                                   {"crates/b/benches/parse.rs", ""}});
  ASSERT_EQ(config.workloads.size(), 2u);
  EXPECT_EQ(config.workloads[0].workload.name, "kit-a/parse");
  EXPECT_EQ(config.workloads[1].workload.name, "kit-b/parse");
}

TEST(Proposal, FindsTheModulesOfAGoWorkspace) {
  const std::string benchmark = "package x\nfunc BenchmarkX(b *testing.B) {}\n";
  Files files{{"go.work", "go 1.22\nuse (\n\t./api // first\n\t./store/\n)\nuse ./one\n"},
              {"api/go.mod", "module example.org/api\n"},
              {"api/in/x_test.go", benchmark},
              {"store/go.mod", "module example.org/store\n"},
              {"store/x_test.go", benchmark},
              {"one/go.mod", "module one\n"},
              {"one/x_test.go", benchmark},
              {"unused/go.mod", "module unused\n"},
              {"unused/x_test.go", benchmark}};
  const auto names = [&] {
    std::string all;
    for (const ProposedWorkload& one : proposal_of(files).workloads) {
      all += one.name + " ";
    }
    return all;
  };
  EXPECT_EQ(names(), "api/in one store ");
  EXPECT_EQ(config_of(files).build->command[2],
            "(cd ./api && go test -c -o ./in/perf-compare.test ./in) && "
            "(cd ./one && go test -c -o ./perf-compare.test .) && "
            "(cd ./store && go test -c -o ./perf-compare.test .)");
  files.erase("go.work");  // every module by itself
  EXPECT_EQ(names(), "api/in one store unused ");
}

TEST(Proposal, FindsScriptsOfPackageJson) {
  Files files{{"package.json",
               R"({"scripts": {"bench": "vitest bench --run", "bench:io": "x", "rebench": "y",
                               "build": "tsc", "test": 1}})"},
              {"pnpm-lock.yaml", ""}};
  const Config config = config_of(files);
  ASSERT_EQ(config.workloads.size(), 2u);
  EXPECT_EQ(config.workloads[0].workload.command, (Command{"pnpm", "run", "bench"}));
  EXPECT_EQ(config.workloads[1].workload.name, "bench_io");
  EXPECT_EQ(config.build->command[2], "pnpm install --frozen-lockfile && pnpm run build");
  files.erase("pnpm-lock.yaml");
  EXPECT_EQ(config_of(files).workloads[0].workload.command[0], "npm");
  for (const char* text : {"{", "[]", R"({"scripts": 1})", "{}", R"({"scripts": {"bench": 1}})"}) {
    EXPECT_EQ(proposal_of({{"package.json", text}}).basis, Basis::example) << text;
  }
}

TEST(Proposal, FindsScriptsOfPackagesInAWorkspace) {
  const std::string scripts = R"({"scripts": {"build": "tsc", "bench": "node b.js"}})";
  Files files{{"package.json", R"({"private": true, "workspaces": ["packages/*"]})"},
              {"yarn.lock", ""},
              {"packages/a b/package.json", scripts}};
  Config config = config_of(files);
  ASSERT_EQ(config.workloads.size(), 1u);
  EXPECT_EQ(config.workloads[0].workload.name, "a_b/bench");
  EXPECT_EQ(config.workloads[0].workload.command,
            (Command{"sh", "-c", "cd './packages/a b' && exec yarn run bench"}));
  EXPECT_EQ(config.build->command[2],
            "yarn install --frozen-lockfile && (cd './packages/a b' && yarn run build)");
  files.erase("package.json");
  config = config_of(files);
  EXPECT_EQ(config.build->command[2],
            "(cd './packages/a b' && npm install --silent) && "
            "(cd './packages/a b' && npm run build)");
}

TEST(Proposal, FindsBenchmarksOfMeson) {
  const Config config = config_of({{"meson.build", "project('kit', 'cpp')\nsubdir('bench')\n"},
                                   {"bench/meson.build", R"(gb = dependency('benchmark')
# benchmark('commented', x)
e = executable('kit_bench', 'b.cpp', dependencies: [gb])
benchmark('kit', e, timeout: 100)
benchmark('whole', executable('whole', 'w.c'), args: ['--fast'])
benchmark('script', find_program('x.py'))
)"}});
  ASSERT_EQ(config.workloads.size(), 3u);
  EXPECT_EQ(config.workloads[0].workload.command[0], "perf-compare.build/bench/kit_bench");
  EXPECT_EQ(config.workloads[0].workload.format, "google-benchmark");
  EXPECT_EQ(config.workloads[1].workload.command, Command{"perf-compare.build/bench/whole"});
  EXPECT_EQ(config.workloads[2].workload.command[0], "meson");
  EXPECT_TRUE(contains(config.build->command[2], "meson compile -C perf-compare.build"));
  for (const char* text :
       {"benchmark(", "x = executable('", "= benchmark()", "e=executable('e')"}) {
    EXPECT_FALSE(proposal_of({{"meson.build", text}}).workloads.empty()) << text;
  }
}

TEST(Proposal, FindsJmh) {
  const Config gradle =
      config_of({{"gradlew", ""},
                 {"settings.gradle", ""},
                 {"core/build.gradle.kts", "plugins { id(\"me.champeau.jmh\") }"}});
  EXPECT_EQ(gradle.build->command[2], "sh ./gradlew --quiet :core:jmhJar");
  EXPECT_TRUE(
      contains(gradle.workloads[0].workload.command[2], "java -jar ./core/build/libs/*-jmh.jar"));
  const Config maven = config_of({{"pom.xml", "<artifactId>jmh-core</artifactId>"}});
  EXPECT_EQ(maven.build->command[2], "mvn --quiet -DskipTests package");
  EXPECT_TRUE(contains(maven.workloads[0].workload.command[2], "java -jar target/benchmarks.jar"));
}

TEST(Proposal, TimesAScriptNamedBench) {
  const Config config = config_of({{"scripts/bench_all.sh", "#!/usr/bin/env bash\n"},
                                   {"bench.sh", "#!/bin/sh\n"},
                                   {"a/b/bench.sh", ""},
                                   {"rebench.sh", ""},
                                   {"tools/run-benchmarks.sh", ""}});
  ASSERT_EQ(config.workloads.size(), 3u);
  EXPECT_EQ(config.workloads[2].workload.command, (Command{"sh", "tools/run-benchmarks.sh"}));
  EXPECT_EQ(config.workloads[0].workload.command, (Command{"sh", "bench.sh"}));
  EXPECT_EQ(config.workloads[1].workload.command, (Command{"bash", "scripts/bench_all.sh"}));
}

TEST(Proposal, KeepsTheEnvironmentOfHyperfine) {
  const Config config = config_of({{".github/workflows/b.yml", R"(env:
  ALL: "1"
  THREADS: 9
jobs:
  other:
    env: { NO: "1" }
  b:
    env: { CACHE: "off", 'THREADS': 4 }  # of the job
    steps:
      - env:
          NOT_MINE: 1
        run: make
      - run: DIRECT=1 hyperfine -N './kit a.txt'
        env:
          THREADS: "1"

          # only here
          TOKEN: ${{ secrets.TOKEN }}
          PERF_COMPARE_STEPS: 1
)"}});
  ASSERT_EQ(config.workloads.size(), 1u);
  EXPECT_EQ(config.workloads[0].workload.env,
            (std::map<std::string, std::string>{
                {"ALL", "1"}, {"CACHE", "off"}, {"DIRECT", "1"}, {"THREADS", "1"}}));
}

TEST(Proposal, FindsPytestBenchmark) {
  const Config config =
      config_of({{"pyproject.toml", "[project]\ndependencies = [\"pytest-benchmark\"]\n"},
                 {"src/pack/__init__.py", ""},
                 {"tests/test_a.py", "def test_a(tmp_path, benchmark):\n  pass\n"},
                 {"tests/test_b.py", "def test_b(benchmark_name):\n  benchmark = 1\n"}});
  ASSERT_EQ(config.workloads.size(), 1u);
  const Workload& workload = config.workloads[0].workload;
  EXPECT_EQ(workload.format, "pytest-benchmark");
  EXPECT_EQ(Command(workload.command.begin(), workload.command.begin() + 3),
            (Command{"env", "PYTHONPATH=src", "python3"}));
  EXPECT_EQ(workload.command.back(), "tests/test_a.py");
}

TEST(Proposal, TimesPythonScriptsAndImports) {
  EXPECT_EQ(config_of({{"requirements.txt", ""}, {"benchmarks/bench_sort.py", "print(1)"}})
                .workloads[0]
                .workload.command,
            (Command{"python3", "benchmarks/bench_sort.py"}));
  EXPECT_EQ(config_of({{"pyproject.toml", ""},  // as black has it
                       {"scripts/__init__.py", ""},
                       {"src/pack/__init__.py", ""},
                       {"tools/__init__.py", ""}})
                .workloads[0]
                .workload.command,
            (Command{"env", "PYTHONPATH=src", "python3", "-c", "import pack"}));
  EXPECT_EQ(config_of({{"setup.py", ""}, {"pack/__init__.py", ""}}).workloads[0].workload.command,
            (Command{"python3", "-c", "import pack"}));
  EXPECT_EQ(config_of({{"main.py", ""}}).workloads[0].workload.command,
            (Command{"python3", "main.py"}));
}

TEST(Proposal, InstallsPythonPackagesInTheCheckout) {
  const std::string script = "import torch.nn\n";
  for (const auto& [lock, build] : std::vector<std::pair<std::string, std::string>>{
           {"uv.lock", "uv sync --frozen --quiet"},
           {"poetry.lock",
            "POETRY_VIRTUALENVS_IN_PROJECT=true poetry install --no-interaction --quiet"},
           {"requirements.txt",
            "python3 -m venv .venv && .venv/bin/python -m pip install --quiet -r "
            "requirements.txt"}}) {
    const Config config = config_of(
        {{"pyproject.toml", "[build-system]\nrequires = []\n"}, {lock, "x"}, {"bench.py", script}});
    EXPECT_EQ(config.build->command[2], build);
    EXPECT_EQ(config.workloads[0].workload.command, (Command{".venv/bin/python", "bench.py"}));
  }
}

TEST(Proposal, ShowsHowStepsOfModelsAreTimed) {
  const auto text_of = [](const std::string& script) {
    return render_config(propose_workloads(tree_of({{"bench.py", script}})));
  };
  for (const char* script : {"import torch\n", "import os\nfrom jax import numpy\n"}) {
    EXPECT_TRUE(contains(text_of(script),
                         "    //     from perf_compare import Steps\n"
                         "    //     with Steps(\"train\") as steps:\n"));
  }
  EXPECT_FALSE(contains(text_of("import torchless\n"), "perf_compare import"));
  EXPECT_TRUE(contains(text_of("from perf_compare import Steps\n"), "\"format\": \"steps\""));
}

TEST(Proposal, BuildsPythonExtensions) {
  const Config flat =
      config_of({{"setup.py", "setup(ext_modules=[Extension('pack.core', ['c.c'])])"},
                 {"pack/__init__.py", ""},
                 {"benchmarks/bench_pack.py", "import pack"}});
  EXPECT_EQ(flat.build->command[2], "python3 setup.py --quiet build_ext --inplace");
  EXPECT_EQ(flat.workloads[0].workload.command,
            (Command{"env", "PYTHONPATH=.", "python3", "benchmarks/bench_pack.py"}));
  // As msgspec has it: its version is written by what pip fetches for the build.
  const Config fetched =
      config_of({{"setup.py", "setup(ext_modules=ext_modules)"},
                 {"pyproject.toml", "[build-system]\nrequires = [\"setuptools-scm>=8\"]"},
                 {"src/pack/__init__.py", ""},
                 {"benchmarks/__init__.py", ""},
                 {"benchmarks/bench_gc.py", "import pack"},
                 {"benchmarks/bench_json.py", "from .data import x"},
                 {"benchmarks/bench_valid/__main__.py", "from ..data import x"},
                 {"benchmarks/bench_valid/bench_part.py", ""}});
  EXPECT_EQ(fetched.build->command[2],
            "python3 -m pip install --quiet --no-deps --target perf-compare.python .");
  ASSERT_EQ(fetched.workloads.size(), 3u);
  const Command python{"env", "PYTHONPATH=perf-compare.python", "python3"};
  const std::vector<Command> arguments{{"benchmarks/bench_gc.py"},
                                       {"-m", "benchmarks.bench_json"},
                                       {"-m", "benchmarks.bench_valid"}};
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    Command command = python;
    command.insert(command.end(), arguments[i].begin(), arguments[i].end());
    EXPECT_EQ(fetched.workloads[i].workload.command, command);
  }
  EXPECT_EQ(fetched.workloads[2].workload.name, "bench_valid");
}

TEST(Proposal, FindsCommandsOfHyperfine) {
  const Proposal proposal =
      proposal_of({{"scripts/bench.sh",
                    "#!/bin/sh\n# hyperfine './commented'\n"
                    "hyperfine --warmup 3 -N \\\n  --prepare 'make clean' './convert in.txt' "
                    "\"./other $FILE\" --export-json out.json > log\n"},
                   {".github/workflows/ci.yml",
                    "      - run: cargo install hyperfine \n"
                    "      - run: hyperfine -r 5 './convert in.txt' 'sleep 0.1'\n"}});
  ASSERT_EQ(proposal.workloads.size(), 2u);
  EXPECT_EQ(proposal.workloads[0].name, "convert");
  EXPECT_EQ(proposal.workloads[0].command, (Command{"sh", "-c", "./convert in.txt"}));
  EXPECT_EQ(proposal.workloads[1].command, (Command{"sh", "-c", "sleep 0.1"}));
  ASSERT_EQ(proposal.notes.size(), 1u);
  EXPECT_TRUE(contains(proposal.notes[0], "scripts/bench.sh:3"));
}

TEST(Proposal, NamesCommandsByProgramOrScript) {
  const std::pair<std::string, std::string> named[] = {{"./convert --fast in.txt", "convert"},
                                                       {"python3 a.py", "a.py"},
                                                       {"LANG=C python3 -O lib/b.py x", "b.py"},
                                                       {"env X=1 node c.js", "c.js"},
                                                       {"python3", "python3"},
                                                       {"X=1", "command"}};
  for (const auto& [command, name] : named) {
    const Proposal proposal = proposal_of({{"bench.sh", "hyperfine -- '" + command + "'\n"}});
    ASSERT_EQ(proposal.workloads.size(), 1u) << command;
    EXPECT_EQ(proposal.workloads[0].name, name) << command;
  }
}

// As jq has it.
TEST(Proposal, BuildsWithAutotools) {
  const Files files{{"Makefile.am", "bin_PROGRAMS = jq\njq_SOURCES = main.c\n"},
                    {"configure.ac", "AC_INIT([jq])\n"},
                    {"tools/Makefile.am", "bin_PROGRAMS += $(TOOLS)\n"}};
  const Config config = config_of(files);
  EXPECT_EQ(config.build->command[2],
            "autoreconf --install && ./configure --quiet && make --silent --jobs 2");
  ASSERT_EQ(config.workloads.size(), 1u);
  EXPECT_EQ(config.workloads[0].workload.command, Command{"./jq"});
  Files released = files;
  released["configure"] = "#!/bin/sh\n";
  EXPECT_EQ(config_of(released).build->command[2], "./configure --quiet && make --silent --jobs 2");
}

TEST(Proposal, UsesMakeLast) {
  const Files files{{"Makefile", "all: x\nbench: x\n\t./x\nCC := cc\n"}};
  EXPECT_EQ(proposal_of(files).found.back(), "a target of Makefile: bench");
  EXPECT_EQ(proposal_of(files).basis, Basis::benchmarks) << "not: no benchmark was found";
  const Config config = config_of(files);
  EXPECT_EQ(config.build->command, (Command{"sh", "-c", "make"}));
  EXPECT_EQ(config.workloads[0].workload.command, (Command{"make", "--silent", "bench"}));
}

TEST(Proposal, GivesAnExampleIfNothingIsFound) {
  const Proposal proposal = proposal_of({{"README", "hello"}});
  EXPECT_EQ(proposal.found, std::vector<std::string>{});
  EXPECT_EQ(proposal.basis, Basis::example);
  const std::string text = render_config(proposal);
  EXPECT_TRUE(contains(text, "REPLACE THIS"));
  const Config config = read_config(text, "perf-compare.json");
  EXPECT_FALSE(config.build);
  EXPECT_EQ(config.workloads[0].workload.format, "process");
}

TEST(Proposal, LimitsTheNumberOfWorkloads) {
  std::string lines;
  for (int i = 0; i < 30; ++i) {
    lines += "hyperfine 'run " + std::to_string(i) + "'\n";
  }
  const Proposal proposal = proposal_of({{"bench.sh", lines}});
  EXPECT_EQ(proposal.workloads.size(), 12u);
  ASSERT_EQ(proposal.notes.size(), 1u);
  EXPECT_EQ(proposal.notes[0], "18 more workloads were left out");
}

/// Names of files, targets and commands are strangers': whatever they hold, the config reads back,
/// has as many workloads as were found, and no comment ends before its line.
TEST(Proposal, KeepsHostileNamesAsText) {
  for (const std::string& hostile : samples::hostile_texts()) {
    Proposal proposal = proposal_of({{"README", ""}});
    proposal.found = {hostile};
    proposal.notes = {hostile};
    proposal.build.push_back({"true " + hostile});
    proposal.left_out = {hostile};
    proposal.workloads = {{hostile, {"./run", hostile}, "process", hostile},
                          {hostile, {"./run"}, "process", "\"}], // " + hostile}};
    const std::string text = render_config(proposal);
    for (const char one : text) {
      EXPECT_TRUE(one == '\n' || static_cast<unsigned char>(one) >= 0x20);
    }
    try {
      const Config config = read_config(text, "perf-compare.json");
      EXPECT_EQ(config.workloads.size(), 2u);
      EXPECT_EQ(config.baselines.size(), 0u);
    } catch (const Error& error) {
      ADD_FAILURE() << error.what << ": " << error.subject << "\n" << text.substr(0, 3000);
    }
  }
}

TEST(Proposal, KeepsHostileSourcesAsText) {
  for (const std::string& hostile : samples::hostile_texts()) {
    const Files files{
        {"CMakeLists.txt", "project(" + hostile + ")\nadd_executable(" + hostile +
                               " a.cpp)\ntarget_link_libraries(" + hostile + " benchmark)\n"},
        {"Cargo.toml", "[package]\nname = \"" + hostile + "\"\n[[bench]]\nname = \"" + hostile +
                           "\"\n[dependencies]\ncriterion = \"1\"\n"},
        {"go.mod", "module " + hostile},
        {"pyproject.toml", "pytest-benchmark" + hostile},
        {"bench.sh", "hyperfine '" + hostile + "'\nhyperfine " + hostile},
        {"Makefile", hostile + ":\nbench:" + hostile}};
    EXPECT_NO_THROW(config_of(files)) << render_config(proposal_of(files)).substr(0, 3000);
  }
}

TEST(ShellLine, EndsWithTheCommand) {
  const std::vector<ShellLine> lines =
      lines_running("run", "run a 'b c' \"d\\\"e\" f\\ g | h\nrunner x\necho run y\n  run z # w\n");
  ASSERT_EQ(lines.size(), 2u);
  EXPECT_EQ(lines[0].words, (Command{"a", "b c", "d\"e", "f g"}));
  EXPECT_EQ(lines[1].number, 4u);
  EXPECT_EQ(lines[1].words, Command{"z"});
}

TEST(SourceTree, RecognizesForeignSources) {
  EXPECT_TRUE(is_foreign_source("third_party/x/CMakeLists.txt"));
  EXPECT_TRUE(is_foreign_source("a/node_modules/b.py"));
  EXPECT_FALSE(is_foreign_source("vendor.py"));
  EXPECT_FALSE(is_foreign_source("src/deps.cpp"));
}

}  // namespace
}  // namespace perf
