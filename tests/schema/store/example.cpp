#include "tests/schema/store/example.h"

#include <unistd.h>

#include <fstream>
#include <iomanip>
#include <sstream>

#include "schema/store/connection.h"

namespace perf::example {
namespace {

const std::string kBaseOid(40, 'b');
const std::string kHeadOid(40, 'a');

template <class T>
std::string shown(const std::optional<T>& value) {
  std::ostringstream out;
  out << std::hexfloat;
  value ? out << *value : out << "absent";
  return out.str();
}

std::string shown(const Params& params) {
  std::ostringstream out;
  for (const auto& [name, param] : params) {
    out << name << "=" << param.index() << ":";
    std::visit([&out](const auto& value) { out << std::hexfloat << value; }, param);
    out << " ";
  }
  return out.str();
}

Block block(int order, int steps) {
  Block result;
  result.workload = "training/mlp_stack";
  result.params = {
      {"layers", std::int64_t{4}}, {"rate", 1.0}, {"dtype", std::string("f32")}, {"verify", true}};
  result.tokens_per_step = 4096;
  result.facts = {{"blas", "OpenBLAS 0.3.21"}, {"threads", "2"}};
  for (int i = 0; i < steps; ++i) {
    const double seconds = 0.01 + 1e-4 * order + 1e-7 * i;
    result.steps.push_back(
        {i, i == 0, seconds, 1'000'000 + i, {{"forward", seconds / 3}, {"backward", seconds / 2}}});
  }
  result.metrics.push_back({{"first_token_time", "s", Better::lower}, 0.021 + order, true});
  result.metrics.push_back({{"tokens_per_second", "1/s", Better::higher}, 4096 / 0.01, false});
  result.checks.push_back({"output_matches_reference", true, 3.1e-6, 1e-4});
  result.checks.push_back({"finite", false, std::nullopt, std::nullopt});
  return result;
}

}  // namespace

Folder::Folder() {
  std::string name =
      (std::filesystem::temp_directory_path() / "perf-compare-store-XXXXXX").string();
  path_ = std::filesystem::canonical(mkdtemp(name.data()));
}

Folder::~Folder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

Plan plan(const std::string& run_id) {
  Plan result;
  result.run_id = run_id;
  result.base =
      Revision{kBaseOid, {}, 1'700'000'000, "Ada", "Add the parser", "main", "main", false};
  result.head = Revision{kHeadOid,
                         {kBaseOid, std::string(40, 'c')},
                         1'700'000'900,
                         "Grace 'quote' O\"Hopper",
                         "Make it faster; DROP TABLE step",
                         ".",
                         "the working tree",
                         true};
  result.environment.fingerprint = "f1e2d3";
  result.environment.machine = {{"cpu_model", "Xeon"}, {"cores_allowed", "2"}};
  result.environment.facts = {{"governor", "performance"}, {"load_average", "0.5"}};
  result.size = "smoke";
  result.seed = 0xFEDCBA9876543210U;
  result.workloads = {
      {{"training/mlp_stack", {"run", "mlp stack"}, "steps", {{"layers", std::int64_t{4}}}, 300},
       "",
       ""},
      {{"parser", {"bench"}, "google-benchmark", {}, 60}, "did not build", ""}};
  result.missing = {"gone"};
  result.warnings = {{WarningKind::uncommitted_files, {{"files", 3}}, {{"instead", "."}}}};
  return result;
}

Policy policy() {
  Policy result;
  result.threshold = 0.05;
  result.thresholds = {{"micro/*", "peak_rss", 0.03}};
  return result;
}

Invocation invocation(int start_order, int steps) {
  Invocation result;
  result.workload = "training/mlp_stack";
  result.side = start_order % 2 == 0 ? Side::base : Side::head;
  result.oid = start_order % 2 == 0 ? kBaseOid : kHeadOid;
  result.pair = start_order / 2;
  result.attempt = 2;
  result.start_order = start_order;
  result.paired = false;
  result.steps_wanted = 8;
  result.warmup_wanted = 2;
  result.seed = 0xFFFFFFFFFFFFFFF0U + static_cast<std::uint64_t>(start_order % 16);
  result.padding = 1234;
  ProcessResult& process = result.process;
  process.exit_code = 0;
  process.wall = 0.1 + start_order;
  result.took = 0.2 + start_order;
  process.user = 0.1 + 1e-17;
  process.system = 5e-324;
  process.peak_rss = std::int64_t{1} << 40;
  process.minor_faults = 1;
  process.major_faults = 2;
  process.voluntary_switches = 3;
  process.involuntary_switches = 4;
  process.steal = 0.25;
  process.cpu_pressure = 1e308;
  process.memory_available_before = 9'007'199'254'740'993;  // 2^53 + 1: no double holds it
  process.stdout_text = std::string("out\0put\n", 8);
  process.stderr_text = "warning: \xC3\xA4\n";
  result.blocks = {block(start_order, steps), block(start_order + 1, 1), {}};
  result.blocks[1].workload = "training/mlp_stack/child";
  result.blocks[1].tokens_per_step.reset();
  result.blocks[1].steps[0].rss.reset();
  result.blocks[1].steps[0].index = 7;
  // Names and numbers of phases may differ from step to step; their order means nothing.
  result.blocks[1].steps[0].phases = {{"forward", 2e-9}, {"backward", 0.0}, {"a", 1e-9}};
  result.blocks[2].workload = "training/mlp_stack/skipped";
  result.blocks[2].skipped = "no device: \xC3\xA4";
  return result;
}

Invocation failed_invocation(int start_order) {
  Invocation result;
  result.workload = "parser";
  result.oid = kHeadOid;
  result.start_order = start_order;
  result.process.signal = 11;
  result.process.timed_out = true;
  result.process.spawn_error = "no such file";
  result.failure = "ended by signal 11 (SIGSEGV)";
  return result;
}

Report report(const std::string& run_id) {
  Report result;
  result.id = run_id;
  result.generated_at = "2026-01-02T03:04:05Z";
  result.config_source = "working tree";
  result.judged = 2;
  result.measured = 12.5;
  result.summary.verdict = Verdict::regressed;
  Comparison slower;
  slower.workload = "training/mlp_stack";
  slower.metric = kStepTime;
  slower.base = SideStats{0.010, 0.012, 0.0101, 0.001, 0.009, 0.013, 0.1, 11, 88};
  slower.head = SideStats{0.012, 0.014, 0.0121, 0.001, 0.011, 0.015, 0.08, 11, 88};
  slower.change = 0.2;
  slower.interval = Interval{0.18, 0.22};
  slower.threshold = 0.05;
  slower.smallest_visible = 0.02;
  slower.pairs = 11;
  slower.look = 1;
  slower.look_alpha = 0.01 / 12;
  slower.verdict = Verdict::regressed;
  slower.certain = true;
  slower.p_value = 0.001;
  slower.phases = {{"forward", 0.3, 0.004, 0.0052}, {"late", std::nullopt, 0, 0.001}};
  slower.checks = {{"output_matches_reference", true, std::nullopt, 3e-6, 1e-4}};
  slower.notes = {{WarningKind::below_threshold, {{"change", 0.03}}}};
  slower.warnings = {{WarningKind::noisy}};
  Comparison fresh;
  fresh.workload = "parser";
  fresh.metric = kPeakRss;
  fresh.head = SideStats{};
  fresh.head->cov = 0.0 / 1.0;
  fresh.verdict = Verdict::fresh;
  result.comparisons = {slower, fresh};
  TargetResult target;
  target.target.name = "fast enough";
  target.target.at_most = 0.5;
  target.value = 0.012;
  target.met = true;
  result.targets = {target};
  return result;
}

std::string dump(const Invocation& i) {
  std::ostringstream out;
  const ProcessResult& p = i.process;
  out << std::hexfloat << i.workload << " side " << (i.side == Side::base ? "base" : "head") << " "
      << i.oid << " pair " << i.pair << " attempt " << i.attempt << " order " << i.start_order
      << " paired " << i.paired << " steps " << i.steps_wanted << " warmup " << i.warmup_wanted
      << " seed " << i.seed << " padding " << i.padding << " failure '" << i.failure << "'\n"
      << "exit " << shown(p.exit_code) << " signal " << shown(p.signal) << " timed out "
      << p.timed_out << " spawn '" << p.spawn_error << "' wall " << p.wall << " took " << i.took
      << " user " << shown(p.user) << " system " << shown(p.system) << " rss " << shown(p.peak_rss)
      << " faults " << shown(p.minor_faults) << " " << shown(p.major_faults) << " switches "
      << shown(p.voluntary_switches) << " " << shown(p.involuntary_switches) << " steal "
      << shown(p.steal) << " pressure " << shown(p.cpu_pressure) << " available "
      << shown(p.memory_available_before) << "\nout '" << p.stdout_text << "' err '"
      << p.stderr_text << "'\n";
  for (const Block& b : i.blocks) {
    out << "block " << b.workload << " " << shown(b.params) << " tokens "
        << shown(b.tokens_per_step) << " skipped '" << b.skipped << "'";
    for (const auto& [name, value] : b.facts) {
      out << " " << name << "=" << value;
    }
    for (const Step& s : b.steps) {
      out << "\n  step " << s.index << " warmup " << s.warmup << " " << s.seconds << " rss "
          << shown(s.rss);
      for (const auto& [name, seconds] : s.phases) {
        out << " " << name << "=" << seconds;
      }
    }
    for (const MetricValue& m : b.metrics) {
      out << "\n  metric " << m.metric.name << " " << m.metric.unit << " "
          << (m.metric.better == Better::lower ? "lower" : "higher") << " " << m.value << " judge "
          << m.judge;
    }
    for (const Check& c : b.checks) {
      out << "\n  check " << c.name << " " << c.passed << " " << shown(c.error) << " "
          << shown(c.tolerance);
    }
    out << "\n";
  }
  return out.str();
}

std::string dump(const Measurements& history) {
  std::ostringstream out;
  out << std::hexfloat << "measured " << history.measured << " spent " << history.budget_spent
      << " interrupted " << history.interrupted << "\n";
  for (const Invocation& i : history.invocations) {
    out << dump(i);
  }
  return out.str();
}

void write(const std::filesystem::path& file, const std::string& text) {
  std::ofstream(file, std::ios::binary) << text;
}

void add_run(Store& store, const std::string& id, int invocations, bool finished) {
  store.begin_run(plan(id), policy(), "0.1.0", "2026-01-01T00:00:00Z");
  for (int i = 0; i < invocations; ++i) {
    store.add(id, invocation(i));
  }
  if (finished) {
    store.finish_run(report(id));
  }
}

BisectionKey bisection_key() {
  return {std::string(40, 'a'),
          std::string(40, 'b'),
          plan().workloads[0].workload,
          "step_time",
          "smoke",
          "f1e2d3",
          std::nullopt};
}

RatchetRun ratchet_run(const std::string& id) {
  const Plan planned = plan(id);
  RatchetRun run;
  run.run_id = id;
  run.name = "best";
  run.alpha = 0.01;
  run.goal = {"step_time", 0.01, "ci", {"parser/*"}};
  run.best = *planned.base;
  run.head = planned.head;
  run.head_program = "program";
  run.fingerprint = planned.environment.fingerprint;
  run.end = RatchetEnd{AttemptOutcome::refused,
                       "2026-01-31T12:00:00Z",
                       "a reason",
                       {0.03, 0.04},
                       0.035,
                       {},
                       400,
                       {{"parser/a", "peak_rss", {0, -0.001}, -0.0005, 0.1, true}}};
  return run;
}

void make_full_store(const std::filesystem::path& file, const std::string& id) {
  {
    Store store(file);
    add_run(store, id, 4);
    store.add(id, failed_invocation(4));
    store.add_to_bisection(store.open_bisection(bisection_key(), "bisection-" + id, 7).id, id,
                           false);
    RatchetRun attempt = ratchet_run(id);
    attempt.number = store.begin_ratchet_run(attempt);
    store.end_ratchet_run(attempt);
  }
  execute(
      file,
      "DELETE FROM phase WHERE block = 1; DELETE FROM step WHERE block = 1;"
      "INSERT INTO pruned_block VALUES (1, 't', 1, 0.01, 0.001, 0.009, 0.012, 0.013);"
      "INSERT INTO imported VALUES (1, 'hyperfine', 'out.json', 'digest', '');"
      "INSERT INTO calibration VALUES (9, 1, 't', 1.5, '{\"generated_at\": \"t\", \"judged\": 2, "
      "\"replays\": 100, \"measured\": 1.5, \"interrupted\": false, \"series\": [], \"reports\": "
      "[], \"not_measured\": []}');"
      "INSERT INTO calibrated_series VALUES (9, 0, 'parser', '{}', 1, 10, 0.1, NULL);"
      "INSERT INTO alert VALUES (3, 'alert-" +
          id +
          "', 'parser', '{}', 'step_time', 'f1e2d3', "
          "'', 'step', '" +
          std::string(40, 'b') + "', '" + std::string(40, 'a') +
          "', '', 0.2, '', '');"
          "INSERT INTO alert_event VALUES (1, 3, 'seen', '2026-01-02T00:00:00Z', '', '', '');");
}

void execute(const std::filesystem::path& file, const std::string& statements) {
  store::Connection(file, store::Connection::Access::read_write).execute(statements);
}

void change(store::Connection& connection, const std::string& table, const std::string& statement) {
  const auto triggers = connection.facts(
      "SELECT name, sql FROM sqlite_schema WHERE type = 'trigger' AND tbl_name = ?1", table);
  for (const auto& [name, sql] : triggers) {
    connection.execute("DROP TRIGGER " + name);
  }
  connection.execute(statement);
  for (const auto& [name, sql] : triggers) {
    connection.execute(sql);
  }
}

}  // namespace perf::example
