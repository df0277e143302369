#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "reporter/render.h"
#include "reporter/svg/drawing.h"
#include "reporter/svg/pictures.h"
#include "reporter/trend/histories.h"
#include "schema/text/text_parts.h"

namespace perf {
namespace reporter::svg {
namespace {

constexpr std::size_t kLongestName = 90;  ///< leaves room to tell twins apart

/// Lower case, because some file systems know no other; everything unsafe is a dash, a row of them
/// one.
std::string safe(const std::string& text) {
  std::string name;
  for (const char c : text) {
    const char small = lower(c);
    if ((small >= 'a' && small <= 'z') || (c >= '0' && c <= '9') || c == '_') {
      name += small;
    } else if (!name.empty() && name.back() != '-' && name.back() != '.') {
      name += c == '.' ? '.' : '-';
    }
  }
  return name;
}

}  // namespace

std::string file_name(const std::string& prefix, const std::string& text,
                      std::set<std::string>& taken) {
  std::string plain = (prefix + "-" + safe(text)).substr(0, kLongestName);
  while (plain.back() == '-' || plain.back() == '.') {
    plain.pop_back();
  }
  std::string name = plain;
  for (int twin = 2; !taken.insert(name).second; ++twin) {
    name = plain + "-" + std::to_string(twin);
  }
  return name;
}

}  // namespace reporter::svg

namespace {

using namespace reporter::svg;

constexpr double kWide = 720;  ///< a file has the whole screen

/// The pictures so far; no two files of one name.
struct Album {
  std::vector<Picture> pictures;
  std::set<std::string> names;

  void add(const std::string& kind, const std::string& of, const std::string& svg) {
    if (!svg.empty()) {
      pictures.push_back({file_name(kind, of, names), stand_alone(svg)});
    }
  }
};

void add_bars(const Report& report, Album& album) {
  std::vector<Metric> metrics;
  for (const Comparison& comparison : report.comparisons) {
    if (std::ranges::find(metrics, comparison.metric) == metrics.end()) {
      metrics.push_back(comparison.metric);
    }
  }
  for (const Metric& metric : metrics) {
    album.add("bars", metric.name, bar_picture(report.comparisons, metric));
  }
}

void add_ratios(const Report& report, Album& album) {
  for (const std::vector<RatioLine>& lines : ratio_sets(report.comparisons)) {
    album.add("ratios", lines[0].parameter + "-" + lines[0].metric.name, ratio_picture(lines));
  }
}

void add_measured(const Report& report, const MeasuredWorkload& measured, Album& album) {
  const std::string& name = measured.workload;
  album.add("steps", name, step_picture(measured, kWide));
  album.add("memory", name, memory_picture(measured, kWide));
  for (const Comparison& one : report.comparisons) {
    if (one.workload == name && one.params == measured.params && is_another(one.metric)) {
      album.add("values", name + "-" + one.metric.name,
                process_picture(measured, one.metric, kWide));
    }
  }
}

}  // namespace

std::vector<Picture> plots(const Report& report, const std::vector<MeasuredWorkload>& measured) {
  Album album;
  album.add("intervals", "", interval_picture(report.comparisons));
  add_bars(report, album);
  add_ratios(report, album);
  for (const Comparison& comparison : report.comparisons) {
    album.add("pairs", comparison.workload + "-" + comparison.metric.name,
              pair_picture(comparison, kWide));
  }
  for (const MeasuredWorkload& one : measured) {
    add_measured(report, one, album);
  }
  return album.pictures;
}

std::vector<Picture> trend_plots(const TrendReport& report) {
  const reporter::Histories histories(report);
  Album album;
  for (const TrendSeries& series : report.series) {
    album.add("history", series.key.workload + "-" + series.metric.name + "-" + series.anchor_name,
              history_picture(histories.of(series), true));
  }
  return album.pictures;
}

}  // namespace perf
