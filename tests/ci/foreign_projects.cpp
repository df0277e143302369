#include "tests/ci/foreign_projects.h"

#include <ostream>

namespace perf::test {
namespace {

const std::string kCMake = "cmake --version && ninja --version && ccache --version";

ForeignProject cmake() {
  return {"cmake",
          kCMake,
          {{"CMakeLists.txt", R"(cmake_minimum_required(VERSION 3.10)
project(sums CXX)
find_package(benchmark REQUIRED)
add_executable(sums_bench bench.cpp)
target_link_libraries(sums_bench PRIVATE benchmark::benchmark)
)"},
           {"bench.cpp", R"(#include <benchmark/benchmark.h>
#include "work.h"
static void add(benchmark::State& state, int count) {
  for (auto _ : state) {
    int sum = 0;
    for (int i = 0; i < count; ++i) benchmark::DoNotOptimize(sum += i);
  }
}
static void BM_sum(benchmark::State& state) { add(state, kWork); }
static void BM_same(benchmark::State& state) { add(state, 1000000); }
static void BM_avx512(benchmark::State& state) {
  state.SkipWithError("CPU does not support avx512");
  for (auto _ : state) {
  }
}
BENCHMARK(BM_sum)->Iterations(20);
BENCHMARK(BM_same)->Iterations(20);
BENCHMARK(BM_avx512);
BENCHMARK_MAIN();
)"},
           {"work.h", "constexpr int kWork = COUNT;\n"}},
          "work.h",
          1000000,
          20000000,
          "sums_bench/BM_sum/iterations_20",
          "sums_bench/BM_avx512"};
}

/// As simdjson and zlib-ng have it: nothing of it is built unless options are on, and one of these
/// does not link.
ForeignProject gated() {
  return {"gated",
          kCMake,
          {{"CMakeLists.txt", R"(cmake_minimum_required(VERSION 3.10)
project(sums CXX)
option(SUMS_DEVELOPER_MODE "For developers" OFF)
option(SUMS_BUILD_BENCHMARKS "Benchmarks" OFF)
option(SUMS_BENCHMARK_APPS "Whole applications" OFF)
add_library(sums sums.cpp)
if(NOT SUMS_DEVELOPER_MODE)
  return()
endif()
if(SUMS_BUILD_BENCHMARKS)
  add_subdirectory(bench)
endif()
)"},
           {"sums.cpp", R"(int sum() {
  volatile int sum = 0;
  for (int i = 0; i < COUNT; ++i) sum = sum + i;
  return sum;
}
)"},
           {"bench/CMakeLists.txt", R"(find_package(benchmark REQUIRED)
link_libraries(sums benchmark::benchmark)
add_executable(sums_bench bench.cpp)
if(SUMS_BENCHMARK_APPS)
  add_executable(apps_bench bench.cpp)
  target_link_libraries(apps_bench no_such_library)
endif()
)"},
           {"bench/bench.cpp", R"(#include <benchmark/benchmark.h>
int sum();
static void BM_sum(benchmark::State& state) {
  for (auto _ : state) benchmark::DoNotOptimize(sum());
}
BENCHMARK(BM_sum)->Iterations(20);
BENCHMARK_MAIN();
)"}},
          "sums.cpp",
          1000000,
          20000000,
          "sums_bench",
          {},
          "apps_bench",
          {"init", "--try"}};
}

/// A crate is fetched by nobody here: this one does as much of criterion as is asked of it.
const std::string kCriterion = R"rs(use std::time::Instant;

pub struct Criterion;

pub struct Bencher {
    nanoseconds: Vec<u128>,
}

impl Bencher {
    pub fn iter<T>(&mut self, mut routine: impl FnMut() -> T) {
        for _ in 0..5 {
            let begin = Instant::now();
            routine();
            self.nanoseconds.push(begin.elapsed().as_nanos());
        }
    }
}

impl Criterion {
    pub fn bench_function(&mut self, name: &str, run: impl FnOnce(&mut Bencher)) {
        let mut bencher = Bencher { nanoseconds: Vec::new() };
        run(&mut bencher);
        bencher.nanoseconds.sort();
        println!("test {name} ... bench: {} ns/iter (+/- 0)", bencher.nanoseconds[2]);
}
}
)rs";

ForeignProject cargo() {
  return {"cargo",
          "cargo --version",
          {{"Cargo.toml", R"([package]
name = "sums"
version = "0.1.0"
edition = "2021"

[dev-dependencies]
criterion = { path = "vendor/criterion" }

[lib]
bench = false

[[bench]]
name = "speed"
harness = false
)"},
           {".gitignore", "/target\n"},
           {"src/lib.rs", R"(pub fn sum() -> u64 {
    let mut sum = 0;
    for i in 0..COUNT {
        sum ^= unsafe { std::ptr::read_volatile(&i) };
    }
    sum
}
)"},
           {"benches/speed.rs", R"(use criterion::Criterion;

fn main() {
    Criterion.bench_function("sum", |b| b.iter(sums::sum));
}
)"},
           {"vendor/criterion/Cargo.toml",
            "[package]\nname = \"criterion\"\nversion = \"0.5.1\"\nedition = \"2021\"\n"},
           {"vendor/criterion/src/lib.rs", kCriterion}},
          "src/lib.rs",
          500000,
          10000000,
          "speed"};
}

ForeignProject go() {
  return {"go",
          "go version",
          {{"go.mod", "module example.org/sums\n\ngo 1.18\n"},
           {"sums.go", R"(package sums

var total int

func Sum() {
	for i := 0; i < COUNT; i++ {
		total += i
	}
}
)"},
           {"sums_test.go", R"(package sums

import "testing"

func BenchmarkSum(b *testing.B) {
	for i := 0; i < b.N; i++ {
		Sum()
	}
}
)"}},
          "sums.go",
          100000,
          2000000,
          "go"};
}

ForeignProject python() {
  return {"python",
          "python3 -c 'import setuptools' && python3-config --includes && ccache --version",
          {{"setup.py", R"(from setuptools import Extension, setup

setup(name='sums', packages=['sums'], ext_modules=[Extension('sums.core', ['sums/core.c'])])
)"},
           {".gitignore", "build/\n*.so\n"},
           {"sums/__init__.py", "from .core import add\n"},
           {"sums/core.c", R"(#include <Python.h>
static PyObject* add(PyObject* self, PyObject* none) {
  volatile double sum = 0;
  for (int i = 0; i < COUNT; ++i) sum = sum + i;
  return PyFloat_FromDouble(sum);
}
static PyMethodDef methods[] = {{"add", add, METH_NOARGS, ""}, {0, 0, 0, 0}};
static struct PyModuleDef module = {PyModuleDef_HEAD_INIT, "core", 0, -1, methods, 0, 0, 0, 0};
PyMODINIT_FUNC PyInit_core(void) { return PyModule_Create(&module); }
)"},
           {"benchmarks/bench_add.py", "import sums\n\nassert sums.add() > 0\n"}},
          "sums/core.c",
          1000000,
          60000000,
          "bench_add"};
}

ForeignProject outside() {
  return {"outside",
          "true",
          {{"work.sh", "i=0\nwhile [ $i -lt COUNT ]; do i=$((i + 1)); done\n"}},
          "work.sh",
          20000,
          400000,
          "example",
          {},
          {},
          {"init", "--outside", "../bench"},
          {{"../bench/bench.sh", "#!/bin/sh\nexec sh work.sh\n"}},
          {"--config", "../bench/perf-compare.json"}};
}

}  // namespace

void PrintTo(const ForeignProject& project, std::ostream* out) {
  *out << project.name;
}

std::vector<ForeignProject> foreign_projects() {
  return {cmake(), gated(), cargo(), go(), python(), outside()};
}

}  // namespace perf::test
