#include "schema/formats/foreign.h"

#include <algorithm>
#include <array>

#include "schema/error.h"
#include "schema/formats/json_value.h"
#include "schema/formats/readers.h"
#include "schema/formats/steps.h"
#include "schema/text/lists.h"
#include "schema/text/nearest_name.h"
#include "schema/text/text_parts.h"
#include "schema/text/utc_time.h"
#include "schema/text/utf8.h"
#include "schema/workload_name.h"

namespace perf::formats {
namespace {

using Sessions = std::vector<ImportedSession>;

std::string fact_of(const SampleSet& set, const std::string& key) {
  const auto found = set.environment.facts.find(key);
  return found == set.environment.facts.end() ? std::string() : found->second;
}

Sessions one_session(SampleSet samples, const std::string& commit = {},
                     const std::string& measured_at = {}) {
  Sessions sessions(1);
  sessions.front().commit = commit;
  sessions.front().measured_at = measured_at;
  sessions.front().samples = std::move(samples);
  return sessions;
}

Sessions google_sessions(std::string_view text, const std::string& filename) {
  SampleSet samples = read_google_benchmark(text, filename);
  const std::string date = fact_of(samples, "date");
  return one_session(std::move(samples), {}, utc_time(date));
}

/// `commit: 7cd9055` is a line that the format itself proposes; `testing` does not write one.
Sessions go_sessions(std::string_view text, const std::string& filename) {
  SampleSet samples = read_go_benchmark(text, filename);
  const std::string commit = fact_of(samples, "commit");
  return one_session(std::move(samples), commit);
}

void add_block(const Block& block, SampleSet& samples) {
  SampleSeries times{block.workload, block.params, kStepTime, true, {}};
  for (const Step& step : block.steps) {
    if (!step.warmup) {
      times.values.push_back(step.seconds);
    }
  }
  samples.series.push_back(times);
  for (const MetricValue& reported : block.metrics) {
    samples.series.push_back(
        {block.workload, block.params, reported.metric, reported.judge, {reported.value}});
  }
  samples.environment.facts.insert(block.facts.begin(), block.facts.end());
}

Sessions steps_sessions(std::string_view text, const std::string& filename) {
  ImportedSession session;
  session.samples.source = filename;
  session.samples.of_workloads = true;
  try {
    session.blocks = read_steps(text);
  } catch (const Error& error) {  // its subject is "line N"
    throw UsageError(error.what,
                     filename + ":" + error.subject.substr(error.subject.rfind(' ') + 1),
                     error.hint);
  }
  for (Block& block : session.blocks) {
    if (block.workload.empty()) {
      block.workload = WorkloadNames().of(filename);  // the only block: see read_steps
    }
    add_block(block, session.samples);
  }
  return {std::move(session)};
}

struct Format {
  std::string_view word;
  Sessions (*read)(std::string_view text, const std::string& filename);
};
constexpr std::string_view kSteps = "steps";
constexpr std::size_t kLongestReason = 200;  ///< bytes
using Text = std::string_view;
using Name = const std::string&;
constexpr std::array<Format, 8> kFormats{{
    {"google-benchmark", google_sessions},
    {"hyperfine", [](Text text, Name file) { return one_session(read_hyperfine(text, file)); }},
    {"pytest-benchmark",
     [](Text text, Name file) { return Sessions{read_pytest_benchmark(text, file)}; }},
    {"criterion", [](Text text, Name file) { return one_session(read_criterion(text, file)); }},
    {"go", go_sessions},
    {"asv", [](Text text, Name file) { return Sessions{read_asv(text, file)}; }},
    {"github-action-benchmark", read_github_action_benchmark},
    {kSteps, steps_sessions},
}};

/// Whether a benchmark failed that only parameters tell from another, so that their numbers, by
/// which they are called, say nothing.
bool shares_a_name(const SampleSet& samples) {
  return std::any_of(samples.series.begin(), samples.series.end(), [&](const SampleSeries& series) {
    return samples.failures.count(series.name) > 0;
  });
}

}  // namespace

const std::vector<std::string_view>& foreign_formats() {
  static const std::vector<std::string_view> words = [] {
    return mapped(kFormats, &Format::word);
  }();
  return words;
}

std::vector<ImportedSession> read_foreign(std::string_view format, std::string_view text,
                                          const std::string& filename) {
  const auto found = std::find_if(kFormats.begin(), kFormats.end(),
                                  [&](const Format& known) { return known.word == format; });
  if (found == kFormats.end()) {
    throw UsageError("no such format", in_quotes(format), instead_of(format, foreign_formats()));
  }
  return found->read(text, filename);
}

std::vector<Block> read_foreign_blocks(std::string_view format, std::string_view text,
                                       const std::string& filename) {
  if (format == kSteps) {
    return read_steps(text);
  }
  Sessions sessions = read_foreign(format, text, filename);
  if (sessions.size() > 1) {
    throw Error("a text of " + std::to_string(sessions.size()) + " sessions", filename,
                "what one invocation prints is one session");
  }
  SampleSet& samples = sessions.front().samples;
  const std::size_t skipped = samples.skipped.size();
  samples.failures.merge(samples.skipped);
  if (benchmarks_in(samples) + samples.failures.size() > kMostBlocks) {
    throw Error("more than 10,000 benchmarks", filename, "run a part of them at a time");
  }
  ForeignBlocks found = blocks_of(samples);
  const bool none_measured = found.blocks.empty() && found.failures.size() > skipped;
  if (none_measured || shares_a_name(samples)) {
    throw Error("a benchmark failed: " + in_quotes(found.failures.begin()->second),
                found.failures.begin()->first);
  }
  if (found.blocks.empty()) {
    throw Error("no benchmark has a value", filename);
  }
  for (const auto& [name, why] : found.failures) {
    Block& block = found.blocks.emplace_back();
    block.workload = name;
    block.skipped = first_line(why.substr(0, character_start(why, kLongestReason)));
  }
  return std::move(found.blocks);
}

}  // namespace perf::formats
