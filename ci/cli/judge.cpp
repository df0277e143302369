#include "ci/cli/judge.h"

#include <cerrno>
#include <cstring>
#include <fstream>
#include <iostream>
#include <iterator>

#include "analyzer/judge/judge.h"
#include "ci/cli/exit_code.h"
#include "ci/cli/output.h"
#include "reporter/render.h"
#include "schema/error.h"
#include "schema/formats/judge_cases.h"

namespace perf {
namespace {

std::string read_all(std::istream& stream) {
  return {std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
}

std::string read_input(const std::string& file) {
  if (file == "-")
    return read_all(std::cin);
  std::ifstream stream(file, std::ios::binary);
  if (!stream)
    throw UsageError("the file could not be read", file + ": " + std::strerror(errno),
                     "name a JSON file, or - for standard input");
  return read_all(stream);
}

}  // namespace

int judge_command(const Options& options) {
  check_outputs(options);
  const std::vector<JudgeCase> cases =
      formats::read_judge_cases(read_input(options.file), options.file);
  const std::vector<Comparison> verdicts = judge(cases, apply(Policy{}, options), options.together);
  if (!options.json.empty())
    write_text(options.json, render_judge_json(verdicts));
  if (options.json != "-")
    write_text("-", render_judge_terminal(verdicts, wants_color(options)));
  return exit_code(verdicts, options.strict);
}

}  // namespace perf
