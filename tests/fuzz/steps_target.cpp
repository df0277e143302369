#include <nlohmann/json.hpp>

#include "schema/formats/steps.h"
#include "tests/fuzz/checks.h"
#include "tests/fuzz/target.h"

namespace perf::fuzz {
namespace {

using Json = nlohmann::ordered_json;

Json json_of(const Params& params) {
  Json object = Json::object();
  for (const auto& [name, value] : params) {
    std::visit([&, key = name](const auto& one) { object[key] = one; }, value);
  }
  return object;
}

/// A block as a workload would write it.
std::string written(const Block& block) {
  Json begin = {{"type", "begin"}, {"protocol", 1}, {"params", json_of(block.params)}};
  if (!block.workload.empty()) {
    begin["workload"] = block.workload;
  }
  if (block.tokens_per_step) {
    begin["tokens_per_step"] = *block.tokens_per_step;
  }
  std::string text = begin.dump() + "\n";
  Json facts = {{"type", "environment"}};
  for (const auto& [key, value] : block.facts) {
    facts[key] = value;
  }
  text += facts.dump() + "\n";
  for (const Step& step : block.steps) {
    Json line = {{"type", "step"},
                 {"index", step.index},
                 {"warmup", step.warmup},
                 {"seconds", step.seconds}};
    if (step.rss) {
      line["rss"] = *step.rss;
    }
    for (const auto& [name, seconds] : step.phases) {
      line["phases"][name] = seconds;
    }
    text += line.dump() + "\n";
  }
  for (const MetricValue& reported : block.metrics) {
    text += Json{{"type", "metric"},
                 {"name", reported.metric.name},
                 {"unit", reported.metric.unit},
                 {"better", reported.metric.better == Better::lower ? "lower" : "higher"},
                 {"value", reported.value},
                 {"judge", reported.judge}}
                .dump() +
            "\n";
  }
  for (const Check& check : block.checks) {
    Json line = {{"type", "check"}, {"name", check.name}, {"passed", check.passed}};
    if (check.error) {
      line["error"] = *check.error;
    }
    if (check.tolerance) {
      line["tolerance"] = *check.tolerance;
    }
    text += line.dump() + "\n";
  }
  return text + "{\"type\":\"end\"}\n";
}

std::string texts_of(const std::vector<Block>& blocks) {
  std::string text;
  for (const Block& block : blocks) {
    text += text_of(block);
  }
  return text;
}

void run(std::string_view input) {
  read_twice(input, "line ", [](const std::string& text) {
    const std::vector<Block> blocks = formats::read_steps(text);
    require(!blocks.empty(), "an output of nothing");
    std::string again;
    for (const Block& block : blocks) {
      require_usable(block);
      again += written(block);
    }
    const std::string read = texts_of(blocks);
    require(texts_of(formats::read_steps(again)) == read,
            "what was read does not read back:\n" + again);
    return read;
  });
}

std::vector<std::string> seeds() {
  return {
      R"({"type":"begin","protocol":1,"workload":"a/b","params":{"layers":4,"x":"y"},"tokens_per_step":4096}
{"type":"environment","blas":"OpenBLAS","threads":2}
{"type":"step","index":0,"warmup":true,"seconds":0.0123,"rss":123456,"phases":{"forward":0.004,"backward":0.007}}
{"type":"step","index":1,"warmup":false,"seconds":0.0123,"rss":123456}
{"type":"metric","name":"first_token_time","unit":"s","better":"lower","value":0.021,"judge":false}
{"type":"check","name":"matches","passed":true,"error":3.1e-6,"tolerance":1e-4}
{"type":"end"}
)",
      "{\"type\":\"begin\",\"protocol\":1,\"workload\":\"a\"}\r\n"
      "{\"type\":\"step\",\"seconds\":1}\r\n{\"type\":\"end\"}\r\n"
      "{\"type\":\"begin\",\"protocol\":1,\"workload\":\"b\"}\n"
      "{\"type\":\"step\",\"seconds\":2e-3}\n{\"type\":\"end\"}"};
}

}  // namespace

FuzzTarget steps_target() {
  return {"steps", run, seeds};
}

}  // namespace perf::fuzz
