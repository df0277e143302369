#include "analyzer/trend/confirmations.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <tuple>
#include <utility>

#include "analyzer/trend/internal.h"
#include "schema/revision.h"
#include "schema/text/shell_words.h"
#include "schema/text/units.h"

namespace perf {
namespace {

constexpr double kTenth = 0.001;  ///< of a per cent

double policy_threshold(const TrendSeries& series, const Policy& policy) {
  return threshold_for(policy, series.key.workload, series.key.metric);
}

/// The threshold at which a comparison confirms or refutes such a change: half of it, in whole
/// tenths of a per cent, or the policy's where that is smaller. At the policy's own a change of
/// less would be called unchanged, which refutes nothing.
double confirming_threshold(double change, const TrendSeries& series, const Policy& policy) {
  const double half = kTenth * std::max(1.0, std::floor(std::abs(change) / 2 / kTenth));
  return std::min(policy_threshold(series, policy), half);
}

/// `usual`: the threshold of the command where none is given.
std::string command(const std::string& verb, const std::string& workload, const Suspected& what,
                    bool with_metric, double usual) {
  const auto word_for = [&](std::uint32_t commit) {
    return shell_word(oid_of(what.line, commit).substr(0, kShortOid));
  };
  std::string text = "perf-compare " + verb + word_for(what.previous) + " " +
                     word_for(what.commit) + " -w " + shell_word(workload);
  if (with_metric) {
    text += " --metric " + shell_word(what.series.key.metric);
  }
  const double threshold = confirming_threshold(what.change, what.series, what.line.policy);
  if (threshold < usual) {
    text += " --threshold " + percentage_text(threshold);
  }
  return text + what.line.options;
}

enum class Urgency { alert, machine_event, suspect, known_alert };

/// One step that a comparison would confirm or refute.
struct Doubt {
  Urgency urgency = Urgency::alert;
  const TrendSeries* series = nullptr;
  const ChangePoint* step = nullptr;

  double size() const { return std::abs(log_change(step->change)); }
  auto rank() const { return std::tuple(urgency, -step->evidence, -size()); }
};

/// People have decided about it.
bool is_left_alone(const ChangePoint& step) {
  return step.decision && step.decision->news != AlertNews::acknowledged &&
         step.state != AlertState::reopened;
}

/// An alert that was shown before, and that no comparison has confirmed or refuted yet.
bool is_unsettled(const ChangePoint& step) {
  return is_open(step.state) && step.state != AlertState::fresh && !is_left_alone(step) &&
         step.confirmed_by.empty() && step.refuted_by.empty();
}

std::vector<Doubt> doubts_of(const TrendReport& report) {
  std::vector<Doubt> doubts;
  std::map<std::size_t, Doubt> of_event;  // the biggest of each new one
  for (const TrendSeries& series : report.series) {
    for (const ChangePoint& step : series.change_points) {
      if (is_left_alone(step)) {
        continue;
      }
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
      if (step.worse && step.state == AlertState::none && !step.machine_event &&
          !is_left_alone(step) && may_alert(series, report.policy)) {
        doubts.push_back({Urgency::suspect, &series, &step});
      }
    }
  }
  for (const auto& [event, doubt] : of_event) {
    doubts.push_back(doubt);
  }
  std::ranges::stable_sort(doubts, {}, &Doubt::rank);
  return doubts;
}

void add_sorted(std::vector<std::string>& names, const std::string& name) {
  const auto place = std::ranges::lower_bound(names, name);
  if (place == names.end() || *place != name) {
    names.insert(place, name);
  }
}

/// The result of the comparison for a series; nullopt: undecided.
std::optional<AlertNews> result_for(const TrendSeries& series, const Report& result) {
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
  return step.worse && (is_open(step.state) || step.machine_event ||
                        (is_suspect && step.state == AlertState::none));
}

void settle(AlertNews news, const std::string& run, ChangePoint& step) {
  const bool is_confirmed = news == AlertNews::confirmed;
  if (!is_confirmed && step.machine_event && step.state == AlertState::none) {
    return;  // which is what it was taken for
  }
  step.confirmed_by = is_confirmed ? run : "";
  step.refuted_by = is_confirmed ? "" : run;
  if (!is_confirmed) {
    step.state = AlertState::refuted;
  } else if (!stands(step.state)) {
    step.state = state_decided(step.decision, AlertState::fresh);
  }
}

}  // namespace

std::string compare_command(const Suspected& what) {
  const std::string& metric = what.series.key.metric;
  const bool is_judged_anyway = metric == kStepTime.name || metric == kPeakRss.name;
  return what.series.can_be_compared ? command("", what.series.entry, what, !is_judged_anyway,
                                               policy_threshold(what.series, what.line.policy))
                                     : std::string();
}

std::string blame_command(const Suspected& what) {
  const TrendSeries& series = what.series;
  const bool is_one = commits_between(what.line, what.previous, what.commit) <= 1;
  return !series.can_be_compared || is_one
             ? compare_command(what)
             : command("bisect ", series.key.workload, what, true, kSmallestStep);
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
    add_sorted(one.workloads, doubt.series->entry);
    add_sorted(one.metrics, doubt.series->key.metric);
    one.threshold = std::min(one.threshold, threshold);
  }
  return wanted;
}

std::vector<std::string> unsettled_for_good(const TrendReport& report) {
  std::vector<std::string> names;
  for (const TrendSeries& series : report.series) {
    if (!series.can_be_compared && std::ranges::any_of(series.change_points, is_unsettled)) {
      add_sorted(names, series.key.workload);
    }
  }
  return names;
}

void apply_confirmation(TrendReport& report, const Confirmation& asked, const Report& result) {
  report.confirmations.push_back(result);
  const auto is_compared = [&](const ChangePoint& step) {
    return report.commits[step.previous].oid == asked.previous_oid &&
           report.commits[step.commit].oid == asked.oid;
  };
  for (TrendSeries& series : report.series) {
    const std::optional<AlertNews> news = result_for(series, result);
    if (!news || !std::ranges::binary_search(asked.workloads, series.entry) ||
        !series.can_be_compared || !may_alert(series, report.policy)) {
      continue;
    }
    for (std::vector<ChangePoint>* steps : {&series.change_points, &series.suspects}) {
      for (ChangePoint& step : *steps) {
        if (is_compared(step) && is_in_doubt(step, steps == &series.suspects)) {
          settle(*news, result.id, step);
        }
      }
    }
    promote_suspects(series);
  }
}

}  // namespace perf
