#pragma once

#include <string>
#include <string_view>

#include "schema/report.h"

namespace perf::store {

/// What a report says beside the columns of its rows, as JSON in the columns `details`: of a report
/// families, controls, trade_offs, budget_spent and the kinds of its warnings; of a comparison
/// base_params, exact, layout, warmup, functions, pair_changes and the kinds of its warnings.
std::string details_of(const Report& report);
std::string details_of(const Comparison& comparison);

/// The way back, into a record whose columns (the texts of warnings among them) are filled in.
/// Throw Error when the text is not what details_of writes.
void read_details(std::string_view text, Report& report);
void read_details(std::string_view text, Comparison& comparison);

/// Throw Error where read_details into a record with the warnings of the row's own column would.
void check_report_details(std::string_view details, std::string_view warnings);
void check_comparison_details(std::string_view details, std::string_view warnings);

}  // namespace perf::store
