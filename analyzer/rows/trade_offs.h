#pragma once

#include <vector>

#include "analyzer/samples/standing.h"
#include "schema/report.h"

namespace perf {

/// Speed, size and quality of the workloads that report, at head, both metrics in bytes and metrics
/// of quality: numbers without a dimension ("1", "%") or in dB, such as errors, ratios of signal to
/// noise, perplexities. Medians over head's invocations; what the collector measured itself
/// (peak_rss) is no size of the result.
std::vector<TradeOff> trade_offs(const Standing& standing);

}  // namespace perf
