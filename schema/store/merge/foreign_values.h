#pragma once

#include <string>
#include <vector>

namespace perf::store {

/// A condition that holds for every row `t`, in SQL.
struct Rule {
  const char* table;
  std::string holds;
  const char* broken;  ///< what a row is that breaks it
};

/// What our own writers keep to beyond the rules of the tables.
std::vector<Rule> rules_of_values();

}  // namespace perf::store
