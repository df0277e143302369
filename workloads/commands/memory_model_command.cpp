#include "workloads/commands/memory_model_command.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <vector>

#include "workloads/program/environment.h"
#include "workloads/program/error.h"
#include "workloads/program/memory.h"
#include "workloads/program/model_parameters.h"
#include "workloads/program/table.h"
#include "workloads/training/finetuning_parameters.h"
#include "workloads/training/memory_model.h"

namespace perf::workloads {

namespace {

using Options = std::map<std::string, std::string>;

// Values as the workloads take them, at the size `full`.
Settings settings_from(const std::string& model, Options options) {
  if (!model.empty() && !options.emplace("model", model).second) {
    throw Error("given twice", "the model", "perf-workloads memory-model " + model);
  }
  std::vector<Parameter> parameters = finetuning_parameters(Trained::model);
  for (Parameter& parameter : finetuning_parameters(Trained::adapters)) {
    if (parameter.name.compare(0, 5, "lora-") == 0) {
      parameters.push_back(std::move(parameter));
    }
  }
  parameters.push_back(integer("threads", {0, 0, 0}, 0, 1024, ""));
  return {parameters, Size::full, options};
}

struct Row {
  std::string name;
  TrainingSetup setup;
};

// A way of training, and the same with checkpointing, unless one of the two was asked for.
void add_rows(const std::string& name, const TrainingSetup& setup, const MemoryModelRows& rows,
              std::vector<Row>& table) {
  if (rows.checkpointing_fixed) {
    table.push_back({name, setup});
    return;
  }
  table.push_back({name, setup});
  table.push_back({"  with checkpointing", setup});
  table.back().setup.checkpointing = true;
}

std::vector<Row> rows_of(const TrainingSetup& whole, const TrainingSetup& adapters,
                         const MemoryModelRows& rows) {
  std::vector<Row> table;
  const auto add_optimizer = [&](OptimizerKind kind) {
    TrainingSetup setup = whole;
    setup.optimizer.kind = kind;
    add_rows("full fine-tuning, " + name_of(kind), setup, rows, table);
  };
  if (rows.optimizer_fixed) {
    add_optimizer(whole.optimizer.kind);
  } else {
    for (const std::string& name : optimizer_names()) {
      add_optimizer(optimizer_from(name));
    }
  }
  add_rows(fmt::format("LoRA, rank {}, {}", adapters.lora.rank, name_of(adapters.optimizer.kind)),
           adapters, rows, table);
  return table;
}

// Two spaces, and a name or a size such as "1023 MiB". With the longest label a line has 100
// columns.
std::size_t column_width(std::string_view name) {
  return 2 + std::max<std::size_t>(name.size(), 8);
}

std::string size_text(double bytes) {
  return bytes == 0 ? "0" : scaled(bytes, "B");
}

std::string fit_line(std::size_t available, std::size_t fitting, std::size_t rows) {
  if (available == 0) {
    return "This machine does not say how much memory it has.\n";
  }
  return fmt::format("This machine has {} available: {} of the {} fit{}.\n",
                     in_gib(static_cast<double>(available)), fitting, rows,
                     fitting == 0 ? "" : " (marked *)");
}

}  // namespace

std::string memory_model_table(const std::string& model, const TrainingSetup& whole,
                               const TrainingSetup& adapters, const MemoryModelRows& rows,
                               int threads, std::size_t available) {
  const std::size_t parameters = memory_model(whole, threads).parameters;
  std::string text =
      fmt::format("{}: {:.1f} million parameters, {}; {} x {} tokens, {} thread{}{}\n\n", model,
                  static_cast<double>(parameters) / 1e6, name_of(whole.dtype), whole.batch,
                  whole.length, threads, threads == 1 ? "" : "s",
                  rows.checkpointing_fixed && whole.checkpointing ? ", checkpointing" : "");
  const std::vector<Row> table = rows_of(whole, adapters, rows);
  std::size_t label = 0;
  for (const Row& row : table) {
    label = std::max(label, row.name.size());
  }
  text += std::string(label, ' ');
  for (std::size_t i = 0; i < kTrainingPurposes; ++i) {
    text += fmt::format("{:>{}}", kPurposeNames[i], column_width(kPurposeNames[i]));
  }
  text += fmt::format("{:>{}}{:>6}\n", "total", column_width("total"), "k");
  std::size_t fitting = 0;
  for (const Row& row : table) {
    const MemoryModel predicted = memory_model(row.setup, threads);
    text += fmt::format("{:<{}}", row.name, label);
    for (std::size_t i = 0; i < kTrainingPurposes; ++i) {
      text += fmt::format("{:>{}}", size_text(predicted.bytes[i]), column_width(kPurposeNames[i]));
    }
    const bool fits = available > 0 && predicted.total() <= static_cast<double>(available);
    fitting += fits ? 1 : 0;
    text += fmt::format("{:>{}}{:>6.2f}{}\n", size_text(predicted.total()), column_width("total"),
                        predicted.rule_of_thumb(), fits ? " *" : "");
  }
  text += fmt::format(
      "\nk: the total is k P b, with P = {} parameters of b = {} bytes. Without the program's own\n"
      "code and libraries, about 0.1 GiB.\n",
      parameters, bytes_of(whole.dtype));
  return text + fit_line(available, fitting, table.size());
}

std::string memory_model_answer(const std::string& model, const Options& options) {
  const Settings settings = settings_from(model, options);
  const MemoryModelRows rows{.optimizer_fixed = options.count("optimizer") > 0,
                             .checkpointing_fixed = options.count("checkpointing") > 0};
  return memory_model_table(shape_name(settings), training_setup(Trained::model, settings),
                            training_setup(Trained::adapters, settings), rows,
                            use_threads(settings.count("threads")), available_memory());
}

}  // namespace perf::workloads
