#include "workloads/kernels/embedding.h"

#include <fmt/format.h>

#include "workloads/micro/embedding_work.h"
#include "workloads/micro/micro_workloads.h"
#include "workloads/micro/sequence_parameters.h"
#include "workloads/program/memory.h"

namespace perf::workloads {

namespace {

void run_embedding(const Settings& settings, perf_compare::StepEmitter& out) {
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

}  // namespace

Workload micro_embedding() {
  return {
      .name = "micro/embedding",
      .summary = "Embeds a sequence's tokens, and adds up the gradient of their rows.",
      .parameters = micro_parameters(sequence_parameters(), {20, 20, 200}, Bound::memory),
      .phases = {"forward", "backward"},
      .metrics = micro_metrics(Bound::memory),
      .checks = {"output_matches_table", "gradient_matches_reference"},
      .run = run_embedding,
  };
}

}  // namespace perf::workloads
