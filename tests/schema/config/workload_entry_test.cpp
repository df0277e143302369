#include <gtest/gtest.h>

#include "schema/formats/foreign.h"
#include "tests/schema/config/config_text.h"

namespace perf {
namespace {

std::string named(const std::string& name) {
  return R"({"workloads": [{"command": ["x"], "name": ")" + name + "\"}]}";
}

TEST(WorkloadEntry, RefusesUnsafeNames) {
  EXPECT_EQ(read(named("micro/matmul-128")).workloads[0].workload.name, "micro/matmul-128");
  for (const char* name :
       {"", "../x", "a/../b", "/a", "a/", "a//b", "-a", "a/.b", "a b", "a\\u0007b", "a*"}) {
    EXPECT_REFUSED(named(name), "the workload name");
  }
  EXPECT_REFUSED(named("a b"), "may only have letters, digits and . _ - / @1:43");
  EXPECT_REFUSED(R"({"workloads": [{"command": ["x"]}]})", "a workload has no \"name\"");
  EXPECT_REFUSED(R"({"workloads": [{"command": ["x"], "name": 1}]})", "name must be text");
}

TEST(WorkloadEntry, RefusesDuplicateNames) {
  EXPECT_REFUSED(
      "{\"workloads\": [{\"name\": \"w\", \"command\": [\"x\"]},\n {\"name\": \"w\", \"command\": "
      "[\"y\"]}]}",
      "duplicate workload \"w\" @2:2");
}

TEST(WorkloadEntry, ReadsCommandsAsArgumentVectors) {
  const auto with = [](const std::string& command) {
    return "{\"workloads\": [{\"name\": \"w\", \"command\": " + command + "}]}";
  };
  EXPECT_EQ(read(with(R"(["a", "", "--b"])")).workloads[0].workload.command,
            (std::vector<std::string>{"a", "", "--b"}));
  EXPECT_REFUSED(with("[]"), "command is empty");
  EXPECT_REFUSED(with("[\"\"]"), "command is empty");
  EXPECT_REFUSED(with("\"make bench\""), R"(["sh", "-c", "..."])");
  EXPECT_REFUSED(with("[\"a\", 1]"), "an argument of command must be text, not a number");
  EXPECT_REFUSED(with("[\"a\\u0000b\"]"), "U+0000");
  EXPECT_REFUSED(R"({"workloads": [{"name": "w"}]})", "workload \"w\" has no \"command\"");
}

TEST(WorkloadEntry, KnowsTheFormats) {
  std::vector<std::string_view> known = formats::foreign_formats();
  known.push_back("process");
  for (const std::string_view format : known) {
    EXPECT_EQ(read(workload_with("\"format\": \"" + std::string(format) + "\""))
                  .workloads[0]
                  .workload.format,
              format);
  }
  EXPECT_REFUSED(workload_with(R"("format": "google-benchmrk")"),
                 R"(unknown format "google-benchmrk" @2:11 | did you mean "google-benchmark"?)");
  EXPECT_REFUSED(workload_with(R"("format": "step")"),
                 R"(unknown format "step" @2:11 | did you mean "steps"?)");
  EXPECT_REFUSED(workload_with(R"("format": null)"), "format must be text");
}

TEST(WorkloadEntry, ReadsSecondsAsANumber) {
  EXPECT_EQ(read(workload_with(R"("seconds": 12.5)")).workloads[0].workload.seconds, 12.5);
  EXPECT_EQ(read(workload_with(R"("timeout": "5m")")).workloads[0].workload.seconds, 0);
  for (const char* none : {"0", "-1", "1e10"}) {
    EXPECT_REFUSED(workload_with("\"seconds\": " + std::string(none)), "must be above 0");
  }
  EXPECT_REFUSED(workload_with(R"("seconds": "12s")"), "seconds must be a number");
}

TEST(WorkloadEntry, KeepsTheTypesOfParams) {
  const Config config = read(workload_with(
      R"("params": {"n": 4, "rate": 0.5, "mode": "fast", "on": true, "hidden-size": 8})"));
  const Params& params = config.workloads[0].workload.params;
  EXPECT_EQ(params.at("n"), Param(std::int64_t{4}));
  EXPECT_EQ(params.at("rate"), Param(0.5));
  EXPECT_EQ(params.at("mode"), Param(std::string("fast")));
  EXPECT_EQ(params.at("on"), Param(true));
  for (const char* name : {"", "-x", "--x", "a b", "a=b", "a/b", "."}) {
    EXPECT_REFUSED(workload_with("\"params\": {\"" + std::string(name) + "\": 1}"),
                   "invalid parameter name");
  }
  EXPECT_REFUSED(workload_with(R"("params": {"a": null})"),
                 "must be text, a number, true or false, not null");
  EXPECT_REFUSED(workload_with(R"("params": {"a": [1]})"), "not an array");
  EXPECT_REFUSED(workload_with(R"("params": {"a": 9007199254740993})"), "2^53");
  EXPECT_REFUSED(workload_with(R"("params": [])"), "params must be an object");
}

TEST(WorkloadEntry, ReadsSizes) {
  const Config config =
      read(workload_with(R"("sizes": {"smoke": false, "ci": {}, "full": {"n": 2}})"));
  const auto& sizes = config.workloads[0].sizes;
  EXPECT_FALSE(sizes.at("smoke").has_value());
  EXPECT_TRUE(sizes.at("ci")->empty());
  EXPECT_EQ(sizes.at("full")->at("n"), Param(std::int64_t{2}));
  EXPECT_REFUSED(workload_with(R"("sizes": {"smok": {}})"),
                 R"(unknown size "smok" @2:11 | did you mean "smoke"?)");
  EXPECT_REFUSED(workload_with(R"("sizes": {"smoke": true})"), "must be false or an object");
  EXPECT_REFUSED(workload_with(R"("sizes": {"smoke": null})"), "must be an object, not null");
  EXPECT_REFUSED(workload_with(R"("sizes": {"smoke": {"-x": 1}})"), "invalid parameter name");
}

TEST(WorkloadEntry, ReadsTimeoutsAsDurations) {
  EXPECT_EQ(read(workload_with(R"("timeout": "1.5m")")).workloads[0].workload.timeout, 90);
  EXPECT_REFUSED(
      workload_with(R"("timeout": 300)"),
      R"(timeout must be text with a unit, not a number @2:12 | write it as a duration, such as "90s")");
  EXPECT_REFUSED(workload_with(R"("timeout": "5")"), R"(timeout: "5" is not a duration)");
  EXPECT_REFUSED(workload_with(R"("timeout": "0s")"), "must be above 0, got \"0s\"");
  EXPECT_REFUSED(workload_with(R"("timeout": "-5s")"), "is not a duration");
}

TEST(WorkloadEntry, ReadsAFolderInsideTheCheckout) {
  const auto cwd = [](const std::string& text) {
    return read(workload_with("\"cwd\": \"" + text + "\"")).workloads[0].workload.cwd;
  };
  EXPECT_EQ(cwd("bench"), "bench");
  EXPECT_EQ(cwd("./sub/./bench/"), "sub/bench");
  EXPECT_EQ(cwd("."), "");
  EXPECT_EQ(cwd("..bench"), "..bench");
  for (const char* outside : {"/tmp", "..", "../x", "a/../../x", "a/..", "./.."}) {
    EXPECT_REFUSED(workload_with("\"cwd\": \"" + std::string(outside) + "\""),
                   "cwd must lie inside the checkout, got \"" + std::string(outside) + "\" @2:8");
  }
  EXPECT_REFUSED(workload_with(R"("cwd": "")"), "cwd is empty");
  EXPECT_REFUSED(workload_with(R"("cwd": 1)"), "cwd must be text");
}

TEST(WorkloadEntry, ReadsVariables) {
  using Variables = std::map<std::string, std::string>;
  EXPECT_EQ(read(workload_with(R"("env": {"THREADS": "4", "npm-x": "a=b", "LC_ALL": ""})"))
                .workloads[0]
                .workload.env,
            (Variables{{"THREADS", "4"}, {"npm-x", "a=b"}, {"LC_ALL", ""}}));
  EXPECT_REFUSED(workload_with(R"("env": {"PERF_COMPARE_SEED": "1"})"),
                 R"(env must not set "PERF_COMPARE_SEED")");
  EXPECT_REFUSED(workload_with(R"("env": {"": "1"})"), "invalid variable name");
  EXPECT_REFUSED(workload_with(R"("env": {"A=B": "1"})"), R"(invalid variable name "A=B")");
  EXPECT_REFUSED(workload_with(R"("env": {"A": 4})"), R"(variable "A" must be text, not a number)");
  EXPECT_REFUSED(workload_with(R"("env": {"A": null})"), R"(variable "A" must be text)");
  EXPECT_REFUSED(workload_with(R"("env": ["A=1"])"), "env must be an object");
}

TEST(WorkloadEntry, ReadsPrepareAsAnArgumentVector) {
  EXPECT_EQ(read(workload_with(R"("prepare": ["cp", "a", "b"])")).workloads[0].workload.prepare,
            (std::vector<std::string>{"cp", "a", "b"}));
  EXPECT_REFUSED(workload_with(R"("prepare": [])"), "prepare is empty");
  EXPECT_REFUSED(workload_with(R"("prepare": "cp a b")"),
                 "prepare must be an array of arguments, not");
  EXPECT_REFUSED(workload_with(R"("prepare": [1])"), "an argument of prepare must be text");
}

TEST(WorkloadEntry, ReadsServers) {
  const auto served = [](const std::string& ready, const std::string& more = "") {
    return read(workload_with("\"serve\": {\"command\": [\"s\", \"{port}\"], \"ready\": {" + ready +
                              "}" + more + "}"))
        .workloads[0]
        .workload.serve.value();
  };
  const Server by_port = served(R"("tcp": "{port}")");
  EXPECT_EQ(by_port.command, (std::vector<std::string>{"s", "{port}"}));
  EXPECT_EQ(by_port.ready_by, ReadyBy::tcp);
  EXPECT_EQ(by_port.ready, "{port}");
  EXPECT_EQ(by_port.timeout, 30);
  EXPECT_EQ(served(R"("tcp": 5432)", R"(, "timeout": "2m")").timeout, 120);
  EXPECT_EQ(served(R"("tcp": 5432)").ready, "5432");
  EXPECT_EQ(served(R"("line": "ready to accept")").ready_by, ReadyBy::line);
  EXPECT_EQ(served(R"("file": "run/s.sock")").ready, "run/s.sock");
  for (const char* url : {"http://localhost:{port}/health", "http://127.0.0.1",
                          "http://[::1]:8080/", "http://localhost/x:y"}) {
    EXPECT_EQ(served("\"http\": \"" + std::string(url) + "\"").ready, url);
  }
  const auto refused = [](const std::string& serve) {
    return workload_with("\"serve\": " + serve);
  };
  const auto ready = [&](const std::string& text) {
    return refused(R"({"command": ["s"], "ready": )" + text + "}");
  };
  for (const char* url : {"https://localhost/", "http://example.com/", "http://localhost.example/",
                          "http://localhost:0/", "http://localhost:x/", "http://localhost:70000/",
                          "http://localhost/a b", "localhost:80"}) {
    EXPECT_REFUSED(ready("{\"http\": \"" + std::string(url) + "\"}"),
                   "http is not a URL of this machine");
  }
  EXPECT_REFUSED(ready(R"({"tcp": 0})"), "tcp must be from 1 to 65535, got 0");
  EXPECT_REFUSED(ready(R"({"tcp": "5432"})"), "tcp must be");
  EXPECT_REFUSED(ready(R"({"tcp": 1, "line": "x"})"), "ready must have one key");
  EXPECT_REFUSED(ready("{}"), "ready must have one key");
  EXPECT_REFUSED(ready(R"({"udp": 1})"), R"(unknown key "udp" in ready)");
  EXPECT_REFUSED(ready(R"({"line": ""})"), "line is empty");
  EXPECT_REFUSED(refused(R"({"ready": {"tcp": 1}})"), "has no \"command\"");
  EXPECT_REFUSED(refused(R"({"command": ["s"]})"), "has no \"ready\"");
}

}  // namespace
}  // namespace perf
