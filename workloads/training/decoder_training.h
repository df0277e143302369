#pragma once

#include "workloads/training/attention_block.h"
#include "workloads/training/finetuning.h"
#include "workloads/training/mlp_block.h"
#include "workloads/training/output_head.h"
#include "workloads/training/training_memory.h"

namespace perf::workloads {

/// Finetuning in the storage type T: float, Bf16 or Fp16.
template <class T>
class DecoderTraining final : public Finetuning {
 public:
  DecoderTraining(const TrainingSetup& setup, std::uint64_t seed, Ledger& memory,
                  const ParameterSource* weights);

  void forward() override;
  double loss() override;
  void backward() override;
  void update() override;

  double operations() const override;
  const TrainingSetup& setup() const override { return setup_; }
  const std::vector<int>& tokens() const override { return tokens_; }
  const std::vector<int>& targets() const override { return targets_; }

  using Finetuning::parameters;
  std::vector<float> parameters(std::size_t offset, std::size_t count) const override;
  std::vector<float> adapters() const override;
  using Finetuning::gradients;
  std::vector<float> gradients(std::size_t offset, std::size_t count) const override;
  std::vector<float> layer_input(int layer) const override;
  std::vector<float> logits(std::size_t row) override;
  using Finetuning::set_trained;
  void set_trained(std::size_t offset, const std::vector<float>& values) override;

 private:
  TrainingSetup setup_;
  GradientReach reach_;
  std::vector<int> tokens_, targets_;  // (batch,length)
  TrainingMemory<T> arrays_;
  Products<T> products_;
  LayerProducts<T> layer_products_;
  AttentionBlock<T> attention_;
  MlpBlock<T> mlp_;
  OutputHead<T> head_;
  int step_ = 0;
};

}  // namespace perf::workloads
