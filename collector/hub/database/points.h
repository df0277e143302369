#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <unordered_map>
#include <vector>

#include "collector/postgres/connection.h"
#include "schema/alert.h"
#include "schema/payload_history.h"
#include "schema/recorded_history.h"
#include "schema/run_list.h"

namespace perf::hub {

/// A payload of the hub, without its bytes.
struct PayloadKey {
  std::string writer, month, name;
  std::string sha256;  ///< hexadecimal
};

/// The result of indexing.
struct Indexed {
  std::int64_t payloads = 0;   ///< indexed
  std::int64_t runs = 0;       ///< in them
  std::vector<Error> refused;  ///< one for each rejected payload, its name the subject

  Indexed& operator+=(Indexed more);
};

/// Derives the points of new payloads (sql/0002_points.sql), batch after batch, each in a
/// transaction of its own, one indexer at a time. Rejected payloads are recorded. `interrupted`
/// ends it between two batches.
Indexed index_new(postgres::Connection& connection, const std::function<bool()>& interrupted);

/// Derives all points again, in one transaction; those of runs whose payload was removed stay.
Indexed index_again(postgres::Connection& connection, const std::function<bool()>& interrupted);

/// Makes a transaction that has just begun see one state of the hub (REPEATABLE READ).
void begin_reading(postgres::Connection& connection);

/// As Store::alerts of a store that pulled the same payloads.
std::vector<Alert> load_alerts(postgres::Connection& connection);

/// The latest runs, as Store::list_runs.
std::vector<ListedRun> load_runs(postgres::Connection& connection, std::int64_t limit,
                                 const std::vector<std::string>& globs);

/// Reads a hub's points, some series at a time, from the state at its construction: needs a
/// transaction of REPEATABLE READ.
class PointReader {
 public:
  PointReader(postgres::Connection& connection, const HistoryQuery& query);

  /// Runs, environments and declarations; without series and programs.
  const RecordedHistory& frame() const { return frame_; }
  /// The next series in order, at least one, with about so many values in all; none after the last.
  /// Series without values on the line are left out.
  SomeSeries next(std::size_t values);

 private:
  struct Origin {
    std::uint32_t commit = 0, run = 0, declaration = 0;
  };
  struct Series {
    std::int64_t key = 0;
    RecordedSeries series;
  };

  void read_runs(const HistoryQuery& query);
  void read_origins(const HistoryQuery& query);
  void read_series(const HistoryQuery& query);
  std::vector<RecordedSeries> read(std::size_t count);
  std::vector<ProgramAt> programs_of(const std::vector<RecordedSeries>& series) const;
  void add_values(std::string_view origins, std::string_view values, RecordedSeries& series) const;
  std::uint32_t declaration_of(std::int64_t key);

  postgres::Connection& connection_;
  std::string size_;
  RecordedHistory frame_{};
  std::unordered_map<std::int64_t, std::uint32_t> commits_{};  ///< of revisions
  std::unordered_map<std::int64_t, std::uint32_t> runs_{}, declarations_{};
  std::vector<Origin> origins_{};  ///< by key - first_origin_; kNowhere: not on the line
  std::int64_t first_origin_ = 0;
  std::vector<Series> series_{};
  std::size_t next_ = 0;
  std::size_t longest_ =
      1;  ///< values of the longest series so far; before the first, the most possible
};

}  // namespace perf::hub
