#include <algorithm>
#include <bit>
#include <cstring>
#include <limits>
#include <map>
#include <set>
#include <utility>

#include "collector/hub/database/points.h"
#include "collector/hub/database/rows.h"
#include "schema/error.h"
#include "schema/payload_history.h"

namespace perf::hub {
namespace {

using postgres::Connection;
using postgres::Rows;

constexpr std::uint32_t kNowhere = std::numeric_limits<std::uint32_t>::max();

template <class Number>
Number big_endian(const char* bytes) {
  Number number{};
  std::memcpy(&number, bytes, sizeof number);
  if constexpr (std::endian::native == std::endian::little) {
    auto* const begin = reinterpret_cast<char*>(&number);
    std::reverse(begin, begin + sizeof number);
  }
  return number;
}

/// An array of one dimension in binary format: a header of 20 bytes, then each value after its
/// length.
template <class Number>
class Array {
 public:
  explicit Array(std::string_view bytes) : bytes_(bytes) {
    constexpr std::size_t kHeader = 20, kEmpty = 12;
    if (bytes.size() > kEmpty) {
      bytes_.remove_prefix(std::min(kHeader, bytes.size()));
    } else {
      bytes_ = {};
    }
    if (bytes_.size() % kEach != 0) {
      throw Error("the hub's points are damaged", "tile", "perf-compare hub index --all");
    }
  }
  std::size_t size() const { return bytes_.size() / kEach; }
  Number operator[](std::size_t i) const {
    return big_endian<Number>(bytes_.data() + i * kEach + sizeof(std::uint32_t));
  }

 private:
  static constexpr std::size_t kEach = sizeof(std::uint32_t) + sizeof(Number);
  std::string_view bytes_;
};

}  // namespace

PointReader::PointReader(Connection& connection, const HistoryQuery& query)
    : connection_(connection), size_(query.size) {
  std::unordered_map<std::string, std::uint32_t> line;
  for (std::size_t i = 0; i < query.oids.size(); ++i) {
    line.emplace(query.oids[i], static_cast<std::uint32_t>(i));
  }
  const Rows revisions = connection.run("SELECT key, oid FROM perf_compare.revision");
  for (std::size_t i = 0; i < revisions.size(); ++i) {
    if (const auto at = line.find(revisions.text(i, 1)); at != line.end()) {
      commits_.emplace(revisions.integer(i, 0), at->second);
    }
  }
  read_runs(query);
  read_origins(query);
  read_series(query);
}

/// In the order of a store that pulled all of them at once.
void PointReader::read_runs(const HistoryQuery& query) {
  std::map<std::pair<std::string, std::int64_t>, std::uint32_t> environments;
  const Rows rows = connection_.run(
      "SELECT r.key, r.id, r.started_at, r.fingerprint, r.machine, r.host, m.facts, f.facts FROM "
      "perf_compare.run AS r JOIN perf_compare.facts AS m ON m.key = r.machine JOIN "
      "perf_compare.facts AS f ON f.key = r.facts WHERE r.size = $1 ORDER BY r.writer COLLATE "
      "\"C\", r.month COLLATE \"C\", r.name COLLATE \"C\", r.key",
      query.size);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const auto [environment, is_new] = environments.try_emplace(
        {rows.text(i, 3), rows.integer(i, 4)}, static_cast<std::uint32_t>(environments.size()));
    if (is_new) {
      frame_.environments.push_back({rows.text(i, 3), stored_facts(rows.text(i, 6)), {}});
    }
    runs_.emplace(rows.integer(i, 0), static_cast<std::uint32_t>(i));
    frame_.runs.push_back({rows.text(i, 1), rows.text(i, 2), environment->second,
                           stored_facts(rows.text(i, 7)), rows.text(i, 5)});
  }
}

std::uint32_t PointReader::declaration_of(std::int64_t key) {
  const auto [found, is_new] =
      declarations_.try_emplace(key, static_cast<std::uint32_t>(declarations_.size()));
  if (is_new) {
    frame_.declarations.push_back(stored_facts(
        connection_.run("SELECT facts FROM perf_compare.facts WHERE key = $1", key).text(0, 0)));
  }
  return found->second;
}

void PointReader::read_origins(const HistoryQuery& query) {
  const Rows rows = connection_.run(
      "SELECT o.key, o.run, o.revision, o.facts FROM perf_compare.origin AS o JOIN "
      "perf_compare.run AS r ON r.key = o.run WHERE r.size = $1 ORDER BY o.key",
      query.size);
  if (rows.size() == 0) {
    return;
  }
  first_origin_ = rows.integer(0, 0);
  origins_.assign(static_cast<std::size_t>(rows.integer(rows.size() - 1, 0) - first_origin_) + 1,
                  {kNowhere, 0, 0});
  std::set<std::int64_t> elsewhere;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const auto commit = commits_.find(rows.integer(i, 2));
    if (commit == commits_.end()) {
      elsewhere.insert(rows.integer(i, 2));
      continue;
    }
    origins_[static_cast<std::size_t>(rows.integer(i, 0) - first_origin_)] = {
        commit->second, runs_.at(rows.integer(i, 1)), declaration_of(rows.integer(i, 3))};
  }
  longest_ = rows.size();
  frame_.elsewhere = static_cast<std::int64_t>(elsewhere.size());
}

void PointReader::read_series(const HistoryQuery& query) {
  const Rows rows = connection_.run(
      "SELECT key, workload, params, name, metric, unit, higher_is_better, fingerprint, anchor, "
      "outside, judge FROM perf_compare.series WHERE size = $1",
      query.size);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    Series one;
    one.key = rows.integer(i, 0);
    RecordedSeries& series = one.series;
    series.workload = rows.text(i, 1);
    series.params = stored_params(rows.text(i, 2));
    series.name = rows.text(i, 3);
    series.metric = {rows.text(i, 4), rows.text(i, 5),
                     rows.flag(i, 6) ? Better::higher : Better::lower};
    series.fingerprint = rows.text(i, 7);
    series.anchor = rows.text(i, 8);
    series.outside = rows.text(i, 9);
    series.judge = rows.flag(i, 10);
    if (is_wanted(query, series)) {
      series_.push_back(std::move(one));
    }
  }
  std::ranges::sort(
      series_, [](const Series& a, const Series& b) { return comes_before(a.series, b.series); });
}

std::vector<ProgramAt> PointReader::programs_of(const std::vector<RecordedSeries>& series) const {
  std::vector<std::string> workloads;
  for (const RecordedSeries& one : series) {
    if (workloads.empty() || workloads.back() != one.workload) {
      workloads.push_back(one.workload);
    }
  }
  const Rows rows = connection_.run(
      "SELECT v.key, v.oid, r.fingerprint, p.workload, p.params, p.outside, CASE WHEN "
      "min(p.program) = max(p.program) THEN min(p.program) ELSE '' END FROM perf_compare.program "
      "AS p JOIN perf_compare.run AS r ON r.key = p.run JOIN perf_compare.revision AS v ON v.key = "
      "r.head WHERE r.size = $1 AND p.workload = ANY ($2::text[]) GROUP BY 1, 2, 3, 4, 5, 6",
      size_, names_array(workloads));
  std::vector<ProgramAt> programs;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (commits_.contains(rows.integer(i, 0))) {
      programs.push_back({rows.text(i, 1), rows.text(i, 2), rows.text(i, 3),
                          stored_params(rows.text(i, 4)), rows.text(i, 5), rows.text(i, 6)});
    }
  }
  return programs;
}

void PointReader::add_values(std::string_view origins, std::string_view values,
                             RecordedSeries& series) const {
  const Array<std::int32_t> from(origins);
  const Array<double> value(values);
  for (std::size_t i = 0; i < std::min(from.size(), value.size()); ++i) {
    const auto place = static_cast<std::size_t>(from[i] - first_origin_);
    if (place < origins_.size() && origins_[place].commit != kNowhere) {
      const Origin& origin = origins_[place];
      series.values.push_back({origin.commit, origin.run, origin.declaration, 0, value[i]});
    }
  }
}

SomeSeries PointReader::next(std::size_t values) {
  constexpr std::size_t kMostSeries = 256;
  SomeSeries some;
  while (some.series.empty() && next_ < series_.size()) {
    some.series = read(std::clamp<std::size_t>(values / longest_, 1, kMostSeries));
  }
  if (!some.series.empty()) {
    some.programs = programs_of(some.series);
  }
  return some;
}

std::vector<RecordedSeries> PointReader::read(std::size_t count) {
  const std::size_t end = std::min(next_ + count, series_.size());
  longest_ = next_ == 0 ? 1 : longest_;
  std::vector<std::pair<std::int64_t, std::size_t>> places;
  std::string keys = "{";
  std::vector<RecordedSeries> found;
  for (; next_ < end; ++next_) {
    keys += (places.empty() ? "" : ",") + std::to_string(series_[next_].key);
    places.emplace_back(series_[next_].key, found.size());
    found.push_back(std::move(series_[next_].series));
  }
  std::ranges::sort(places);
  const Rows rows = connection_.run_binary(
      "SELECT series, origin, value FROM perf_compare.tile WHERE series = ANY ($1::integer[]) "
      "UNION ALL "
      "SELECT series, origin, value FROM perf_compare.tail WHERE series = ANY ($1::integer[])",
      {keys + "}"});
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const auto key = big_endian<std::int32_t>(rows.view(i, 0).data());
    const auto place =
        std::ranges::lower_bound(places, std::pair<std::int64_t, std::size_t>(key, 0));
    add_values(rows.view(i, 1), rows.view(i, 2), found[place->second]);
  }
  for (RecordedSeries& one : found) {
    longest_ = std::max(longest_, one.values.size());
    std::ranges::stable_sort(one.values, [](const RecordedValue& a, const RecordedValue& b) {
      return a.commit != b.commit ? a.commit < b.commit : a.run < b.run;
    });
  }
  std::erase_if(found, [](const RecordedSeries& one) { return one.values.empty(); });
  return found;
}

}  // namespace perf::hub
