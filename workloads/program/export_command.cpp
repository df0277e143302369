#include "workloads/program/export_command.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <stdexcept>
#include <vector>

#include "workloads/program/error.h"
#include "workloads/program/parameter.h"
#include "workloads/program/table.h"
#include "workloads/training/lora_choice.h"
#include "workloads/training/starting_point.h"

namespace perf::workloads {

namespace {

constexpr char kDefaultModel[] = "qwen2.5-0.5b";

std::vector<Parameter> export_parameters() {
  constexpr int kMostLayers = 1024;
  return {
      integer("seed", {1, 1, 1}, 0, 2'147'483'647, "as the workloads have it"),
      choice("dtype", {"fp32", "bf16", "fp16"}, "of the weights and adapters"),
      integer("batch", {0, 0, 0}, 0, 65536, "sequences of tokens and targets; 0: none"),
      integer("length", {0, 0, 0}, 0, 1'000'000, "tokens of a sequence"),
      integer("lora-rank", {8, 8, 8}, 1, 4096, "of each adapter"),
      text(
          "lora-targets", "q,v", [](const std::string& list) { lora_targets_from(list); },
          "maps with an adapter"),
      text(
          "lora-layers", "all",
          [](const std::string& list) { lora_layers_from(list, kMostLayers); },
          "layers with adapters"),
      choice("force", {"off", "on"}, "replace the file where it exists"),
  };
}

ModelShape named_shape(const std::string& name) {
  try {
    return model_shape(name);
  } catch (const std::invalid_argument&) {
    throw Error("no such model", name, nearest(name, model_names()));
  }
}

// Adapters are wanted where something was said about them.
bool asks_for_adapters(const std::map<std::string, std::string>& options) {
  return std::any_of(options.begin(), options.end(),
                     [](const auto& option) { return option.first.compare(0, 4, "lora") == 0; });
}

LoraOptions adapters_from(const Settings& settings, int layers) {
  LoraOptions lora{.rank = settings.count("lora-rank"),
                   .targets = lora_targets_from(settings.text("lora-targets")),
                   .layers = {}};
  const std::string& chosen = settings.text("lora-layers");
  try {
    lora.layers = lora_layers_from(chosen, layers);
  } catch (const std::invalid_argument& error) {
    throw Error("the model has no such layer", "--lora-layers " + chosen, error.what());
  }
  return lora;
}

void require_replaceable(const std::string& file, bool force) {
  std::error_code unknown;
  if (!std::filesystem::exists(file, unknown))
    return;
  if (!std::filesystem::is_regular_file(file, unknown))
    throw Error("not a file to replace", file, "another name");
  if (!force)
    throw Error("the file exists already", file, "another name, or --force to replace it");
}

}  // namespace

void require_room(const std::string& file, std::uint64_t bytes) {
  const std::filesystem::path folder = std::filesystem::absolute(file).parent_path();
  std::error_code unknown;
  const std::filesystem::space_info space = std::filesystem::space(folder, unknown);
  if (unknown)  // no such folder, above all: opening the file will say so
    return;
  if (space.available < bytes)
    throw std::runtime_error(fmt::format("no room for {}: it takes {}, and {} has {} left", file,
                                         scaled(static_cast<double>(bytes), "B"), folder.string(),
                                         scaled(static_cast<double>(space.available), "B")));
}

std::string export_answer(const std::string& model, const std::string& file,
                          const std::map<std::string, std::string>& options) {
  const Settings settings(export_parameters(), Size::full, options);
  StartingPoint start;
  start.model = model.empty() ? kDefaultModel : model;
  start.shape = named_shape(start.model);
  start.dtype = dtype_from(settings.text("dtype"));
  start.seed = static_cast<std::uint64_t>(settings.integer("seed"));
  start.batch = static_cast<std::size_t>(settings.integer("batch"));
  start.length = static_cast<std::size_t>(settings.integer("length"));
  if ((start.batch == 0) != (start.length == 0))
    throw Error("half of a batch", fmt::format("--batch {} --length {}", start.batch, start.length),
                "both, or neither");
  if (asks_for_adapters(options))
    start.lora = adapters_from(settings, start.shape.layers);
  require_replaceable(file, settings.text("force") == "on");

  const std::vector<SafetensorsEntry> tensors = tensors_of(start);
  std::uint64_t expected = 0;
  for (const SafetensorsEntry& tensor : tensors)
    expected += tensor.bytes();
  require_room(file, expected);
  const std::uint64_t bytes = write_starting_point(start, file);
  return fmt::format("{}: {} tensors, {} bytes ({}): {}, {}, seed {}\n", file, tensors.size(),
                     bytes, scaled(static_cast<double>(bytes), "B"), start.model,
                     name_of(start.dtype), start.seed);
}

}  // namespace perf::workloads
