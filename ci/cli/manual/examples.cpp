#include "ci/cli/manual/examples.h"

#include <map>

namespace perf {

std::vector<Example> examples_of(std::string_view command) {
  static const std::map<std::string_view, std::vector<Example>> examples{
      {"init",
       {{"perf-compare init --dry-run", "print the config, write nothing"},
        {"perf-compare init --config ci/perf.json", "write it to another file"}}},
      {"compare",
       {{"perf-compare", "HEAD against its baseline: the merge base, or what CI says"},
        {"perf-compare v1.2 HEAD -w 'parser/*'", "two revisions, some workloads"},
        {"perf-compare HEAD .", "the working tree, uncommitted changes included"},
        {"perf-compare HEAD --vary threads=1,2,4", "settings of one revision"},
        {"perf-compare baseline HEAD --budget 5m --markdown report.md", "in a CI job"}}},
      {"bisect",
       {{"perf-compare bisect v1.2 HEAD -w parser", "the commit that made parser slower"}}},
      {"selftest",
       {{"perf-compare selftest", "the smoke size of HEAD"},
        {"perf-compare selftest -w parser --threshold 5%", "one workload, a finer gate"}}},
      {"calibrate",
       {{"perf-compare calibrate", "measure HEAD against itself, 32 pairs of each workload"},
        {"perf-compare calibrate --show", "what the last one of this machine said"}}},
      {"profile", {{"perf-compare profile -w parser HEAD~1 HEAD", "what moved between the two"}}},
      {"collect",
       {{"perf-compare collect HEAD", "every night: tonight's commit"},
        {"perf-compare collect v1.2..HEAD --every 5 --missing", "fill the gaps of a history"},
        {"perf-compare collect HEAD --anchor release", "paired with a pinned baseline"}}},
      {"trend",
       {{"perf-compare trend --fail-on new", "every night: exit with 1 where something is new"},
        {"perf-compare trend --since 30d -w 'parser/*'", "the last month of some workloads"},
        {"perf-compare trend --confirm --budget 20m", "measure what the alerts only suspect"}}},
      {"judge",
       {{"perf-compare judge base.json head.json", "output of the same benchmark, twice"},
        {"perf-compare judge --base a1.json --base a2.json --head b1.json --head b2.json",
         "several sessions of each side"}}},
      {"pin", {{"perf-compare pin release v1.2 --reason 'shipped'", "then: compare release HEAD"}}},
      {"import",
       {{"perf-compare import hyperfine out.json --rev v1.2", "values of a commit"},
        {"perf-compare import criterion target/criterion --rev HEAD --as bench",
         "in one series with the workload bench"}}}};
  const auto at = examples.find(command);
  return at == examples.end() ? std::vector<Example>{} : at->second;
}

}  // namespace perf
