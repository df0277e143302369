// Commits as most are, of documentation, of tests, of comments: what they leave alone is called the
// same program, in every language whose builds can be repeated.

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/ci/same_program/field.h"
#include "tests/ci/scratch_repository.h"

namespace perf::test {
namespace {

using Json = nlohmann::json;

const std::string kCpp = R"cpp(#include <cassert>
#include <iostream>
#include <string>
#include <vector>

                               // Adds up.
                               static std::size_t sum_of(const std::vector<std::string>& words) {
                                 std::size_t sum = 0;
                                 for (const std::string& word : words) {
                                   assert(!word.empty() && "a word");
                                   sum += word.size();
                                 }
                                 return sum;
                               }

                               int main(int count, char** words) {
                                 std::cout << sum_of({words, words + count}) << " in " << __FILE__ << '\n';
                               }
)cpp";

const std::string kCMake = R"(cmake_minimum_required(VERSION 3.20)
project(bench CXX)
add_library(quiet STATIC quiet.cpp)
foreach(name IN ITEMS plain debug lto)
  add_executable(${name} bench.cpp)
  target_link_libraries(${name} quiet)
endforeach()
target_compile_options(plain PRIVATE -O2)
target_compile_options(debug PRIVATE -O2 -g)
target_compile_options(lto PRIVATE -O2 -g -flto)
target_link_options(lto PRIVATE -flto)
add_executable(bench_test bench_test.cpp)
)";

const std::string kMake = R"(CFLAGS = -O2 -g
all: bench bench_test
)";

const std::string kC = R"c(#include <assert.h>
#include <stdio.h>

/* Says how many. */
int main(int count, char** words) {
  assert(count > 0);
  return printf("%s: %d\n", words[0], count) < 0;
}
)c";

const std::string kRust = R"(// Adds up.
fn main() {
    let sum: usize = std::env::args().map(|word| word.len()).sum();
    assert!(sum > 0, "no words");
    println!("{} in {}", sum, file!());
}
)";

const std::string kGo = R"(package main

import "os"

// Adds up.
func main() {
	sum := 0
	for _, word := range os.Args {
		sum += len(word)
	}
	println(sum)
}
)";

const std::string kPython = R"(import lib.words

# Adds up.
print(lib.words.total())
)";

const std::string kScratch = R"sh(#!/bin/sh
n=$(cat scratch/count 2> /dev/null || echo 0)
mkdir -p scratch && echo $((n + 1)) > scratch/count && date > scratch/$$.txt
cat scratch/* > /dev/null
ls scratch > /dev/null
)sh";

std::string output_of(const std::string& command) {
  std::string text;
  FILE* const pipe = popen((command + " 2> /dev/null").c_str(), "r");
  for (int c = std::fgetc(pipe); c != EOF; c = std::fgetc(pipe)) {
    text += static_cast<char>(c);
  }
  return pclose(pipe) == 0 ? text.substr(0, text.find('\n')) : std::string();
}

/// Projects in several languages, side by side.
struct Projects : ScratchRepository {
  Projects() {
    write("cpp/bench.cpp", kCpp);
    write("cpp/quiet.cpp", "int quiet() { return 1; }\n");
    write("cpp/bench_test.cpp", "int main() {}\n");
    write("cpp/CMakeLists.txt", kCMake);
    add("cpp", "cmake -S cpp -B cpp/build > /dev/null && cmake --build cpp/build",
        {"plain", "debug", "lto"}, "cpp/build/");
    write("c/bench.c", kC);
    write("c/bench_test.c", "int main(void) { return 0; }\n");
    write("c/Makefile", kMake);
    add("c", "make -C c", {"bench"}, "c/");
    add_rust();
    add_go();
    write("python/bench.py", kPython);
    write("python/lib/words.py", "def total():\n    return 1\n");
    write("test_python.py", "import lib.words\n");
    config["workloads"].push_back({{"name", "python"},
                                   {"command", {"/usr/bin/python3", "python/bench.py"}},
                                   {"format", "process"}});
    write("scratch.sh", kScratch, true);
    config["workloads"].push_back(
        {{"name", "scratch"}, {"command", {"./scratch.sh"}}, {"format", "process"}});
    write("build.sh", "set -e\n" + script);
    config["build"]["command"] = {"sh", "build.sh"};
    write("perf-compare.json", config.dump(1));
    write("README.md", "Programs.\n");
    commit("Begin");
  }

  void add(const std::string& language, const std::string& build,
           const std::vector<std::string>& programs, const std::string& folder) {
    script += build + '\n';
    for (const std::string& program : programs) {
      config["workloads"].push_back({{"name", language + "/" + program},
                                     {"command", {folder + program, "word"}},
                                     {"format", "process"}});
    }
  }
  /// rustc itself: what rustup puts in its place asks the home folder which one.
  void add_rust() {
    const std::string sysroot = output_of("rustc --print sysroot");
    write("rust/main.rs", kRust);
    if (sysroot.empty()) {
      std::fprintf(stderr, "not on this machine: rustc\n");
      return;
    }
    const std::string rustc = sysroot + "/bin/rustc -O -g ";
    add("rust",
        "(cd rust && " + rustc + "-o bench main.rs)\n" + rustc +
            "--remap-path-prefix $PWD=. -o rust/remapped $PWD/rust/main.rs",
        {"bench", "remapped"}, "rust/");
  }
  void add_go() {
    write("go/main.go", kGo);
    write("go/go.mod", "module bench\n");
    if (output_of("go version").empty()) {
      std::fprintf(stderr, "not on this machine: go\n");
      return;
    }
    add("go", "(cd go && go build -trimpath -buildvcs=false -o bench)", {"bench"}, "go/");
  }

  /// Expects every workload of HEAD to be what its parent's is.
  void expect_same(const std::string& what) const {
    const Outcome outcome =
        perf_compare({"HEAD~1", "HEAD", "--budget", "1s", "--json", "-"},
                     {{"GOCACHE", testing::TempDir() + "go-cache"}, {"GOFLAGS", "-p=2"}});
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    const std::map<std::string, Row> rows = rows_of(outcome);
    EXPECT_GE(rows.size(), 6u);
    for (const auto& [name, row] : rows) {
      EXPECT_EQ(row.basis, "same program") << what << ": " << name << ": " << row.because;
      EXPECT_EQ(row.verdict, "unchanged") << what << ": " << name;
    }
  }

  Json config;
  std::string script;
};

std::string with(std::string text, const std::string& from, const std::string& to) {
  return text.replace(text.find(from), from.size(), to);
}

TEST(SameProgram, IncludesCommonCommits) {
  if (!can_trace()) {
    GTEST_SKIP() << "nothing can be traced here";
  }
  Projects projects;
  projects.write("README.md", "Programs, and what they are for.\n");
  projects.write("docs/more.md", "More.\n");
  projects.commit("Say what they are for");
  projects.expect_same("documentation");

  projects.write("cpp/bench_test.cpp", "int main() { return 0; }\n");
  projects.write("c/bench_test.c",
                 "#include <stdio.h>\nint main(void) { return puts(\"\") < 0; }\n");
  projects.write("test_python.py", "import lib.words\nassert lib.words.total() == 1\n");
  projects.write("cpp/bench.cpp", with(kCpp, "// Adds up.", "// Adds the lengths up."));
  projects.write("c/bench.c", with(kC, "Says how many.", "Says how many there are."));
  projects.write("rust/main.rs", with(kRust, "// Adds up.", "// Adds the lengths up."));
  projects.write("go/main.go", with(kGo, "// Adds up.", "// Adds the lengths up."));
  projects.commit("Test more, and say what is done");
  projects.expect_same("tests and comments");
}

}  // namespace
}  // namespace perf::test
