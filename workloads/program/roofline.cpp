#include "workloads/program/roofline.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "workloads/program/emitted.h"
#include "workloads/program/median.h"

namespace perf::workloads {

using perf_compare::Better;
using perf_compare::StepEmitter;

std::vector<std::string> gemm_share_metrics() {
  return {"gemm_rate", "gemm_share"};
}

void report_gemm_share(double flop_rate, double gemm_rate, StepEmitter& out) {
  if (gemm_rate <= 0) {
    return;
  }
  out.metric("gemm_rate", "flop/s", Better::higher, gemm_rate);
  out.metric("gemm_share", "1", Better::higher, flop_rate / gemm_rate);
}

bool is_rate_of_memory(double rate, std::size_t bytes, double cache_rate) {
  constexpr std::size_t kMemory = std::size_t{64} << 20;
  constexpr double kClearly = 1.25;
  return bytes < kMemory || cache_rate >= kClearly * rate;
}

void ReadShare::probe(std::size_t least) {
  const double cache_rate = rates_.empty() ? rate_.measure_cache() : 0;
  const std::size_t passes = rate_.bytes() > 0 ? (least + rate_.bytes() - 1) / rate_.bytes() : 0;
  probed(rate_.measure(static_cast<int>(std::max<std::size_t>(2, passes))), cache_rate);
}

std::vector<std::string> ReadShare::metrics() {
  return {"read_rate", "bytes_per_second", "read_share"};
}

void ReadShare::report(StepEmitter& out) const {
  if (steps_.empty()) {
    return;
  }
  const double rate = median(rates_);
  if (rate > 0) {
    out.begin_field("read_rate_bytes", rate_.bytes());
    out.metric("read_rate", "B/s", Better::higher, rate);
  }
  out.metric("bytes_per_second", "B/s", Better::higher, median(steps_));
  if (rate <= 0 || (cache_rate_ > 0 && !is_rate_of_memory(rate, rate_.bytes(), cache_rate_))) {
    return;
  }
  // The last probe came after the last step, and only timed steps are kept.
  std::vector<double> shares;
  const std::size_t first = rates_.size() - std::min(rates_.size(), steps_.size() + 1);
  for (std::size_t i = 0; first + i + 1 < rates_.size(); ++i) {
    shares.push_back(2 * steps_[i] / (rates_[first + i] + rates_[first + i + 1]));
  }
  out.metric("read_share", "1", Better::higher, median(std::move(shares)));
}

namespace {

std::string row(const char* name, std::size_t width, std::optional<double> share,
                const std::string& roof) {
  const std::string text = share ? fmt::format("{:.1f} %", 100 * *share) : "unknown";
  const char* note = !share       ? ": a cache is read no faster"
                     : *share > 1 ? ": exceeded, so not its limit"
                                  : "";
  return fmt::format("  {:<{}}{:>14}   of {}{}\n", name, width, text, roof, note);
}

}  // namespace

std::string roofline_rows(const StepEmitter& out, std::size_t width) {
  std::string rows;
  const std::optional<double> gemm_share = metric_value(out, "gemm_share");
  const std::optional<double> gemm_rate = metric_value(out, "gemm_rate");
  const std::optional<double> read_share = metric_value(out, "read_share");
  const std::optional<double> read_rate = metric_value(out, "read_rate");
  if (gemm_share && gemm_rate) {
    const std::string n = text_of(out.params(), "peak-size");
    rows +=
        row(metric_value(out, "prefill_rate") ? "roofline, prompt" : "roofline", width, gemm_share,
            scaled(*gemm_rate, "flop/s") + ", the rate of a " + (n.empty() ? "square" : n + "^3") +
                " product");
  }
  if (read_rate) {
    const double bytes = number_of(out.begin_fields(), "read_rate_bytes");
    rows += row("roofline", width, read_share,
                scaled(*read_rate, "B/s") + ", the rate of reading " +
                    (bytes > 0 ? scaled(bytes, "B") : "memory"));
  }
  return rows;
}

}  // namespace perf::workloads
