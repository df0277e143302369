#include "schema/formats/reading.h"
#include "schema/formats/surroundings.h"
#include "schema/text/wording.h"

namespace perf::formats {
namespace {

constexpr const char* kWantedVllmServe = "write the file with vllm bench serve --save-result";

/// The load; `label` and --metadata are the user's words, and may name the build.
Params load_of(const Entry& result) {
  Params params;
  for (const std::string name :
       {"backend", "num_prompts", "request_rate", "max_concurrency", "burstiness",
        "ramp_up_strategy", "ramp_up_start_rps", "ramp_up_end_rps"}) {
    const JsonValue* value = result.find(name);
    if (const auto param = value == nullptr ? std::nullopt : param_of(*value)) {
      params[name] = *param;
    }
  }
  return params;
}

/// Why the result does not count: without the requests that failed, the server had less to do.
std::string failed_requests(const Entry& result) {
  const std::int64_t completed = as_integer(result.at("completed"), "\"completed\"");
  const JsonValue* given = result.find("failed");  // newer versions
  const std::int64_t asked = given == nullptr
                                 ? as_integer(result.at("num_prompts"), "\"num_prompts\"")
                                 : completed + as_integer(*given, "\"failed\"");
  if (completed >= asked && completed > 0) {
    return {};
  }
  std::string why = std::to_string(asked - completed) + " of " +
                    counted(static_cast<std::size_t>(std::max<std::int64_t>(asked, 0)), "request") +
                    " failed";
  for (const JsonValue& one : field_or_empty<JsonArray>(result.object, "errors")) {
    const std::string* error = std::get_if<std::string>(&one.data);
    if (error != nullptr && !error->empty()) {
      return why + ": " + *error;
    }
  }
  return why;
}

/// All count over the same duration: the first that was measured is judged.
void take_throughputs(const Entry& result, const std::string& name, const Params& params,
                      SeriesList& list) {
  bool judge = true;
  for (const std::string field :
       {"output_throughput", "total_token_throughput", "request_throughput", "request_goodput"}) {
    const JsonValue* value = result.find(field);
    const double rate = value == nullptr ? 0 : number_or_nan(*value, field);
    if (rate != 0) {
      const bool is_first = std::exchange(judge, false);
      list.add_positive(name, params, {{field, "1/s", Better::higher}, 1, is_first}, rate);
    }
  }
  if (judge) {
    list.set.failures.insert({{name, params}, "it has no throughput"});
  }
}

/// "median_ttft_ms" is `ttft`, "p99_ttft_ms" `ttft.p99`. Judged are the medians of the time to the
/// first token and of the time per later one, `tpot`, which the latency between tokens, `itl`, and
/// that of the whole request, `e2el`, repeat; `e2el` is where answers have no tokens.
void take_latencies(const Entry& result, const std::string& name, const Params& params,
                    SeriesList& list) {
  constexpr std::string_view kEnding = "_ms", kMedian = "median";
  const bool has_tokens = find_member(result.object, "median_ttft_ms") != nullptr;
  for (const JsonMember& member : result.object) {
    const std::size_t first = member.name.find('_');
    if (!member.name.ends_with(kEnding) || first + kEnding.size() + 1 >= member.name.size()) {
      continue;
    }
    const std::string statistic = member.name.substr(0, first);
    const std::string of = member.name.substr(first + 1, member.name.size() - first - 4);
    const bool is_median = statistic == kMedian;
    const bool is_quantile = statistic[0] == 'p' && parsed<double>(statistic.substr(1));
    const bool judge = is_median && (has_tokens ? of == "ttft" || of == "tpot" : of == "e2el");
    if (is_median || is_quantile || statistic == "mean") {
      list.add_positive(name, params,
                        {{is_median ? of : of + "." + statistic, "s", Better::lower}, 1e-3, judge},
                        number_or_nan(member.value, member.name));
    }
  }
}

}  // namespace

/// Reads what `vllm bench serve --save-result` (or --append-result) writes
/// (https://github.com/vllm-project/vllm/blob/main/vllm/benchmarks/serve.py). A benchmark is the
/// model under its load; each result is one value of each metric, in 1/s and seconds.
///
/// Of the throughputs, which repeat each other, that of generated tokens is judged, as are the
/// medians of ttft and tpot; a latency of 0 was not measured. A result with a failed request is a
/// failure. The file names neither the machine nor the commit.
Sessions read_vllm_serve(std::string_view text, const std::string& filename) {
  SeriesList list;
  for_each_record(text, filename, kWantedVllmServe, [&](const JsonValue& value) {
    const Entry result(value, "a result");
    const std::string& name = as_name(result.at("model_id"), "model");
    const Params params = load_of(result);
    if (const std::string why = failed_requests(result); !why.empty()) {
      list.set.failures.insert({{name, params}, why});
      return;
    }
    take_throughputs(result, name, params, list);
    take_latencies(result, name, params, list);
  });
  return one_session(list.take());
}

}  // namespace perf::formats
