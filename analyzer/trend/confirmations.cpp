#include "analyzer/trend/confirmations.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <utility>

#include "analyzer/trend/trend_series.h"
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

enum class Urgency { alert, machine_event, suspect, known_alert };

/// One step that a comparison would tell of.
struct Doubt {
  Urgency urgency = Urgency::alert;
  const TrendSeries* series = nullptr;
  const ChangePoint* step = nullptr;

  double size() const { return std::abs(log_change(step->change)); }
};

/// An alert that was shown before, and that no comparison has told of yet.
bool is_unsettled(const ChangePoint& step) {
  return step.state == AlertState::known && step.confirmed_by.empty() && step.refuted_by.empty();
}

std::vector<Doubt> doubts_of(const TrendReport& report) {
  std::vector<Doubt> doubts;
  std::map<std::size_t, Doubt> of_event;  // the biggest of each new one
  for (const TrendSeries& series : report.series) {
    for (const ChangePoint& step : series.change_points) {
      if (step.state == AlertState::fresh) {
        doubts.push_back({Urgency::alert, &series, &step});
      }
      if (is_unsettled(step) && series.can_be_compared) {
        doubts.push_back({Urgency::known_alert, &series, &step});
      }
      if (!step.machine_event || report.machine_events[*step.machine_event].known ||
          !may_alert(series, report.policy) || !series.can_be_compared) {
        continue;
      }
      const Doubt doubt{Urgency::machine_event, &series, &step};
      Doubt& biggest = of_event.try_emplace(*step.machine_event, doubt).first->second;
      if (doubt.size() > biggest.size()) {
        biggest = doubt;
      }
    }
    for (const ChangePoint& step : series.suspects) {
      if (step.worse && step.state == AlertState::none && may_alert(series, report.policy)) {
        doubts.push_back({Urgency::suspect, &series, &step});
      }
    }
  }
  for (const auto& [event, doubt] : of_event) {
    doubts.push_back(doubt);
  }
  std::stable_sort(doubts.begin(), doubts.end(), [](const Doubt& a, const Doubt& b) {
    return a.urgency != b.urgency ? a.urgency < b.urgency : a.size() > b.size();
  });
  return doubts;
}

void add_sorted(std::vector<std::string>& names, const std::string& name) {
  const auto place = std::lower_bound(names.begin(), names.end(), name);
  if (place == names.end() || *place != name) {
    names.insert(place, name);
  }
}

/// What the comparison says of a series; nullopt: nothing that decides.
std::optional<AlertNews> said_of(const TrendSeries& series, const Report& result) {
  for (const Comparison& row : result.comparisons) {
    if (row.workload != series.key.workload || row.metric.name != series.key.metric ||
        !row.verdict) {
      continue;
    }
    if (*row.verdict == Verdict::regressed) {
      return AlertNews::confirmed;
    }
    if (*row.verdict == Verdict::unchanged || *row.verdict == Verdict::improved) {
      return AlertNews::refuted;
    }
  }
  return std::nullopt;
}

/// An alert, a member of a machine event or a suspect, not yet settled otherwise.
bool is_in_doubt(const ChangePoint& step, bool is_suspect) {
  return step.worse && (step.state == AlertState::fresh || step.state == AlertState::known ||
                        step.machine_event || (is_suspect && step.state == AlertState::none));
}

void confirm(ChangePoint& step, const std::string& run) {
  step.confirmed_by = run;
  step.refuted_by.clear();
  if (step.state != AlertState::known) {
    step.state = AlertState::fresh;
  }
}

void refute(ChangePoint& step, const std::string& run) {
  if (step.machine_event && step.state == AlertState::none) {
    return;  // which is what it was taken for
  }
  step.refuted_by = run;
  step.confirmed_by.clear();
  step.state = AlertState::refuted;
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

std::vector<Confirmation> confirmations(const TrendReport& report) {
  std::vector<Confirmation> wanted;
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::size_t> place;
  for (const Doubt& doubt : doubts_of(report)) {
    const auto [found, is_new] =
        place.try_emplace({doubt.step->previous, doubt.step->commit}, wanted.size());
    const double threshold = confirming_threshold(doubt.step->change, *doubt.series, report.policy);
    if (is_new) {
      wanted.push_back({report.commits[doubt.step->previous].oid,
                        report.commits[doubt.step->commit].oid,
                        {},
                        {},
                        threshold});
    }
    Confirmation& one = wanted[found->second];
    one.is_news = one.is_news || doubt.urgency != Urgency::known_alert;
    add_sorted(one.workloads, doubt.series->entry);
    add_sorted(one.metrics, doubt.series->key.metric);
    one.threshold = std::min(one.threshold, threshold);
  }
  return wanted;
}

void apply_confirmation(TrendReport& report, const Confirmation& asked, const Report& result) {
  report.confirmations.push_back(result);
  const auto is_asked = [&](const ChangePoint& step) {
    return report.commits[step.previous].oid == asked.previous_oid &&
           report.commits[step.commit].oid == asked.oid;
  };
  for (TrendSeries& series : report.series) {
    const std::optional<AlertNews> news = said_of(series, result);
    const bool is_compared =
        std::binary_search(asked.workloads.begin(), asked.workloads.end(), series.entry);
    if (!news || !is_compared || !may_alert(series, report.policy)) {
      continue;
    }
    const auto settle = [&](ChangePoint& step) {
      if (*news == AlertNews::confirmed) {
        confirm(step, result.id);
      } else {
        refute(step, result.id);
      }
    };
    for (ChangePoint& step : series.change_points) {
      if (is_asked(step) && is_in_doubt(step, false)) {
        settle(step);
      }
    }
    for (std::size_t i = series.suspects.size(); i-- > 0;) {
      ChangePoint& step = series.suspects[i];
      if (!is_asked(step) || !is_in_doubt(step, true)) {
        continue;
      }
      settle(step);
      if (step.state != AlertState::fresh) {
        continue;
      }
      const auto place =
          std::find_if(series.change_points.begin(), series.change_points.end(),
                       [&](const ChangePoint& one) { return one.index > step.index; });
      series.change_points.insert(place, step);
      series.suspects.erase(series.suspects.begin() + static_cast<std::ptrdiff_t>(i));
    }
  }
}

}  // namespace perf
