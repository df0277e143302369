#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "ci/cli/options/command_tree.h"

namespace perf {

// What the values of an option say. They are read once CLI11 is done, so that all errors read
// alike, with the option as their subject. Throws UsageError.

using Values = std::vector<std::string>;

/// Puts what `read` makes of the values into a member of Options.
template <typename Member, typename Read>
ReadValues into(Member Options::*member, Read read) {
  return [member, read](const std::string& option, const Values& values, Options& options) {
    options.*member = read(option, values);
  };
}
inline ReadValues into(std::string Options::*member) {
  return into(member, [](const std::string&, const Values& values) { return values.back(); });
}
inline ReadValues into(Values Options::*member) {
  return into(member, [](const std::string&, const Values& values) { return values; });
}

/// A number of commits.
int read_every(const std::string& option, const Values& values);
/// MAX or MIN:MAX; where there is no MIN, 0.
std::pair<int, int> read_pairs(const std::string& option, const Values& values);
std::uint64_t read_seed(const std::string& option, const Values& values);
/// A percentage that has to lie strictly between 0 and `percent`.
double read_share(const std::string& option, const Values& values, int percent);
/// s, more than 0.
double read_budget(const std::string& option, const Values& values);
/// `key=value` each.
std::vector<Setting> read_settings(const std::string& option, const Values& values);
/// `key=a,b,c`.
Setting read_variants(const std::string& option, const Values& values);

}  // namespace perf
