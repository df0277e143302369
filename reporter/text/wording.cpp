#include "reporter/text/wording.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>

#include "reporter/text/quantity.h"
#include "reporter/text/sentences.h"
#include "schema/text/lists.h"
#include "schema/text/utc_time.h"

namespace perf::reporter {

bool is_judged_elsewhere(const Report& report) {
  return report.head.kind == SideKind::files || report.head.kind == SideKind::store;
}

double badness(const Comparison& comparison) {
  constexpr double infinite = std::numeric_limits<double>::infinity();
  const double sign = comparison.metric.better == Better::lower ? 1 : -1;
  if (!comparison.change) {
    return comparison.verdict == Verdict::regressed ? infinite : 0;
  }
  const double ratio = 1 + *comparison.change;
  if (std::isnan(ratio)) {
    return 0;
  }
  return sign * (ratio > 0 ? std::log(ratio) : -infinite);
}

std::string direction_words(const Metric& metric, bool worse) {
  if (metric.name == kPeakRss.name) {
    return worse ? "needs more memory" : "needs less memory";
  }
  if (metric.unit == "s" || metric.unit == "1/s") {
    return worse ? "is slower" : "is faster";
  }
  return worse ? "is worse" : "is better";
}

Prose change_phrase(const Comparison& comparison) {
  Prose phrase{name(comparison.metric.name)};
  if (comparison.base && comparison.head) {
    append(phrase, " ",
           number(quantities(comparison.base->median, comparison.head->median,
                             comparison.metric.unit)));
  }
  if (comparison.is_same_program()) {
    append(phrase, ", ", words(kSameProgram));
  } else if (comparison.change) {
    append(phrase, ", ",
           number(change_text(comparison.change,
                              comparison.exact ? std::nullopt : comparison.interval)));
  }
  return phrase;
}

std::string threshold_range(const std::vector<const Comparison*>& comparisons) {
  if (comparisons.empty()) {
    return percentage(0);
  }
  const auto [low, high] = std::ranges::minmax(comparisons, {}, &Comparison::threshold);
  const std::string least = percentage(low->threshold), most = percentage(high->threshold);
  return least == most ? least : least + " to " + most;
}

std::string params_text(const Params& params) {
  return perf::joined(params, ", ",
                      [](const auto& one) { return one.first + "=" + to_text(one.second); });
}

Params differing(Params own, const Params& others) {
  std::erase_if(own, [&others](const auto& one) {
    const auto other = others.find(one.first);
    return other != others.end() && same_value(other->second, one.second);
  });
  return own;
}

void keep_common(const Params& others, Params& common) {
  common = differing(common, differing(common, others));
}

std::map<const Comparison*, std::string> distinguishing_params(const Report& report) {
  std::map<std::pair<std::string, std::string>, Params> common;
  for (const Comparison& row : report.comparisons) {
    keep_common(row.params,
                common.try_emplace({row.workload, row.metric.name}, row.params).first->second);
  }
  std::map<const Comparison*, std::string> telling;
  for (const Comparison& row : report.comparisons) {
    telling[&row] = params_text(differing(row.params, common.at({row.workload, row.metric.name})));
  }
  return telling;
}

std::optional<Verdict> verdict_of(const Comparison& comparison) {
  return comparison.judged ? comparison.verdict : std::nullopt;
}

std::string benchmark_text(const std::string& outside) {
  constexpr std::size_t kShown = 8;
  return "benchmark " + (outside.empty() ? "of the commits" : outside.substr(0, kShown));
}

std::vector<const Comparison*> with_verdict(const Report& report, Verdict verdict) {
  std::vector<const Comparison*> chosen;
  for (const Comparison& comparison : report.comparisons) {
    if (verdict_of(comparison) == verdict) {
      chosen.push_back(&comparison);
    }
  }
  return chosen;
}

bool is_reason(const Comparison& comparison, const Warning& warning) {
  using enum WarningKind;
  constexpr std::array kReasons{
      failed,       too_few_steps, not_compared,    only_at_base,   unlike_environments, no_ratio,
      unlike_units, not_same_work, unlike_machines, other_machines, benchmark_skipped};
  const bool without_statistics =
      comparison.verdict == Verdict::failed || comparison.verdict == Verdict::missing ||
      comparison.verdict == Verdict::fresh || comparison.verdict == Verdict::incomparable;
  return without_statistics && std::ranges::find(kReasons, warning.kind) != kReasons.end();
}

std::string reason_of(const Comparison& comparison) {
  for (const Warning& warning : comparison.warnings) {
    if (is_reason(comparison, warning)) {
      return sentence(warning);
    }
  }
  if (!comparison.notes.empty()) {
    return sentence(comparison.notes.front());
  }
  return comparison.warnings.empty() ? std::string() : sentence(comparison.warnings.front());
}

bool one_reason(const std::vector<const Comparison*>& chosen) {
  return !chosen.empty() && !reason_of(*chosen.front()).empty() &&
         std::ranges::all_of(chosen, [&chosen](const Comparison* other) {
           return reason_of(*other) == reason_of(*chosen.front());
         });
}

bool fails(const CheckResult& check) {
  return check.head == false;
}

Tone tone_of(Verdict verdict) {
  switch (verdict) {
    case Verdict::regressed:
    case Verdict::failed:
      return Tone::bad;
    case Verdict::inconclusive:
    case Verdict::incomparable:
    case Verdict::missing:
      return Tone::warn;
    case Verdict::improved:
      return Tone::good;
    case Verdict::fresh:
    case Verdict::unchanged:
      return Tone::plain;
  }
  return Tone::plain;
}

std::string date_of(std::int64_t seconds) {
  constexpr std::size_t kDay = 10;  ///< characters
  return utc_text(seconds).substr(0, kDay);
}

Prose short_commit_phrase(const Revision& revision) {
  return {data(short_oid(revision.oid)), " ", data(revision.subject)};
}

std::string short_name(const Revision& revision) {
  return is_command(revision) ? revision.name : short_oid(revision.oid);
}

Prose commit_phrase(const Revision& revision) {
  Prose phrase = short_commit_phrase(revision);
  const std::string date = date_of(revision.committed_at);
  if (!revision.author.empty() || !date.empty()) {
    append(phrase, dim(" ("), data(revision.author),
           dim((revision.author.empty() || date.empty() ? "" : ", ") + date + ")"));
  }
  return phrase;
}

}  // namespace perf::reporter
