#include "workloads/program/run_command.h"

#include <algorithm>
#include <utility>

#include "workloads/program/emitted.h"
#include "workloads/program/environment.h"
#include "workloads/program/error.h"
#include "workloads/program/memory.h"
#include "workloads/program/plant.h"
#include "workloads/program/sweep_table.h"
#include "workloads/program/table.h"

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
  if (options.count("steps") > 0) {
    wanted.steps = own.steps;
  }
  if (options.count("warmup") > 0) {
    wanted.warmup = own.warmup;
  }
  if (options.count("seed") > 0) {
    wanted.seed = own.seed;
  }
  return wanted;
}

std::string size_of(const Options& options) {
  const auto found = options.find("size");
  return found != options.end() ? found->second : "ci";
}

// The parameters that tell one series from another. How often it was timed, and from which seed,
// is not among them: the collector varies both from one invocation to the next. What is planted
// is said on the environment line instead: it is to be taken for the same series, only worse.
perf_compare::Fields identity(const Settings& settings, const std::string& size) {
  perf_compare::Fields fields = {{"size", size}};
  for (const auto& [name, value] : settings.fields()) {
    if (name != "steps" && name != "warmup" && name != "seed" && name != "plant-slowdown" &&
        name != "plant-allocation") {
      fields.emplace_back(name, value);
    }
  }
  return fields;
}

}  // namespace

bool lacks_energy(const Workload& workload, const perf_compare::StepEmitter& measured) {
  const std::vector<std::string>& names = workload.metrics_of_some_machines;
  return std::any_of(names.begin(), names.end(),
                     [&](const std::string& name) { return !metric_value(measured, name); });
}

RunRequest read_run_request(const Workload& workload, const Options& all_options) {
  Options options = all_options;
  const std::string size = size_of(options);
  options.erase("size");
  const Settings settings(all_parameters(workload), size_from(size), options);
  return {.settings = settings,
          .wanted = wanted_counts(settings, options),
          .identity = identity(settings, size)};
}

std::vector<NamedRequest> read_run_requests(const Workload& workload, const Options& options) {
  RunRequest whole = read_run_request(workload, options);
  std::vector<Series> series;
  if (workload.series != nullptr) {
    series = workload.series(whole.settings);
  }
  if (series.size() <= 1) {
    return {{workload.name, std::move(whole)}};
  }
  std::vector<NamedRequest> requests;
  for (const Series& one : series) {
    const Settings own = whole.settings.with(one.settings);
    requests.push_back({one.name, {own, whole.wanted, identity(own, size_of(options))}});
  }
  return requests;
}

perf_compare::StepEmitter run_series(const Workload& workload, const std::string& name,
                                     const RunRequest& request) {
  const int threads = use_threads(request.settings.count("threads"));
  perf_compare::StepEmitter out(request.wanted, name, request.identity);
  describe_environment(threads, out);
  const Planted plants = planted(request.settings);
  describe_plants(plants, out);
  out.plant_slowdown(plants.slowdown);
  const PlantedMemory planted_memory(plants.allocation);
  workload.run(request.settings, out);
  out.finish();
  return out;
}

std::vector<perf_compare::StepEmitter> run_workload(const Workload& workload,
                                                    const Options& options) {
  const std::vector<NamedRequest> requests = read_run_requests(workload, options);
  keep_freed_memory();
  std::vector<perf_compare::StepEmitter> measured;
  measured.reserve(requests.size());
  for (const auto& [name, request] : requests) {
    measured.push_back(run_series(workload, name, request));
  }
  return measured;
}

std::string run_answer(const Workload& workload, const Options& options) {
  const std::vector<Parameter> parameters = all_parameters(workload);
  const std::vector<perf_compare::StepEmitter> measured = run_workload(workload, options);
  std::string text;
  for (const perf_compare::StepEmitter& out : measured) {
    text += (text.empty() ? "" : "\n") +
            run_table(out, parameters, out.workload() == workload.name ? "" : workload.name + "/");
  }
  if (const std::string sweep = sweep_table(measured); !sweep.empty()) {
    text += "\n" + sweep;
  }
  if (lacks_energy(workload, measured.front())) {
    text += kNoEnergy;
  }
  return text;
}

}  // namespace perf::workloads
