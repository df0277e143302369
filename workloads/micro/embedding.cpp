#include "workloads/kernels/embedding.h"

#include <fmt/format.h>

#include "workloads/micro/embedding_work.h"
#include "workloads/micro/micro_workloads.h"
#include "workloads/program/memory.h"
#include "workloads/program/model_parameters.h"

namespace perf::workloads {

namespace {

void run(const Settings& settings, perf_compare::StepEmitter& out) {
  const ModelShape model = model_shape(settings.text("model"));
  const auto length = static_cast<std::size_t>(settings.integer("seq-len"));
  require_memory(EmbeddingWork::bytes(model, length),
                 fmt::format("the embedding of {} and its gradient", settings.text("model")));
  out.begin_field("tokens_per_step", length * static_cast<std::size_t>(settings.integer("calls")));
  EmbeddingWork embedding(model, length, out.wanted().seed);
  run_micro(settings, embedding.work(), out);
  out.check("output_matches_table", embedding.output_error(), 0);
  out.check("gradient_matches_reference", embedding.gradient_error(),
            embedding.gradient_tolerance());
}

std::vector<Parameter> parameters() {
  std::vector<Parameter> all = {model_parameter(), integer("seq-len", {512, 512, 512}, 1, 65536,
                                                           "tokens L of the one sequence")};
  for (Parameter& own : micro_parameters({20, 20, 200}, Bound::memory))
    all.push_back(std::move(own));
  return all;
}

}  // namespace

Workload micro_embedding() {
  return {
      .name = "micro/embedding",
      .summary = "Embeds a sequence's tokens, and adds up the gradient of their rows.",
      .parameters = parameters(),
      .phases = {"forward", "backward"},
      .metrics = micro_metrics(Bound::memory),
      .checks = {"output_matches_table", "gradient_matches_reference"},
      .run = run,
  };
}

}  // namespace perf::workloads
