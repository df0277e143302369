#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

#include "reporter/html/document.h"
#include "reporter/svg/pictures.h"
#include "reporter/text/quantity.h"
#include "reporter/trend/findings.h"
#include "schema/text/lists.h"

namespace perf::reporter::html {
namespace {

constexpr std::size_t kShownFindings = 20;  ///< of a series, the last ones

/// The most urgent thing that there is to say of a series, in that order.
enum class SeriesState {
  fresh,     ///< "new": an alert that was never shown
  reopened,  ///< an alert that is there in spite of what people decided
  known,     ///< an alert that was
  event,     ///< moved with its machine
  refuted,   ///< an alert that a comparison refuted
  ignored,   ///< an alert that people accepted
  over,      ///< an alert that recovered or was withdrawn
  suspect,   ///< a step not certain enough
  worse,     ///< moved for the worse, and that is no alert
  improved,  ///< moved for the better
  quiet,     ///< nothing
};

SeriesState series_state(const Finding& finding) {
  constexpr static SeriesState kOfAlerts[] = {
      // by AlertState
      SeriesState::quiet, SeriesState::fresh, SeriesState::known,    SeriesState::refuted,
      SeriesState::over,  SeriesState::over,  SeriesState::reopened, SeriesState::ignored};
  if (finding.state != AlertState::none) {
    return kOfAlerts[static_cast<std::size_t>(finding.state)];
  }
  if (finding.step != nullptr && finding.step->machine_event) {
    return SeriesState::event;
  }
  if (finding.drift != nullptr && !finding.drift->beyond) {
    return SeriesState::quiet;  // where it stands, no move
  }
  return finding.worse ? SeriesState::worse : SeriesState::improved;
}

struct StateDress {
  const char *word, *classes;
};

const StateDress& dress_of(SeriesState state) {
  constexpr static StateDress kDresses[] = {
      {"new", "bad"},     {"reopened", "bad"},  {"known", "warn"}, {"machine event", "warn"},
      {"refuted", "dim"}, {"ignored", "dim"},   {"over", "good"},  {"suspect", "warn"},
      {"worse", "dim"},   {"improved", "good"}, {"quiet", "dim"}};
  return kDresses[static_cast<std::size_t>(state)];
}

SeriesState series_state(const TrendSeries& series) {
  SeriesState state = SeriesState::quiet;
  for (const Finding& finding : findings_of(series)) {
    state = std::min(state, series_state(finding));
  }
  if (!series.closed.empty()) {
    state = std::min(state, SeriesState::over);
  }
  if (!series.tails.empty() || std::ranges::any_of(series.suspects, is_open_suspect)) {
    state = std::min(state, SeriesState::suspect);
  }
  return state;
}

struct ListedSeries {
  std::size_t index = 0;
  SeriesState state = SeriesState::quiet;
};

std::vector<ListedSeries> listed(const TrendReport& report) {
  std::vector<ListedSeries> list;
  for (const TrendSeries& series : report.series) {
    list.push_back({list.size(), series_state(series)});
  }
  std::ranges::stable_sort(list, {}, &ListedSeries::state);
  return list;
}

/// What the script sorts by; nothing for what is not finite.
std::string sort_key(std::optional<double> value) {
  return value && std::isfinite(*value) ? fmt::format("{:.7g}", *value) : std::string();
}

std::string cell(const char* classes, const std::string& label, const std::string& text) {
  return text_element("span", {{"class", classes}, {"data-label", label}}, text);
}

/// The line that is always seen.
std::string summary(const Histories& histories, const ListedSeries& one,
                    const SeriesHistory& history) {
  const TrendSeries& series = histories.report().series[one.index];
  const std::optional<double> level = present_level(series);
  const ChangePoint* last = series.change_points.empty() ? nullptr : &series.change_points.back();
  const StateDress& state = dress_of(one.state);
  std::string cells =
      text_element("span", {{"class", std::string("state ") + state.classes}}, state.word);
  cells += element("span", {{"class", "name"}}, html_prose(histories.names().workload(series)));
  cells += element("span", {{"class", "metric"}}, html_prose({name(series.metric.name)}));
  cells += cell("number now", "now", level ? quantity(*level, unit_of(series)) : "-");
  cells += cell("number noise", "noise", rough_percentage(series.noise));
  cells += cell("number visible", "visible step", visible_text(series));
  cells += cell("number change", "last change", last ? change_text(last->change) : "-");
  cells += cell("number points", "points", std::to_string(series.points.size()));
  cells += element("span", {{"class", "thumbnail"}}, svg::history_thumbnail(history));
  return element("summary", {}, cells) + "\n";
}

/// "new: +12.4 % [+10.9, +13.8], 412 ms -> 463 ms, at ...".
std::string finding_line(const Histories& histories, const Finding& finding) {
  Prose line;
  if (finding.state != AlertState::none) {
    line.push_back(strong(std::string(to_string(finding.state)) + " "));
  }
  line.push_back(
      {finding.worse ? Tone::bad : Tone::good, change_text(finding.change, finding.interval)});
  const std::string levels = levels_text(finding);
  if (!levels.empty()) {
    append(line, ", ", number(levels));
  }
  const char* separator = ", ";
  for (const Prose& remark : alert_remarks(histories.report(), finding)) {
    append(line, separator, remark);
    separator = "; ";
  }
  return lines_html({line});
}

std::string findings_html(const Histories& histories, const std::vector<Finding>& findings) {
  const std::size_t begin = findings.size() - std::min(findings.size(), kShownFindings);
  std::string html;
  if (begin > 0) {
    html = lines_html({{dim(std::to_string(begin) + " more, older")}});
  }
  for (std::size_t i = begin; i < findings.size(); ++i) {
    html += finding_line(histories, findings[i]);
  }
  return html;
}

std::string row(const Histories& histories, const ListedSeries& one) {
  const TrendSeries& series = histories.report().series[one.index];
  const SeriesHistory history = histories.of(series);
  const std::optional<double> change = series.change_points.empty()
                                           ? std::nullopt
                                           : std::optional(series.change_points.back().change);
  const Attributes attributes{{"class", "series"},
                              {"id", series_anchor(one.index)},
                              {"data-state", dress_of(one.state).word},
                              {"data-urgency", std::to_string(static_cast<int>(one.state))},
                              {"data-now", sort_key(present_level(series))},
                              {"data-noise", sort_key(series.noise)},
                              {"data-visible", sort_key(series.visible_step)},
                              {"data-change", sort_key(change)},
                              {"data-points", std::to_string(series.points.size())}};
  const std::string data = "<script type=\"application/json\">" +
                           series_data(histories, series, history) + "</script>\n";
  return element("details", attributes,
                 summary(histories, one, history) +
                     history_box(one.index, svg::history_picture(history, false)) +
                     findings_html(histories, findings_of(series)) + data) +
         "\n";
}

/// Above the columns: words, which the script makes buttons of.
std::string heads() {
  struct Head {
    const char *classes, *key, *words;
  };
  std::string html;
  for (const Head& head :
       {Head{"state", "urgency", "state"}, Head{"name", "name", "workload"},
        Head{"metric", "metric", "metric"}, Head{"now", "now", "now"},
        Head{"noise", "noise", "noise"}, Head{"visible", "visible", "visible step"},
        Head{"change", "change", "last change"}, Head{"points", "points", "points"},
        Head{"thumbnail", "", "history"}}) {
    html += text_element("span", {{"class", head.classes}, {"data-key", head.key}}, head.words);
  }
  return element("div", {{"class", "series-heads"}}, html) + "\n";
}

/// Counts of each state, from which the script makes its choices.
std::string states(const std::vector<ListedSeries>& list) {
  std::map<SeriesState, std::size_t> counts;
  for (const ListedSeries& one : list) {
    ++counts[one.state];
  }
  Prose line;
  for (const auto& [state, count] : counts) {
    append(line, words(line.empty() ? "" : ", "), number(std::to_string(count)),
           words(std::string(" ") + dress_of(state).word));
  }
  return element("p", {{"class", "series-counts dim"}}, html_prose(line)) + "\n";
}

}  // namespace

std::string series_anchor(std::size_t index) {
  return "s" + std::to_string(index);
}

std::string history_box(std::size_t index, const std::string& svg) {
  return element("div", {{"class", "history"}, {"data-series", series_anchor(index)}},
                 element("div", {{"class", "scroll"}}, svg)) +
         "\n";
}

std::string series_list(const Histories& histories) {
  const std::vector<ListedSeries> list = listed(histories.report());
  if (list.empty()) {
    return {};
  }
  std::string rows =
      perf::joined(list, "", [&](const ListedSeries& one) { return row(histories, one); });
  return element("section", {{"class", "all-series"}},
                 text_element("h2", {}, "All series") + "\n" + states(list) + heads() +
                     element("div", {{"class", "series-list"}, {"data-filter", "series"}}, rows)) +
         "\n<script type=\"application/json\" id=\"line\">" + line_data(histories) + "</script>\n";
}

}  // namespace perf::reporter::html
