#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "schema/child_name.h"
#include "schema/store/recorded_rows.h"

namespace perf::store {

/// What the blocks of entries that have several are called: told from all that an entry has,
/// whichever of them and of their metrics are asked for, so that a name means the same always.
class BlockNames {
 public:
  using Entry = std::pair<std::string, Params>;  ///< workload, what it was run with
  using Names = std::map<Entry, std::map<BlockOfEntry, std::string>>;

  explicit BlockNames(const RecordedRows& rows);

  /// A block of an invocation, which has one or `several`: an index into RecordedRows::entries, one
  /// into ::block_names, and 0-based which of that name it is.
  void add(std::uint32_t entry, std::uint32_t name, std::uint32_t twin, bool several);

  /// Whether some invocation of the entry has several.
  bool several(std::uint32_t entry) const { return several_[entry]; }

  Names names() const;

  /// That of a series whose other fields are known.
  static std::string name_of(const RecordedSeries& series, const Names& names);

 private:
  const RecordedRows& rows_;
  std::vector<bool> several_;                                                ///< of rows_.entries
  std::vector<std::set<std::pair<std::uint32_t, std::uint32_t>>> blocks_{};  ///< twin, name
};

}  // namespace perf::store
