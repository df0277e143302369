#include "tests/schema/json/examples.h"

namespace perf {
namespace {

void add(std::vector<Example>& examples, bool good, const std::string& type,
         const std::vector<std::string>& fields) {
  for (const std::string& text : fields) {
    examples.push_back(
        {"{\"type\":\"" + type + "\"" + (text.empty() ? "" : "," + text) + "}", good});
  }
}

void add_begins_and_facts(std::vector<Example>& examples) {
  add(examples, true, "begin",
      {R"("protocol":1)",
       R"("protocol":1,"workload":"a/b","params":{"n":1,"s":"x","b":true},"tokens_per_step":4096)",
       R"("protocol":1.0)",
       R"("protocol":1,"workload":null,"params":null,"tokens_per_step":null,"more":[])"});
  add(examples, false, "begin",
      {"", R"("protocol":2)", R"("protocol":"1")", R"("protocol":null)", R"("protocol":true)",
       R"("protocol":1,"workload":"")", R"("protocol":1,"workload":"../a")",
       R"("protocol":1,"workload":"a b")", R"("protocol":1,"workload":1)",
       R"("protocol":1,"params":[])", R"("protocol":1,"params":{"":1})",
       R"("protocol":1,"params":{"a":null})", R"("protocol":1,"params":{"a":{}})",
       R"("protocol":1,"tokens_per_step":0)", R"("protocol":1,"tokens_per_step":-1)",
       R"("protocol":1,"tokens_per_step":"8")"});
  add(examples, true, "environment",
      {"", R"("blas":"x","threads":2,"fast":true,"load":0.5,"deep":{"a":[1]},"none":null)"});
  add(examples, false, "environment", {R"("":"x")", "\"" + std::string(201, 'f') + "\":1"});
  add(examples, true, "gpu", {"", R"("seconds":-1)"});
}

void add_steps(std::vector<Example>& examples) {
  add(examples, true, "step",
      {R"("seconds":0.5)",
       R"("index":1,"warmup":true,"seconds":1e-15,"rss":1024,"phases":{"a":0,"b":0.25})",
       R"("index":7.0,"seconds":1e9,"rss":0)", R"("warmup":true,"seconds":1,"device_seconds":0)",
       R"("warmup":true,"seconds":1,"device_seconds":2.5,"phases":{})",
       R"("seconds":1,"index":null,"warmup":null,"device_seconds":null,"rss":null,"phases":null)"});
  add(examples, false, "step",
      {"",
       R"("seconds":0)",
       R"("seconds":-1)",
       R"("seconds":null)",
       R"("seconds":"1")",
       R"("seconds":true)",
       R"("seconds":5e-324)",
       R"("seconds":1e308)",
       R"("seconds":1e10)",
       R"("warmup":true,"seconds":1,"device_seconds":-1)",
       R"("seconds":1,"device_seconds":"1")",
       R"("seconds":1,"device_seconds":1e-300)",
       R"("seconds":1,"index":-1)",
       R"("seconds":1,"index":1.5)",
       R"("seconds":1,"index":"1")",
       R"("seconds":1,"warmup":1)",
       R"("seconds":1,"rss":-1)",
       R"("seconds":1,"rss":0.5)",
       R"("seconds":1,"phases":[])",
       R"("seconds":1,"phases":{"":1})",
       R"("seconds":1,"phases":{"a":-1})",
       R"("seconds":1,"phases":{"a":null})",
       R"("seconds":1,"phases":{"a":1e10})",
       R"("seconds":1,"phases":{"a":5e-324})"});
  examples.push_back({R"({"type":"step","seconds":1,"index":0})", false, true});  // out of order
}

void add_metrics_and_checks(std::vector<Example>& examples) {
  add(examples, true, "metric",
      {R"("name":"m","unit":"s","better":"lower","value":0.021,"judge":true)",
       R"("name":"m","better":"higher","value":-3)",
       R"("name":"m","better":"lower","value":0,"judge":true)",
       R"("name":"m","unit":null,"better":"lower","value":1,"judge":null)"});
  add(examples, false, "metric",
      {R"("better":"lower","value":1)", R"("name":"","better":"lower","value":1)",
       R"("name":"m","value":1)", R"("name":"m","better":"faster","value":1)",
       R"("name":"m","better":"lower")", R"("name":"m","better":"lower","value":null)",
       R"("name":"m","better":"lower","value":"1")", R"("name":"m","better":"lower","value":1e308)",
       R"("name":"m","better":"lower","value":5e-324)",
       R"("name":"m","better":"lower","value":-1,"judge":true)",
       R"("name":"m","better":"lower","value":1,"judge":1)",
       R"("name":"m","unit":1,"better":"lower","value":1)",
       R"("name":"m","better":"lower","value":1,"unit":")" + std::string(201, 'u') + '"',
       R"("name":"step_time","better":"lower","value":1)",
       R"("name":"peak_rss","better":"lower","value":1)"});
  add(examples, true, "check",
      {R"("name":"c","passed":true,"error":3e-6,"tolerance":1e-4)",
       R"("name":"c","passed":false,"error":null)"});
  add(examples, false, "check",
      {R"("name":"c")", R"("passed":true)", R"("name":"c","passed":1)",
       R"("name":"c","passed":null)", R"("name":"","passed":true)",
       R"("name":"c","passed":true,"error":"x")", R"("name":"c","passed":true,"tolerance":false)"});
}

}  // namespace

std::vector<Example> protocol_examples() {
  std::vector<Example> examples;
  add_begins_and_facts(examples);
  add_steps(examples);
  add_metrics_and_checks(examples);
  for (const char* text : {"{}", "[]", "1", R"({"type":1})", R"({"kind":"step"})"}) {
    examples.push_back({text, false});
  }
  return examples;
}

}  // namespace perf
