#pragma once

#include "reporter/json/values.h"
#include "schema/report.h"

namespace perf::reporter {

/// One record of the vocabulary each, as schema/json/report.schema.json describes it.
Json json_of(const Comparison& comparison);
Json json_of(const Policy& policy);
Json json_of(const Revision& revision);
Json json_of(const std::optional<Revision>& revision);
Json json_of(const TargetResult& result);
Json json_of(const Summary& summary);
Json json_of(const std::optional<Interval>& interval);
Json json_of(const std::optional<Verdict>& verdict);

}  // namespace perf::reporter
