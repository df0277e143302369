#include "schema/store/merge/foreign_values.h"

namespace perf::store {
namespace {

/// SHA-1 or SHA-256, in lower case.
std::string is_oid(const std::string& column) {
  return "length(" + column + ") IN (40, 64) AND " + column + " NOT GLOB '*[^0-9a-f]*'";
}

std::string is_oid_or_empty(const std::string& column) {
  return "(" + column + " = '' OR " + is_oid(column) + ")";
}

std::string is_id(const std::string& column) {
  return "length(" + column + ") <= 100 AND " + column + " NOT GLOB '*[^A-Za-z0-9._-]*' AND " +
         column + " NOT GLOB '[-.]*'";
}

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

const char* const kNoCommit = "a commit that is none";
const char* const kNoId = "an id that is none";
const char* const kBadName = "a name that is empty or too long";
const char* const kTooLarge = "a number that is too large";
const char* const kNoMagnitude = "a number that is too large or too small to be measured";

}  // namespace

std::vector<Rule> rules_of_values() {
  return {
      {"revision", is_oid("oid"), kNoCommit},
      {"parent", is_oid("oid"), kNoCommit},
      {"bisection", is_oid("good") + " AND " + is_oid("bad"), kNoCommit},
      {"alert",
       is_oid("oid") + " AND " + is_oid_or_empty("previous_oid") + " AND " +
           is_oid_or_empty("anchor"),
       kNoCommit},
      {"run", is_id("id"), kNoId},
      {"bisection", is_id("id"), kNoId},
      {"alert", is_id("id"), kNoId},
      {"alert_event", "run = '' OR " + is_id("run"), kNoId},
      {"metric", is_name("name") + " AND " + is_short("unit"), kBadName},
      {"name", is_name("name"), kBadName},
      {"bisection", is_name("metric"), kBadName},
      {"alert", is_name("metric") + " AND " + is_short("baseline"), kBadName},
      {"environment", is_short("fingerprint"), kBadName},
      {"run", "length(size) BETWEEN 1 AND 20 AND size NOT GLOB '*[^a-z]*'", "a size that is none"},
      {"run",
       "started_at GLOB '[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]T*' AND "
       "length(started_at) <= 40 AND started_at NOT GLOB '*[^0-9TZ:.+-]*'",
       "a time that is none"},
      {"run", "looks <= 1000", kTooLarge},
      {"run_workload", fits("idx"), kTooLarge},
      {"invocation",
       fits("start_order") + " AND " + fits("pair") + " AND " + fits("attempt") + " AND " +
           fits("steps_wanted") + " AND " + fits("warmup_wanted") + " AND " + fits("padding"),
       kTooLarge},
      {"invocation",
       "ifnull(exit_code, 0) BETWEEN -256 AND 256 AND ifnull(signal, 0) BETWEEN 0 AND 256",
       "an exit status that is none"},
      {"invocation",
       "EXISTS (SELECT 1 FROM other.run_workload AS p WHERE p.run = t.run AND t.workload = CASE "
       "WHEN t.side = 'base' THEN ifnull(p.base_workload, p.workload) ELSE p.workload END)",
       "an invocation of a workload that its run did not plan"},
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

}  // namespace perf::store
