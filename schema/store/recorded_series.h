#pragma once

#include <string>
#include <vector>

#include "schema/recorded_history.h"
#include "schema/store/recorded_rows.h"

namespace perf::store {

/// Facts of each of RecordedRows::runs that tell series apart.
struct RunPlace {
  std::string fingerprint;
  std::string base;  ///< full oid; empty: it has none
};

/// All series of the rows, in no order that means anything, but their values by commit and then in
/// the order of measuring. In the values `run` and `declaration` are indices into
/// RecordedRows::runs and ::facts.
///
/// Values are taken as analyzer/samples/series.h takes them: what is measured here beats a reported
/// metric of the same name, a reported tokens_per_second the derived one, and the first of a name
/// wins.
std::vector<RecordedSeries> recorded_series(const RecordedRows& rows,
                                            const std::vector<RunPlace>& runs,
                                            const HistoryQuery& query);

}  // namespace perf::store
