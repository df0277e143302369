#include "collector/trace/trace_programs.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "collector/process/captured_text.h"
#include "collector/process/workload_runner.h"
#include "collector/randomness.h"
#include "collector/trace/program.h"
#include "collector/trace/traced_run.h"
#include "schema/files/content.h"
#include "schema/text/fnv.h"

namespace perf {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kAudited = 20;           // one in so many of what is the same
constexpr std::size_t kLongestDifference = 400;  // B, of names and words
constexpr const char* kInterrupted = "it was interrupted";

/// Nothing where the build is older than looking.
std::optional<TracedTree> tree_of(const Checkout& checkout, const std::string& oid,
                                  const TraceTools& tools) {
  std::error_code error;
  const fs::path root = fs::canonical(checkout.directory, error);
  const fs::path files = checkout.directory.parent_path() / kBuiltFiles;
  std::optional<BuiltTree> built = read_built_tree(content_of(files));
  const std::optional<BuiltFile> written = built_file_at(files);  // when the build was done
  if (error || !built || !written) {
    return std::nullopt;
  }
  return TracedTree{
      root, {root.string(), oid}, std::move(*built), written->changed, tools.packages};
}

/// As one of before that still holds, or made now.
TracedRun trace_now(const Workload& workload, const Checkout& checkout, const TracedTree& tree,
                    Invocation wish, const RunProcess& run) {
  return run_traced(workload, checkout, std::move(wish), run, [&tree](const TracedRun& kept) {
    return !is_outdated({&tree, &kept.trace}, kept.began);
  });
}

bool can_be_traced(const PlannedWorkload& planned) {
  return planned.base_missing.empty() && planned.head_failed.empty() && !planned.base_params &&
         planned.control_of.empty();
}

/// Everything that looking at one run needs.
struct Tracing {
  Plan& plan;
  const Checkouts& checkouts;
  const Policy& policy;
  const TraceTools& tools;
  TracedTree base, head;
  std::string no_trace{};  ///< why nothing can be traced; empty where it can
  std::vector<Invocation> invocations{};
};

/// An ordinary invocation, as the first pair of that seed has it.
Invocation wish_of(const Workload& workload, const TraceRequest& how) {
  const PairDraw draw = draw_pair(how.seed, workload.name, 0, 1);
  Invocation wish;
  wish.workload = workload.name;
  wish.side = how.side;
  wish.oid = how.oid;
  wish.steps_wanted = how.steps;
  wish.warmup_wanted = how.warmup;
  wish.seed = draw.seed;
  wish.padding = how.side == Side::base ? draw.base_padding : draw.head_padding;
  return wish;
}

TracedRun trace_side(Tracing& now, const PlannedWorkload& planned, Side side) {
  const bool at_base = side == Side::base;
  Invocation wish =
      wish_of(planned.workload, {at_base ? now.plan.base->oid : now.plan.head.oid, side,
                                 now.plan.seed, now.policy.initial_steps, now.policy.warmup_steps});
  wish.start_order = static_cast<std::int64_t>(now.invocations.size());
  return trace_now(planned.workload, at_base ? now.checkouts.base : now.checkouts.head,
                   at_base ? now.base : now.head, std::move(wish), now.tools.run);
}

bool is_interrupted(const TraceTools& tools) {
  return tools.interrupted && tools.interrupted();
}

/// Says at once why a look failed; the answer is that in short.
std::string tell_failure(const std::string& what, const Workload& workload,
                         const Checkout& checkout, const Invocation& done,
                         const TraceTools& tools) {
  std::string failed = what + " failed: " + done.failure;
  if (tools.say && !is_interrupted(tools)) {
    tools.say(workload.name + ": " + failed + "; " + what_to_try(workload, checkout.directory));
  }
  return failed;
}

/// Why a workload has to be measured; empty where it need not.
std::string trace_both(Tracing& now, const PlannedWorkload& planned, TraceRecord& record) {
  const std::vector<std::string> command = command_of(planned.workload);
  if (!now.no_trace.empty()) {
    return planned.workload.inputs.empty()
               ? now.no_trace
               : difference_of_inputs(now.base, now.head, command, planned.workload.inputs);
  }
  std::vector<TracedRun> runs;
  for (const Side side : {Side::base, Side::head}) {
    if (is_interrupted(now.tools)) {
      return kInterrupted;
    }
    runs.push_back(trace_side(now, planned, side));
    const Invocation& done = runs.back().invocation;
    if (!done.ok()) {
      return tell_failure(std::string(to_string(side)), planned.workload,
                          side == Side::base ? now.checkouts.base : now.checkouts.head, done,
                          now.tools);
    }
    now.invocations.push_back(done);
  }
  const TracedSide base{&now.base, &runs[0].trace}, head{&now.head, &runs[1].trace};
  record.base_program = program_id(base, command);
  record.head_program = program_id(head, command);
  return difference_of(base, head, planned.workload.inputs);
}

}  // namespace

std::vector<Invocation> trace_programs(Plan& plan, const Checkouts& checkouts, const Policy& policy,
                                       const TraceTools& tools) {
  if (!plan.base || plan.base->oid == plan.head.oid || !checkouts.base.failure.empty() ||
      !checkouts.head.failure.empty()) {
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
      const std::string draw = std::to_string(plan.seed) + " audit " + planned.workload.name;
      planned.trace_record->audited = fnv1a_64(draw) % kAudited == 0;
    }
  }
  remember_seed(checkouts.base, plan.seed);
  remember_seed(checkouts.head, plan.seed);
  return std::move(now.invocations);
}

TracedProgram trace_program(const Workload& workload, const Checkout& checkout,
                            const TraceRequest& how, const TraceTools& tools) {
  TracedProgram seen;
  std::optional<TracedTree> tree = tree_of(checkout, how.oid, tools);
  if (!tree) {
    seen.doubt = "its build is older than traces";
    return seen;
  }
  seen.tree = std::make_shared<const TracedTree>(std::move(*tree));
  seen.doubt = is_interrupted(tools) ? kInterrupted
               : tools.no_trace      ? *tools.no_trace
                                     : why_no_trace(tools.run);
  if (!seen.doubt.empty()) {
    return seen;
  }
  TracedRun traced = trace_now(workload, checkout, *seen.tree, wish_of(workload, how), tools.run);
  if (!traced.invocation.ok()) {
    seen.doubt = tell_failure("tracing", workload, checkout, traced.invocation, tools);
    return seen;
  }
  seen.trace = std::make_shared<const Trace>(std::move(traced.trace));
  seen.traced = std::move(traced.invocation);
  const TracedSide side{seen.tree.get(), seen.trace.get()};
  seen.doubt = to_one_line(difference_of(side, side, workload.inputs), kLongestDifference);
  if (seen.doubt.empty()) {
    seen.id = lasting_program_id(side, command_of(workload), workload.inputs);
  }
  return seen;
}

bool is_at_hand(const TracedProgram& seen) {
  if (seen.tree == nullptr) {
    return false;
  }
  const std::optional<BuiltFile> written =
      built_file_at(seen.tree->root.parent_path() / kBuiltFiles);
  return written && written->changed == seen.tree->ended;
}

std::string difference_between(const TracedProgram& base, const TracedProgram& head,
                               const Workload& workload) {
  for (const TracedProgram* one : {&base, &head}) {
    if (one->tree == nullptr || (one->trace == nullptr && workload.inputs.empty())) {
      return one->doubt;
    }
  }
  if (base.trace == nullptr || head.trace == nullptr) {
    return difference_of_inputs(*base.tree, *head.tree, command_of(workload), workload.inputs);
  }
  return to_one_line(difference_of({base.tree.get(), base.trace.get()},
                                   {head.tree.get(), head.trace.get()}, workload.inputs),
                     kLongestDifference);
}

}  // namespace perf
