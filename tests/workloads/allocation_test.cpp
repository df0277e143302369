// A step must not allocate: the allocator's mood, and its page faults, would be part of the timing.
#include <gtest/gtest.h>
#include <omp.h>

#include <atomic>
#include <cstdlib>
#include <new>

#include "workloads/inference/generation.h"
#include "workloads/quantization/int8_model.h"
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
  if (void* memory = std::malloc(size > 0 ? size : 1))
    return memory;
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

TEST(Allocation, GenerationHasNone) {
  const DecoderShape shape{.layers = 2,
                           .hidden = 64,
                           .heads = 4,
                           .kv_heads = 2,
                           .intermediate = 96,
                           .vocabulary = 200,
                           .context = 24};
  Decoder decoder(shape, Backend::openblas, omp_get_max_threads(), 1);
  Generation generation(decoder, 16, 8, {}, 1);
  perf_compare::StepEmitter out(perf_compare::Wanted{2, 0, 1}, "w", {});
  EXPECT_EQ(allocations_of([&] {
              out.next_step();
              generation.run(out);
            }),
            0);
}

TEST(Allocation, QuantizationHasNone) {
  Int8Model model({.layers = 1, .hidden = 64, .intermediate = 128, .vocabulary = 100}, 1);
  EXPECT_EQ(allocations_of([&] { model.quantize("mlp"); }), 0);
}

}  // namespace
}  // namespace perf::workloads
