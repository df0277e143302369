#pragma once

#include <map>
#include <set>
#include <string>
#include <utility>

namespace perf {

/// How a block of an entry that has several is called: entry/child; a child that already bears the
/// entry's name keeps it, and twins are numbered. `taken` are the names of the blocks before it,
/// and gets this one.
std::string child_name(const std::string& entry, const std::string& block,
                       std::set<std::string>& taken);

/// A block among those of an entry: 0-based among blocks of one name in a process, and that name.
using BlockOfEntry = std::pair<int, std::string>;

/// What every block of an entry that has several is called, whichever of them is asked for.
std::map<BlockOfEntry, std::string> child_names(const std::string& entry,
                                                const std::set<BlockOfEntry>& blocks);

}  // namespace perf
