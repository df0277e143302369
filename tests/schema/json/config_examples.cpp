#include "schema/formats/foreign.h"
#include "tests/schema/json/examples.h"

namespace perf {
namespace {

std::string root(const std::string& keys) {
  return R"({"workloads": [{"name": "w", "command": ["x"]}])" + (keys.empty() ? "" : ", " + keys) +
         "}";
}

std::string workload(const std::string& keys) {
  return R"({"workloads": [{"name": "w", "command": ["x"])" + (keys.empty() ? "" : ", " + keys) +
         "}]}";
}

std::string target(const std::string& keys) {
  return root(R"("targets": [{"name": "t", "of": "w", )" + keys + "}]");
}

void add(std::vector<Example>& examples, bool good, const std::vector<std::string>& texts) {
  for (const std::string& text : texts) {
    examples.push_back({text, good});
  }
}

void add_workloads(std::vector<Example>& examples) {
  add(examples, true,
      {workload(""),
       workload(
           R"("format": "steps", "timeout": "1.5 h", "metrics": {"m": {"threshold": "0.5 %"}})"),
       workload(
           R"("params": {"a": 1, "b-c": "x", "d": true, "e": 0.5}, "sizes": {"smoke": false, "ci": {}, "full": {"a": 2}})"),
       R"({"workloads": [{"name": "a/b.c-d_e", "command": ["x", "", "-y"]}]})"});
  std::vector<std::string_view> known = formats::foreign_formats();
  known.push_back("process");
  for (const std::string_view format : known) {
    add(examples, true, {workload("\"format\": \"" + std::string(format) + "\"")});
  }
  add(examples, false,
      {workload(R"("comand": 1)"),
       workload(R"("format": "tea-leaves")"),
       workload(R"("format": 1)"),
       workload(R"("timeout": 5)"),
       workload(R"("timeout": "5")"),
       workload(R"("timeout": "0s")"),
       workload(R"("timeout": "-5s")"),
       workload(R"("timeout": "5 sec")"),
       workload(R"("params": [])"),
       workload(R"("params": {"a": null})"),
       workload(R"("params": {"-a": 1})"),
       workload(R"("params": {"": 1})"),
       workload(R"("params": {"a/b": 1})"),
       workload(R"("sizes": {"tiny": {}})"),
       workload(R"("sizes": {"ci": true})"),
       workload(R"("sizes": {"ci": {"a": {}}})"),
       workload(R"("metrics": {"m": {}})"),
       workload(R"("metrics": {"m": {"threshold": 0.1}})"),
       workload(R"("metrics": {"": {"threshold": "1%"}})"),
       workload(R"("metrics": {"step_time.p49.9": {"threshold": "1%"}})"),
       workload(R"("metrics": {"step_time.99": {"threshold": "1%"}})"),
       R"({"workloads": [{"name": "w"}]})",
       R"({"workloads": [{"command": ["x"]}]})",
       R"({"workloads": [{"name": "w", "command": []}]})",
       R"({"workloads": [{"name": "w", "command": [""]}]})",
       R"({"workloads": [{"name": "w", "command": "x"}]})",
       R"({"workloads": [{"name": "w", "command": ["x", 1]}]})",
       R"({"workloads": [{"name": "", "command": ["x"]}]})",
       R"({"workloads": [{"name": "a/../b", "command": ["x"]}]})",
       R"({"workloads": [{"name": "/a", "command": ["x"]}]})",
       R"({"workloads": [{"name": "a/", "command": ["x"]}]})",
       R"({"workloads": [{"name": "a//b", "command": ["x"]}]})",
       R"({"workloads": [{"name": "-a", "command": ["x"]}]})",
       R"({"workloads": [{"name": ".a", "command": ["x"]}]})",
       R"({"workloads": [{"name": "a b", "command": ["x"]}]})",
       R"({"workloads": [{"name": ")" + std::string(201, 'a') + R"(", "command": ["x"]}]})",
       R"({"workloads": [{"name": 1, "command": ["x"]}]})",
       R"({"workloads": [1]})",
       R"({"workloads": {}})",
       R"({"workloads": []})",
       "{}",
       "[]",
       "null"});
  examples.push_back(
      {R"({"workloads": [{"name": "w", "command": ["x"]}, {"name": "w", "command": ["y"]}]})",
       false, true});
  examples.push_back({workload(R"("timeout": "9999h")"), false, true});
  examples.push_back({workload(R"("params": {"a": 9007199254740993})"), false, true});
}

void add_policies(std::vector<Example>& examples) {
  const auto policy = [](const std::string& keys) { return root("\"policy\": {" + keys + "}"); };
  add(examples, true,
      {policy(""), policy(R"("threshold": "10%", "alpha": "0.1%", "budget": "250ms")"),
       policy(R"("threshold": "999.9%", "alpha": "49.9%")"), policy(R"("threshold": "0010%")"),
       policy(
           R"("metrics": {"peak_rss": {"threshold": "5%"}}, "workloads": {"a/*": {"threshold": "3%"}})")});
  add(examples, false,
      {policy(R"("threshold": "0%")"), policy(R"("threshold": "0.0%")"),
       policy(R"("threshold": "1000%")"), policy(R"("threshold": 10)"),
       policy(R"("threshold": "10")"), policy(R"("threshold": "-1%")"), policy(R"("alpha": "50%")"),
       policy(R"("alpha": "0%")"), policy(R"("alpha": 0.01)"), policy(R"("budget": "10")"),
       policy(R"("budget": 600)"), policy(R"("looks": 6)"), policy(R"("metrics": [])"),
       policy(R"("workloads": {"a": "3%"})"), policy(R"("workloads": {"": {"threshold": "3%"}})"),
       root(R"("policy": null)")});
}

void add_builds(std::vector<Example>& examples) {
  add(examples, true,
      {root(R"("build": "own")"), root(R"("uses": [])"), root(R"("uses": ["*.cpp", "../data"])")});
  add(examples, false,
      {root(R"("build": "theirs")"), root(R"("hub": 1)"), root(R"("uses": "*.cpp")"),
       root(R"("uses": [""])"), root(R"("uses": [1])")});
}

void add_targets(std::vector<Example>& examples) {
  add(examples, true,
      {target(R"("at_least": 2)"),
       target(R"("at_most": "2m", "metric": "total_time", "size": "full")"),
       target(R"("at_most": 0.5, "over": "w/child")"), root(R"("targets": [])"),
       target(R"("at_most": 0.5, "when": {"isa": "avx512"})"), target(R"("at_most": "2m")"),
       target(R"("at_most": "100MiB", "metric": "peak_rss")"),
       target(R"("at_least": "1.5 GB", "metric": "read_bytes")"),
       target(R"("at_most": 5, "metric": "peak_rss")"),
       target(R"("at_most": 5, "metric": "tokens_per_second")")});
  add(examples, false,
      {target(R"("size": "ci")"),
       target(R"("at_least": 1, "at_most": 2)"),
       target(R"("at_least": null)"),
       target(R"("at_least": 1, "when": {})"),
       target(R"("at_least": 1, "when": {"isa": 2})"),
       target(R"("at_least": 1, "when": {"isa": ""})"),
       target(R"("at_least": "2x")"),
       target(R"("at_least": 1, "size": "huge")"),
       target(R"("at_least": 1, "metric": "")"),
       target(R"("at_least": 1, "over": "")"),
       target(R"("at_least": 1, "unit": "s")"),
       root(R"("targets": [{"name": "t", "at_least": 1}])"),
       root(R"("targets": [{"of": "w", "at_least": 1}])"),
       root(R"("targets": {})"),
       target(R"("at_most": "1s", "metric": "peak_rss")"),
       target(R"("at_most": "1MB")"),
       target(R"("at_most": "1MB", "metric": "total_time")"),
       target(R"("at_most": "1s", "metric": "tokens_per_second")"),
       target(R"("at_most": "1MB", "metric": "tokens_per_second")"),
       target(R"("at_most": "0MB", "metric": "peak_rss")"),
       target(R"("at_most": "1Mb", "metric": "peak_rss")"),
       target(R"("at_least": "2s", "over": "w/child")"),
       target(R"("at_least": "2MB", "over": "w/child", "metric": "peak_rss")")});
  examples.push_back({target(R"("at_most": "99999999TB", "metric": "peak_rss")"), false, true});
  examples.push_back(
      {root(R"("targets": [{"name": "t", "of": "other", "at_least": 1}])"), false, true});
}

}  // namespace

std::vector<Example> config_examples() {
  std::vector<Example> examples;
  add(examples, true,
      {root(""), root(R"("$schema": "config.schema.json")"),
       root(R"("build": {"submodules": true})"),
       root(R"("build": {"command": ["make"], "submodules": false})"),
       root(
           R"("build": {"command": ["make"], "timeout": "30m"}, "baselines": {"release": "v1.2", "a/b": "HEAD~1"})")});
  add(examples, false,
      {root(R"("$schema": 1)"), root(R"("build": {})"), root(R"("build": {"submodules": false})"),
       root(R"("build": {"command": ["make"], "submodules": 1})"),
       root(R"("build": {"command": "make"})"),
       root(R"("build": {"command": ["make"], "shell": true})"), root(R"("build": [])"),
       root(R"("baselines": {"HEAD": "v1"})"), root(R"("baselines": {"a b": "v1"})"),
       root(R"("baselines": {"a": ""})"), root(R"("baselines": {"a": "-x"})"),
       root(R"("baselines": {"a": 1})"), root(R"("other": 1)")});
  add_builds(examples);
  add_workloads(examples);
  add_policies(examples);
  add_targets(examples);
  return examples;
}

}  // namespace perf
