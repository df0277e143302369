#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "schema/param.h"
#include "schema/policy.h"
#include "schema/report.h"

namespace perf::store {

/// Lists and maps that live in one column, as JSON with sorted keys, so that equal values have
/// equal texts. Invalid UTF-8 is replaced. Throws Error for numbers that are not finite.
std::string to_json(const Params& params);
std::string to_json(const std::map<std::string, std::string>& facts);
std::string to_json(const std::vector<std::string>& lines);
std::string to_json(const std::vector<double>& numbers);
std::string to_json(const Policy& policy);
std::string to_json(const std::map<std::string, std::map<std::string, std::string>>& facts);
std::string to_json(const std::vector<PhaseChange>& phases);
std::string to_json(const std::vector<CheckResult>& checks);
std::string to_json(const std::vector<TargetResult>& targets);

/// The way back. Throw Error when the text is not what to_json writes: the store is not our doing.
Params params_from_json(std::string_view text);
std::map<std::string, std::string> facts_from_json(std::string_view text);
std::vector<std::string> lines_from_json(std::string_view text);
std::vector<double> numbers_from_json(std::string_view text);

}  // namespace perf::store
