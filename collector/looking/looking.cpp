#include "collector/looking/looking.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "collector/looking/look.h"
#include "collector/looking/program.h"
#include "collector/process/captured_text.h"
#include "collector/process/workload_runner.h"
#include "collector/randomness.h"
#include "schema/files/content.h"
#include "schema/fnv.h"

namespace perf {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kAudited = 20;           // one in so many of what is the same
constexpr std::size_t kLongestDifference = 400;  // B, of names and words
constexpr const char* kInterrupted = "it was interrupted";

/// Nothing where the build is older than looking.
std::optional<LookedTree> tree_of(const Checkout& checkout, const std::string& oid,
                                  const LookTools& tools) {
  std::error_code error;
  const fs::path root = fs::canonical(checkout.directory, error);
  const fs::path files = checkout.directory.parent_path() / kBuiltFiles;
  std::optional<BuiltTree> built = read_built_tree(content_of(files));
  const std::optional<BuiltFile> written = look_at(files);  // when the build was done
  if (error || !built || !written) {
    return std::nullopt;
  }
  return LookedTree{
      root, {root.string(), oid}, std::move(*built), written->changed, tools.packages};
}

/// As one of before that still holds, or made now.
Look look_now(const Workload& workload, const Checkout& checkout, const LookedTree& tree,
              Invocation wish, const RunProcess& run) {
  return look(workload, checkout, std::move(wish), run, [&tree](const Look& kept) {
    return !is_outdated({&tree, &kept.trace}, kept.began);
  });
}

bool can_be_looked_at(const PlannedWorkload& planned) {
  return planned.base_missing.empty() && planned.head_failed.empty() && !planned.base_params &&
         planned.control_of.empty();
}

/// Everything that looking at one run needs.
struct Looking {
  Plan& plan;
  const Checkouts& checkouts;
  const Policy& policy;
  const LookTools& tools;
  LookedTree base, head;
  std::string no_trace{};  ///< why nothing can be traced; empty where it can
  std::vector<Invocation> invocations{};
};

/// An ordinary invocation, as the first pair of that seed has it.
Invocation wish_of(const Workload& workload, const LookAlone& how) {
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

Look look_at_side(Looking& now, const PlannedWorkload& planned, Side side) {
  const bool at_base = side == Side::base;
  Invocation wish =
      wish_of(planned.workload, {at_base ? now.plan.base->oid : now.plan.head.oid, side,
                                 now.plan.seed, now.policy.initial_steps, now.policy.warmup_steps});
  wish.start_order = static_cast<std::int64_t>(now.invocations.size());
  return look_now(planned.workload, at_base ? now.checkouts.base : now.checkouts.head,
                  at_base ? now.base : now.head, std::move(wish), now.tools.run);
}

bool is_interrupted(const LookTools& tools) {
  return tools.interrupted && tools.interrupted();
}

/// Says at once why a look failed; the answer is that in short.
std::string tell_failure(const std::string& what, const Workload& workload,
                         const Checkout& checkout, const Invocation& done, const LookTools& tools) {
  std::string failed = what + " failed: " + done.failure;
  if (tools.say && !is_interrupted(tools)) {
    tools.say(workload.name + ": " + failed + "; " + what_to_try(workload, checkout.directory));
  }
  return failed;
}

/// Why a workload has to be measured; empty where it need not.
std::string look_at_both(Looking& now, const PlannedWorkload& planned, Looked& looked) {
  const std::vector<std::string> command = command_of(planned.workload);
  if (!now.no_trace.empty()) {
    return planned.workload.inputs.empty()
               ? now.no_trace
               : difference_of_inputs(now.base, now.head, command, planned.workload.inputs);
  }
  std::vector<Look> looks;
  for (const Side side : {Side::base, Side::head}) {
    if (is_interrupted(now.tools)) {
      return kInterrupted;
    }
    looks.push_back(look_at_side(now, planned, side));
    const Invocation& done = looks.back().invocation;
    if (!done.ok()) {
      return tell_failure(std::string(to_string(side)), planned.workload,
                          side == Side::base ? now.checkouts.base : now.checkouts.head, done,
                          now.tools);
    }
    now.invocations.push_back(done);
  }
  const LookedSide base{&now.base, &looks[0].trace}, head{&now.head, &looks[1].trace};
  looked.base_program = program_id(base, command);
  looked.head_program = program_id(head, command);
  return difference_of(base, head, planned.workload.inputs);
}

}  // namespace

std::vector<Invocation> look_at_programs(Plan& plan, const Checkouts& checkouts,
                                         const Policy& policy, const LookTools& tools) {
  if (!plan.base || plan.base->oid == plan.head.oid || !checkouts.base.failure.empty() ||
      !checkouts.head.failure.empty()) {
    return {};
  }
  std::optional<LookedTree> base = tree_of(checkouts.base, plan.base->oid, tools),
                            head = tree_of(checkouts.head, plan.head.oid, tools);
  if (!base || !head) {
    return {};
  }
  if (tools.may_take_seed) {
    plan.seed = looked_with_seed(checkouts.base).value_or(plan.seed);
  }
  Looking now{plan, checkouts, policy, tools, std::move(*base), std::move(*head)};
  now.no_trace = tools.no_trace ? *tools.no_trace : why_no_trace(tools.run);
  bool anything_to_measure = false;
  for (PlannedWorkload& planned : plan.workloads) {
    if (can_be_looked_at(planned)) {
      Looked looked;
      looked.difference = to_one_line(look_at_both(now, planned, looked), kLongestDifference);
      planned.looked = std::move(looked);
    }
    anything_to_measure |= !runs_the_same(planned);
  }
  for (PlannedWorkload& planned : plan.workloads) {
    if (anything_to_measure && runs_the_same(planned)) {
      const std::string draw = std::to_string(plan.seed) + " audit " + planned.workload.name;
      planned.looked->audited = fnv1a_64(draw) % kAudited == 0;
    }
  }
  remember_seed(checkouts.base, plan.seed);
  remember_seed(checkouts.head, plan.seed);
  return std::move(now.invocations);
}

SeenProgram see_program(const Workload& workload, const Checkout& checkout, const LookAlone& how,
                        const LookTools& tools) {
  SeenProgram seen;
  std::optional<LookedTree> tree = tree_of(checkout, how.oid, tools);
  if (!tree) {
    seen.doubt = "its build is older than looking";
    return seen;
  }
  seen.tree = std::make_shared<const LookedTree>(std::move(*tree));
  seen.doubt = is_interrupted(tools) ? kInterrupted
               : tools.no_trace      ? *tools.no_trace
                                     : why_no_trace(tools.run);
  if (!seen.doubt.empty()) {
    return seen;
  }
  Look look = look_now(workload, checkout, *seen.tree, wish_of(workload, how), tools.run);
  if (!look.invocation.ok()) {
    seen.doubt = tell_failure("looking", workload, checkout, look.invocation, tools);
    return seen;
  }
  seen.trace = std::make_shared<const Trace>(std::move(look.trace));
  seen.looking = std::move(look.invocation);
  const LookedSide side{seen.tree.get(), seen.trace.get()};
  seen.doubt = to_one_line(difference_of(side, side, workload.inputs), kLongestDifference);
  if (seen.doubt.empty()) {
    seen.id = lasting_program_id(side, command_of(workload), workload.inputs);
  }
  return seen;
}

bool is_at_hand(const SeenProgram& seen) {
  if (seen.tree == nullptr) {
    return false;
  }
  const std::optional<BuiltFile> written = look_at(seen.tree->root.parent_path() / kBuiltFiles);
  return written && written->changed == seen.tree->ended;
}

std::string difference_between(const SeenProgram& base, const SeenProgram& head,
                               const Workload& workload) {
  for (const SeenProgram* one : {&base, &head}) {
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
