#include "collector/trace/trace_programs.h"

#include <algorithm>
#include <optional>
#include <set>
#include <utility>

#include "collector/process/captured_text.h"
#include "collector/process/workload_runner.h"
#include "collector/randomness.h"
#include "collector/trace/program.h"
#include "schema/files/content.h"
#include "schema/text/fnv.h"
#include "schema/text/text_parts.h"

namespace perf {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kAudited = 20;           // one in so many of the same programs
constexpr std::size_t kLongestDifference = 400;  // B
constexpr const char* kInterrupted = "interrupted";

/// Nothing where the build is older than tracing.
std::optional<TracedTree> tree_of(const Checkout& checkout, const std::string& oid,
                                  const TraceTools& tools) {
  std::error_code error;
  const fs::path root =
      fs::canonical(checkout.root.empty() ? checkout.directory : checkout.root, error);
  const fs::path files = entry_of(checkout) / kBuiltFiles;
  std::optional<BuiltTree> built = read_built_tree(content_of(files));
  const std::optional<BuiltFile> written = built_file_at(files);  // when the build was done
  if (error || !built || !written) {
    return std::nullopt;
  }
  return TracedTree{root,
                    {root.string(), oid},
                    std::move(*built),
                    written->modified,
                    tools.packages,
                    checkout.working_trees,
                    checkout.harness,
                    fs::canonical(entry_of(checkout), error),
                    checkout.root.empty()};
}

bool can_be_traced(const PlannedWorkload& planned) {
  return planned.base_missing.empty() && planned.head_failed.empty() && !planned.base_params &&
         planned.control_of.empty();
}

/// The state of tracing one comparison.
struct Tracing {
  Plan& plan;
  const Checkouts& checkouts;
  const Policy& policy;
  const TraceTools& tools;
  TracedTree base, head;
  std::string no_trace{};  ///< why nothing can be traced; empty where it can
  std::vector<Invocation> invocations{};
};

/// An ordinary invocation, as in the first pair of that seed; `again`: as in another pair, whose
/// seed is even where that of the first is odd.
Invocation invocation_of(const Workload& workload, const TraceRequest& how, bool again = false) {
  PairDraw draw = draw_pair(how.seed, workload.name, 0, 1);
  const std::uint64_t first = draw.seed;
  for (int pair = 1; again && draw.seed % 2 == first % 2; ++pair) {
    draw = draw_pair(how.seed, workload.name, pair, 1);
  }
  Invocation request;
  request.workload = workload.name;
  request.side = how.side;
  request.oid = how.oid;
  request.steps_wanted = how.steps;
  request.warmup_wanted = how.warmup;
  request.seed = draw.seed;
  request.padding = how.side == Side::base ? draw.base_padding : draw.head_padding;
  return request;
}

Invocation request_of(const Tracing& now, const PlannedWorkload& planned, Side side, bool again) {
  const std::string& oid = side == Side::base ? now.plan.base->oid : now.plan.head.oid;
  Invocation request = invocation_of(
      planned.workload,
      {oid, side, now.plan.seed, now.policy.initial_steps, now.policy.warmup_steps}, again);
  request.start_order = static_cast<std::int64_t>(now.invocations.size());
  return request;
}

bool is_interrupted(const TraceTools& tools) {
  return tools.interrupted && tools.interrupted();
}

/// Reports at once why a traced run failed; returns that in short.
std::string report_failure(const std::string& what, const Workload& workload,
                           const Checkout& checkout, const Invocation& done,
                           const TraceTools& tools) {
  std::string failed = what + " failed: " + done.failure;
  if (tools.report && !is_interrupted(tools)) {
    tools.report(workload.name + ": " + failed + "; " + what_to_try(workload, checkout.directory));
  }
  return failed;
}

/// One side as it is traced.
struct SideToTrace {
  Workload workload;
  const Checkout& checkout;
  const TracedTree& tree;

  TracedRun run(Invocation request, const TraceTools& tools, const Trace& earlier) const {
    return run_traced(
        workload, checkout, std::move(request), tools.run,
        [this](const Trace& trace) {
          return state_outside({&tree, &trace});
        },
        earlier);
  }
};

SideToTrace side_of(const Tracing& now, const PlannedWorkload& planned, Side side) {
  const bool at_base = side == Side::base;
  return {workload_at(planned, side), at_base ? now.checkouts.base : now.checkouts.head,
          at_base ? now.base : now.head};
}

/// Traces a side, unless that is kept, after an `earlier` run of it; the answer is why it failed.
std::string trace_side(const Tracing& now, const PlannedWorkload& planned, Side side, bool again,
                       TracedRun& run, const Trace& earlier = {}) {
  if (is_interrupted(now.tools)) {
    return kInterrupted;
  }
  const SideToTrace one = side_of(now, planned, side);
  run = one.run(request_of(now, planned, side, again), now.tools, earlier);
  return run.invocation.ok() ? std::string()
                             : report_failure(std::string(to_string(side)), one.workload,
                                              one.checkout, run.invocation, now.tools);
}

/// Whether base's trace is kept, of the second seed only.
bool has_second_seed_only(const Tracing& now, const PlannedWorkload& planned) {
  const SideToTrace base = side_of(now, planned, Side::base);
  const auto is_kept = [&](bool again) {
    return has_kept(base.workload, base.checkout, request_of(now, planned, Side::base, again));
  };
  return !is_kept(false) && is_kept(true);
}

/// Two runs of each side: the first, and one with another seed.
struct TracedRuns {
  TracedRun base, head;
  std::optional<TracedRun> head_again{};  ///< nothing where head itself was run with another seed
  bool begins_again = false;              ///< which of the seeds was the first
};

/// Traces base with one seed and head with another. Where they ask for the same, neither commit nor
/// seed decides what is read; else head is traced with base's seed, too. The answer is why that
/// failed.
std::string trace_with_two_seeds(Tracing& now, const PlannedWorkload& planned, TracedRuns& runs) {
  runs.begins_again = has_second_seed_only(now, planned);
  std::string failed = trace_side(now, planned, Side::base, runs.begins_again, runs.base);
  if (!failed.empty()) {
    return failed;
  }
  now.invocations.push_back(runs.base.invocation);
  failed = trace_side(now, planned, Side::head, !runs.begins_again, runs.head);
  if (failed.empty() && (!ask_alike({&now.base, &runs.base.trace}, {&now.head, &runs.head.trace}) ||
                         reported_by(runs.base.invocation) != reported_by(runs.head.invocation))) {
    runs.head_again = std::move(runs.head);
    failed =
        trace_side(now, planned, Side::head, runs.begins_again, runs.head, runs.head_again->trace);
  }
  if (failed.empty()) {
    now.invocations.push_back(runs.head.invocation);
  }
  return failed;
}

/// Traces base, too, with the other seed: a difference in what the sides ask for with both.
std::string difference_with_another_seed(const Tracing& now, const PlannedWorkload& planned,
                                         const TracedRuns& runs) {
  TracedRun again;
  if (std::string failed =
          trace_side(now, planned, Side::base, !runs.begins_again, again, runs.base.trace);
      !failed.empty()) {
    return failed;
  }
  const Trace base_both = merged(runs.base.trace, again.trace),
              head_both = merged(runs.head.trace, runs.head_again->trace);
  const TracedSide base{&now.base, &base_both}, head{&now.head, &head_both};
  std::string difference = difference_of(base, head, planned.workload.inputs,
                                         words_of_run(workload_at(planned, Side::base)));
  std::set<std::string> read = files_read(base);
  read.merge(files_read(head));
  // Fewer files: it filled a cache before.
  return difference.empty() &&
                 !std::ranges::includes(files_read({&now.base, &runs.base.trace}), read)
             ? changed_elsewhere(base, head)
             : difference;
}

/// What a command that succeeded printed of a failure: a part of it may not have run.
std::string printed_failure(const Invocation& done) {
  const std::string& text = done.process.stderr_text;
  for (const char* phrase : {"not found", "No such file", "cannot be preloaded"}) {
    if (const std::size_t at = text.find(phrase); at != std::string::npos) {
      const std::size_t begin = text.rfind('\n', at) + 1;
      return "it printed: " + text.substr(begin, text.find('\n', at) - begin);
    }
  }
  return {};
}

/// The caches of a side that its first process will not find: in a build nothing is left of a trace
/// (put_back) but what Python compiled.
std::set<std::string> missing_caches(const TracedSide& side) {
  std::set<std::string> missing;
  const std::string root = side.tree->root.string() + "/";
  for (const std::string& path : side.trace->caches) {
    const bool is_in_build = side.tree->is_build && path.starts_with(root);
    const bool is_compiled = fs::path(path).parent_path().filename() == "__pycache__";
    const bool is_of_compiler = path.starts_with('$');  // CacheNames: will be emptied
    if (is_of_compiler || (is_in_build ? !is_compiled : !built_file_at(path))) {
      missing.insert(is_in_build ? path.substr(root.size()) : path);
    }
  }
  return missing;
}

/// Why a workload has to be measured; empty where both sides run the same program.
std::string trace_both(Tracing& now, PlannedWorkload& planned, TraceRecord& record) {
  const std::vector<std::string> base_command = words_of_run(workload_at(planned, Side::base)),
                                 command = words_of_run(planned.workload);
  if (!now.no_trace.empty()) {
    return planned.workload.inputs.empty()
               ? now.no_trace
               : difference_of_inputs(now.base, now.head, command, planned.workload.inputs);
  }
  TracedRuns runs;
  if (std::string failed = trace_with_two_seeds(now, planned, runs); !failed.empty()) {
    return failed;
  }
  const TracedSide base{&now.base, &runs.base.trace}, head{&now.head, &runs.head.trace};
  std::set<std::string> missing = missing_caches(base);
  missing.merge(missing_caches(head));
  if (!missing.empty()) {
    planned.new_files = {static_cast<int>(missing.size()), *missing.begin()};
  }
  record.base_program = program_id(base, base_command);
  record.head_program = program_id(head, command);
  planned.head_failed = common_code_of(base, head);
  if (!planned.head_failed.empty()) {
    if (const std::string file = foreign_code(base, head); !file.empty()) {
      now.plan.warnings.push_back(
          {WarningKind::foreign_code, {}, {{"workload", planned.workload.name}, {"file", file}}});
    }
    return first_line(planned.head_failed);
  }
  std::string difference = difference_of(base, head, planned.workload.inputs, command);
  if (difference.empty() && !base.tree->is_build) {
    difference = printed_failure(runs.base.invocation);
    difference = difference.empty() ? done_alone(base, head) : difference;
    difference =
        difference.empty() ? may_act_by_path(base, base_command, head, command) : difference;
    difference =
        difference.empty() ? may_act_by_path(head, command, base, base_command) : difference;
  }
  return difference.empty() && runs.head_again ? difference_with_another_seed(now, planned, runs)
                                               : difference;
}

}  // namespace

std::vector<Invocation> trace_programs(Plan& plan, const Checkouts& checkouts, const Policy& policy,
                                       const TraceTools& tools) {
  if (!plan.base || (plan.base->oid == plan.head.oid && !is_command(plan.head)) ||
      !checkouts.base.failure.empty() || !checkouts.head.failure.empty()) {
    return {};
  }
  std::optional<TracedTree> base = tree_of(checkouts.base, plan.base->oid, tools),
                            head = tree_of(checkouts.head, plan.head.oid, tools);
  if (!base || !head) {
    return {};
  }
  if (tools.may_take_seed) {
    plan.seed = traced_with_seed(checkouts.base).value_or(plan.seed);
  }
  Tracing now{plan, checkouts, policy, tools, std::move(*base), std::move(*head)};
  now.no_trace = tools.no_trace ? *tools.no_trace : why_no_trace(tools.run);
  bool anything_to_measure = false;
  for (PlannedWorkload& planned : plan.workloads) {
    if (can_be_traced(planned)) {
      TraceRecord record;
      record.difference = to_one_line(trace_both(now, planned, record), kLongestDifference);
      planned.trace_record = std::move(record);
    }
    anything_to_measure |= !runs_the_same(planned);
  }
  for (PlannedWorkload& planned : plan.workloads) {
    if (anything_to_measure && runs_the_same(planned)) {
      const std::string draw =
          std::to_string(plan.seed) + ' ' + plan.head.oid + " audit " + planned.workload.name;
      planned.trace_record->audited = fnv1a_64(draw) % kAudited == 0;
    }
  }
  remember_seed(checkouts.base, plan.seed);
  remember_seed(checkouts.head, plan.seed);
  return std::move(now.invocations);
}

TracedProgram trace_program(const Workload& workload, const Checkout& checkout,
                            const TraceRequest& how, const TraceTools& tools) {
  TracedProgram program;
  std::optional<TracedTree> tree = tree_of(checkout, how.oid, tools);
  if (!tree) {
    program.doubt = "its build predates tracing";
    return program;
  }
  program.tree = std::make_shared<const TracedTree>(std::move(*tree));
  program.doubt = is_interrupted(tools) ? kInterrupted
                  : tools.no_trace      ? *tools.no_trace
                                        : why_no_trace(tools.run);
  if (!program.doubt.empty()) {
    return program;
  }
  const SideToTrace one{workload, checkout, *program.tree};
  std::vector<TracedRun> runs;
  for (const bool again : {false, true}) {
    runs.push_back(
        one.run(invocation_of(workload, how, again), tools, again ? runs[0].trace : Trace{}));
    if (!runs.back().invocation.ok()) {
      program.doubt = report_failure("tracing", workload, checkout, runs.back().invocation, tools);
      return program;
    }
  }
  program.trace = std::make_shared<const Trace>(merged(runs[0].trace, runs[1].trace));
  program.traced = std::move(runs[0].invocation);
  const TracedSide side{program.tree.get(), program.trace.get()};
  program.doubt = to_one_line(difference_of(side, side, workload.inputs), kLongestDifference);
  if (program.doubt.empty()) {
    program.id = lasting_program_id(side, words_of_run(workload), workload.inputs);
  }
  return program;
}

bool is_at_hand(const TracedProgram& traced) {
  if (traced.tree == nullptr) {
    return false;
  }
  const std::optional<BuiltFile> written = built_file_at(traced.tree->entry / kBuiltFiles);
  return written && written->modified == traced.tree->ended;
}

std::string difference_between(const TracedProgram& base, const TracedProgram& head,
                               const Workload& workload) {
  for (const TracedProgram* one : {&base, &head}) {
    if (one->tree == nullptr || (one->trace == nullptr && workload.inputs.empty())) {
      return one->doubt;
    }
  }
  if (base.trace == nullptr || head.trace == nullptr) {
    return difference_of_inputs(*base.tree, *head.tree, words_of_run(workload), workload.inputs);
  }
  return to_one_line(
      difference_of({base.tree.get(), base.trace.get()}, {head.tree.get(), head.trace.get()},
                    workload.inputs, words_of_run(workload)),
      kLongestDifference);
}

std::string common_code_between(const TracedProgram& base, const TracedProgram& head) {
  return common_code_of({base.tree.get(), base.trace.get()}, {head.tree.get(), head.trace.get()});
}

}  // namespace perf
