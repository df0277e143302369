#include "schema/store/block_names.h"

namespace perf::store {

BlockNames::BlockNames(const RecordedRows& rows)
    : rows_(rows), several_(rows.entries.size()), blocks_(rows.entries.size()) {}

void BlockNames::add(std::uint32_t entry, std::uint32_t name, std::uint32_t twin, bool several) {
  if (several) {
    several_[entry] = true;
  }
  blocks_[entry].emplace(twin, name);
}

BlockNames::Names BlockNames::names() const {
  std::map<Entry, std::set<BlockOfEntry>> blocks;
  for (std::size_t i = 0; i < blocks_.size(); ++i) {
    std::set<BlockOfEntry>& of_entry = blocks[{rows_.entries[i].name, rows_.entries[i].params}];
    for (const auto& [twin, name] : blocks_[i]) {
      of_entry.emplace(static_cast<int>(twin), rows_.block_names[name]);
    }
  }
  Names names;
  for (const auto& [entry, of_entry] : blocks) {
    names[entry] = child_names(entry.first, of_entry);
  }
  return names;
}

std::string BlockNames::name_of(const RecordedSeries& series, const Names& names) {
  if (!series.several || series.block.empty()) {
    return series.workload;
  }
  return names.at({series.workload, series.params}).at({series.twin, series.block});
}

}  // namespace perf::store
