#pragma once

#include <optional>
#include <string>

#include "schema/alert.h"
#include "schema/store/store.h"

namespace perf {

/// The run whose id is `wanted`, or begins with it as no other's does; nullopt where none does.
/// Throws UsageError, naming some of them, where several do.
std::optional<std::string> find_run(const Store& store, const std::string& wanted);

/// The same; throws UsageError, with the nearest id, where there is none.
std::string require_run(const Store& store, const std::string& wanted);

/// The same of an alert that was shown.
Alert require_alert(const Store& store, const std::string& wanted);

/// "parser step_time +12.4 % at 210fedcba987", not escaped.
std::string series_and_change(const Alert& alert);

}  // namespace perf
