// A step must not allocate: the allocator's mood, and its page faults, would be part of the timing.
#include <gtest/gtest.h>
#include <omp.h>

#include <atomic>
#include <cstdlib>
#include <memory>
#include <new>

#include "workloads/decoder/decoder_check_small.h"
#include "workloads/inference/generation.h"
#include "workloads/kernels/causal_attention.h"
#include "workloads/kernels/products.h"
#include "workloads/kernels/random.h"
#include "workloads/kernels/sampler.h"
#include "workloads/kernels/weight_products.h"
#include "workloads/quantization/in_memory.h"
#include "workloads/quantization/synthetic_model.h"
#include "workloads/training/finetuning_check.h"
#include "workloads/training/mlp_stack.h"

// GCC sees malloc and free once it has inlined these, and takes them for a mismatch.
#ifdef __GNUC__
#pragma GCC diagnostic ignored "-Wmismatched-new-delete"
#endif

namespace {
std::atomic<long> allocations{0};
}

void* operator new(std::size_t size) {
  ++allocations;
  if (void* memory = std::malloc(size > 0 ? size : 1)) {
    return memory;
  }
  throw std::bad_alloc();
}
void operator delete(void* memory) noexcept {
  std::free(memory);
}
void operator delete(void* memory, std::size_t) noexcept {
  std::free(memory);
}

namespace perf::workloads {
namespace {

// Allocations of a call after the first, which may set up what libraries keep.
template <class Call>
long allocations_of(Call call) {
  call();
  const long before = allocations;
  call();
  return allocations - before;
}

TEST(Allocation, TrainingStepHasNone) {
  for (const Backend backend : {Backend::openblas, Backend::reference}) {
    MlpStack stack({.layers = 2, .hidden = 64, .tokens = 64}, backend, 1);
    EXPECT_EQ(allocations_of([&] {
                stack.forward();
                stack.loss();
                stack.backward();
                stack.update({});
              }),
              0);
  }
}

// oneDNN puts the arguments of each call into a map: a handful of small nodes, whatever the shape.
template <class T>
void expect_no_allocations(Backend backend, const Gemm& shape) {
  Ledger counted;
  Products<T>(backend, counted);
  Ledger memory(counted);
  Products<T> products(backend, memory);
  const auto size = [](int rows, int columns) { return static_cast<std::size_t>(rows) * columns; };
  const std::vector<T> a(size(shape.m, shape.k)), b(size(shape.k, shape.n));
  std::vector<T> c(size(shape.m, shape.n));
  const Gemm other{.m = 9, .n = 5, .k = 7};
  products.multiply(other, a.data(), b.data(), c.data());
  EXPECT_LE(allocations_of([&] {
              products.multiply(shape, a.data(), b.data(), c.data());
              products.multiply(other, a.data(), b.data(), c.data());
            }),
            backend == Backend::onednn ? 2 * 8 : 0);
}

TEST(Allocation, ProductsHaveNone) {
  const Gemm plain{.m = 300, .n = 200, .k = 100};
  const Gemm adding{.m = 600, .n = 200, .k = 100, .transpose_b = true, .beta = 1};
  for (const std::string& name : backend_names()) {
    const Backend backend = backend_from(name);
    for (const Gemm& shape : {plain, adding}) {
      expect_no_allocations<float>(backend, shape);
      expect_no_allocations<Bf16>(backend, shape);
      expect_no_allocations<Fp16>(backend, shape);
    }
  }
}

TEST(Allocation, WeightProductsHaveNone) {
  constexpr std::size_t kRows = 40, kColumns = 96, kOutputs = 70;
  for (const std::string& backend : backend_names()) {
    for (const std::string& type : weight_type_names()) {
      const auto make = [&](Ledger& ledger) {
        return std::make_unique<WeightProducts>(backend_from(backend), weight_type_from(type),
                                                kRows, kColumns, kOutputs, ledger);
      };
      Ledger counted;
      WeightMatrix::take(weight_type_from(type), kOutputs, kColumns, counted);
      make(counted);
      Ledger memory(counted);
      const WeightMatrix weights =
          WeightMatrix::take(weight_type_from(type), kOutputs, kColumns, memory);
      const std::unique_ptr<WeightProducts> products = make(memory);
      const std::vector<float> in(kRows * kColumns);
      std::vector<float> out(kRows * kOutputs);
      EXPECT_LE(allocations_of([&] {
                  products->multiply(weights, in.data(), kRows, 1, out.data());
                  products->multiply(weights, in.data(), 1, 0, out.data());
                }),
                // The loops of the reference hold one unpacked row.
                backend == "onednn" ? 8 : (backend == "reference" ? 1 : 0))
          << backend << ", " << type;
    }
  }
}

TEST(Allocation, AttentionHasNone) {
  const QkvRows shape{.sequences = 2, .length = 70, .heads = 4, .kv_heads = 2, .size = 16};
  Ledger counted;
  CausalAttention<Bf16>(shape, counted);
  Ledger memory(counted);
  CausalAttention<Bf16> attention(shape, memory);
  const std::vector<Bf16> qkv(shape.rows() * shape.width());
  std::vector<Bf16> out(shape.rows() * shape.query_width()), grad_qkv(qkv.size());
  std::vector<float> log_sums(shape.heads * shape.rows());
  EXPECT_EQ(allocations_of([&] {
              attention.forward(qkv.data(), out.data(), log_sums.data());
              attention.backward(qkv.data(), out.data(), log_sums.data(), out.data(),
                                 grad_qkv.data());
            }),
            0);
}

TEST(Allocation, SamplerHasNone) {
  for (const std::string& name : sampling_method_names()) {
    for (const int k : {50, 5000}) {  // among few candidates, and by a cutoff
      const SamplingOptions options{.method = sampling_method_from(name), .top_k = k};
      constexpr std::size_t kVocabulary = 20'000;
      Ledger counted;
      Sampler(options, kVocabulary, counted);
      Ledger memory(counted);
      Sampler sampler(options, kVocabulary, memory);
      std::vector<float> logits(kVocabulary);
      fill_normal(logits.data(), kVocabulary, 1, 2);
      EXPECT_EQ(allocations_of([&] { sampler.choose(logits.data(), 0.5); }), 0) << name;
    }
  }
}

TEST(Allocation, FinetuningStepHasNone) {
  for (const DType dtype : {DType::fp32, DType::bf16, DType::fp16}) {
    for (const int rank : {0, 4}) {
      for (const bool checkpointing : {false, true}) {
        TrainingSetup setup;
        setup.dtype = dtype;
        setup.lora.rank = rank;
        setup.checkpointing = checkpointing;
        SmallFinetuning small(small_setup(setup), 1);
        EXPECT_EQ(allocations_of([&] {
                    small.model().forward();
                    small.model().loss();
                    small.model().backward();
                    small.model().update();
                  }),
                  0)
            << name_of(dtype) << " rank " << rank << (checkpointing ? " checkpointing" : "");
      }
    }
  }
}

// With OpenBLAS: oneDNN allocates a few small nodes a call.
TEST(Allocation, GenerationHasNone) {
  for (const WeightType weights : {WeightType::fp32, WeightType::bf16, WeightType::int4}) {
    DecoderSetup timed;
    timed.shape = model_shape("micro");
    timed.weights = weights;
    timed.cache = default_cache(weights);
    timed.sequences = 2;
    const DecoderSetup setup = small_setup(timed);
    DecoderInMemory model(setup, SmallParameters(setup.shape, 1));
    for (const bool cached : {true, false}) {
      Generation generation(model.decoder(),
                            {.prompt = 24, .new_tokens = 8, .sampling = {}, .cached = cached}, 1);
      perf_compare::StepEmitter out(perf_compare::Wanted{2, 0, 1}, "w", {});
      EXPECT_EQ(allocations_of([&] {
                  out.next_step();
                  generation.run(out);
                }),
                0);
    }
  }
}

TEST(Allocation, QuantizationHasNone) {
  const SyntheticTensors source({.layers = 1, .hidden = 64, .intermediate = 128, .vocabulary = 100},
                                1);
  for (const CodeType type : {CodeType::int8, CodeType::int4, CodeType::int2, CodeType::nf4}) {
    for (const std::size_t group : {0, 32}) {
      InMemoryQuantization model(source, {type, group});
      perf_compare::StepEmitter out(perf_compare::Wanted{2, 0, 1}, "w", {});
      EXPECT_EQ(allocations_of([&] {
                  out.next_step();
                  model.step(out);
                }),
                0);
    }
  }
}

}  // namespace
}  // namespace perf::workloads
