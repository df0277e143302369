#include "workloads/commands/inference_answers.h"

#include <array>

#include "workloads/commands/answers_by_kind.h"
#include "workloads/decoder/decoder_in_memory.h"
#include "workloads/inference/inference_parameters.h"

namespace perf::workloads {

namespace {

using perf_compare::Fields;
using Tensors = std::vector<NamedTensor>;

const std::array<InferenceAnswers, 3>& all_answers() {
  static const std::array<InferenceAnswers, 3> all = {forward_answers(), generation_answers(),
                                                      sampling_answers()};
  return all;
}

}  // namespace

std::int32_t bits_of(double unit) {
  return static_cast<std::int32_t>(static_cast<std::uint32_t>(unit * 0x1p32));
}

std::size_t counted(const DecoderSetup& setup) {
  Ledger memory;
  count_memory(setup, memory);
  return memory.total();
}

ModelShape shape_of(const RunRequest& request) {
  return parameter_source(request.settings, request.wanted.seed)->shape();
}

Fields decoder_fields(const char* kind, const DecoderSetup& setup, std::size_t length) {
  Ledger memory;
  const double operations = Decoder(setup, memory).operations(length);
  return {{"kind", kind},
          {"weights", name_of(setup.weights)},
          {"cache_dtype", name_of(setup.cache)},
          {"sequences", setup.sequences},
          {"length", length},
          {"capacity", setup.capacity},
          {"parameters", setup.shape.parameters()},
          {"operations", operations}};
}

void add_sampling(const SamplingOptions& options, Fields& fields) {
  fields.emplace_back("method", name_of(options.method));
  fields.emplace_back("temperature", options.temperature);
  fields.emplace_back("top_k", options.top_k);
  fields.emplace_back("top_p", options.top_p);
}

const InferenceAnswers* inference_answers(const std::string& workload) {
  for (const InferenceAnswers& answers : all_answers()) {
    if (workload == answers.workload) {
      return &answers;
    }
  }
  return nullptr;
}

std::vector<std::string> inference_answer_names() {
  std::vector<std::string> names;
  for (const InferenceAnswers& answers : all_answers()) {
    names.emplace_back(answers.workload);
  }
  return names;
}

std::vector<NamedTensor> tensors_of_series(const std::vector<NamedRequest>& series,
                                           Tensors (*tensors)(const RunRequest& request)) {
  Tensors all;
  for (const auto& [name, request] : series) {
    for (NamedTensor& tensor : tensors(request)) {
      tensor.name = name + "/" + tensor.name;
      all.push_back(std::move(tensor));
    }
  }
  return all;
}

}  // namespace perf::workloads
