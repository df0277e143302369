#include "workloads/kernels/embedding.h"

#include "tests/workloads/threads.h"
#include "tests/workloads/typed_values.h"

namespace perf::workloads {
namespace {

template <class T>
class Embedding : public testing::Test {};
TYPED_TEST_SUITE(Embedding, StorageTypes);

constexpr std::size_t kVocabulary = 11;

// Every token several times, in no order; token 10 never.
std::vector<int> some_tokens(std::size_t rows) {
  std::vector<int> tokens;
  for (std::size_t row = 0; row < rows; ++row) {
    tokens.push_back(static_cast<int>(row * row % 10));
  }
  return tokens;
}

TYPED_TEST(Embedding, CopiesTheRowsThatTokensName) {
  using T = TypeParam;
  const std::size_t width = 37;
  const auto table = typed_values<T>(kVocabulary * width, 1);
  const std::vector<int> tokens = {10, 0, 3, 3};
  std::vector<T> out(tokens.size() * width);
  embed(table.data(), tokens.data(), tokens.size(), width, out.data());
  const std::vector<double> from = widened(table), got = widened(out);
  for (std::size_t row = 0; row < tokens.size(); ++row) {
    for (std::size_t i = 0; i < width; ++i) {
      ASSERT_EQ(got[row * width + i], from[static_cast<std::size_t>(tokens[row]) * width + i]);
    }
  }
}

TYPED_TEST(Embedding, AddsUpRepeatedTokensAndRoundsOnce) {
  using T = TypeParam;
  for (const std::size_t width : {1, 37, 1025, 2500}) {
    const std::size_t rows = 53;
    const std::vector<int> tokens = some_tokens(rows);
    const auto grad = typed_values<T>(rows * width, 2);
    auto grad_table = typed_values<T>(kVocabulary * width, 3);
    std::vector<double> want = widened(grad_table);
    const std::vector<double> terms = widened(grad);
    for (std::size_t i = 0; i < terms.size(); ++i) {
      want[static_cast<std::size_t>(tokens[i / width]) * width + i % width] += terms[i];
    }
    embed_backward(grad.data(), tokens.data(), rows, width, grad_table.data());
    // At most 20 terms below one, added in single precision.
    expect_rounded(grad_table, want, 1e-6);
  }
}

// Small gradients of a token that fills a batch: each alone is less than half a last place of the
// row's 1, all of them are not. More rows than are added up at once.
TYPED_TEST(Embedding, LosesNoSmallTerms) {
  using T = TypeParam;
  const std::size_t rows = 2 * kEmbeddingChunk + 100, width = 3;
  const std::vector<int> tokens(rows, 4);
  const std::vector<T> grad(rows * width, narrow<T>(0x1p-13F));
  std::vector<T> grad_table(kVocabulary * width, narrow<T>(1));
  embed_backward(grad.data(), tokens.data(), rows, width, grad_table.data());
  const double want = 1 + static_cast<double>(rows) * 0x1p-13;
  for (std::size_t i = 0; i < width; ++i) {
    EXPECT_NEAR(widened(grad_table)[4 * width + i], want, 3 * want * kRounding<T>);
  }
}

TYPED_TEST(Embedding, DoesNotDependOnThreads) {
  using T = TypeParam;
  const std::size_t rows = 97, width = 259;
  const auto grad = typed_values<T>(rows * width, 5);
  const std::vector<int> tokens = some_tokens(rows);
  expect_same_on_any_threads([&] {
    std::vector<T> grad_table(kVocabulary * width);
    embed_backward(grad.data(), tokens.data(), rows, width, grad_table.data());
    return widened(grad_table);
  });
}

}  // namespace
}  // namespace perf::workloads
