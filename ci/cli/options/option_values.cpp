#include <fmt/core.h>

#include <algorithm>
#include <optional>
#include <string_view>

#include "ci/cli/options/command_tree.h"
#include "schema/error.h"
#include "schema/text/lists.h"
#include "schema/text/text_parts.h"
#include "schema/text/units.h"

namespace perf {
namespace {

constexpr int kMostPairs = 1000000;

/// `key=value`, or `key=a,b,c` if `several`.
Setting parse_setting(const std::string& option, const std::string& text, bool several) {
  const char* const form = several ? "KEY=A,B,C" : "KEY=VALUE";
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos || equals == 0) {
    throw UsageError(option + " must have the form " + form, text,
                     option + (several ? " threads=1,2,4" : " backend=eigen"));
  }
  Setting setting{text.substr(0, equals), {}};
  std::string rest = text.substr(equals + 1);
  for (std::size_t comma; several && (comma = rest.find(',')) != std::string::npos;) {
    setting.values.push_back(rest.substr(0, comma));
    rest.erase(0, comma + 1);
  }
  setting.values.push_back(rest);
  if (several && setting.values.size() < 2) {
    throw UsageError(option + " must have at least two values", text, option + " threads=1,2,4");
  }
  return setting;
}

template <typename Number>
Number number_between(const std::string& option, std::string_view text, Number least, Number most) {
  const std::optional<Number> value = parsed<Number>(text);
  if (!value || *value < least || *value > most) {
    throw UsageError(fmt::format("{} must be a whole number from {} to {}", option, least, most),
                     std::string(text));
  }
  return *value;
}

}  // namespace

int read_number(const std::string& option, const Values& values, int most) {
  return number_between(option, values.back(), 1, most);
}

void read_value(const std::string&, const Values& values, std::string& value) {
  value = values.back();
}

void read_value(const std::string&, const Values& values, Values& value) {
  value = values;
}

void read_value(const std::string& option, const Values& values,
                std::optional<std::pair<int, int>>& value) {
  const std::string& text = values.back();
  const std::size_t colon = text.find(':');
  if (colon == std::string::npos) {
    value = {0, number_between(option, text, 1, kMostPairs)};
    return;
  }
  const std::string_view whole = text;
  const std::pair<int, int> pairs{number_between(option, whole.substr(0, colon), 1, kMostPairs),
                                  number_between(option, whole.substr(colon + 1), 1, kMostPairs)};
  if (pairs.first > pairs.second) {
    throw UsageError(option + " must have the form MIN:MAX", text);
  }
  value = pairs;
}

void read_number_of_pairs(const std::string& option, const Values& values, Options& options) {
  options.pairs = {0, number_between(option, values.back(), 1, kMostPairs)};
}

void read_value(const std::string& option, const Values& values, std::optional<Shard>& value) {
  constexpr int kMostShards = 1000;
  const std::string_view text = values.back();
  const std::size_t slash = std::min(text.find('/'), text.size() - 1);
  const Shard shard{parsed<int>(text.substr(0, slash)).value_or(0),
                    parsed<int>(text.substr(slash + 1)).value_or(0)};
  if (shard.number < 1 || shard.number > shard.count || shard.count > kMostShards) {
    throw UsageError(fmt::format("{} must have the form I/N, with N up to {}", option, kMostShards),
                     values.back(), option + " 1/4 for the first of four");
  }
  value = shard;
}

/// Seeds stay below 2^53, so that every reader of the report's JSON gets them whole.
void read_seed(const std::string& option, const Values& values, Options& options) {
  options.seed = number_between(option, values.back(), std::uint64_t{0}, std::uint64_t{1} << 53);
}

double read_share(const std::string& option, const Values& values, int percent) {
  const double value = parse_percentage(values.back(), option);
  if (!(value > 0 && 100 * value < percent)) {
    throw UsageError(fmt::format("{} must be above 0 % and below {} %", option, percent),
                     values.back());
  }
  return value;
}

void read_budget(const std::string& option, const Values& values, Options& options) {
  options.budget = parse_duration(values.back(), option);
  if (*options.budget <= 0) {
    throw UsageError(option + " must be above 0", values.back(), option + " 10m");
  }
}

void read_keep_steps(const std::string& option, const Values& values, Options& options) {
  options.keep_steps = parse_duration(values.back(), option);
}

void read_scale(const std::string&, const Values& values, Options& options) {
  options.linear_scale = values.back() == "linear";
}

void read_value(const std::string& option, const Values& values, std::vector<Setting>& value) {
  value =
      mapped(values, [&](const std::string& text) { return parse_setting(option, text, false); });
}

void read_value(const std::string& option, const Values& values, std::optional<Setting>& value) {
  value = parse_setting(option, values.back(), true);
}

}  // namespace perf
