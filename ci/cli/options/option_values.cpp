#include "ci/cli/options/option_values.h"

#include <charconv>
#include <string_view>

#include "schema/error.h"
#include "schema/units.h"

namespace perf {
namespace {

int parse_count(std::string_view text) {
  int value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || value < 1 || value > 1000000) {
    throw UsageError("not a number of pairs", "--pairs " + std::string(text),
                     "MAX or MIN:MAX, for example --pairs 24 or --pairs 16:51");
  }
  return value;
}

std::pair<int, int> parse_pairs(const std::string& text) {
  const std::size_t colon = text.find(':');
  if (colon == std::string::npos) {
    return {0, parse_count(text)};
  }
  const std::pair<int, int> pairs{parse_count(std::string_view(text).substr(0, colon)),
                                  parse_count(std::string_view(text).substr(colon + 1))};
  if (pairs.first > pairs.second) {
    throw UsageError("the minimum is above the maximum", "--pairs " + text, "MIN:MAX");
  }
  return pairs;
}

/// Seeds stay below 2^53, so that every reader of the report's JSON gets them whole.
std::uint64_t parse_seed(const std::string& text) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() ||
      value > (std::uint64_t{1} << 53)) {
    throw UsageError("not a usable seed", "--seed " + text, "a whole number from 0 to 2^53");
  }
  return value;
}

int parse_every(const std::string& text) {
  int value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || value < 1) {
    throw UsageError("not a number of commits", "--every " + text, "a whole number from 1");
  }
  return value;
}

/// A percentage that has to lie strictly between 0 and `limit`.
double parse_share(const std::string& text, const std::string& option, double limit) {
  const double value = parse_percentage(text, option);
  if (!(value > 0 && value < limit)) {
    throw UsageError(
        "out of range", option + " " + text,
        "a percentage above 0 % and below " + std::to_string(static_cast<int>(limit * 100)) + " %");
  }
  return value;
}

std::vector<Setting> parse_settings(const std::string& option,
                                    const std::vector<std::string>& texts) {
  std::vector<Setting> settings;
  settings.reserve(texts.size());
  for (const std::string& text : texts) {
    settings.push_back(parse_setting(option, text, false));
  }
  return settings;
}

}  // namespace

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

void read_texts(const OptionTexts& texts, Options& options) {
  if (!texts.threshold.empty()) {
    options.threshold = parse_share(texts.threshold, "--threshold", 10);
  }
  if (!texts.alpha.empty()) {
    options.alpha = parse_share(texts.alpha, "--alpha", 0.5);
  }
  if (!texts.budget.empty()) {
    options.budget = parse_duration(texts.budget, "--budget");
    if (*options.budget <= 0) {
      throw UsageError("no time to measure in", "--budget " + texts.budget,
                       "a duration such as 10m");
    }
  }
  if (!texts.pairs.empty()) {
    options.pairs = parse_pairs(texts.pairs);
  }
  if (!texts.seed.empty()) {
    options.seed = parse_seed(texts.seed);
  }
  if (!texts.every.empty()) {
    options.every = parse_every(texts.every);
  }
  if (!texts.keep_steps.empty()) {
    options.keep_steps = parse_duration(texts.keep_steps, "--keep-steps");
  }
  options.base_set = parse_settings("--base-set", texts.base_set);
  options.head_set = parse_settings("--head-set", texts.head_set);
  if (!texts.vary.empty()) {
    options.vary = parse_setting("--vary", texts.vary, true);
  }
}

}  // namespace perf
