// The JSON Schemas that editors and other tools use, and the readers, agree about every example.
#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "schema/config.h"
#include "schema/error.h"
#include "schema/formats/steps.h"
#include "schema/metric.h"
#include "tests/schema/json/examples.h"

namespace perf {
namespace {

/// The examples hold no control characters: quotes and backslashes are all there is to escape.
std::string json_array(const std::vector<Example>& examples) {
  std::string out = "[";
  for (const Example& example : examples) {
    out += out.size() == 1 ? "\"" : ",\n\"";
    for (const char c : example.text) {
      out += c == '"' || c == '\\' ? std::string("\\") + c : std::string(1, c);
    }
    out += '"';
  }
  return out + "]\n";
}

/// What python3-jsonschema says of each. The system's python3, because that is what the package is
/// for.
std::vector<bool> accepted_by_schema(const std::string& schema,
                                     const std::vector<Example>& examples) {
  const std::string input = ::testing::TempDir() + "examples-" + schema;
  std::ofstream(input) << json_array(examples);
  const std::string command = "/usr/bin/python3 '" PERF_SOURCE_DIR
                              "/tests/schema/json/accepts.py' '" PERF_SOURCE_DIR "/schema/json/" +
                              schema + "' < '" + input + "'";
  std::vector<bool> accepted;
  std::FILE* pipe = popen(command.c_str(), "r");
  EXPECT_NE(pipe, nullptr);
  for (int c; pipe != nullptr && (c = std::fgetc(pipe)) != EOF;) {
    if (c == '0' || c == '1') {
      accepted.push_back(c == '1');
    }
  }
  EXPECT_EQ(pclose(pipe), 0) << "needs python3-jsonschema: " << command;
  std::remove(input.c_str());
  return accepted;
}

void expect_agreement(const std::string& schema, const std::vector<Example>& examples,
                      const std::function<void(const std::string&)>& read) {
  const std::vector<bool> accepted = accepted_by_schema(schema, examples);
  ASSERT_EQ(accepted.size(), examples.size());
  for (std::size_t i = 0; i < examples.size(); ++i) {
    const Example& example = examples[i];
    EXPECT_EQ(accepted[i], example.good || example.beyond_schema) << schema << ": " << example.text;
    std::string refusal;
    try {
      read(example.text);
    } catch (const Error& error) {
      refusal = error.what;
    }
    EXPECT_EQ(refusal.empty(), example.good) << example.text << ": " << refusal;
  }
}

TEST(JsonSchema, AgreesWithTheConfigReader) {
  expect_agreement("config.schema.json", config_examples(),
                   [](const std::string& text) { read_config(text, "perf-compare.json"); });
}

TEST(JsonSchema, AgreesWithTheProtocolReader) {
  const std::string begin = "{\"type\":\"begin\",\"protocol\":1}\n";
  const std::string rest = "{\"type\":\"step\",\"seconds\":1}\n";
  const std::string end = "{\"type\":\"end\"}\n";
  expect_agreement("protocol.schema.json", protocol_examples(), [&](const std::string& line) {
    const bool begins = line.rfind("{\"type\":\"begin\"", 0) == 0;
    formats::read_steps(begins ? line + "\n" + rest + end : begin + rest + line + "\n" + end);
  });
}

TEST(JsonSchema, ReservesTheMetricsThatAreMeasuredHere) {
  std::vector<Example> examples;
  for (const Metric& metric : kOfInvocation) {
    examples.push_back(
        {R"({"type":"metric","better":"lower","value":1,"name":")" + metric.name + R"("})", false});
  }
  EXPECT_EQ(accepted_by_schema("protocol.schema.json", examples),
            std::vector<bool>(examples.size(), false));
}

TEST(JsonSchema, ShowsTheDefaultsOfThePolicy) {
  const nlohmann::json schema =
      nlohmann::json::parse(std::ifstream(PERF_SOURCE_DIR "/schema/json/config.schema.json"));
  const nlohmann::json& policy = schema.at("properties").at("policy").at("properties");
  const auto as_read = [&](const std::string& key) {
    const std::string text = R"({"workloads": [{"name": "a", "command": ["a"]}], "policy": {")" +
                             key + R"(": )" + policy.at(key).at("default").dump() + "}}";
    return read_config(text, "perf-compare.json").policy;
  };
  EXPECT_EQ(as_read("threshold").threshold, Policy{}.threshold);
  EXPECT_EQ(as_read("alpha").alpha, Policy{}.alpha);
  EXPECT_EQ(as_read("budget").budget, Policy{}.budget);
}

}  // namespace
}  // namespace perf
