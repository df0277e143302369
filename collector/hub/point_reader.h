#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
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

  /// Everything but series, of which there are none: runs, environments, declarations and programs.
  /// Once all series are read, environments are in the order in which those speak of them.
  const RecordedHistory& frame() const { return frame_; }
  /// Series that are left to be read.
  std::size_t left() const { return series_.size() - next_; }
  /// The next `count` series in their order, less those without values on the line.
  std::vector<RecordedSeries> next(std::size_t count);

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
  void read_programs(const HistoryQuery& query);
  void note_environments(const std::vector<RecordedSeries>& found);
  void add_values(std::string_view origins, std::string_view values, RecordedSeries& series) const;
  std::uint32_t declaration_of(std::int64_t key);

  postgres::Connection& connection_;
  RecordedHistory frame_{};
  std::unordered_map<std::int64_t, std::uint32_t> commits_{};  ///< of revisions
  std::unordered_map<std::int64_t, std::uint32_t> runs_{}, declarations_{};
  std::vector<Origin> origins_{};  ///< by key less the least; kNowhere: not on the line
  std::int64_t first_origin_ = 0;
  std::vector<Series> series_{};
  std::size_t next_ = 0;
  std::vector<std::uint32_t> spoken_of_{};  ///< environments, in that order
};

}  // namespace perf::hub
