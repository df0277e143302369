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

/// A payload there, but for its bytes.
struct PayloadKey {
  std::string writer, month, name;
  std::string sha256;  ///< hexadecimal
};

/// What came of indexing.
struct Indexed {
  std::int64_t payloads = 0;   ///< taken
  std::int64_t runs = 0;       ///< of them
  std::vector<Error> refused;  ///< one a payload, its name the subject

  Indexed& operator+=(Indexed more);
};

/// Makes points of the payloads that nobody looked at yet, batch after batch, each in a transaction
/// of its own, one indexer at a time. Those that are refused are remembered so. `interrupted` ends
/// it between two batches.
Indexed index_new(postgres::Connection& connection, const std::function<bool()>& interrupted);

/// Makes the points again, in one transaction: of runs whose payload was taken away they stay.
Indexed index_again(postgres::Connection& connection, const std::function<bool()>& interrupted);

/// Makes of a transaction that has just begun one that sees one state of the hub.
void begin_reading(postgres::Connection& connection);

/// What Store::alerts tells of a store that pulled the same payloads.
std::vector<Alert> load_alerts(postgres::Connection& connection);

/// The latest runs, as Store::list_runs tells them.
std::vector<ListedRun> load_runs(postgres::Connection& connection, std::int64_t limit,
                                 const std::vector<std::string>& globs);

/// Reads a hub's points, some series at a time, from the state that it had when this was made:
/// wants a transaction of REPEATABLE READ around it.
class PointReader {
 public:
  PointReader(postgres::Connection& connection, const HistoryQuery& query);

  /// Everything but series and programs, of which there are none: runs, environments, declarations.
  const RecordedHistory& frame() const { return frame_; }
  /// The next series in their order, of about so many values in all, one at least; none where all
  /// were read. Those without values on the line are left out.
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
  std::vector<Origin> origins_{};  ///< by key less the least; kNowhere: not on the line
  std::int64_t first_origin_ = 0;
  std::vector<Series> series_{};
  std::size_t next_ = 0;
  std::size_t longest_ = 1;  ///< series so far, values; before the first as many as there may be
};

}  // namespace perf::hub
