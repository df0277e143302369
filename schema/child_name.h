#pragma once

#include <set>
#include <string>

namespace perf {

/// How a block of an entry that has several is called: entry/child; a child that already bears the
/// entry's name keeps it, and twins are numbered. `taken` are the names of the blocks before it,
/// and gets this one.
std::string child_name(const std::string& entry, const std::string& block,
                       std::set<std::string>& taken);

}  // namespace perf
