#include <algorithm>

#include "ci/cli/init/proposal.h"
#include "schema/text/text_parts.h"

namespace perf {
namespace {

/// Those of Google Benchmark name a function: BENCHMARK(BM_sort).
constexpr std::string_view kCatchBenchmarks[] = {"BENCHMARK(\"", "BENCHMARK_ADVANCED(\""};

constexpr std::string_view kCatchTags[] = {"[!benchmark]", "[benchmark]"};

}  // namespace

bool is_cpp_source(const std::string& file) {
  return file.ends_with(".cpp") || file.ends_with(".cc") || file.ends_with(".cxx");
}

bool has_catch2_benchmarks(const std::string& text) {
  return text.find("TEST_CASE") != std::string::npos &&
         std::ranges::any_of(kCatchBenchmarks, [&](std::string_view begin) {
           return text.find(begin) != std::string::npos;
         });
}

ProposedWorkload catch2_workload(const std::string& name, const std::string& program,
                                 const std::string& place, const std::string& sources) {
  ProposedWorkload workload{name, {program}, "catch2", "Benchmarks of Catch2, " + place + "."};
  const auto tag = std::ranges::find_if(
      kCatchTags, [&](std::string_view one) { return sources.find(one) != std::string::npos; });
  if (tag != std::end(kCatchTags)) {
    workload.command.emplace_back(*tag);
  } else {
    workload.comment +=
        " To do: its other tests run, too, unless test cases with benchmarks have a tag such as "
        "[!benchmark], which is then an argument here.";
  }
  for (const char* option : {"--reporter", "xml", "--out", "{out}", "--benchmark-samples", "20"}) {
    workload.command.emplace_back(option);
  }
  return workload;
}

void detect_catch2(const SourceTree& tree, Proposal& proposal) {
  if (std::ranges::find(proposal.workloads, "catch2", &ProposedWorkload::format) !=
      proposal.workloads.end()) {
    return;
  }
  for (const std::string& file : tree.files) {
    const std::string path = lower(file);
    const bool is_near = path.find("test") != path.npos || path.find("bench") != path.npos;
    if (is_cpp_source(file) && is_near && has_catch2_benchmarks(tree.read(file))) {
      proposal.notes.push_back("the benchmarks of Catch2 in " + file +
                               ": add its program by hand, with the arguments --reporter xml --out "
                               "{out} and \"format\": \"catch2\"");
      return;
    }
  }
}

}  // namespace perf
