#include <algorithm>
#include <utility>

#include "tests/reporter/samples.h"

namespace perf::samples {
namespace {

const std::vector<std::pair<const char*, double>> kWorkloads{
    {"inference/generate", 0.1873}, {"inference/generate_nocache", 0.4461},
    {"inference/prefill", 0.0921},  {"quantization/int8", 0.0412},
    {"training/attention", 0.0733}, {"training/lm", 0.2268},
    {"training/mlp_stack", 0.4121}};

void add_unchanged(Report& report) {
  double wobble = -0.004;
  for (const auto& [workload, seconds] : kWorkloads) {
    report.comparisons.push_back(
        step_time(workload, seconds, wobble, 0.011 + wobble, Verdict::unchanged));
    report.comparisons.push_back(
        peak_rss(workload, 1.2e8 + seconds * 1e9, wobble / 20, 0.001, Verdict::unchanged));
    wobble += 0.0017;
  }
}

Comparison& find(Report& report, const std::string& workload, const Metric& metric) {
  return *std::find_if(
      report.comparisons.begin(), report.comparisons.end(),
      [&](const Comparison& one) { return one.workload == workload && one.metric == metric; });
}

}  // namespace

void summarize(Report& report) {
  report.summary = {};
  report.judged = 0;
  for (const Verdict verdict : kVerdicts) {
    report.summary.counts[verdict] = 0;
  }
  for (const Comparison& comparison : report.comparisons) {
    if (comparison.judged && comparison.verdict) {
      ++report.summary.counts[*comparison.verdict];
      ++report.judged;
      report.summary.verdict = std::min(report.summary.verdict, *comparison.verdict);
    }
  }
}

Report frame() {
  Report report;
  report.id = "20260131T120000-5f2a91c4";
  report.generated_at = "2026-01-31T12:04:36Z";
  report.tool_version = "0.1.0";
  Revision base;
  base.oid = "3f2a91c4d1b04c7e9d1f2a3b4c5d6e7f80912a3b";
  base.parents = {"77aa00c4d1b04c7e9d1f2a3b4c5d6e7f80912a3b"};
  base.committed_at = 1769770800;
  base.author = "Ada Lovelace";
  base.subject = "Vectorize GELU in the MLP block";
  base.name = "baseline";
  base.rule = "merge base of HEAD and origin/main";
  report.base = base;
  report.head = base;
  report.head.oid = "9be01d77aa104c7e9d1f2a3b4c5d6e7f80912a3b";
  report.head.parents = {base.oid};
  report.head.committed_at = 1769857200;
  report.head.author = "Grace Hopper";
  report.head.subject = "Fuse the bias into the GEMM epilogue";
  report.head.name = "HEAD";
  report.head.rule = "HEAD";
  Environment& environment = report.environments.emplace_back().environment;
  environment.fingerprint = "b7c1e0a95d21f3e4";
  environment.machine = {{"cpu_model", "Intel(R) Xeon(R) Platinum 8481C CPU @ 2.70GHz"},
                         {"cores_allowed", "2"},
                         {"memory_gib", "8"},
                         {"kernel", "6.1"},
                         {"distribution", "Debian GNU/Linux 12"},
                         {"libc", "glibc 2.36"},
                         {"compiler", "g++ 12.2.0"},
                         {"hypervisor", "KVM"}};
  environment.facts = {{"load_average", "0.42"}, {"aslr", "2"}, {"thp", "madvise"}};
  for (const auto& [workload, seconds] : kWorkloads) {
    report.workload_facts[workload] = {
        {"blas", "OpenBLAS 0.3.21"}, {"blas_core", "SkylakeX"}, {"threads", "2"}};
  }
  report.config_source = "perf-compare.json of the working tree";
  report.size = "ci";
  report.seed = 18046744073709551557U;
  report.measured = 216.4;
  report.reproduce = {"perf-compare 3f2a91c4d1 9be01d77aa --size ci",
                      "perf-compare report 20260131T120000-5f2a91c4 --markdown -"};
  return report;
}

Report regressed() {
  Report report = frame();
  add_unchanged(report);
  Comparison& step = find(report, "training/mlp_stack", kStepTime);
  step = step_time("training/mlp_stack", 0.4121, 0.143, 0.022, Verdict::regressed);
  step.interval = Interval{0.121, 0.160};
  step.phases = {{"forward", 0.003, 0.1302, 0.1306, Interval{-0.004, 0.010}, false, 0.01},
                 {"backward", 0.256, 0.1801, 0.2262, Interval{0.221, 0.288}, true, 0.78},
                 {"optimizer", 0.081, 0.1012, 0.1094, Interval{0.044, 0.120}, true, 0.14}};
  step.warmup = WarmupBenefit{0.9421, 0.4710, 1.0};
  step.pair_changes = {0.128, 0.139, 0.151, 0.146, 0.121, 0.143, 0.160, 0.149,
                       0.137, 0.144, 0.155, 0.131, 0.142, 0.147, 0.139};
  step.params = {{"layers", std::int64_t{4}}, {"dtype", std::string("f32")}};
  Comparison& memory = find(report, "inference/generate", kPeakRss);
  memory = peak_rss("inference/generate", 3.021e8, 0.112, 0.014, Verdict::regressed);
  report.comparisons.push_back(tokens_per_second());
  report.families = {{"inference", "step_time", 0.0012, Interval{-0.006, 0.008}, 3},
                     {"training", "step_time", 0.047, Interval{0.036, 0.058}, 3}};
  summarize(report);
  return report;
}

Report unchanged() {
  Report report = frame();
  add_unchanged(report);
  find(report, "training/lm", kStepTime)
      .notes.push_back({WarningKind::below_threshold, {{"change", 0.0045}}});
  summarize(report);
  return report;
}

Report mixed() {
  Report report = frame();
  report.head.name = ".";
  report.head.rule = "the working tree";
  report.head.dirty = true;
  add_unchanged(report);
  Comparison& undecided = find(report, "training/lm", kStepTime);
  undecided = step_time("training/lm", 0.2268, 0.081, 0.083, Verdict::inconclusive);
  undecided.pairs = 51;
  undecided.look = 6;
  undecided.pairs_needed = 137;
  undecided.notes = {
      {WarningKind::probably_below_threshold, {{"change", 0.08}}, {{"direction", "slower"}}}};
  undecided.warnings = {{WarningKind::halves_disagree, {{"first", 0.12}, {"second", 0.031}}}};
  find(report, "training/attention", kPeakRss) =
      peak_rss("training/attention", 2.2e8, 0.144, 0.031, Verdict::regressed);
  find(report, "inference/prefill", kStepTime) =
      step_time("inference/prefill", 0.0921, -0.171, 0.02, Verdict::improved);
  Comparison& wrong = find(report, "quantization/int8", kStepTime);
  wrong.checks = {{"output_matches_reference", true, false, 3.1e-3, 1e-4},
                  {"weights_are_finite", true, true, std::nullopt, std::nullopt}};
  find(report, "quantization/int8", kPeakRss).checks = wrong.checks;
  report.comparisons.push_back(unmatched("inference/beam_search", Verdict::fresh, ""));
  report.comparisons.push_back(
      unmatched("inference/old_decoder", Verdict::missing, "only in the config of base"));
  report.comparisons.push_back(unmatched("training/crash", Verdict::failed,
                                         "killed by signal 11 (SIGSEGV) in pair 1, twice"));
  Comparison elsewhere = step_time("training/elsewhere", 0.31, 0.02, 0.01, Verdict::incomparable);
  elsewhere.interval.reset();
  elsewhere.notes = {note_of("base was measured on another processor")};
  report.comparisons.push_back(elsewhere);
  for (const Metric& metric : {kStepTime, kPeakRss}) {
    find(report, "inference/generate", metric)
        .warnings.push_back({WarningKind::steal, {{"share", 0.03}, {"seconds", 1.2}}});
  }
  report.warnings = {{WarningKind::uncommitted_files, {{"files", 2}}, {{"instead", "."}}}};
  report.budget_spent = true;
  summarize(report);
  return report;
}

Report root_commit() {
  Report report = frame();
  report.base.reset();
  report.head.parents.clear();
  for (const auto& [workload, seconds] : kWorkloads) {
    Comparison fresh = unmatched(workload, Verdict::fresh, "");
    fresh.head = side(seconds, 0.01, 3, 24);
    report.comparisons.push_back(fresh);
  }
  report.measured = 12.25;
  summarize(report);
  return report;
}

Report improved() {
  Report report = frame();
  add_unchanged(report);
  Comparison& step = find(report, "inference/generate", kStepTime);
  step = step_time("inference/generate", 0.1873, -0.236, 0.018, Verdict::improved);
  step.phases = {{"prefill", 0.01, 0.0401, 0.0405, Interval{-0.002, 0.021}, false, -0.01},
                 {"decode", -0.304, 0.1472, 0.1026, Interval{-0.322, -0.287}, true, 1.01}};
  summarize(report);
  return report;
}

Report interrupted() {
  Report report = frame();
  report.interrupted = true;
  report.measured = 41;
  Comparison early = step_time("training/mlp_stack", 0.4121, 0.12, 0.05, Verdict::inconclusive);
  early.interval.reset();
  early.smallest_visible.reset();
  early.p_value.reset();
  early.base->invocations = early.head->invocations = early.pairs = 4;
  early.base->steps = early.head->steps = 32;
  early.look = 0;
  early.look_alpha.reset();
  early.pairs_needed = 12;
  early.warnings = {{WarningKind::too_few_pairs, {{"pairs", 4}, {"needed", 12}}}};
  report.comparisons.push_back(early);
  early.workload = "training/lm";
  early.change = -0.01;
  early.head->median = early.base->median * 0.99;
  report.comparisons.push_back(early);
  summarize(report);
  report.undecided = Undecided{std::nullopt, 148.0, 2};
  return report;
}

Report targets() {
  Report report = unchanged();
  const auto target = [](const char* name, const char* of, const char* over) {
    TargetResult result;
    result.target.name = name;
    result.target.of = of;
    result.target.over = over;
    return result;
  };
  TargetResult cache = target("KV cache pays", "inference/generate_nocache", "inference/generate");
  cache.target.at_least = 2.0;
  cache.value = 2.38;
  cache.met = true;
  TargetResult slow = target("a step below 400 ms", "training/mlp_stack", "");
  slow.target.at_most = 0.4;
  slow.value = 0.4123;
  slow.met = false;
  TargetResult full = target("100M int8", "quantization/int8", "");
  full.target.metric = "total_time";
  full.target.at_most = 120;
  full.target.size = "full";
  TargetResult elsewhere = target("int4 at the speed of memory", "inference/generate_int4", "");
  elsewhere.target.metric = "read_share";
  elsewhere.target.at_least = 0.8;
  elsewhere.target.when = {{"isa", "avx512"}};
  elsewhere.found = {{"isa", "avx2"}};
  report.targets = {cache, slow, full, elsewhere};
  report.trade_offs = {{"quantization/int8",
                        {},
                        0.0412,
                        {{{"output_bytes", "B", Better::lower}, 8.1e6}},
                        {{{"signal_to_noise", "dB", Better::higher}, 38.5}}}};
  return report;
}

Report build_failed() {
  Report report = frame();
  for (const auto& [workload, seconds] : kWorkloads) {
    report.comparisons.push_back(
        unmatched(workload, Verdict::failed, "head does not build (exit status 1)"));
    report.comparisons.back().notes = {note_of(
        "gemm.cpp:41:7: error: 'epilogue' was not declared in this scope\n"
        "gmake[2]: *** [CMakeFiles/perf-workloads.dir/gemm.cpp.o] Error 1\n"
        "see /home/ada/.cache/perf-compare/9be01d77aa/build.log, of the build "
        "`cmake -P ci/build_workloads.cmake` in /home/ada/.cache/perf-compare/9be01d77aa/tree")};
  }
  report.measured = 0;
  report.nothing_ran = true;
  summarize(report);
  return report;
}

Report empty() {
  Report report = frame();
  report.workload_facts.clear();
  report.measured = 0;
  report.nothing_ran = true;
  report.reproduce.clear();
  summarize(report);
  return report;
}

Report same_program() {
  Report report = regressed();
  report.comparisons.pop_back();  // what is reported, not judged
  report.families.clear();
  for (Comparison& row : report.comparisons) {
    if (row.workload == "training/mlp_stack" || row.workload == "inference/generate") {
      row.basis = kByPairs;
      row.measured_because = "build/perf-workloads: .text";
      continue;
    }
    Comparison same;
    same.workload = row.workload;
    same.metric = row.metric;
    same.threshold = row.threshold;
    same.basis = kSameProgram;
    same.change = 0;
    same.verdict = Verdict::unchanged;
    same.measured_because = row.workload == "inference/prefill" ? TraceRecord::kNeededByTarget : "";
    row = same;
  }
  report.audits = {
      {"training/lm", kPeakRss, 0.0004, Interval{-0.001, 0.002}, 15, false},
      {"training/lm", kStepTime, 0.121, Interval{0.08, 0.162}, 15, true},
  };
  report.warnings.push_back({WarningKind::audit_alarm,
                             {{"change", 0.121}, {"pairs", 15}},
                             {{"workload", "training/lm"}, {"metric", "step_time"}}});
  TargetResult target;
  target.target.name = "a step below 300 ms";
  target.target.of = "training/lm";
  target.target.at_most = 0.3;
  target.value = 0.2268;
  target.met = true;
  target.measured_at = "2026-01-30T08:00:00Z";
  report.targets = {target};
  summarize(report);
  report.judged = 4;
  return report;
}

Report shards() {
  Report report = frame();
  report.comparisons = {step_time("parser", 0.0121, 0.143, 0.022, Verdict::regressed),
                        step_time("training/lm", 0.2268, 0.001, 0.012, Verdict::unchanged)};
  MeasuredOn& first = report.environments.front();
  first.host = std::string(32, '1');
  first.shard = Shard{1, 3};
  first.workloads = {"parser"};
  MeasuredOn second = first;
  second.host = std::string(32, '2');
  second.shard = Shard{2, 3};
  second.attempt = 2;
  second.workloads = {"training/lm"};
  second.environment.fingerprint = "0011223344556677";
  second.environment.machine["cpu_model"] = "AMD EPYC 7B13";
  report.environments.push_back(second);
  report.missing_shards = {3};
  report.warnings = {{WarningKind::not_explained, {}, {{"why", "no perf"}, {"of_shard", "1/3"}}},
                     {WarningKind::shard_missing, {}, {{"shard", "3/3"}}},
                     {WarningKind::target_across_shards,
                      {},
                      {{"target", "lm beats parser"}, {"shards", "2/3 and 1/3"}}}};
  summarize(report);
  return report;
}

Report files() {
  Report report = frame();
  report.base = Revision();
  report.base->kind = report.head.kind = SideKind::files;
  report.base->name = "old.txt";
  report.head = *report.base;
  report.head.name = "new.txt";
  report.environments.front().environment = {
      {}, {{"goos", "linux"}, {"cpu", "AMD EPYC 7B13"}, {"num_cpus", "8"}}, {}};
  report.workload_facts.clear();
  report.measured = 0;
  report.size.clear();
  report.seed = 0;
  report.reproduce.clear();
  report.config_source = "none: nothing was measured";
  const auto add = [&report](Comparison one, const Metric& metric) -> Comparison& {
    one.workload = "example.org/codec/" + one.workload;
    one.metric = metric;
    one.pairs = 0;
    one.basis = kBySessions;
    if (one.verdict == Verdict::inconclusive) {
      one.look = 0;
      one.interval.reset();
      one.notes = {{WarningKind::too_few_sessions, {{"base", 1}, {"head", 1}, {"least", 8}}}};
    }
    report.comparisons.push_back(one);
    return report.comparisons.back();
  };
  const Metric allocs{"allocs_per_op", "1", Better::lower};
  for (const char* name : {"Decode", "Encode", "Read"}) {
    Comparison& exact = add(step_time(name, 3, 0, 0, Verdict::unchanged), allocs);
    exact.exact = true;
    exact.basis = kByCount;
    add(step_time(name, 2e-6, *name == 'R' ? -0.01 : 0.004, 0, Verdict::inconclusive), kStepTime);
  }
  add(step_time("Flush", 2e-6, 6.98, 0, Verdict::inconclusive), kStepTime);
  add(step_time("Write", 4e-6, 3.0, 1.4, Verdict::regressed), kStepTime);
  add(step_time("Write", 80, 0.1, 0, Verdict::unchanged), {"rounds", "1", Better::higher}).judged =
      false;
  summarize(report);
  report.judged = 1;
  return report;
}

Report everything() {
  Report report = mixed();
  const Report regressed = samples::regressed(), same = same_program(), joined = shards();
  const Report wanted = targets();
  report.comparisons.push_back(*std::ranges::find_if(
      regressed.comparisons, [](const Comparison& one) { return !one.phases.empty(); }));
  report.comparisons.push_back(regressed.comparisons.back());  // reported, not judged
  for (const Comparison& one : same.comparisons) {
    if (one.is_same_program() || !one.measured_because.empty()) {
      report.comparisons.push_back(one);
    }
  }
  report.families = regressed.families;
  report.audits = same.audits;
  report.targets = wanted.targets;
  report.targets.push_back(same.targets.front());
  report.trade_offs = wanted.trade_offs;
  report.environments = joined.environments;
  report.missing_shards = joined.missing_shards;
  report.warnings.insert(report.warnings.end(), joined.warnings.begin(), joined.warnings.end());
  report.warnings.push_back(same.warnings.back());
  summarize(report);
  return report;
}

std::vector<Named> all() {
  return {{"regressed", regressed()}, {"unchanged", unchanged()},
          {"mixed", mixed()},         {"root_commit", root_commit()},
          {"improved", improved()},   {"interrupted", interrupted()},
          {"targets", targets()},     {"build_failed", build_failed()},
          {"empty", empty()},         {"same_program", same_program()},
          {"shards", shards()},       {"files", files()}};
}

Report many(int count) {
  Report report = frame();
  for (int i = 0; i < count; ++i) {
    const Verdict verdict = kVerdicts[static_cast<std::size_t>(i) % kVerdicts.size()];
    const double change = verdict == Verdict::regressed ? 0.15 : 0.001 * (i % 7);
    Comparison one = step_time("family/workload_" + std::to_string(i), 0.01 * (1 + i % 40), change,
                               0.02, verdict);
    one.notes = {note_of("note of workload " + std::to_string(i))};
    one.phases = {{"forward", 0.003, 0.13, 0.1304}, {"backward", 0.25, 0.18, 0.225}};
    report.comparisons.push_back(std::move(one));
  }
  summarize(report);
  return report;
}

Report many_measured(int workloads) {
  Report report = frame();
  for (int i = 0; i < workloads; ++i) {
    const std::string name = "family/workload_" + std::to_string(i);
    const bool is_slower = i % 25 == 3;
    const double change = is_slower ? 0.12 + 0.001 * i : 0.002 * (i % 7) - 0.006;
    const Verdict verdict = is_slower ? Verdict::regressed : Verdict::unchanged;
    report.comparisons.push_back(
        peak_rss(name, 1e8 * (1 + i % 9), 0.0002 * (i % 5), 0.001, Verdict::unchanged));
    report.comparisons.push_back(step_time(name, 0.004 * (1 + i % 40), change, 0.014, verdict));
  }
  summarize(report);
  return report;
}

}  // namespace perf::samples
