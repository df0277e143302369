// A history read some series at a time, whose points are not kept, tells what one tells that lies
// in memory whole.

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <random>

#include "analyzer/trend/alert_states.h"
#include "analyzer/trend/internal.h"
#include "analyzer/trend/trend.h"
#include "reporter/render.h"
#include "schema/text/utc_time.h"
#include "tests/analyzer/trend/scripted_history.h"

namespace perf {
namespace {

using scripted::History;

std::vector<double> with_slope(std::vector<double> values, double total) {
  const std::size_t begin = values.size() / 2;
  for (std::size_t i = begin; i < values.size(); ++i) {
    values[i] *= std::exp(total * static_cast<double>(i - begin) / static_cast<double>(begin + 1));
  }
  return values;
}

constexpr std::size_t kLine = 300;

/// Steps there and back, slopes, series of one point and series that come and go, two machines,
/// pairs with a baseline, an odd host, differences, programs, and facts of runs and workloads.
class AnyHistory {
 public:
  explicit AnyHistory(std::uint64_t seed) : random_(seed), history_(scripted::history_of(kLine)) {
    RecordedHistory& recorded = history_.recorded;
    recorded.environments = {{"m2", {{"cpu", "b"}}, {}}, {"m1", {{"cpu", "a"}}, {}}};
    recorded.runs.clear();
    for (std::uint32_t run = 0; run < 24; ++run) {
      recorded.runs.push_back({"run-" + std::to_string(run),
                               "2026-01-01T00:00:00Z",
                               run % 2,
                               {{"governor", run < 12 ? "performance" : "powersave"}},
                               run % 5 == 0 ? "odd" : "usual"});
    }
    recorded.declarations = {{{"core", "old"}}, {{"core", "new"}}};
    moved_ = 60 + any(150);
    for (int i = 0; i < 12; ++i) {
      add("w" + std::to_string(i % 9), i);
    }
    scripted::add_programs(history_, "w3", moved_ - 2);
    scripted::add_programs(history_, "w4", moved_ - 2);
  }
  const History& history() const { return history_; }
  std::size_t any(std::size_t end) { return random_() % end; }

 private:
  bool chance(double share) { return static_cast<double>(any(1000)) < 1000 * share; }

  void add(const std::string& workload, int number) {
    const bool linear = number == 7;
    const std::size_t first = chance(.2) ? any(200) : 0, stride = chance(.2) ? 2 : 1;
    const std::size_t room = (kLine - first + stride - 1) / stride;
    const std::size_t count = number == 8 ? 1 : chance(.2) ? 1 + any(room) : room;
    std::vector<double> values = scripted::noisy(count, .01, random_());
    for (std::size_t steps = any(4); steps > 0; --steps) {
      values = scripted::stepped(values, any(count), chance(.5) ? .1 : -.09);
    }
    if (chance(.6) && moved_ > first) {  // a machine event
      values = scripted::stepped(values, std::min(count, (moved_ - first) / stride), .07);
    }
    if (chance(.3)) {
      values = with_slope(values, .08);
    }
    const bool odd = chance(.3), anchored = number > 9;
    RecordedSeries& series =
        scripted::add_series(history_, workload, values, number % 4 == 3 ? "m2" : "m1",
                             number % 3 == 2 ? kPeakRss : kStepTime, first, stride);
    series.outside = number == 9 ? "bench" : "";
    if (anchored) {
      series.fingerprint.clear();
      series.anchor = scripted::oid_at(3);
    }
    for (RecordedValue& value : series.values) {
      value.run = static_cast<std::uint32_t>(any(24));
      value.declaration = value.commit < kLine / 2 ? 0 : 1;
      const bool is_odd = odd && history_.recorded.runs[value.run].host == "odd";
      value.value = linear ? value.value - .1 : value.value * (is_odd ? 1.2 : 1);
    }
  }

  std::mt19937_64 random_;
  History history_;
  std::size_t moved_ = 0;
};

/// What a report says, its points aside.
std::string said(TrendReport report) {
  report.tells_points = false;
  return render_trend_json(report) + render_markdown(report) + render_terminal(report, false) +
         render_trend_openmetrics(report) + render_trend_junit(report) +
         render_github_annotations(report);
}

TrendReport told(const History& history, TrendInputs inputs, std::size_t at_once, bool keeps) {
  RecordedHistory frame = history.recorded;
  std::vector<RecordedSeries> rest = std::move(frame.series);
  frame.series.clear();
  const std::vector<ProgramAt> programs = std::move(frame.programs);
  frame.programs.clear();
  std::size_t next = 0;
  TrendInputs streamed{frame, history.line};
  streamed.baselines = inputs.baselines;
  streamed.alerts = inputs.alerts;
  streamed.alert_threshold = inputs.alert_threshold;
  streamed.entries = inputs.entries;
  streamed.since = inputs.since;
  streamed.replays = inputs.replays;
  streamed.keeps_points = keeps;
  streamed.more = [&] {
    SomeSeries some;
    for (const std::size_t end = std::min(next + at_once, rest.size()); next < end; ++next) {
      some.series.push_back(rest[next]);
    }
    std::ranges::copy_if(programs, std::back_inserter(some.programs), [&](const ProgramAt& seen) {
      return std::ranges::count(some.series, seen.workload, &RecordedSeries::workload) > 0;
    });
    return some;
  };
  return trend(streamed);
}

/// What the histories hold, so that something is shown.
struct Found {
  void add(const TrendReport& report) {
    events += report.machine_events.size();
    for (const TrendSeries& series : report.series) {
      closed += series.closed.size();
      slopes += series.trend ? 1 : 0;
      for (const ChangePoint& step : series.change_points) {
        moved += step.border.value_or(0) != 0 ? 1 : 0;
        decided += step.decision ? 1 : 0;
        reopened += step.state == AlertState::reopened ? 1 : 0;
      }
    }
  }
  std::size_t events = 0, closed = 0, slopes = 0, moved = 0, decided = 0, reopened = 0;
};

TEST(KeptPoints, GiveTheSameReportsNightAfterNight) {
  Found found;
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    AnyHistory any(seed);
    std::vector<Alert> alerts;
    for (std::size_t commits = 100; commits <= kLine; commits += 40) {
      const History history = scripted::until(any.history(), commits);
      TrendInputs inputs = history.inputs();
      inputs.baselines = {{"release", scripted::oid_at(20), "", ""}, {"gone", "none", "", ""}};
      inputs.alerts = alerts;
      inputs.replays = seed == 1 && commits == 100;  // what takes most of the time
      inputs.since = static_cast<std::uint32_t>(any.any(2) * any.any(commits));
      if (seed % 3 == 0) {
        inputs.alert_threshold = .05;
        inputs.entries = {{"w1", ""}, {"w2", ""}, {"w3", ""}};
      }
      const TrendReport whole = trend(inputs);
      const TrendReport thin = told(history, inputs, 1 + any.any(5), false);
      ASSERT_EQ(said(thin), said(whole)) << seed << ", " << commits;
      found.add(whole);
      ASSERT_EQ(render_trend_json(told(history, inputs, 3, true)), render_trend_json(whole));
      const TrendReport cut = since(thin, inputs.since);
      ASSERT_EQ(said(cut), said(since(whole, inputs.since))) << seed << ", " << commits;
      const AlertRecord record = to_remember(cut, "2026-01-01T00:00:00Z");
      const AlertRecord expected = to_remember(since(whole, inputs.since), "2026-01-01T00:00:00Z");
      ASSERT_EQ(record.fresh.size(), expected.fresh.size());
      ASSERT_EQ(record.news.size(), expected.news.size());
      alerts.insert(alerts.end(), record.fresh.begin(), record.fresh.end());
      for (Alert& alert : alerts) {
        for (const auto& [id, news] : record.news) {
          if (id == alert.id) {
            alert.events.push_back(news);
          }
        }
        if (any.any(2) == 0 && commits < 200 && !alert.events.empty()) {
          const AlertNews news =
              std::array{AlertNews::acknowledged, AlertNews::ignored, AlertNews::fixed,
                         AlertNews::confirmed, AlertNews::refuted}[any.any(5)];
          alert.events.push_back(
              {news,
               utc_text(1'700'000'000 +
                        86'400 * static_cast<std::int64_t>(commits - 40 + any.any(45))),
               "run-1", "ada", "so"});
        }
      }
    }
    EXPECT_GT(alerts.size(), 2U) << seed;
  }
  for (const std::size_t count :
       {found.events, found.closed, found.slopes, found.moved, found.decided, found.reopened}) {
    EXPECT_GT(count, 0U);
  }
}

TEST(KeptPoints, AreFoundByTheirPlaces) {
  TrendPoints points;
  for (std::uint32_t i = 0; i < 100; ++i) {
    points.push_back({i, 1, 1.0 * i});
  }
  std::vector<bool> marked(100);
  marked[50] = marked[51] = true;
  points.keep(marked);
  EXPECT_EQ(points.size(), 100U);
  EXPECT_EQ(points.end() - points.begin(), 4);
  EXPECT_EQ(points[51].value, 51);
  EXPECT_EQ(points.place_of(points.begin() + 2), 51U);
  EXPECT_THROW(points[52], std::out_of_range);
  points.drop(51);
  EXPECT_EQ(points.size(), 49U);
  EXPECT_EQ(points[0].value, 51);
  EXPECT_EQ(points[48].value, 99);
  points.drop(49);
  EXPECT_TRUE(points.empty());
  EXPECT_EQ(points.place_of(points.end()), 0U);
}

}  // namespace
}  // namespace perf
