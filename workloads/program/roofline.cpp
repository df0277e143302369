#include "workloads/program/roofline.h"

#include <algorithm>
#include <utility>

#include "workloads/program/median.h"

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

std::vector<std::string> ReadShare::metrics() {
  return {"read_rate", "bytes_per_second", "read_share"};
}

void ReadShare::report(StepEmitter& out) const {
  if (steps_.empty())
    return;
  const double rate = median(rates_);
  if (rate > 0)
    out.metric("read_rate", "B/s", Better::higher, rate);
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

}  // namespace perf::workloads
