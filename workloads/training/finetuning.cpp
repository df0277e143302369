#include "workloads/training/finetuning.h"

#include <stdexcept>

#include "workloads/training/decoder_training.h"

namespace perf::workloads {

namespace {

void reject_conflicts(const TrainingSetup& setup) {
  if (setup.batch < 1 || setup.length < 1) {
    throw std::invalid_argument("a batch of no tokens");
  }
  if (setup.loss_rows < 1) {
    throw std::invalid_argument("logits of no rows");
  }
  if (setup.lora.rank < 0) {
    throw std::invalid_argument("a negative rank");
  }
  if (setup.state_dtype != DType::fp32 && setup.state_dtype != setup.dtype) {
    throw std::invalid_argument("optimizer states in " + name_of(setup.state_dtype) +
                                " beside weights in " + name_of(setup.dtype) +
                                ": take fp32 or the weights' own type");
  }
}

}  // namespace

std::unique_ptr<Finetuning> Finetuning::make(const TrainingSetup& setup, std::uint64_t seed,
                                             Ledger& memory, const ParameterSource* weights) {
  reject_conflicts(setup);
  switch (setup.dtype) {
    case DType::fp32:
      return std::make_unique<DecoderTraining<float>>(setup, seed, memory, weights);
    case DType::bf16:
      return std::make_unique<DecoderTraining<Bf16>>(setup, seed, memory, weights);
    case DType::fp16:
      break;
  }
  return std::make_unique<DecoderTraining<Fp16>>(setup, seed, memory, weights);
}

}  // namespace perf::workloads
