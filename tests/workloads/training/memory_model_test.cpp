#include "workloads/training/memory_model.h"

#include <gtest/gtest.h>
#include <omp.h>

#include <functional>

#include "workloads/training/finetuning.h"

namespace perf::workloads {
namespace {

// The prediction for `setup` against what its code asks for.
double drift(const MemoryModel& predicted, const TrainingSetup& setup) {
  Ledger counted;
  Finetuning::make(setup, 1, counted);
  return memory_drift(predicted, counted);
}
double drift(const TrainingSetup& setup) {
  return drift(memory_model(setup, omp_get_max_threads()), setup);
}

TrainingSetup setup_of(const std::string& model) {
  TrainingSetup setup;
  setup.shape = model_shape(model);
  setup.length = 128;
  return setup;
}

LoraOptions lora(int rank, std::vector<Projection> targets, std::vector<bool> layers = {}) {
  return {.rank = rank, .alpha = 16, .targets = std::move(targets), .layers = std::move(layers)};
}

const std::vector<Projection> kAllTargets = {Projection::q,   Projection::k,    Projection::v,
                                             Projection::o,   Projection::gate, Projection::up,
                                             Projection::down};

using Change = std::function<void(TrainingSetup&)>;

// Every choice beside every other would be thousands; each of these lists is taken with the others
// at their first, and with all of them at their last.
const std::vector<std::vector<Change>> kChoices = {
    {[](TrainingSetup&) {}, [](TrainingSetup& s) { s.dtype = s.state_dtype = DType::bf16; },
     [](TrainingSetup& s) { s.dtype = s.state_dtype = DType::fp16; },
     [](TrainingSetup& s) {
       s.dtype = DType::fp16;
       s.state_dtype = DType::fp32;
     }},
    {[](TrainingSetup&) {}, [](TrainingSetup& s) { s.optimizer.kind = OptimizerKind::sgd; },
     [](TrainingSetup& s) { s.optimizer.kind = OptimizerKind::momentum; },
     [](TrainingSetup& s) { s.gradients_only = true; }},
    {[](TrainingSetup&) {},
     [](TrainingSetup& s) {
       s.lora = lora(8, {Projection::q, Projection::v});
     },
     [](TrainingSetup& s) { s.lora = lora(64, kAllTargets); },
     [](TrainingSetup& s) { s.lora = lora(8, {Projection::down}); },
     [](TrainingSetup& s) {
       s.lora = lora(16, {Projection::gate, Projection::o});
     },
     [](TrainingSetup& s) {
       std::vector<bool> last(s.shape.depth());
       last.back() = true;
       s.lora = lora(8, {Projection::k, Projection::up, Projection::down}, last);
     }},
    {[](TrainingSetup&) {}, [](TrainingSetup& s) { s.checkpointing = true; }},
    {[](TrainingSetup&) {}, [](TrainingSetup& s) { s.batch = 4; },
     [](TrainingSetup& s) { s.length = 777; },
     [](TrainingSetup& s) {
       s.batch = 3;
       s.length = 33;
     }},
    {[](TrainingSetup&) {}, [](TrainingSetup& s) { s.backend = Backend::eigen; },
     [](TrainingSetup& s) { s.backend = Backend::onednn; },
     [](TrainingSetup& s) { s.backend = Backend::reference; }},
};

// Padding of each array to 64 bytes is all that may differ: 2e-4 with the smallest. The smallest
// term, what attention keeps of each row, is 7e-4 of the activations.
constexpr double kClosedForm = 5e-4;

TEST(MemoryModel, PredictsWhatIsCountedForEveryChoice) {
  for (const char* model : {"micro", "tiny", "qwen2.5-0.5b", "qwen2.5-1.5b", "qwen2.5-3b",
                            "qwen2.5-7b", "llama-3.2-1b"}) {
    for (std::size_t varied = 0; varied < kChoices.size(); ++varied) {
      for (std::size_t i = 0; i < kChoices[varied].size(); ++i) {
        for (const bool others_last : {false, true}) {
          TrainingSetup setup = setup_of(model);
          for (std::size_t list = 0; list < kChoices.size(); ++list) {
            if (list != varied && others_last) {
              kChoices[list].back()(setup);
            }
          }
          kChoices[varied][i](setup);
          EXPECT_LT(drift(setup), kClosedForm) << model << ", list " << varied << ", choice " << i
                                               << ", others " << (others_last ? "last" : "first");
        }
      }
    }
  }
}

TEST(MemoryModel, PredictsOtherShapesAndThreads) {
  TrainingSetup setup = setup_of("micro");
  setup.shape.layers = 5;
  setup.shape.hidden = 200;
  setup.shape.heads = 6;
  setup.shape.kv_heads = 3;
  setup.shape.head_size = 40;
  setup.shape.intermediate = 333;
  setup.shape.vocabulary = 1001;
  const int threads = omp_get_max_threads();
  for (const int count : {1, 3, 7}) {
    omp_set_num_threads(count);
    EXPECT_LT(drift(setup), kClosedForm) << count;
  }
  omp_set_num_threads(threads);
}

TEST(MemoryModel, SeesAWrongTerm) {
  for (const bool adapters : {false, true}) {
    TrainingSetup setup = setup_of("qwen2.5-0.5b");
    if (adapters) {
      setup.lora = lora(8, {Projection::q, Projection::v});
    }
    const MemoryModel right = memory_model(setup, omp_get_max_threads());
    for (std::size_t purpose = 0; purpose < right.bytes.size(); ++purpose) {
      MemoryModel wrong = right;
      wrong.bytes[purpose] *= 1.5;
      // What is below a hundredth of the total may be wrong: it is too little to matter.
      const bool matters = right.bytes[purpose] > right.total() / 100;
      EXPECT_EQ(drift(wrong, setup) > 0.1, matters) << kPurposeNames[purpose];
    }
    TrainingSetup other = setup;
    other.checkpointing = true;
    EXPECT_GT(drift(memory_model(other, omp_get_max_threads()), setup), 0.1);
  }
}

TEST(MemoryModel, GivesTheRuleOfThumb) {
  TrainingSetup setup = setup_of("qwen2.5-0.5b");
  setup.length = 512;
  const MemoryModel model = memory_model(setup, 2);
  EXPECT_EQ(model.parameters, 494'032'768U);
  EXPECT_EQ(model.trained, model.parameters);
  // 1 weight, 1 gradient, 2 states, and activations.
  EXPECT_GT(model.rule_of_thumb(), 4.0);
  EXPECT_LT(model.rule_of_thumb(), 6.0);
  setup.lora = lora(8, {Projection::q, Projection::v});
  const MemoryModel adapters = memory_model(setup, 2);
  EXPECT_EQ(adapters.trained, 24U * 8 * ((896 + 896) + (896 + 128)));
  EXPECT_LT(adapters.rule_of_thumb(), 2.5);
}

}  // namespace
}  // namespace perf::workloads
