#include <algorithm>

#include "ci/cli/init/proposal.h"
#include "schema/text/glob.h"
#include "schema/text/lists.h"
#include "schema/text/text_parts.h"

namespace perf {
namespace {

/// A manifest that init does not read, as a glob of its name at the top, and how its tool runs
/// benchmarks.
struct OtherManifest {
  std::string_view file, what, name;
  std::vector<std::string> build, command;
  std::string format = "process";
};

const std::vector<OtherManifest>& other_manifests() {
  const std::vector<std::string> bazel{"bazel build --compilation_mode=opt //REPLACE:BENCHMARK"};
  const std::vector<std::string> of_bazel{"bazel-bin/REPLACE/BENCHMARK"};
  static const std::vector<OtherManifest> all{
      {"MODULE.bazel", "a Bazel module", "bazel", bazel, of_bazel},
      {"WORKSPACE", "a Bazel workspace", "bazel", bazel, of_bazel},
      {"WORKSPACE.bazel", "a Bazel workspace", "bazel", bazel, of_bazel},
      {"build.sbt",
       "an sbt project",
       "jmh",
       {"sbt Jmh/compile"},
       {"sbt", "Jmh/run -f 1 -wi 3 -w 200ms -i 5 -r 200ms -rf json -rff {out}"},
       "jmh"},
      {"Package.swift",
       "a Swift package",
       "swift",
       {"swift build -c release"},
       {"swift", "package", "benchmark"}},
      {"mix.exs",
       "an Elixir project",
       "mix",
       {"mix deps.get", "mix compile"},
       {"mix", "run", "bench/REPLACE.exs"}},
      {"deno.json", "a Deno project", "deno", {}, {"deno", "bench"}},
      {"deno.jsonc", "a Deno project", "deno", {}, {"deno", "bench"}},
      {"composer.json",
       "a PHP package",
       "phpbench",
       {"composer install --quiet"},
       {"vendor/bin/phpbench", "run"}},
      {"build.zig",
       "a Zig project",
       "zig",
       {"zig build -Doptimize=ReleaseFast"},
       {"zig", "build", "bench"}},
      {"Project.toml",
       "a Julia package",
       "julia",
       {"julia --project -e 'using Pkg; Pkg.instantiate()'"},
       {"julia", "--project", "benchmark/REPLACE.jl"}},
      {"cabal.project",
       "a Haskell project",
       "cabal",
       {"cabal build --enable-benchmarks all"},
       {"cabal", "bench"}},
      {"stack.yaml",
       "a Haskell project",
       "stack",
       {"stack build --bench --no-run-benchmarks"},
       {"stack", "bench"}},
      {"dune-project",
       "a Dune project",
       "dune",
       {"dune build --profile release"},
       {"_build/default/bench/REPLACE.exe"}},
      {"*.cabal",
       "a Haskell package",
       "cabal",
       {"cabal build --enable-benchmarks all"},
       {"cabal", "bench"}},
      {"pubspec.yaml",
       "a Dart package",
       "dart",
       {"dart pub get"},
       {"dart", "run", "benchmark/REPLACE.dart"}},
      {"*.nimble", "a Nim package", "nim", {"nimble build -d:release"}, {"nimble", "bench"}},
      {"project.clj", "a Clojure project", "lein", {"lein compile"}, {"lein", "bench"}},
      {"noxfile.py", "a noxfile", "nox", {}, {"nox", "--session", "bench"}},
      {"tox.ini", "a tox.ini", "tox", {}, {"tox", "-e", "bench"}},
      {"Rakefile", "a Rakefile", "rake", {}, {"rake", "bench"}},
      {"Gemfile",
       "a Ruby project",
       "ruby",
       {"bundle install --quiet"},
       {"bundle", "exec", "ruby", "benchmark/REPLACE.rb"}},
      {"justfile", "a justfile", "just", {}, {"just", "bench"}},
      {"Justfile", "a justfile", "just", {}, {"just", "bench"}},
      {".justfile", "a justfile", "just", {}, {"just", "bench"}},
      {"Taskfile.y*ml", "a Taskfile", "task", {}, {"task", "bench"}},
      {"magefile.go", "a magefile", "mage", {}, {"mage", "bench"}},
      {"Earthfile", "an Earthfile", "earthly", {}, {"earthly", "+bench"}},
      {"SConstruct", "an SCons project", "scons", {"scons"}, {"./REPLACE"}},
      {"xmake.lua",
       "an xmake project",
       "xmake",
       {"xmake config --mode=release", "xmake"},
       {"xmake", "run", "REPLACE"}},
  };
  return all;
}

}  // namespace

void detect_others(const SourceTree& tree, Proposal& proposal) {
  const bool names_benchmarks = std::ranges::any_of(tree.files, [](const std::string& file) {
    return lower(file).find("bench") != std::string::npos;
  });
  for (const OtherManifest& one : other_manifests()) {
    const auto at = std::ranges::find_if(tree.files, [&](const std::string& path) {
      return folder_of(path).empty() && glob_match(one.file, path);
    });
    if (at == tree.files.end()) {
      continue;
    }
    const std::string& file = *at;
    proposal.found.push_back(std::string(one.what) + " (" + file + ")");
    const std::string text = lower(tree.read(file));
    const bool has_benchmark = names_benchmarks || text.find("bench") != std::string::npos ||
                               text.find("jmh") != std::string::npos;
    if (!proposal.workloads.empty() || !has_benchmark) {
      continue;
    }
    ProposedWorkload workload{
        std::string(one.name), one.command, one.format,
        "To do: " + file +
            " is not read. Complete the command of its "
            "benchmark here and in the build, and give it the format that the "
            "benchmark writes, such as google-benchmark (docs/formats.md)."};
    workload.build = mapped(one.build, [](const std::string& line) { return BuildLine{line}; });
    proposal.workloads.push_back(std::move(workload));
  }
}

}  // namespace perf
