#include "workloads/inference/sampling_workload.h"

#include <fmt/format.h>
#include <omp.h>

#include <algorithm>
#include <map>
#include <stdexcept>
#include <utility>

#include "workloads/inference/decode_time.h"
#include "workloads/inference/inference_parameters.h"
#include "workloads/inference/inference_report.h"
#include "workloads/inference/sampling.h"
#include "workloads/inference/sampling_check.h"
#include "workloads/program/model_parameters.h"
#include "workloads/program/roofline.h"

namespace perf::workloads {

namespace {

using perf_compare::Better;
using perf_compare::StepEmitter;

constexpr std::size_t kCheckedVectors = 2;
// The yardstick reads the logits themselves, so from the caches that they lie in, and leaves them
// there. Beyond kMostReadOfLogits caches are out of play. Half a millisecond each time.
constexpr std::size_t kMostReadOfLogits = 256 << 20, kLeastReadOfLogits = 32 << 20;

// "greedy,top-k": throws std::invalid_argument for a name that is unknown or comes twice.
std::vector<std::string> methods_from(const std::string& text) {
  std::vector<std::string> names;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    const std::string name = text.substr(begin, end - begin);
    const auto& known = sampling_method_names();
    if (std::find(known.begin(), known.end(), name) == known.end() ||
        std::find(names.begin(), names.end(), name) != names.end()) {
      throw std::invalid_argument(fmt::format("different ones of: {}", fmt::join(known, ", ")));
    }
    names.push_back(name);
    begin = end + 1;
  }
  return names;
}
void require_methods(const std::string& text) {
  methods_from(text);
}

std::vector<Series> sampling_series(const Settings& settings) {
  std::vector<Series> all;
  for (const std::int64_t vocabulary : settings.integers("vocabulary")) {
    for (const std::string& method : methods_from(settings.text("sampling"))) {
      all.push_back({fmt::format("{}_{}", method, vocabulary),
                     {{"sampling", method}, {"vocabulary", std::to_string(vocabulary)}}});
    }
  }
  return all;
}

}  // namespace

SamplingSetup sampling_setup(const Settings& settings) {
  return {.options = sampling_options(settings),
          .vocabulary = static_cast<std::size_t>(settings.integer("vocabulary")),
          .deviation = settings.real("deviation"),
          .vectors = static_cast<std::size_t>(settings.integer("vectors")),
          .samples = static_cast<std::size_t>(settings.integer("samples"))};
}

namespace {

// The series of a run share it: they differ in what happens after the pass.
double decode_time(const Settings& settings, std::uint64_t seed) {
  static std::map<std::string, double> measured;
  const std::string key =
      fmt::format("{} {} {} {}", settings.text("model"), settings.integer("vocabulary"),
                  settings.text("weights"), omp_get_max_threads());
  const auto found = measured.find(key);
  if (found != measured.end()) {
    return found->second;
  }
  DecoderSetup setup{.shape = model_shape(settings.text("model"))};
  setup.shape.vocabulary = settings.count("vocabulary");
  setup.weights = weight_type_from(settings.text("weights"));
  setup.cache = default_cache(setup.weights);
  return measured[key] = measured_decode_time(setup, seed);
}

void check(const Sampling& sampling, StepEmitter& out) {
  const SamplingSetup& setup = sampling.setup();
  DrawErrors errors;
  for (std::size_t i = 0; i < std::min(kCheckedVectors, setup.vectors); ++i) {
    errors.add(draw_errors(setup.options, sampling.logits(i), setup.vocabulary, sampling.draws(i)));
  }
  out.check("tokens_match_reference", errors.position, kPositionTolerance);
  out.check("tokens_may_be_drawn", errors.outside, kOutsideTolerance);
  out.check("frequencies_match_reference", errors.frequency(), kFrequencyTolerance);
}

void run_sampling(const Settings& settings, StepEmitter& out) {
  const SamplingSetup setup = sampling_setup(settings);
  const std::uint64_t seed = out.wanted().seed;
  Ledger counted;
  const Sampling counting(setup, seed, counted);
  Ledger memory(counted);
  Sampling sampling(setup, seed, memory);
  out.begin_field("tokens_per_step", setup.samples);
  out.begin_field("working_set_bytes", sampling.working_set());
  const auto samples = static_cast<double>(setup.samples);
  ReadShare reading(sampling.logits(0), std::min(kMostReadOfLogits, sampling.working_set()));
  reading.probe(kLeastReadOfLogits);
  while (out.next_step()) {
    sampling.step();
    out.phase("sample");
    out.stop_step();
    if (!out.steps().back().warmup) {
      reading.step(samples * static_cast<double>(setup.vocabulary * sizeof(float)),
                   out.steps().back().seconds);
    }
    reading.probe(kLeastReadOfLogits);
  }
  const double token = out.median_seconds() / samples;
  out.metric("sample_time", "s", Better::lower, token);
  out.metric("samples_per_second", "1/s", Better::higher, 1 / token);
  if (settings.text("forward") == "on") {
    const double forward = decode_time(settings, seed);
    out.metric("forward_time", "s", Better::lower, forward);
    out.metric("forward_share", "1", Better::lower, token / forward);
  }
  reading.report(out);
  check(sampling, out);
}

// As the other workloads have them, but for several ways of sampling.
std::vector<Parameter> sampling_workload_parameters() {
  std::vector<Parameter> all = sampling_parameters();
  all.front() = text("sampling", "greedy,top-k,top-p,temperature", require_methods,
                     "a series each: any of these");
  for (Parameter& own : std::vector<Parameter>{
           integers("vocabulary", {"32000", "32000,151936", "32000,151936"}, 2, 1'000'000,
                    "tokens V that there are; a series each"),
           real("deviation", 3, 0, 1000, "of the logits, divided by the temperature"),
           integer("samples", {16, 16, 1000}, 1, 1'000'000, "tokens drawn in a step"),
           integer("vectors", {2, 2, 8}, 1, 1024, "of logits, used in turn"),
           choice("forward", {"on", "off"},
                  "time a pass of a model, too; peak_rss is then that model's"),
           model_parameter(),
           choice("weights", weight_type_names(), "of the model whose forward pass is timed")}) {
    all.push_back(std::move(own));
  }
  return all;
}

}  // namespace

Workload inference_sampling() {
  Workload own{
      .name = "inference/sampling",
      .summary = "Draws tokens from logits: each way of sampling, each vocabulary.",
      .parameters = sampling_workload_parameters(),
      .phases = {"sample"},
      .metrics = {"sample_time", "samples_per_second", "forward_time", "forward_share"},
      .checks = {"tokens_match_reference", "tokens_may_be_drawn", "frequencies_match_reference"},
      .series = sampling_series,
      .run = run_sampling,
  };
  append(own.metrics, ReadShare::metrics());
  return own;
}

}  // namespace perf::workloads
