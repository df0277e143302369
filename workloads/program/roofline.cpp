#include "workloads/program/roofline.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <string_view>
#include <utility>

#include "workloads/program/median.h"
#include "workloads/program/table.h"

namespace perf::workloads {

using perf_compare::Better;
using perf_compare::StepEmitter;

std::vector<std::string> gemm_share_metrics() {
  return {"gemm_rate", "gemm_share"};
}

void report_gemm_share(double flop_rate, double gemm_rate, StepEmitter& out) {
  if (gemm_rate <= 0)
    return;
  out.metric("gemm_rate", "flop/s", Better::higher, gemm_rate);
  out.metric("gemm_share", "1", Better::higher, flop_rate / gemm_rate);
}

void ReadShare::probe(std::size_t least) {
  const std::size_t passes = rate_.bytes() > 0 ? (least + rate_.bytes() - 1) / rate_.bytes() : 0;
  probed(rate_.measure(static_cast<int>(std::max<std::size_t>(2, passes))));
}

std::vector<std::string> ReadShare::metrics() {
  return {"read_rate", "bytes_per_second", "read_share"};
}

void ReadShare::report(StepEmitter& out) const {
  if (steps_.empty())
    return;
  const double rate = median(rates_);
  if (rate > 0) {
    out.begin_field("read_rate_bytes", rate_.bytes());
    out.metric("read_rate", "B/s", Better::higher, rate);
  }
  out.metric("bytes_per_second", "B/s", Better::higher, median(steps_));
  if (rate <= 0)
    return;
  // The last probe came after the last step, and only timed steps are kept.
  std::vector<double> shares;
  const std::size_t first = rates_.size() - std::min(rates_.size(), steps_.size() + 1);
  for (std::size_t i = 0; first + i + 1 < rates_.size(); ++i)
    shares.push_back(2 * steps_[i] / (rates_[first + i] + rates_[first + i + 1]));
  out.metric("read_share", "1", Better::higher, median(std::move(shares)));
}

namespace {

const double* metric_value(const StepEmitter& out, std::string_view name) {
  for (const perf_compare::Metric& metric : out.metrics())
    if (metric.name == name)
      return &metric.value;
  return nullptr;
}

// "" where there is none.
std::string field(const perf_compare::Fields& fields, std::string_view name) {
  for (const auto& [key, value] : fields)
    if (key == name)
      return value.encoded();
  return {};
}

std::string scaled_bytes(const std::string& digits) {
  double bytes = 0;
  std::from_chars(digits.data(), digits.data() + digits.size(), bytes);
  return scaled(bytes, "B");
}

std::string row(const char* name, double share, const std::string& roof) {
  return fmt::format("  {:<30}{:>14}   of {}\n", name, fmt::format("{:.1f} %", 100 * share), roof);
}

}  // namespace

std::string roofline_rows(const StepEmitter& out) {
  std::string rows;
  const double* gemm_share = metric_value(out, "gemm_share");
  const double* gemm_rate = metric_value(out, "gemm_rate");
  const double* read_share = metric_value(out, "read_share");
  const double* read_rate = metric_value(out, "read_rate");
  if (gemm_share != nullptr && gemm_rate != nullptr) {
    const std::string n = field(out.params(), "peak-size");
    rows += row(metric_value(out, "prefill_rate") != nullptr ? "roofline, prompt" : "roofline",
                *gemm_share,
                scaled(*gemm_rate, "flop/s") + ", the rate of a " +
                    (n.empty() ? "square" : n + "^3") + " product");
  }
  if (read_share != nullptr && read_rate != nullptr) {
    const std::string bytes = field(out.begin_fields(), "read_rate_bytes");
    rows += row("roofline", *read_share,
                scaled(*read_rate, "B/s") + ", the rate of reading " +
                    (bytes.empty() ? "memory" : scaled_bytes(bytes)));
  }
  return rows;
}

}  // namespace perf::workloads
