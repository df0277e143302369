#include "workloads/training/finetuning_checks.h"

#include <fmt/format.h>

#include <cstdio>

#include "workloads/training/finetuning_check.h"
#include "workloads/training/finetuning_check_timed.h"

namespace perf::workloads {

namespace {

using perf_compare::StepEmitter;

constexpr std::size_t kCheckedRows = 4;

// A check whose name does not say what it found.
void check(StepEmitter& out, const std::string& name, double error, double tolerance,
           const std::string& where) {
  out.check(name, error, tolerance);
  if (!out.checks().back().passed()) {
    fmt::print(stderr, "{}: the worst is {}\n", name, where);
  }
}

void check(StepEmitter& out, const std::string& name, const Unseen& unseen) {
  check(out, name, static_cast<double>(unseen.count), 0, unseen.first);
}

// All of a step on small models with the same options.
void check_small(const TrainingSetup& setup, const Tolerances& allowed, StepEmitter& out) {
  const std::uint64_t seed = out.wanted().seed;
  SmallFinetuning small(small_setup(setup), seed), brief(brief_setup(setup), seed);
  const ParityErrors errors = parity_errors(small.model());
  check(out, "layers_match_reference", errors.worst_layer(), allowed.forward, errors.where_layer());
  out.check("logits_match_reference", errors.logits, allowed.forward);
  out.check("loss_matches_reference", errors.loss, allowed.loss);
  check(out, "gradients_match_reference", errors.worst_gradient(), allowed.gradient,
        errors.where_gradient());
  brief.model().forward();
  brief.model().loss();
  brief.model().backward();
  out.check("gradients_match_differences", finite_difference_error(brief.model()),
            allowed.difference);
  if (!setup.gradients_only) {
    out.check("update_matches_reference", update_error(small.model()), allowed.update);
  }

  TrainingSetup keeps = narrow_setup(setup), again = keeps;
  keeps.checkpointing = false;
  again.checkpointing = true;
  SmallFinetuning one(keeps, seed), other(again, seed);
  out.check("checkpointing_changes_nothing", gradient_difference(other.model(), one.model()), 0);
}

// One layer of the model that was timed, which has its shapes; then one more step of all of it.
void check_timed(Finetuning& training, const FinetuningRun& run, const Tolerances& allowed,
                 StepEmitter& out) {
  const TrainingSetup& setup = training.setup();
  out.check("timed_layer_matches_reference",
            layer_error(training, setup.shape.layers / 2, kCheckedRows), allowed.layer);
  if (run.start) {
    out.check("weights_match_checkpoint", run.start->weights, rounding_of(setup.dtype));
    out.check("first_logits_match_reference", run.start->logits, allowed.forward);
  } else {
    out.check("first_loss_is_random", first_loss_error(setup.shape, run.first_loss),
              kFirstLossTolerance);
  }
  out.check("timed_loss_falls", loss_rise(setup, run.first_loss, training.loss()), allowed.loss);
  training.backward();
  check(out, "timed_gradients_reach_all", unreached_gradients(training));
  if (!setup.gradients_only) {
    check(out, "timed_update_moves_all", unmoved_values(training));
  }
}

}  // namespace

std::vector<std::string> finetuning_checks(Trained trained) {
  const bool updates = trained != Trained::gradients;
  std::vector<std::string> names = {"memory_model_matches_counted", "memory_model_matches_resident",
                                    "layers_match_reference",       "logits_match_reference",
                                    "loss_matches_reference",       "gradients_match_reference",
                                    "gradients_match_differences"};
  if (updates) {
    names.emplace_back("update_matches_reference");
  }
  for (const char* name :
       {"checkpointing_changes_nothing", "timed_layer_matches_reference", "first_loss_is_random",
        "timed_loss_falls", "timed_gradients_reach_all"}) {
    names.emplace_back(name);
  }
  if (updates) {
    names.emplace_back("timed_update_moves_all");
  }
  return names;
}

void check_run(const FinetuningRun& run, const Ledger& memory, Finetuning& training,
               StepEmitter& out) {
  out.check("memory_model_matches_counted", memory_drift(run.predicted, memory), kMemoryTolerance);
  out.check("memory_model_matches_resident", growth_drift(run), kMemoryTolerance);
  const Tolerances allowed = tolerances(training.setup());
  check_small(training.setup(), allowed, out);
  check_timed(training, run, allowed, out);
}

}  // namespace perf::workloads
