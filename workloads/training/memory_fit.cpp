#include "workloads/training/memory_fit.h"

#include <fmt/format.h>

#include <algorithm>

#include "workloads/program/error.h"
#include "workloads/program/memory.h"
#include "workloads/training/memory_model.h"

namespace perf::workloads {

namespace {

// The program with its libraries takes 0.1 GiB, the yardstick's three matrices (2048 x 2048 at size
// full) 0.05.
constexpr double kTrainingReserve = 0.15 * kGibi;

TrainingSetup with_checkpointing(TrainingSetup setup) {
  setup.checkpointing = true;
  return setup;
}

TrainingSetup in_bf16(TrainingSetup setup) {
  setup.dtype = DType::bf16;
  setup.state_dtype = DType::bf16;
  return setup;
}

TrainingSetup with_adapters(TrainingSetup setup) {
  setup.lora.rank = 8;
  return setup;
}

}  // namespace

std::vector<WayOut> ways_out(const TrainingSetup& setup, int threads) {
  std::vector<WayOut> ways;
  TrainingSetup all = setup;
  std::string all_options;
  const double now = memory_model(setup, threads).total();
  const auto add = [&](const std::string& options, const TrainingSetup& smaller) {
    const double bytes = memory_model(smaller, threads).total();
    if (bytes < now) {
      ways.push_back({options, bytes});
    }
  };
  if (!setup.checkpointing) {
    add("--checkpointing on", with_checkpointing(setup));
    all = with_checkpointing(all);
    all_options += " --checkpointing on";
  }
  if (setup.dtype == DType::fp32) {
    add("--dtype bf16", in_bf16(setup));
    all = in_bf16(all);
    all_options += " --dtype bf16";
  }
  if (setup.length > 1) {
    TrainingSetup half = setup;
    half.length /= 2;
    add(fmt::format("--seq-len {}", half.length), half);
    all.length = half.length;
    all_options += fmt::format(" --seq-len {}", half.length);
  }
  if (setup.trains_all()) {
    add("training/lora_finetune", with_adapters(setup));
    all = with_adapters(all);
    all_options = "training/lora_finetune" + all_options;
  }
  add(all_options.substr(all_options.find_first_not_of(' ')), all);
  return ways;
}

void require_fit(const TrainingSetup& setup, const std::string& what, int threads,
                 std::size_t available) {
  const double bytes = memory_model(setup, threads).total();
  if (available == 0 || bytes + kTrainingReserve <= static_cast<double>(available)) {
    return;
  }
  std::vector<std::string> fitting, smaller;
  for (const WayOut& way : ways_out(setup, threads)) {
    (way.bytes + kTrainingReserve <= static_cast<double>(available) ? fitting : smaller)
        .push_back(fmt::format("{} ({})", way.options, in_gib(way.bytes)));
  }
  throw Error("not enough memory",
              fmt::format("{} would take {:.0f} bytes ({}), {} bytes ({}) are available", what,
                          bytes, in_gib(bytes), available, in_gib(static_cast<double>(available))),
              fitting.empty()
                  ? fmt::format("a smaller --model; too much still: {}", fmt::join(smaller, ", "))
                  : fmt::format("{}", fmt::join(fitting, ", or ")));
}

}  // namespace perf::workloads
