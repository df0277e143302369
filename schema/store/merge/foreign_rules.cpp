#include <algorithm>
#include <vector>

#include "schema/alert.h"
#include "schema/payload.h"
#include "schema/store/internal.h"
#include "schema/text/utc_time.h"
#include "schema/workload_name.h"

namespace perf::store {
namespace {

/// Bytes of the longest text; our own are at most as long as what a workload writes, which readers
/// refuse from here on.
constexpr std::int64_t kLongestText = 64 << 20;

[[noreturn]] void refuse(const std::string& file, const std::string& table,
                         const std::string& why) {
  throw Error("table " + table + ": " + why + "; nothing was merged", file,
              "find out who changed it: perf-compare did not write it");
}

/// A condition that holds for every row `t`, in SQL.
struct Rule {
  const char* table;
  std::string holds;
  const char* broken;  ///< what a row is that breaks it
};

std::string is_short(const std::string& column) {
  return "length(CAST(" + column + " AS BLOB)) <= 200";
}

std::string is_name(const std::string& column) {
  return column + " <> '' AND " + is_short(column);
}

std::string fits(const std::string& column) {
  return column + " BETWEEN 0 AND 1000000000";
}

/// The bounds of formats/magnitude.h, a little wider than the last digit: what lies outside of them
/// passes no reader, and its ratios overflow or vanish.
std::string is_step_time(const std::string& column) {
  return column + " BETWEEN 9e-16 AND 1.1e9";
}

std::string is_measurable(const std::string& column) {
  return "(" + column + " = 0 OR abs(" + column + ") BETWEEN 9e-151 AND 1.1e150)";
}

const char* const kBadName = "a name that is empty or too long";
const char* const kTooLarge = "a number that is too large";
const char* const kNoMagnitude = "a number that is too large or too small to be measured";

/// What our own writers keep to beyond the rules of the tables.
std::vector<Rule> rules_of_values() {
  return {
      {"metric", is_name("name") + " AND " + is_short("unit"), kBadName},
      {"name", is_name("name"), kBadName},
      {"bisection", is_name("metric"), kBadName},
      {"ratchet_run", is_name("name"), kBadName},
      {"ratchet_run", fits("number"), kTooLarge},
      {"alert", is_name("metric") + " AND " + is_short("baseline"), kBadName},
      {"environment", is_short("fingerprint"), kBadName},
      {"run",
       "started_at GLOB '[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]T*' AND "
       "length(started_at) <= 40 AND started_at NOT GLOB '*[^0-9TZ:.+-]*'",
       "an invalid time"},
      {"alert_event", is_short("author"), kBadName},
      {"alert_event", "length(CAST(reason AS BLOB)) <= " + std::to_string(kLongestReason),
       "a reason that is too long"},
      {"run", "looks <= 1000 AND attempt <= 1000000", kTooLarge},
      {"run_workload", fits("idx") + " AND " + fits("new_files"), kTooLarge},
      {"invocation",
       fits("start_order") + " AND " + fits("pair") + " AND " + fits("attempt") + " AND " +
           fits("steps_wanted") + " AND " + fits("warmup_wanted") + " AND " + fits("padding"),
       kTooLarge},
      {"invocation",
       "ifnull(exit_code, 0) BETWEEN -256 AND 256 AND ifnull(signal, 0) BETWEEN 0 AND 256",
       "an invalid exit status"},
      {"invocation",
       "EXISTS (SELECT 1 FROM other.run_workload AS p WHERE p.run = t.run AND t.workload = CASE "
       "WHEN t.side = 'base' THEN ifnull(p.base_workload, p.workload) ELSE p.workload END)",
       "an invocation of a workload outside its plan"},
      {"block", "ifnull(rss, 0) <= 1000000000000000000", kTooLarge},
      {"step", "ifnull(rss_above, 0) BETWEEN -1000000000000000000 AND 1000000000000000000",
       kTooLarge},
      {"invocation", "wall <= 1.1e9 AND took <= 1.1e9", kTooLarge},
      {"block", "median IS NULL OR " + is_step_time("median"), kNoMagnitude},
      {"step", is_step_time("seconds"), kNoMagnitude},
      {"phase", is_measurable("seconds") + " AND seconds <= 1.1e9", kNoMagnitude},
      {"metric_value", is_measurable("value"), kNoMagnitude},
      {"pruned_block",
       is_step_time("mean") + " AND " + is_step_time("min") + " AND " + is_step_time("p90") +
           " AND " + is_step_time("max") + " AND stddev <= 1.1e9",
       kNoMagnitude},
      {"declaration", "tokens_per_step IS NULL OR " + is_measurable("tokens_per_step"),
       kNoMagnitude},
      {"pruned_block", "NOT EXISTS (SELECT 1 FROM other.step AS s WHERE s.block = t.block)",
       "raw steps of a block that was pruned"},
      {"comparison", fits("pairs") + " AND look <= 1000", kTooLarge},
      {"report", fits("judged"), kTooLarge},
      {"calibrated_series", fits("pairs"), kTooLarge},
  };
}

/// A column whose every text must read back.
struct ReadColumn {
  const char* table;
  const char* column;
  void (*read)(const std::string& text);
};

template <class Value>
void read(const std::string& text) {
  value_of<Value>(text);
}

/// Reports are rendered again, so theirs must read back too.
template <class Record>
void read_result(const std::string& text) {
  Record record;
  store::read_result(text, record);
}

void read_workload(const std::string& name) {
  if (const std::string fault = fault_in_workload_name(name); !fault.empty()) {
    throw Error("the name of a workload " + fault, name);
  }
}

/// `entry/child`, so longer than a workload's own name may be.
void read_series(const std::string& name) {
  if (name.size() > 2 * kLongestWorkloadName + 1) {
    throw Error("the name of a series is too long", name);
  }
  for (std::size_t begin = 0; begin <= name.size();) {
    const std::size_t end = std::min(name.find('/', begin), name.size());
    read_workload(name.substr(begin, end - begin));
    begin = end + 1;
  }
}

/// As ours are written, because their order counts.
void require_time(const std::string& text) {
  if (utc_time(text) != text) {
    throw Error("an invalid time", text);
  }
}

template <void (*Require)(const std::string&)>
void or_empty(const std::string& text) {
  if (!text.empty()) {
    Require(text);
  }
}

void read_needs_alone(const std::string& text) {
  Workload workload;
  read_needs(text, workload);
}

/// Hubs keep alerts by a name of their own: a run of it would be no payload that anybody takes.
void require_id_of_a_run(const std::string& id) {
  require_run_id(id);
  if (id == kAlertsPayload) {
    throw Error("a run with the name of a hub's alerts", id);
  }
}

using Lines = std::vector<std::string>;
using Facts = std::map<std::string, std::string>;

constexpr ReadColumn kReadColumns[] = {
    {"revision", "oid", require_oid},
    {"parent", "oid", require_oid},
    {"bisection", "good", require_oid},
    {"bisection", "bad", require_oid},
    {"alert", "oid", require_oid},
    {"alert", "previous_oid", or_empty<require_oid>},
    {"alert", "anchor", or_empty<require_oid>},
    {"alert", "host", or_empty<require_run_id>},
    {"run", "id", require_id_of_a_run},
    {"run", "size", require_size},
    {"bisection", "id", require_run_id},
    {"alert", "id", require_run_id},
    {"ratchet_run", "goal", read<RatchetGoal>},
    {"ratchet_end", "at", require_time},
    {"ratchet_end", "gains", read<std::vector<double>>},
    {"ratchet_end", "guarded", read<std::vector<GuardedSeries>>},
    {"alert_event", "run", or_empty<require_run_id>},
    {"alert_event", "at", require_time},
    {"workload", "name", read_workload},
    {"workload", "params", read<Params>},
    {"workload", "command", read<Lines>},
    {"workload", "needs", read_needs_alone},
    {"run_workload", "earlier_noise", read<std::vector<EarlierNoise>>},
    {"declaration", "workload", or_empty<read_series>},
    {"declaration", "params", read<Params>},
    {"declaration", "facts", read<Facts>},
    {"run", "policy", [](const std::string& text) { policy_of(text); }},
    {"run", "missing", read<Lines>},
    {"run", "warnings", read<std::vector<Warning>>},
    {"comparison", "workload", read_series},
    {"comparison", "params", read<Params>},
    {"comparison", "warnings", read<Lines>},
    {"report", "result", read_result<Report>},
    {"calibrated_series", "workload", read_series},
    {"calibrated_series", "params", read<Params>},
    {"calibration", "result", read_result<Calibration>},
    {"alert", "workload", read_series},
    {"alert", "params", read<Params>},
};

void require_short_texts(Connection& connection, const std::string& file) {
  for (const auto& table : connection.values<std::string>(
           "SELECT name FROM other.sqlite_schema WHERE type = 'table' ORDER BY name")) {
    for (const auto& column : connection.values<std::string>(
             "SELECT name FROM pragma_table_info(?1, 'other') WHERE type = 'TEXT'", table)) {
      const auto longest = connection.value<std::optional<std::int64_t>>(
          "SELECT max(length(CAST(\"" + column + "\" AS BLOB))) FROM other.\"" + table + "\"");
      if (longest.value_or(0).value_or(0) > kLongestText) {
        refuse(file, table, "a text of " + std::to_string(**longest) + " bytes");
      }
    }
  }
}

void require_rules(Connection& connection, const std::string& file) {
  for (const Rule& rule : rules_of_values()) {
    if (connection.value<std::int64_t>("SELECT 1 FROM other." + std::string(rule.table) +
                                       " AS t WHERE NOT (" + rule.holds + ") LIMIT 1")) {
      refuse(file, rule.table, rule.broken);
    }
  }
}

void require_readable(Connection& connection, const std::string& file) {
  for (const ReadColumn& column : kReadColumns) {
    for (const auto& text : connection.values<std::string>(
             "SELECT DISTINCT " + std::string(column.column) + " FROM other." + column.table)) {
      try {
        column.read(text);
      } catch (const Error& error) {
        refuse(file, column.table, error.what);
      }
    }
  }
}

}  // namespace

void require_sound_rows(Connection& connection, const std::string& file) {
  require_short_texts(connection, file);
  require_rules(connection, file);
  require_readable(connection, file);
}

}  // namespace perf::store
