#include <optional>
#include <string_view>

#include "ci/cli/options/command_tree.h"
#include "schema/error.h"
#include "schema/text/lists.h"
#include "schema/text/text_parts.h"
#include "schema/text/units.h"

namespace perf {
namespace {

int parse_count(std::string_view text) {
  const std::optional<int> value = parsed<int>(text);
  if (!value || *value < 1 || *value > 1000000) {
    throw UsageError("not a number of pairs", "--pairs " + std::string(text),
                     "MAX or MIN:MAX, for example --pairs 24 or --pairs 16:51");
  }
  return *value;
}

/// `key=value`, or `key=a,b,c` where `several`.
Setting parse_setting(const std::string& option, const std::string& text, bool several) {
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos || equals == 0) {
    throw UsageError("not a setting", option + " " + text,
                     several ? "KEY=A,B,C, for example --vary threads=1,2,4"
                             : "KEY=VALUE, for example " + option + " backend=eigen");
  }
  Setting setting{text.substr(0, equals), {}};
  std::string rest = text.substr(equals + 1);
  for (std::size_t comma; several && (comma = rest.find(',')) != std::string::npos;) {
    setting.values.push_back(rest.substr(0, comma));
    rest.erase(0, comma + 1);
  }
  setting.values.push_back(rest);
  if (several && setting.values.size() < 2) {
    throw UsageError("one value is nothing to compare", option + " " + text,
                     "KEY=A,B,C: each is compared with the first");
  }
  return setting;
}

}  // namespace

int read_every(const std::string& option, const Values& values) {
  const std::optional<int> value = parsed<int>(values.back());
  if (!value || *value < 1) {
    throw UsageError("not a number of commits", option + " " + values.back(),
                     "a whole number from 1");
  }
  return *value;
}

std::pair<int, int> read_pairs(const std::string& option, const Values& values) {
  const std::string& text = values.back();
  const std::size_t colon = text.find(':');
  if (colon == std::string::npos) {
    return {0, parse_count(text)};
  }
  const std::pair<int, int> pairs{parse_count(std::string_view(text).substr(0, colon)),
                                  parse_count(std::string_view(text).substr(colon + 1))};
  if (pairs.first > pairs.second) {
    throw UsageError("the minimum is above the maximum", option + " " + text, "MIN:MAX");
  }
  return pairs;
}

int read_looks(const std::string& option, const Values& values) {
  constexpr int kMostLooks = 100;
  const std::optional<int> value = parsed<int>(values.back());
  if (!value || *value < 1 || *value > kMostLooks) {
    throw UsageError("not a number of looks", option + " " + values.back(),
                     "a whole number from 1 to " + std::to_string(kMostLooks));
  }
  return *value;
}

Shard read_shard(const std::string& option, const Values& values) {
  constexpr int kMostShards = 1000;
  const std::string& text = values.back();
  const std::size_t slash = text.find('/');
  const auto part = [&text](std::size_t begin, std::size_t count) {
    return parsed<int>(std::string_view(text).substr(begin, count)).value_or(0);
  };
  const Shard shard = slash == std::string::npos
                          ? Shard{0, 0}
                          : Shard{part(0, slash), part(slash + 1, std::string::npos)};
  if (shard.number < 1 || shard.number > shard.count || shard.count > kMostShards) {
    throw UsageError("not a shard", option + " " + text,
                     "I/N: the first of four is 1/4, the last 4/4");
  }
  return shard;
}

/// Seeds stay below 2^53, so that every reader of the report's JSON gets them whole.
std::uint64_t read_seed(const std::string& option, const Values& values) {
  const std::optional<std::uint64_t> value = parsed<std::uint64_t>(values.back());
  if (!value || *value > (std::uint64_t{1} << 53)) {
    throw UsageError("not a usable seed", option + " " + values.back(),
                     "a whole number from 0 to 2^53");
  }
  return *value;
}

double read_share(const std::string& option, const Values& values, int percent) {
  const double value = parse_percentage(values.back(), option);
  if (!(value > 0 && 100 * value < percent)) {
    throw UsageError("out of range", option + " " + values.back(),
                     "a percentage above 0 % and below " + std::to_string(percent) + " %");
  }
  return value;
}

double read_budget(const std::string& option, const Values& values) {
  const double budget = parse_duration(values.back(), option);
  if (budget <= 0) {
    throw UsageError("no time to measure in", option + " " + values.back(),
                     "a duration such as 10m");
  }
  return budget;
}

std::vector<Setting> read_settings(const std::string& option, const Values& values) {
  return mapped(values,
                [&](const std::string& value) { return parse_setting(option, value, false); });
}

Setting read_variants(const std::string& option, const Values& values) {
  return parse_setting(option, values.back(), true);
}

}  // namespace perf
