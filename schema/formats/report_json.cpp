#include "schema/formats/report_json.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

#include "schema/formats/reading.h"
#include "schema/json/json_record_reader.h"
#include "schema/json/record_fields.h"

namespace perf::formats {
namespace {

constexpr std::string_view kSchema = "perf-compare/report/2";
/// It had one "environment" in place of the list.
constexpr std::string_view kFirstSchema = "perf-compare/report/1";
constexpr JsonLimits kLimits{.large_integers = true};  // seeds have 64 bits

/// Head's statistics: a null is one of 0/0.
SideStats stats_of(SideStats stats, const JsonValue& value) {
  required_field(as_object(value, "a side"), value.offset, "median", "a side");
  for (double* number : {&stats.median, &stats.p90, &stats.mean, &stats.stddev, &stats.min,
                         &stats.max, &stats.cov}) {
    *number = std::isnan(*number) ? 0 : *number;
    if (!is_measurable(*number)) {
      throw JsonFault{value.offset, "a number of head" + std::string(kOutsideMagnitude)};
    }
  }
  return stats;
}

/// Why head failed, by the row's warning.
std::string reason_of(const Comparison& row) {
  for (const Warning& warning : row.warnings) {
    if (const auto why = warning.about.find("why");
        warning.kind == WarningKind::failed && why != warning.about.end()) {
      return why->second;
    }
  }
  return "its report gives no reason";
}

/// As head's runs saw it, a thousand at most; what its runs ended by is no check of its results.
void add_check(const CheckResult& check, ChecksOfRuns& runs) {
  constexpr int kMostRuns = 1000;
  const int count = check.head ? std::clamp(check.head_runs, 1, kMostRuns) : 0;
  if (check.name == kRunsEndWell) {
    return;
  }
  runs.resize(std::max(runs.size(), static_cast<std::size_t>(count)));
  for (int i = 0; i < count; ++i) {
    const bool failed = check.head_runs > 0 ? i < check.head_failed : !*check.head;
    runs[static_cast<std::size_t>(i)].push_back(
        {check.name, !failed, check.error, check.tolerance});
  }
}

/// One row: what head measured, or that it failed.
void add_row(const JsonValue& value, SampleSet& set) {
  const JsonObject& object = as_object(value, "a comparison");
  for (const char* name : {"workload", "metric", "unit", "better"}) {
    required_field(object, value.offset, name, "a comparison");
  }
  Comparison row;
  row.judged = false;
  JsonRecordReader::read(value, "a comparison", row, Absent::keeps_default);
  if (row.verdict == Verdict::failed) {
    set.failures.insert({{row.workload}, reason_of(row)});
  }
  for (const CheckResult& check : row.checks) {
    add_check(check, set.checks[{row.workload}]);
  }
  if (row.head) {
    set.series.push_back({row.workload,
                          row.params,
                          row.metric,
                          row.judged,
                          {},
                          stats_of(*row.head, *optional_field(object, "head"))});
  }
}

void refuse_rows_twice(const JsonArray& rows, const SampleSet& set) {
  std::set<std::pair<std::string, std::string>> seen;
  for (const SampleSeries& series : set.series) {
    if (!seen.insert({series.name, series.metric.name}).second) {
      throw JsonFault{rows.front().offset, "duplicate row of workload " + in_quotes(series.name) +
                                               " and metric " + in_quotes(series.metric.name)};
    }
  }
}

/// Where a row's workload was measured: by its name, or the longest one of which it is a child.
const MeasuredOn* place_of(const std::string& workload, const std::vector<MeasuredOn>& all) {
  const MeasuredOn* place = nullptr;
  std::size_t longest = 0;
  for (const MeasuredOn& on : all) {
    for (const std::string& name : on.workloads) {
      if (name.size() > longest && (workload == name || workload.starts_with(name + "/"))) {
        longest = name.size();
        place = &on;
      }
    }
  }
  return place;
}

/// What each machine measured; all of it, where they are alike.
std::vector<SampleSet> sessions_of(SampleSet all, const std::vector<MeasuredOn>& environments) {
  std::vector<SampleSet> sessions;
  for (const MeasuredOn& on : environments) {
    const auto known = [&](const SampleSet& set) {
      return set.environment.fingerprint == on.environment.fingerprint;
    };
    if (std::ranges::none_of(sessions, known)) {
      SampleSet& session = sessions.emplace_back();
      session.of_workloads = true;
      session.environment = on.environment;
    }
  }
  const auto session_of = [&](const std::string& workload) -> SampleSet& {
    const MeasuredOn* place = place_of(workload, environments);
    return place == nullptr
               ? sessions.front()
               : *std::ranges::find(sessions, place->environment.fingerprint,
                                    [](const auto& set) { return set.environment.fingerprint; });
  };
  for (SampleSeries& series : all.series) {
    session_of(series.name).series.push_back(std::move(series));
  }
  for (const auto& [workload, why] : all.failures) {
    session_of(workload.name).failures.emplace(workload, why);
  }
  for (auto& [workload, runs] : all.checks) {
    session_of(workload.name).checks.emplace(workload, std::move(runs));
  }
  return sessions;
}

/// Values measured before a workload failed do not count.
void leave_out_failed(SampleSet& set) {
  std::erase_if(set.series, [&set](const SampleSeries& series) {
    return set.failures.contains({series.name});
  });
}

ReportFile read_report(std::string_view text) {
  const JsonValue root = read_json(text, kLimits);
  const JsonObject& document = as_object(root, "the file");
  const JsonValue& schema = required_field(document, root.offset, "schema", "the file");
  const bool is_first = as_text(schema, "\"schema\"") == kFirstSchema;
  if (!is_first && as_text(schema, "\"schema\"") != kSchema) {
    throw JsonFault{
        schema.offset, "not a report of this version",
        "pass what --json of this version writes: \"schema\": \"" + std::string(kSchema) + "\""};
  }
  const auto required = [&](std::string_view name) -> const JsonValue& {
    return required_field(document, root.offset, name, "the report");
  };
  const JsonValue& head = required("head");
  const JsonValue& where = required(is_first ? "environment" : "environments");
  required_field(as_object(head, "\"head\""), head.offset, "oid", "head");
  ReportFile file;
  SampleSet all;
  std::vector<MeasuredOn> environments(1);
  JsonRecordReader report(root, "the report", Absent::keeps_default);
  report("head", file.head);
  report.or_null("size", file.size);
  if (is_first) {
    report("environment", environments.front().environment);
  } else {
    report("environments", environments);
  }
  if (environments.empty()) {
    throw JsonFault{where.offset, "\"environments\" is empty"};
  }
  const JsonArray& rows = as_array(required("comparisons"), "\"comparisons\"");
  for (const JsonValue& row : rows) {
    add_row(row, all);
  }
  refuse_rows_twice(rows, all);
  leave_out_failed(all);
  file.sessions = sessions_of(std::move(all), environments);
  return file;
}

}  // namespace

ReportFile read_report_json(std::string_view text, const std::string& filename) {
  ReportFile file = with_places(text, filename, [&] { return read_report(text); });
  for (SampleSet& session : file.sessions) {
    session.source = filename;
    session.size = file.size;
  }
  return file;
}

/// A report as sessions, one a machine, for `judge`.
Sessions read_report_sessions(std::string_view text, const std::string& filename) {
  Sessions sessions;
  for (SampleSet& samples : read_report_json(text, filename).sessions) {
    sessions.push_back({{}, {}, std::move(samples)});
  }
  return sessions;
}

}  // namespace perf::formats
