#pragma once

#include <optional>
#include <string>

#include "schema/alert.h"
#include "schema/store/store.h"

namespace perf {

/// The run whose id is `wanted`, or the only one whose id begins so; nullopt if there is none.
/// Throws UsageError, with some ids, if several begin so.
std::optional<std::string> find_run(const Store& store, const std::string& wanted);

/// The same; throws UsageError, with the nearest id, if there is none.
std::string require_run(const Store& store, const std::string& wanted);

/// The same for an alert.
Alert require_alert(const Store& store, const std::string& wanted);

/// "parser step_time +12.4 % at 210fedcba987", not escaped.
std::string series_and_change(const Alert& alert);

}  // namespace perf
