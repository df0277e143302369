#include <array>

#include "schema/formats/reading.h"
#include "schema/formats/surroundings.h"
#include "schema/text/utc_time.h"

namespace perf::formats {
namespace {

constexpr const char* kWantedLlamaBench = "write the file with llama-bench -o json or -o jsonl";

/// A setting of a test, and how versions of llama-bench write its default, between blanks.
struct LlamaSetting {
  std::string_view name, unset;
};

/// KEY_PROPERTIES of llama.cpp's scripts/compare-llama-bench.py, and options that came later. The
/// number of threads has no default: it is that of the machine.
constexpr std::array<LlamaSetting, 24> kLlamaSettings{{
    {"n_threads", ""},           {"n_batch", " 2048 "},
    {"n_ubatch", " 512 "},       {"cpu_mask", " 0x0 "},
    {"cpu_strict", " false "},   {"poll", " 50 "},
    {"type_k", " f16 "},         {"type_v", " f16 "},
    {"n_gpu_layers", " -1 99 "}, {"n_cpu_moe", " 0 "},
    {"split_mode", " layer "},   {"main_gpu", " 0 "},
    {"flash_attn", " -1 "},      {"no_kv_offload", " false "},
    {"devices", " auto "},       {"tensor_split", " 0.00 "},
    {"use_mmap", " true "},      {"tensor_buft_overrides", " none "},
    {"load_mode", " mmap "},     {"embeddings", " false "},
    {"no_host", " false "},      {"no_op_offload", " 0 false "},
    {"fit_target", " 0 "},       {"fit_min_ctx", " 0 "},
}};

/// "pp512", "tg128", "pp512+tg128", " @ d4096", as llama-bench prints it in its tables.
std::string name_of_test(const Entry& test) {
  const std::int64_t prompt = as_integer(test.at("n_prompt"), "\"n_prompt\"");
  const std::int64_t generated = as_integer(test.at("n_gen"), "\"n_gen\"");
  const JsonValue* depth = test.find("n_depth");
  std::string name = generated > 0 && prompt == 0 ? "" : "pp" + std::to_string(prompt);
  if (generated > 0) {
    name += (name.empty() ? "tg" : "+tg") + std::to_string(generated);
  }
  if (depth != nullptr && as_integer(*depth, "\"n_depth\"") > 0) {
    name += " @ d" + std::to_string(as_integer(*depth, "\"n_depth\""));
  }
  return name;
}

/// The model and what is not as llama-bench has it by default: a build that adds a setting runs the
/// same test.
Params settings_of(const Entry& test) {
  const std::string file = text_field(test.object, "model_filename");
  Params params{{"model", text_field(test.object, "model_type")},
                {"model_file", file.substr(file.find_last_of("/\\") + 1)}};
  for (const LlamaSetting& setting : kLlamaSettings) {
    const JsonValue* value = test.find(setting.name);
    const std::optional<Param> param = value == nullptr ? std::nullopt : param_of(*value);
    if (param && setting.unset.find(" " + to_text(*param) + " ") == setting.unset.npos) {
      params[std::string(setting.name)] = *param;
    }
  }
  return params;
}

void take_llama_test(const Entry& test, SeriesList& list) {
  const std::string name = name_of_test(test);
  const Params params = settings_of(test);
  list.begin(name, params);
  test.list("samples_ns");
  list.add_all(name, params, step_times(1e-9),
               numbers_or_nan(test.object, "samples_ns", "a sample"));
  if (list.of(name, params, step_times()).values.empty()) {
    list.set.failures.insert({{name, params}, "it has no sample"});
  }
  list.add_all(name, params, {{"tokens_per_second", "1/s", Better::higher}},
               numbers_or_nan(test.object, "samples_ts", "a rate"));
}

Environment llama_environment(const JsonObject& test) {
  Environment environment;
  add_facts(test, {"cpu_info", "gpu_info", "backends"}, environment.machine);
  fingerprint_by("cpu_info", environment);
  return environment;
}

}  // namespace

/// Reads what llama-bench of llama.cpp writes under -o json and -o jsonl
/// (https://github.com/ggml-org/llama.cpp/blob/master/tools/llama-bench/llama-bench.cpp, "struct
/// test", "json_printer", "jsonl_printer"). A benchmark is a test as its tables name it, with its
/// model and the settings that are not llama-bench's defaults.
///
/// `samples_ns`, one a repetition, become step_time, in seconds; `samples_ts`, the tokens per
/// second of the same repetitions, are shown. Processor, graphics card and backends are the
/// machine, `build_commit` is the commit; the number of the build says nothing more.
Sessions read_llama_bench(std::string_view text, const std::string& filename) {
  SeriesList list;
  std::set<std::string> commits;
  std::string time;
  for_each_record(text, filename, kWantedLlamaBench, [&](const JsonValue& value) {
    const Entry test(value, "a test");
    take_llama_test(test, list);
    const bool is_first = commits.empty();
    commits.insert(text_field(test.object, "build_commit"));
    if (is_first) {
      time = utc_time(text_field(test.object, "test_time"));
      list.set.environment = llama_environment(test.object);
    }
  });
  const bool is_known = commits.size() == 1 && *commits.begin() != "unknown";
  return one_session(list.take(), is_known ? *commits.begin() : std::string(), time);
}

}  // namespace perf::formats
