#include "workloads/inference/inference_parameters.h"

#include <algorithm>
#include <utility>

#include "workloads/kernels/weight_products.h"
#include "workloads/program/backend_parameter.h"
#include "workloads/program/environment.h"

namespace perf::workloads {

namespace {

constexpr std::size_t kMebi = 1 << 20;

// "auto", or the name of a dtype.
std::vector<std::string> cache_choices() {
  std::vector<std::string> choices = dtype_names();
  choices.insert(choices.begin(), "auto");
  return choices;
}

}  // namespace

std::vector<Parameter> model_parameters(bool reads_memory) {
  std::vector<Parameter> parameters = {
      model_parameter(),
      checkpoint_parameter(),
      choice("weights", weight_type_names(), "how the matrices are stored"),
      choice("cache-dtype", cache_choices(),
             "of keys and values; auto: fp32 or bf16 as the weights, else fp16"),
      backend_parameter({"auto"}),
  };
  if (reads_memory) {
    parameters.push_back(
        integer("read-probe-size", {16, 16, 256}, 0, 65536,
                "MiB read, at most the weights', to see how fast memory is; 0: none"));
  }
  for (Parameter& parameter : shape_parameters()) {
    parameters.push_back(std::move(parameter));
  }
  return parameters;
}

std::vector<Parameter> sampling_parameters() {
  return {
      choice("sampling", sampling_method_names(), {"top-p", "top-p", "top-p"},
             "which tokens may be drawn"),
      real("temperature", 0.7, 0.01, 100, "logits are divided by it"),
      integer("top-k", {50, 50, 50}, 1, 1'000'000, "that many may be drawn by top-k"),
      real("top-p", 0.9, 1e-6, 1, "what those drawn by top-p have of the probability"),
  };
}

DecoderSetup decoder_setup(const Settings& settings, const ParameterSource& source) {
  DecoderSetup setup;
  setup.shape = source.shape();
  setup.weights = weight_type_from(settings.text("weights"));
  const std::string& cache = settings.text("cache-dtype");
  setup.cache = cache == "auto" ? default_cache(setup.weights) : dtype_from(cache);
  const std::string& backend = settings.text("backend");
  setup.backend = backend == "auto" ? best_backend(setup.weights) : backend_from(backend);
  return setup;
}

void describe_setup(const Settings& settings, const DecoderSetup& setup,
                    perf_compare::StepEmitter& out) {
  out.begin_field("parameters", setup.shape.parameters());
  for (const std::string& name : backend_names()) {
    if (backend_from(name) == setup.backend) {
      out.environment("backend", name);
    }
  }
  out.environment("cache-dtype", name_of(setup.cache));
  describe_products(setup.backend, DType::fp32, out);
  const DType products = product_type(setup.backend, setup.weights);
  if (setup.weights != WeightType::fp32) {
    out.environment("products", products == DType::fp32 ? "widened to fp32" : name_of(products));
  }
  if (const std::string name = shape_name(settings); name != settings.text("model")) {
    out.environment("model", name);
  }
}

SamplingOptions sampling_options(const Settings& settings) {
  return {.method = sampling_method_from(settings.text("sampling")),
          .temperature = settings.real("temperature"),
          .top_k = settings.count("top-k"),
          .top_p = settings.real("top-p")};
}

std::size_t read_probe_bytes(const Settings& settings, const Ledger& memory) {
  return std::min(static_cast<std::size_t>(settings.integer("read-probe-size")) * kMebi,
                  memory.bytes(Purpose::weights));
}

}  // namespace perf::workloads
