#pragma once

#include <vector>

#include "reporter/json/values.h"
#include "schema/report.h"

namespace perf::reporter {

/// One record of the vocabulary each, as schema/json/report.schema.json describes it.
Json json_of(const Comparison& comparison);
Json json_of(const ControlResult& control);
Json json_of(const Params& params);
Json json_of(const Policy& policy);
Json json_of(const Report& report);
Json json_of(const Revision& revision);
Json json_of(const std::optional<Revision>& revision);
Json json_of(const TargetResult& result);
Json json_of(const Summary& summary);
Json json_of(const FamilyMean& mean);
Json json_of(const TradeOff& trade_off);
Json json_of(const std::optional<Interval>& interval);
Json json_of(const std::optional<Verdict>& verdict);
Json json_of(const std::optional<WarmupBenefit>& warmup);
Json json_of(const std::vector<FunctionChange>& functions);
Json json_of(const std::optional<LayoutEffect>& layout);

/// Warnings as people read them, and in the same order as data: kind, text, figures.
Json warning_texts(const std::vector<Warning>& warnings);
Json warning_details(const std::vector<Warning>& warnings);

}  // namespace perf::reporter
