#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <string>

#include "reporter/render.h"
#include "tests/contains.h"
#include "tests/reporter/samples.h"

namespace perf {
namespace {

using nlohmann::json;

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

json rendered(const Report& report) {
  return json::parse(render_json(report));
}

TEST(RenderJson, HasTheContractFields) {
  const json report = rendered(samples::regressed());
  EXPECT_EQ(report.at("schema"), "perf-compare/report/2");
  for (const char* field : {"id", "generated_at", "tool", "base", "head", "environments", "config",
                            "policy", "summary", "comparisons", "targets", "warnings"}) {
    EXPECT_TRUE(report.contains(field)) << field;
  }
  EXPECT_EQ(report.at("tool").at("version"), "0.1.0");
  for (const char* field : {"name", "rule", "oid", "subject", "committed_at", "dirty"}) {
    EXPECT_TRUE(report.at("base").contains(field)) << field;
    EXPECT_TRUE(report.at("head").contains(field)) << field;
  }
  for (const char* field :
       {"fingerprint", "machine", "facts", "host", "shard", "attempt", "workloads"}) {
    EXPECT_TRUE(report.at("environments").at(0).contains(field)) << field;
  }
  EXPECT_EQ(report.at("summary").at("verdict"), "regressed");
  EXPECT_EQ(report.at("summary").at("regressed"), 2);
  EXPECT_EQ(report.at("summary").at("unchanged"), 12);
  for (const char* word : {"regressed", "improved", "unchanged", "inconclusive", "new", "missing",
                           "failed", "incomparable"}) {
    EXPECT_TRUE(report.at("summary").at(word).is_number_integer()) << word;
  }
}

TEST(RenderJson, HasTheContractFieldsOfComparisons) {
  const json report = rendered(samples::mixed());
  for (const json& comparison : report.at("comparisons")) {
    for (const char* field :
         {"workload", "params", "metric",       "unit",     "better",    "base",
          "head",     "judged", "change",       "interval", "threshold", "smallest_visible",
          "pairs",    "look",   "pairs_needed", "verdict",  "p_value",   "phases",
          "checks",   "notes",  "warnings"}) {
      EXPECT_TRUE(comparison.contains(field)) << field;
    }
    for (const char* side : {"base", "head"}) {
      if (!comparison.at(side).is_null()) {
        for (const char* field :
             {"median", "p90", "mean", "stddev", "min", "max", "cov", "invocations", "steps"}) {
          EXPECT_TRUE(comparison.at(side).contains(field)) << field;
        }
      }
    }
  }
}

TEST(RenderJson, HasNullForUnmeasuredAndUnjudgedValues) {
  EXPECT_TRUE(rendered(samples::root_commit()).at("base").is_null());
  const json fresh = rendered(samples::root_commit()).at("comparisons").at(0);
  EXPECT_TRUE(fresh.at("base").is_null());
  EXPECT_TRUE(fresh.at("change").is_null());
  EXPECT_EQ(fresh.at("verdict"), "new");
  const json tokens = rendered(samples::regressed()).at("comparisons").back();
  EXPECT_EQ(tokens.at("judged"), false);
  EXPECT_TRUE(tokens.at("verdict").is_null());
  EXPECT_TRUE(rendered(samples::targets()).at("targets").at(2).at("met").is_null());
}

TEST(RenderJson, HasTheVerdictOfEachKindOfReport) {
  for (const auto& [report, verdict] : {std::pair{samples::unchanged(), "unchanged"},
                                        {samples::improved(), "improved"},
                                        {samples::regressed(), "regressed"},
                                        {samples::root_commit(), "new"},
                                        {samples::build_failed(), "failed"},
                                        {samples::targets(), "unchanged"},
                                        {samples::mixed(), "regressed"},
                                        {samples::interrupted(), "inconclusive"}}) {
    EXPECT_EQ(rendered(report).at("summary").at("verdict"), verdict);
  }
  const json empty = rendered(samples::empty());
  for (const char* list : {"comparisons", "reproduce"}) {
    EXPECT_EQ(empty.at(list), json::array()) << list;
  }
  EXPECT_EQ(empty.at("workload_facts"), json::object());
  EXPECT_EQ(rendered(samples::root_commit()).at("head").at("parents"), json::array());
}

TEST(RenderJson, HasNoVerdictOfUnjudgedRows) {
  Report report = samples::regressed();
  report.comparisons[0].judged = false;
  report.comparisons[0].verdict = Verdict::regressed;
  EXPECT_TRUE(rendered(report).at("comparisons").at(0).at("verdict").is_null());
}

TEST(RenderJson, RoundTripsNumbers) {
  for (const double value : {0.1, 1.0 / 3, 5e-324, 1.7976931348623157e308, 123456789012345678.0,
                             0.30000000000000004, -0.0, 2.2250738585072014e-308}) {
    Report report = samples::frame();
    report.comparisons = {samples::step_time("a", 1, 0, 0.01, Verdict::unchanged)};
    report.comparisons[0].change = value;
    const double back = rendered(report).at("comparisons").at(0).at("change");
    EXPECT_EQ(std::signbit(back), std::signbit(value));
    EXPECT_EQ(back, value);
  }
}

TEST(RenderJson, KeepsSeedsOf64BitsExact) {
  Report report = samples::frame();
  report.seed = std::numeric_limits<std::uint64_t>::max();
  EXPECT_TRUE(contains(render_json(report), "18446744073709551615"));
}

TEST(RenderJson, NeverWritesNanOrInfinity) {
  for (const double value : {kNan, kInfinity, -kInfinity}) {
    Report report = samples::mixed();
    report.targets = samples::targets().targets;
    for (Comparison& one : report.comparisons) {
      one.base = SideStats{value, value, value, value, value, value, value, 1, 1};
      one.change = one.smallest_visible = one.look_alpha = one.pairs_needed = one.p_value = value;
      one.interval = Interval{value, 1};
      one.threshold = value;
      one.params["p"] = value;
      one.phases = {{"f", value, value, value}};
      one.checks = {{"c", true, true, value, value}};
      one.pair_changes = {value, 1};
    }
    report.targets[0].value = value;
    report.policy.threshold = report.policy.alpha = report.policy.budget = value;
    report.measured = value;
    const std::string text = render_json(report);
    EXPECT_FALSE(contains(text, "nan"));
    EXPECT_FALSE(contains(text, "inf\""));
    const json one = json::parse(text).at("comparisons").at(0);
    EXPECT_TRUE(one.at("interval").is_null());
    EXPECT_TRUE(one.at("base").at("median").is_null());
    EXPECT_TRUE(one.at("params").at("p").is_null());
    EXPECT_NO_THROW(render_terminal(report, true));
    EXPECT_NO_THROW(render_markdown(report));
    report.head.kind = SideKind::files;
    EXPECT_TRUE(rendered(report).at("cases").begin()->at("interval").is_null());
  }
}

TEST(RenderJson, SortsKeys) {
  // nlohmann::ordered_json keeps the order of the text.
  using Ordered = nlohmann::ordered_json;
  const auto check = [](const auto& self, const Ordered& value) -> void {
    std::string last;
    for (auto item = value.begin(); item != value.end(); ++item) {
      if (value.is_object()) {
        EXPECT_LT(last, item.key());
        last = item.key();
      }
      if (item->is_structured()) {
        self(self, *item);
      }
    }
  };
  check(check, Ordered::parse(render_json(samples::mixed())));
}

TEST(RenderJson, IsDeterministic) {
  EXPECT_EQ(render_json(samples::mixed()), render_json(samples::mixed()));
}

TEST(RenderJson, NamesTheCasesOfAJudgedReport) {
  Report report = samples::files();
  const auto row = [&report](const std::string& workload, const Metric& metric, double change) {
    Comparison one = samples::step_time(workload, 0.4, change, 0.01, Verdict::regressed);
    one.metric = metric;
    report.comparisons.push_back(one);
  };
  const Metric cpu{"cpu_time", "s", Better::lower};
  report.comparisons.clear();
  row("a", cpu, 0.1);
  row("a", kStepTime, 0.2);
  row("a [cpu_time]", kStepTime, 0.3);
  row("a cpu_time", kStepTime, 0.4);
  row("a cpu_time", cpu, 0.5);
  report.comparisons.back().judged = false;
  std::map<std::string, double> changes;
  const json cases = rendered(report).at("cases");
  for (const auto& [name, one] : cases.items()) {
    changes[name] = one.at("change");
    EXPECT_EQ(one.size(), 4U);
    EXPECT_EQ(one.at("interval").size(), 2U);
    EXPECT_EQ(one.at("pairs"), 15);
  }
  EXPECT_EQ(changes, (std::map<std::string, double>{{"a", 0.2},
                                                    {"a [cpu_time]", 0.3},
                                                    {"a [[cpu_time]]", 0.1},
                                                    {"a cpu_time", 0.4},
                                                    {"a cpu_time cpu_time", 0.5}}));
  EXPECT_EQ(cases.at("a").at("verdict"), "regressed");
  EXPECT_TRUE(rendered(report).at("head").at("committed_at").is_null()) << "files are no commit";
  EXPECT_TRUE(cases.at("a cpu_time cpu_time").at("verdict").is_null());
  EXPECT_FALSE(rendered(samples::regressed()).contains("cases")) << "compare promises none";
}

/// Two rows that only parameters distinguish.
TEST(RenderJson, NamesCasesByTheirParameters) {
  Report report = samples::files();
  report.comparisons.resize(2, report.comparisons.front());
  for (const int layers : {0, 1}) {
    report.comparisons[static_cast<std::size_t>(layers)] =
        samples::step_time("a", 0.4, 0.1, 0.01, Verdict::regressed);
    report.comparisons[static_cast<std::size_t>(layers)].params = {
        {"layers", std::int64_t{layers}}};
  }
  const json cases = rendered(report).at("cases");
  EXPECT_TRUE(cases.contains("a (layers=0)") && cases.contains("a (layers=1)")) << cases;
}

}  // namespace
}  // namespace perf
