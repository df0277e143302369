#pragma once

#include <string>

#include "schema/run_list.h"
#include "schema/run_view.h"

namespace perf::samples {

/// Runs of every kind and ending; every name and subject in them is `text` where it is not empty.
RunList listed_runs(const std::string& text = {});

/// A comparison with a failure, a retry, a counted and a pruned process.
RunView shown_run(const std::string& text = {});

/// A revision measured on two machines, and with two sets of parameters.
RevisionView shown_revision(const std::string& text = {});

}  // namespace perf::samples
