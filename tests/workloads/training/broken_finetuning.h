#pragma once

#include <cstddef>
#include <functional>
#include <vector>

#include "workloads/training/finetuning.h"

namespace perf::workloads {

/// A model that tells everything as it is, but for what a test breaks.
class BrokenFinetuning : public Finetuning {
 public:
  explicit BrokenFinetuning(Finetuning& model) : model_(model) {}

  std::function<void(std::vector<float>&)> break_gradients, break_parameters, break_logits;
  std::function<void(int, std::vector<float>&)> break_layer_input;
  std::function<void(std::size_t offset, std::vector<float>&)> break_gradients_at;
  std::function<void(Finetuning&)> break_update;  ///< what runs in its place
  double loss_factor = 1;
  bool skip_update = false;

  void forward() override { model_.forward(); }
  double loss() override { return loss_factor * model_.loss(); }
  void backward() override { model_.backward(); }
  void update() override {
    if (break_update) {
      break_update(model_);
    } else if (!skip_update) {
      model_.update();
    }
    updated_ = true;
  }
  double operations() const override { return model_.operations(); }
  const TrainingSetup& setup() const override { return model_.setup(); }
  const std::vector<int>& tokens() const override { return model_.tokens(); }
  const std::vector<int>& targets() const override { return model_.targets(); }
  using Finetuning::parameters;
  std::vector<float> parameters(std::size_t offset, std::size_t count) const override {
    std::vector<float> values = model_.parameters(offset, count);
    if (break_parameters && updated_) {
      break_parameters(values);
    }
    return values;
  }
  std::vector<float> adapters() const override { return model_.adapters(); }
  using Finetuning::gradients;
  std::vector<float> gradients(std::size_t offset, std::size_t count) const override {
    std::vector<float> values = model_.gradients(offset, count);
    if (break_gradients) {
      break_gradients(values);
    }
    if (break_gradients_at) {
      break_gradients_at(offset, values);
    }
    return values;
  }
  std::vector<float> layer_input(int layer) const override {
    std::vector<float> values = model_.layer_input(layer);
    if (break_layer_input) {
      break_layer_input(layer, values);
    }
    return values;
  }
  std::vector<float> logits(std::size_t row) override {
    std::vector<float> values = model_.logits(row);
    if (break_logits) {
      break_logits(values);
    }
    return values;
  }
  using Finetuning::set_trained;
  void set_trained(std::size_t offset, const std::vector<float>& values) override {
    model_.set_trained(offset, values);
  }

 private:
  Finetuning& model_;
  bool updated_ = false;
};

}  // namespace perf::workloads
