#include <gtest/gtest.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>

#include "tests/reporter/samples.h"

namespace perf::samples {
namespace {

/// Validates documents, one a line on standard input, against a published schema, once as it is
/// published and once closed: every field that is written must also be described.
constexpr const char* kValidator = R"(
import copy, json, sys
import jsonschema
schema = json.load(open(sys.argv[1]))
def close(node):
    if isinstance(node, dict):
        if "properties" in node:
            node["additionalProperties"] = False
        for value in node.values():
            close(value)
    elif isinstance(node, list):
        for value in node:
            close(value)
closed = copy.deepcopy(schema)
close(closed)
count = 0
for line in sys.stdin:
    document = json.loads(line)
    for each in (schema, closed):
        jsonschema.Draft202012Validator.check_schema(each)
        jsonschema.Draft202012Validator(each).validate(document)
    count += 1
print("validated", count)
)";

}  // namespace

bool has_program(const std::string& program) {
  return std::system(("command -v " + program + " >/dev/null 2>&1").c_str()) == 0;
}

std::string output_of(const std::string& command, const std::string& input, bool& succeeded) {
  const std::string file = testing::TempDir() + "reporter_test_input_" + std::to_string(getpid());
  std::ofstream(file, std::ios::binary) << input;
  std::FILE* pipe = popen((command + " <'" + file + "' 2>&1").c_str(), "r");
  std::string output;
  std::array<char, 4096> buffer{};
  std::size_t read = 0;
  while (pipe != nullptr && (read = std::fread(buffer.data(), 1, buffer.size(), pipe)) > 0) {
    output.append(buffer.data(), read);
  }
  succeeded = pipe != nullptr && pclose(pipe) == 0;
  std::remove(file.c_str());
  return output;
}

bool has_json_schema() {
  return std::system("/usr/bin/python3 -c 'import jsonschema' 2>/dev/null") == 0;
}

std::string misfit(const std::string& schema, const std::vector<std::string>& documents) {
  std::string lines;
  for (const std::string& document : documents) {
    lines += nlohmann::json::parse(document).dump() + "\n";
  }
  bool succeeded = false;
  const std::string output = output_of("/usr/bin/python3 -c '" + std::string(kValidator) + "' '" +
                                           PERF_SOURCE_DIR "/schema/json/" + schema + "'",
                                       lines, succeeded);
  const bool fits = succeeded && output == "validated " + std::to_string(documents.size()) + "\n";
  return fits ? "" : "it does not fit: " + output;
}

}  // namespace perf::samples
