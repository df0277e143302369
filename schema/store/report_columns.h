#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "schema/policy.h"
#include "schema/report.h"

namespace perf::store {

/// The way back of json_text.h for what a report is made of. Members that earlier versions did not
/// write are what they were without them. Throw Error when the text is not what to_json writes.
Policy policy_from_json(std::string_view text);
std::vector<PhaseChange> phases_from_json(std::string_view text);
std::vector<CheckResult> checks_from_json(std::string_view text);
std::vector<TargetResult> targets_from_json(std::string_view text);
std::map<std::string, std::map<std::string, std::string>> workload_facts_from_json(
    std::string_view text);

}  // namespace perf::store
