#include "workloads/inference/load.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "workloads/decoder/decoder_check.h"
#include "workloads/decoder/decoder_in_memory.h"
#include "workloads/inference/inference_parameters.h"
#include "workloads/inference/inference_report.h"
#include "workloads/inference/load_check.h"
#include "workloads/inference/seeded_checkpoint.h"
#include "workloads/kernels/random.h"
#include "workloads/model/checkpoint.h"
#include "workloads/model/random_tokens.h"
#include "workloads/program/error.h"
#include "workloads/program/median.h"
#include "workloads/program/memory.h"
#include "workloads/program/page_cache.h"
#include "workloads/program/roofline.h"

namespace perf::workloads {

namespace {

using perf_compare::Better;
using perf_compare::StepEmitter;

constexpr std::uint32_t kLoadedPromptStream = 77;

/// The file that is loaded: the user's, or a seeded one.
struct LoadedFile {
  std::optional<SeededCheckpoint> seeded;
  std::string path;
  std::vector<std::string> parts;  // the files of a checkpoint in several
  std::uint64_t bytes = 0;

  LoadedFile(const Settings& settings, const ParameterSource& source, std::uint64_t seed)
      : path(settings.text("checkpoint")) {
    if (path.empty()) {
      seeded.emplace(source.shape(), dtype_from(settings.text("file-dtype")), seed);
      path = seeded->path();
    } else if (settings.given("file-dtype")) {
      throw Error("a checkpoint has its own types",
                  fmt::format("--checkpoint {} --file-dtype {}", path, settings.text("file-dtype")),
                  "one of the two");
    }
    const Checkpoint opened(path);
    parts = opened.paths();
    bytes = opened.file_bytes();
  }
};

std::vector<int> prompt_tokens(const DecoderSetup& setup, std::uint64_t seed) {
  return random_tokens(derived_seed(seed, kLoadedPromptStream), setup.most_rows,
                       setup.shape.tokens());
}

/// Seconds of the timed steps, by what was done in them.
struct LoadTimes {
  std::vector<double> load, cold, steady;
  double first_cold = 0;  // of the process
};

class Loading {
 public:
  Loading(Decoder& decoder, const LoadedFile& file, std::vector<int> prompt, bool cold_cache)
      : decoder_(decoder), file_(file), prompt_(std::move(prompt)), cold_cache_(cold_cache) {}

  /// Outside of steps: the file is closed and, where that is wanted, forgotten by the system.
  void prepare() {
    checkpoint_.reset();
    if (cold_cache_) {
      for (const std::string& part : file_.parts) {
        drop_from_page_cache(part);
      }
    }
  }

  void step(StepEmitter& out, LoadTimes& times) {
    checkpoint_.emplace(file_.path);
    const double open = out.phase("open");
    decoder_.load(*checkpoint_);
    const double weights = out.phase("weights");
    decoder_.reset();
    decoder_.advance(prompt_.data(), prompt_.size());
    const double cold = out.phase("cold");
    decoder_.reset();
    decoder_.advance(prompt_.data(), prompt_.size());
    const double steady = out.phase("steady");
    out.stop_step();
    if (out.steps().size() == 1) {
      times.first_cold = cold;
    }
    if (out.steps().back().warmup) {
      return;
    }
    times.load.push_back(open + weights);
    times.cold.push_back(cold);
    times.steady.push_back(steady);
  }

  const Checkpoint& checkpoint() const { return *checkpoint_; }

 private:
  Decoder& decoder_;
  const LoadedFile& file_;
  const std::vector<int> prompt_;
  bool cold_cache_;
  std::optional<Checkpoint> checkpoint_;
};

void report(const LoadTimes& times, const LoadedFile& file, StepEmitter& out) {
  const auto bytes = static_cast<double>(file.bytes);
  const double load = median(times.load), cold = median(times.cold), steady = median(times.steady);
  out.metric("load_time", "s", Better::lower, load);
  out.metric("load_rate", "B/s", Better::higher, bytes / load);
  out.metric("cold_start_time", "s", Better::lower, cold);
  out.metric("first_cold_start_time", "s", Better::lower, times.first_cold);
  out.metric("steady_time", "s", Better::lower, steady);
  out.metric("cold_overhead", "1", Better::lower, cold / steady - 1);
  out.metric("file_bytes", "B", Better::lower, bytes);
}

void run_load(const Settings& settings, StepEmitter& out) {
  const std::uint64_t seed = out.wanted().seed;
  const std::unique_ptr<ParameterSource> source = parameter_source(settings, seed);
  DecoderSetup setup = decoder_setup(settings, *source);
  setup.capacity = setup.most_rows = static_cast<std::size_t>(settings.integer("prompt"));
  out.begin_field("tokens_per_step", 2 * setup.most_rows);
  describe_setup(settings, setup, out);
  require_fit(setup, available_memory());
  const LoadedFile file(settings, *source, seed);
  const std::vector<int> prompt = prompt_tokens(setup, seed);

  Ledger counted;
  count_memory(setup, counted);
  Ledger memory(counted);
  Decoder decoder(setup, memory);
  ReadShare reading(read_probe_bytes(settings, memory));
  Loading loading(decoder, file, prompt, settings.text("page-cache") == "cold");
  LoadTimes times;
  loading.prepare();
  reading.probe();
  while (out.next_step()) {
    loading.step(out, times);
    reading.probe();
    if (!out.steps().back().warmup) {
      reading.step(static_cast<double>(file.bytes + memory.bytes(Purpose::weights)),
                   times.load.back());
    }
    if (static_cast<std::int64_t>(out.steps().size()) <
        std::int64_t{out.wanted().steps} + out.wanted().warmup) {
      loading.prepare();
    }
  }
  report(times, file, out);
  reading.report(out);
  report_memory(memory, out, reading.bytes());

  out.check("loaded_weights_match_file", loaded_weights_error(decoder, loading.checkpoint()),
            tolerances(setup).weights);
  if (file.seeded) {
    out.check(
        "logits_match_seed",
        source_error(decoder, prompt,
                     RoundedParameters(setup.shape, dtype_from(settings.text("file-dtype")), seed)),
        kSameLogits);
  }
  check_decoder(decoder, loading.checkpoint(), seed, out);
}

std::vector<Parameter> load_parameters() {
  std::vector<Parameter> all = model_parameters();
  all.push_back(choice("file-dtype", dtype_names(), {"bf16", "bf16", "bf16"},
                       "of the file that is written from the seed"));
  all.push_back(integer("prompt", {32, 32, 32}, 1, 65536, "tokens of each forward pass"));
  all.push_back(
      choice("page-cache", {"warm", "cold"}, "whether the file lies in memory when it is opened"));
  return all;
}

}  // namespace

Workload inference_load() {
  Workload own{.name = "inference/load",
               .summary = "Loads a model from a safetensors file: open, pack, first forward.",
               .parameters = load_parameters(),
               .phases = {"open", "weights", "cold", "steady"},
               .metrics = {"load_time", "load_rate", "cold_start_time", "first_cold_start_time",
                           "steady_time", "cold_overhead", "file_bytes"},
               .checks = {"loaded_weights_match_file", "logits_match_seed"},
               .run = run_load};
  append(own.metrics, ReadShare::metrics());
  append(own.metrics, memory_metrics());
  append(own.checks, decoder_checks());
  return own;
}

}  // namespace perf::workloads
