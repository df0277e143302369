#include <algorithm>

#include "ci/cli/init/proposal.h"
#include "schema/text/shell_words.h"

namespace perf {
namespace {

/// Where BenchmarkDotNet writes its results, from the top of the checkout.
constexpr const char* kDotnetArtifacts = "perf-compare.artifacts";

bool is_dotnet_project(const std::string& file) {
  return file.ends_with(".csproj") || file.ends_with(".fsproj") || file.ends_with(".vbproj");
}

/// Whether its main program hands its arguments to BenchmarkDotNet.
bool passes_arguments(const SourceTree& tree, const std::string& folder) {
  return std::ranges::any_of(tree.files, [&](const std::string& file) {
    const bool is_below = folder.empty() || file.starts_with(folder + "/");
    if (!is_below || !(file.ends_with(".cs") || file.ends_with(".fs") || file.ends_with(".vb"))) {
      return false;
    }
    const std::string text = tree.read(file);
    const auto has = [&text](const char* word) { return text.find(word) != std::string::npos; };
    return has("args") && (has("BenchmarkSwitcher") || has("BenchmarkRunner"));
  });
}

/// BenchmarkDotNet writes a file for each class, or with --join one for all
/// (https://benchmarkdotnet.org/articles/guides/console-args.html).
void add_benchmarkdotnet(const SourceTree& tree, const std::string& file, Proposal& proposal) {
  const std::string place = shell_word("./" + file), artifacts = kDotnetArtifacts;
  const std::string name = filename_of(file);
  std::string comment = "BenchmarkDotNet of " + file +
                        ", in its own process, because pairs of processes are the evidence. "
                        "--filter GLOB selects some "
                        "benchmarks.";
  if (!passes_arguments(tree, folder_of(file))) {
    comment +=
        " To do: its main program passes no arguments: "
        "BenchmarkSwitcher.FromAssembly(typeof(Program).Assembly).Run(args).";
  }
  proposal.found.push_back("BenchmarkDotNet: " + file);
  proposal.workloads.push_back(
      {name.substr(0, name.rfind('.')),
       {"sh", "-c",
        "rm -rf " + artifacts + " && dotnet run --no-build --configuration Release --project " +
            place +
            " -- --filter '*' --join --inProcess --job short --exporters json --artifacts " +
            artifacts + " >&2 && cat " + artifacts + "/results/*.json"},
       "benchmarkdotnet",
       comment,
       {{"dotnet build --configuration Release " + place}}});
}

}  // namespace

void detect_dotnet(const SourceTree& tree, Proposal& proposal) {
  bool is_dotnet = false;
  for (const std::string& file : tree.files) {
    if (is_dotnet_project(file)) {
      is_dotnet = true;
      if (holds(tree, file, "\"BenchmarkDotNet\"")) {
        add_benchmarkdotnet(tree, file, proposal);
      }
    }
  }
  if (is_dotnet) {
    proposal.found.push_back("a .NET project");
    if (proposal.build.empty()) {
      proposal.build.push_back({"dotnet build --configuration Release"});
    }
  }
}

}  // namespace perf
