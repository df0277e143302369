#include "analyzer/trend/confirm_command.h"

#include <algorithm>
#include <cmath>

#include "schema/shell_words.h"
#include "schema/short_oid.h"
#include "schema/units.h"

namespace perf {
namespace {

constexpr double kTenth = 0.001;  ///< of a per cent

std::string command(const std::string& verb, const Suspected& what, const TrendSeries& series) {
  return "perf-compare " + verb + shell_word(what.previous_oid.substr(0, kShortOid)) + " " +
         shell_word(what.oid.substr(0, kShortOid)) + " -w " + shell_word(series.entry);
}

std::string options(const Suspected& what, const TrendSeries& series, bool with_metric,
                    double threshold, double usual) {
  std::string text;
  if (with_metric) {
    text += " --metric " + shell_word(series.key.metric);
  }
  if (threshold < usual) {
    text += " --threshold " + percentage_text(threshold);
  }
  if (!what.size.empty() && what.size != "ci") {
    text += " --size " + shell_word(what.size);
  }
  return text;
}

bool is_judged_anyway(const std::string& metric) {
  return metric == kStepTime.name || metric == kPeakRss.name;
}

double policy_threshold(const TrendSeries& series, const Policy& policy) {
  return threshold_for(policy, series.key.workload, series.key.metric);
}

}  // namespace

double confirming_threshold(double change, const TrendSeries& series, const Policy& policy) {
  const double half = kTenth * std::max(1.0, std::floor(std::abs(change) / 2 / kTenth));
  return std::min(policy_threshold(series, policy), half);
}

std::string compare_command(const Suspected& what, const TrendSeries& series,
                            const Policy& policy) {
  if (!series.can_be_compared) {
    return {};
  }
  return command("", what, series) + options(what, series, !is_judged_anyway(series.key.metric),
                                             confirming_threshold(what.change, series, policy),
                                             policy_threshold(series, policy));
}

std::string blame_command(const Suspected& what, const TrendSeries& series, const Policy& policy) {
  if (!series.can_be_compared || what.commits <= 1 || series.key.workload != series.entry) {
    return compare_command(what, series, policy);
  }
  return command("bisect ", what, series) +
         options(what, series, true, confirming_threshold(what.change, series, policy),
                 kSmallestStep);
}

}  // namespace perf
