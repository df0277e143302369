#include "workloads/program/run_command.h"

#include <algorithm>

#include "workloads/program/environment.h"
#include "workloads/program/error.h"
#include "workloads/program/memory.h"
#include "workloads/program/plant.h"

namespace perf::workloads {

namespace {

using Options = std::map<std::string, std::string>;

// Options win over PERF_COMPARE_*, which win over the size's defaults.
perf_compare::Wanted wanted_counts(const Settings& settings, const Options& options) {
  const perf_compare::Wanted own{.steps = settings.count("steps"),
                                 .warmup = settings.count("warmup"),
                                 .seed = static_cast<std::uint64_t>(settings.integer("seed"))};
  perf_compare::Wanted wanted;
  try {
    wanted = perf_compare::wanted_from_environment(own);
  } catch (const std::invalid_argument& error) {
    throw Error("bad environment", error.what(), "unset it, or give a whole number");
  }
  if (options.count("steps") > 0)
    wanted.steps = own.steps;
  if (options.count("warmup") > 0)
    wanted.warmup = own.warmup;
  if (options.count("seed") > 0)
    wanted.seed = own.seed;
  return wanted;
}

// The parameters that tell one series from another. How often it was timed, and from which seed,
// is not among them: the collector varies both from one invocation to the next. What is planted
// is said on the environment line instead: it is to be taken for the same series, only worse.
perf_compare::Fields identity(const Settings& settings, const std::string& size) {
  perf_compare::Fields fields = {{"size", size}};
  for (const auto& [name, value] : settings.fields()) {
    if (name != "steps" && name != "warmup" && name != "seed" && name != "plant-slowdown" &&
        name != "plant-allocation")
      fields.emplace_back(name, value);
  }
  return fields;
}

}  // namespace

RunRequest read_run_request(const Workload& workload, const Options& all_options) {
  Options options = all_options;
  std::string size = "ci";
  if (const auto found = options.find("size"); found != options.end()) {
    size = found->second;
    options.erase(found);
  }
  std::vector<Parameter> parameters = workload.parameters;
  for (Parameter& parameter : common_parameters())
    parameters.push_back(std::move(parameter));
  const Settings settings(parameters, size_from(size), options);
  return {.settings = settings,
          .wanted = wanted_counts(settings, options),
          .identity = identity(settings, size)};
}

perf_compare::StepEmitter run_workload(const Workload& workload, const Options& options) {
  const auto [settings, wanted, params] = read_run_request(workload, options);
  keep_freed_memory();
  const int threads = use_threads(settings.count("threads"));
  perf_compare::StepEmitter out(wanted, workload.name, params);
  describe_environment(threads, out);
  const Planted plants = planted(settings);
  describe_plants(plants, out);
  out.plant_slowdown(plants.slowdown);
  const PlantedMemory planted_memory(plants.allocation);
  workload.run(settings, out);
  out.finish();
  return out;
}

}  // namespace perf::workloads
