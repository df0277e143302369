// Commands with a fuzzer's string in each place that takes one.

#include <fstream>

#include "tests/faults/hostile_world.h"

namespace perf::test {
namespace {

namespace fs = std::filesystem;

/// Outputs of a command.
constexpr const char* kOutputs[] = {"--json",  "--markdown",    "--html",
                                    "--junit", "--openmetrics", "--plots"};

}  // namespace

std::string hostile_config(const std::string& witness, const std::string& params) {
  return "{\"workloads\": [{\"name\": \"w\", \"command\": [" + in_json(witness) +
         "], \"params\": " + params + "}]}\n";
}

HostileCommand HostileWorld::next() {
  switch (count_++ % 8) {
    case 0:
      return with_path();
    case 1:
      return with_file();
    case 2:
      return with_variables();
    case 3:
      return measured();
    case 4:
      return with_names();
    default:
      return with_revision();
  }
}

HostileCommand HostileWorld::with_revision() {
  const bool exists = !names_.empty() && strings_.below(4) == 0;
  const std::string s = exists ? names_[strings_.below(names_.size())] : strings_.argument();
  switch (strings_.below(12)) {
    case 0:
      return {{"judge", s, "HEAD"}};
    case 1:
      return {{"judge", "HEAD", s}};
    case 2:
      return {{s}, {}, {}};
    case 3:
      return {{"collect", s}};
    case 4:
      return {{"collect", s + "..HEAD", "--missing"}};
    case 5:
      return {{"collect", "HEAD", "--anchor", s}};
    case 6:
      return {{"bisect", s, "HEAD", "-w", "w"}};
    case 7:
      return {
          {"pin", strings_.below(2) == 0 ? s : "release-1", s, "--reason", strings_.argument()}};
    case 8:
      return {{"show", s}};
    case 9:
      return {{"report", s}};
    case 10:
      return {{"trend", "--since", s}};
    default:
      return {{"profile", "-w", "w", s}};
  }
}

HostileCommand HostileWorld::with_path() {
  const std::string s = strings_.path(root_, here_);
  const fs::path place = (here_ / s).lexically_normal();
  switch (strings_.below(7)) {
    case 0:
      return {{"judge", "-C", s, "baseline", "HEAD"}};
    case 1:
      return {{"judge", "--config", s, "baseline", "HEAD"}};
    case 2:
      return {{"list", "--db", s}, {}, {place}};
    case 3:
      return {{"pin", "x1", "HEAD", "--db", s}, {}, {place, place.parent_path() / ".gitignore"}};
    case 4:
      return {{"export", s}, {}, {place}};
    case 5:
      return {{"report", "--github"}, {{"GITHUB_STEP_SUMMARY", s}, {"GITHUB_OUTPUT", s}}, {place}};
    default:
      return {{"report", kOutputs[strings_.below(std::size(kOutputs))], s}, {}, {place}};
  }
}

HostileCommand HostileWorld::with_file() {
  const std::string s = strings_.any();
  switch (strings_.below(6)) {
    case 0:
      return {{"judge", write("judged", "{\"cases\": {" + in_json(s) +
                                            ": {\"base\": [[1]], \"head\": [[1]]}}}")}};
    case 1:
      return {{"detect", write("series", "{" + in_json(s) + ": [1,1,1,1,2,2,2,2]}")}};
    case 2:
      return {{"import", "hyperfine",
               write("hyperfine",
                     "{\"results\": [{\"command\": " + in_json(s) + ", \"times\": [1,2]}]}"),
               "--rev", "HEAD"}};
    case 3:
      return {{"import", "go", write("go", "pkg: " + s + "\nBenchmark" + s + " 10 5 ns/op\n"),
               "--rev", "HEAD"}};
    case 4:
      return {{"merge", write("store", s)}};
    default:
      return {
          {"import", "criterion", write(std::to_string(strings_.below(9)), s), "--rev", "HEAD"}};
  }
}

HostileCommand HostileWorld::with_variables() {
  const std::string s = strings_.argument();
  const fs::path event =
      write("event", "{\"before\": " + in_json(s) + ", \"pull_request\": {\"head\": {\"sha\": " +
                         in_json(s) + "}, \"base\": {\"sha\": " + in_json(s) + "}}}");
  HostileCommand command{{"judge", "baseline", "HEAD"}};
  for (const char* name :
       {"GITHUB_BASE_REF", "CI_MERGE_REQUEST_TARGET_BRANCH_NAME", "CHANGE_TARGET", "CI_JOB_NAME",
        "CI_COMMIT_BEFORE_SHA", "GIT_PREVIOUS_COMMIT", "CI_MERGE_REQUEST_DIFF_BASE_SHA",
        "GITHUB_JOB", "GITHUB_EVENT_NAME", "GITHUB_REF", "RUNNER_ENVIRONMENT", "ImageVersion",
        "container", "TERM"}) {
    if (strings_.below(3) == 0) {
      command.variables[name] = s;
    }
  }
  command.variables["GITHUB_EVENT_PATH"] = event;
  command.variables["GITHUB_ACTIONS"] = "true";
  if (strings_.below(2) == 0) {
    command.variables["GITHUB_EVENT_NAME"] = "push";
  }
  return command;
}

HostileCommand HostileWorld::with_names() {
  const std::string s = strings_.argument();
  switch (strings_.below(9)) {
    case 0:
      return {{"judge", "baseline", "HEAD", "-w", s, "--metric", strings_.argument()}};
    case 1:
      return {{"-C", "nowhere", "--base-set", "k=" + s, "--head-set", s + "=1"}};
    case 2:
      return {{"-C", "nowhere", "--vary", s + "=1,2"}};
    case 3:
      return {{"unpin", s}};
    case 4:
      return {{"import", s, write("x", "{}"), "--rev", "HEAD", "--as", strings_.argument(),
               "--environment", strings_.argument()}};
    case 5:
      return {{"--" + s, strings_.argument()}};
    case 6:
      return {{"list", "-w", s}};
    case 7:
      return {{"trend", "-w", s, "--metric", s}};
    default:
      return {{"pins", "--log"}};
  }
}

/// The command of a workload, and its output.
HostileCommand HostileWorld::measured() {
  const std::string s = strings_.any();
  if (strings_.below(2) == 0) {
    const std::string params = "{\"k\": " + in_json(s) + "}";
    return {
        {"collect", "HEAD", "--config", write("config.json", hostile_config(witness_, params))}};
  }
  const fs::path lines = write(
      "lines",
      "{\"type\":\"begin\",\"protocol\":1,\"workload\":\"w\",\"params\":{\"k\":" + in_json(s) +
          "}}\n{\"type\":\"environment\",\"blas\":" + in_json(s) +
          "}\n{\"type\":\"step\",\"seconds\":1}\n{\"type\":\"check\",\"name\":" + in_json(s) +
          ",\"passed\":true}\n{\"type\":\"end\"}\n" + (strings_.below(2) == 0 ? s : ""));
  return {{"collect", "HEAD"}, {{"WITNESS_LINES", lines}}};
}

}  // namespace perf::test
