#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "collector/postgres/connection.h"
#include "schema/recorded_history.h"

namespace perf::hub {

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
