#include "analyzer/judge/judge.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "analyzer/judge/judge_sessions.h"
#include "analyzer/samples/standing.h"
#include "ci/cli/commands.h"
#include "ci/cli/judge/judge.h"
#include "ci/cli/output/end_command.h"
#include "ci/cli/output/output.h"
#include "ci/cli/run/progress.h"
#include "reporter/render.h"
#include "reporter/text/sentences.h"
#include "schema/error.h"
#include "schema/formats/foreign.h"
#include "schema/formats/judge_cases.h"

namespace perf {
namespace {

/// The files of both sides, each one session.
struct SideFiles {
  std::vector<std::string> base, head;
};

SideFiles side_files(const Options& options) {
  SideFiles files{options.base_files, options.head_files};
  if (!options.second_file.empty()) {
    files.base.insert(files.base.begin(), options.file);
    files.head.insert(files.head.begin(), options.second_file);
  }
  if (files.base.empty() || files.head.empty()) {
    throw UsageError("missing file", files.base.empty() ? "base" : "head",
                     "pass BASE_FILE HEAD_FILE, or --base FILE and --head FILE, one a session");
  }
  return files;
}

/// A file of cases has both sides; other formats need two files.
std::vector<JudgeCase> read_cases(const std::string& file) {
  const std::string text = read_input(file);
  if (formats::is_session(text)) {
    throw UsageError("samples of one side only", file, "perf-compare judge BASE_FILE HEAD_FILE");
  }
  return formats::read_judge_cases(text, file);
}

/// The user names the machine of a file that does not identify it; the facts in the file must match
/// as well.
void name_machine(const std::string& name, Environment& environment) {
  if (!name.empty() && environment.fingerprint.empty()) {
    environment.fingerprint =
        "environment=" + name + "\n" + formats::facts_text(environment.machine);
  }
}

std::vector<SampleSet> read_sessions(const std::vector<std::string>& files, const Options& options,
                                     ProgressView& view) {
  std::vector<SampleSet> sessions;
  std::map<std::string, std::string> seen;  // content -> file
  for (const std::string& file : files) {
    const std::string text = read_input(file);
    if (const auto [known, is_new] = seen.emplace(text, file); !is_new) {
      view.say("warning: " + file + ": " +
               reporter::sentence({WarningKind::same_session, {}, {{"file", known->second}}}));
      continue;
    }
    sessions.push_back(formats::read_samples(text, file));
    name_machine(options.environment, sessions.back().environment);
    for (const Warning& warning : sessions.back().warnings) {
      view.say("warning: " + file + ": " + reporter::sentence(warning));
    }
  }
  return sessions;
}

std::vector<Comparison> verdicts_of(const Options& options) {
  Policy policy = apply(Policy{}, options);
  policy.looks = options.looks;
  const bool cases = !options.file.empty() && options.second_file.empty() &&
                     options.base_files.empty() && options.head_files.empty();
  if (cases && !options.metrics.empty()) {
    throw UsageError("--metric does not apply to cases", "--metric " + options.metrics.front(),
                     "leave it out, or pass the files of both sides");
  }
  if (cases) {
    return judge(read_cases(options.file), policy, options.together);
  }
  if (options.looks > 1) {
    throw UsageError("--looks does not apply to files of sessions",
                     "--looks " + std::to_string(options.looks), "leave it out");
  }
  if (!options.file.empty() && options.second_file.empty()) {
    throw UsageError("file without a side", options.file,
                     "pass it as --base " + options.file + " or --head " + options.file);
  }
  const SideFiles files = side_files(options);
  if (std::ranges::count(files.base, "-") + std::ranges::count(files.head, "-") > 1) {
    throw UsageError("standard input is named twice", "-", "pass a file for the other side");
  }
  ProgressView view(options, policy.budget);
  std::vector<SampleSet> base = read_sessions(files.base, options, view);
  std::vector<SampleSet> head = read_sessions(files.head, options, view);
  for (auto* side : {&base, &head}) {
    std::ranges::for_each(*side, [&policy](SampleSet& set) { add_quantiles(policy, set); });
  }
  std::set<std::string> metrics = metric_names(base);
  metrics.merge(metric_names(head));
  require_metrics_among(metrics, policy);
  return judge_sessions(base, head, policy,
                        options.together ? count_judged(base, head, policy) : 1);
}

}  // namespace

int judge_command(const Options& options, Spawner&) {
  const std::vector<Comparison> verdicts = verdicts_of(options);
  std::vector<Error> errors =
      write_outputs(page_renderings_of(verdicts, render_judge_json), options);
  if (verdicts.empty()) {
    errors.emplace_back("no cases", options.file, "add cases to the file");
  }
  return end_command(errors, exit_code(verdicts, options.strict));
}

}  // namespace perf
