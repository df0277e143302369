#pragma once

#include "schema/report.h"

namespace perf {

/// A report as it was stored with its run.
struct StoredReport {
  Report report;
  /// Every part of it was kept. False: a version before 6 of the store wrote it, and families,
  /// controls, trade-offs, pair changes and kinds of warnings are not there.
  bool complete = true;
};

}  // namespace perf
