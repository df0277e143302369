#include "workloads/kernels/products.h"

#include <gtest/gtest.h>
#include <omp.h>

#include <cmath>
#include <optional>

#include "tests/workloads/typed_values.h"
#include "workloads/kernels/products_onednn.h"
#include "workloads/kernels/products_widened.h"

namespace perf::workloads {
namespace {

// With the memory that it needs.
template <class T>
class Multiplier {
 public:
  explicit Multiplier(Backend backend) : memory_(counted(backend)), products_(backend, memory_) {}

  Products<T>& operator*() { return products_; }
  const Ledger& memory() const { return memory_; }

 private:
  static Ledger counted(Backend backend) {
    Ledger counting;
    const Products<T> products(backend, counting);
    return Ledger(counting);
  }
  Ledger memory_;
  Products<T> products_;
};

std::vector<Backend> built_in() {
  std::vector<Backend> backends;
  for (const std::string& name : backend_names()) {
    backends.push_back(backend_from(name));
  }
  return backends;
}

std::size_t room(int rows, int stride) {
  return static_cast<std::size_t>(rows) * static_cast<std::size_t>(stride);
}

template <class T>
struct Case {
  Case(const Gemm& asked, std::uint32_t seed)
      : shape(asked),
        a(typed_values<T>(room(shape.transpose_a ? shape.k : shape.m, shape.row_a()), seed)),
        b(typed_values<T>(room(shape.transpose_b ? shape.n : shape.k, shape.row_b()), seed + 1)),
        c(typed_values<T>(room(shape.m, shape.row_c()), seed + 2)) {}

  double left(int i, int l) const {
    return widen(shape.transpose_a ? a[room(l, shape.row_a()) + static_cast<std::size_t>(i)]
                                   : a[room(i, shape.row_a()) + static_cast<std::size_t>(l)]);
  }
  double right(int l, int j) const {
    return widen(shape.transpose_b ? b[room(j, shape.row_b()) + static_cast<std::size_t>(l)]
                                   : b[room(l, shape.row_b()) + static_cast<std::size_t>(j)]);
  }

  Gemm shape;
  std::vector<T> a, b, c;
};

// Each value is within half a step of T of a number that is as near to the exact sum as sums in
// single precision are: k roundings of 2^-24 of partial sums whose size is about 1, and some for
// the last few. Values of C between its rows are left alone.
template <class T>
void expect_product(Products<T>& products, const Gemm& shape, std::uint32_t seed) {
  const Case<T> given(shape, seed);
  std::vector<T> got = given.c;
  products.multiply(shape, given.a.data(), given.b.data(), got.data());
  std::vector<double> want = widened(given.c);
  for (int i = 0; i < shape.m; ++i) {
    for (int j = 0; j < shape.n; ++j) {
      double& sum = want[room(i, shape.row_c()) + static_cast<std::size_t>(j)];
      sum *= static_cast<double>(shape.beta);
      for (int l = 0; l < shape.k; ++l) {
        sum += given.left(i, l) * given.right(l, j);
      }
    }
  }
  const double slack = 0x1p-24 * (8 + shape.k);
  expect_rounded(got, want, slack);
}

template <class T>
class ProductsOf : public testing::Test {};
TYPED_TEST_SUITE(ProductsOf, StorageTypes);

TYPED_TEST(ProductsOf, EveryFormMatchesDoubleSums) {
  for (const Backend backend : built_in()) {
    Multiplier<TypeParam> multiplier(backend);
    for (int form = 0; form < 16; ++form) {
      Gemm shape{.m = 37,
                 .n = 70,
                 .k = 129,
                 .transpose_a = (form & 1) != 0,
                 .transpose_b = (form & 2) != 0,
                 .beta = (form & 4) != 0 ? 1.0F : 0.0F};
      if ((form & 8) != 0) {
        shape.stride_a = shape.row_a() + 5;
        shape.stride_b = shape.row_b() + 16;
        shape.stride_c = shape.row_c() + 3;
      }
      SCOPED_TRACE(testing::Message() << static_cast<int>(backend) << " form " << form);
      expect_product(*multiplier, shape, static_cast<std::uint32_t>(form));
    }
  }
}

// Thin ones are what LoRA multiplies; the others cross the borders of the blocks that are widened.
TYPED_TEST(ProductsOf, ThinAndLargeShapesMatchDoubleSums) {
  constexpr int kRows = WidenedProducts::kRows, kDepth = WidenedProducts::kDepth,
                kColumns = WidenedProducts::kColumns;
  for (const Backend backend : built_in()) {
    Multiplier<TypeParam> multiplier(backend);
    for (const Gemm& shape : {Gemm{.m = 1, .n = 1, .k = 1}, Gemm{.m = 1, .n = 33, .k = 64},
                              Gemm{.m = 64, .n = 1, .k = 33}, Gemm{.m = 64, .n = 33, .k = 1},
                              Gemm{.m = 60, .n = 8, .k = 90, .transpose_b = true},
                              Gemm{.m = 60, .n = 90, .k = 8, .transpose_b = true, .beta = 1},
                              Gemm{.m = 8, .n = 90, .k = 60, .transpose_a = true},
                              Gemm{.m = kRows + 3, .n = 5, .k = 20, .beta = 1},
                              Gemm{.m = kRows + 3, .n = 5, .k = 20, .transpose_a = true},
                              Gemm{.m = 4, .n = kColumns + 2, .k = 20},
                              Gemm{.m = 4, .n = kColumns + 2, .k = 20, .transpose_b = true},
                              Gemm{.m = 4, .n = 5, .k = 2 * kDepth + 9},
                              Gemm{.m = 4, .n = 5, .k = 2 * kDepth + 9, .beta = 1}}) {
      SCOPED_TRACE(testing::Message() << static_cast<int>(backend) << ": " << shape.m << " x "
                                      << shape.n << " x " << shape.k);
      expect_product(*multiplier, shape, 7);
    }
  }
}

// 256 + 1 + 1 + ...: in 8 bits of precision, 256 + 1 is 256 again. There is one 1 in each block of
// k, so that a sum rounded after each of them would lose them all.
TYPED_TEST(ProductsOf, SumsAreRoundedOnce) {
  constexpr std::size_t kOnes = 4, kTerms = kOnes * WidenedProducts::kDepth;
  const auto of = [](float value) { return narrow<TypeParam>(value); };
  const float large = std::is_same_v<TypeParam, Fp16> ? 2048 : 256;
  for (const Backend backend : built_in()) {
    Multiplier<TypeParam> multiplier(backend);
    const std::vector<TypeParam> b(kTerms, of(1));
    std::vector<TypeParam> a(kTerms, of(0)), c(1, of(large));
    for (std::size_t i = 0; i < kOnes; ++i) {
      a[i * kTerms / kOnes] = of(1);
    }
    Gemm shape{.m = 1, .n = 1, .k = static_cast<int>(kTerms), .beta = 1};
    (*multiplier).multiply(shape, a.data(), b.data(), c.data());
    EXPECT_EQ(widen(c[0]), large + kOnes) << static_cast<int>(backend);
    a[1] = of(large);
    shape.beta = 0;
    (*multiplier).multiply(shape, a.data(), b.data(), c.data());
    EXPECT_EQ(widen(c[0]), large + kOnes) << static_cast<int>(backend);
  }
}

TYPED_TEST(ProductsOf, BetaZeroOverwritesNan) {
  for (const Backend backend : built_in()) {
    Multiplier<TypeParam> multiplier(backend);
    const std::vector<TypeParam> a = typed_values<TypeParam>(16 * 16, 1);
    std::vector<TypeParam> c(16 * 16, narrow<TypeParam>(NAN));
    (*multiplier).multiply({.m = 16, .n = 16, .k = 16}, a.data(), a.data(), c.data());
    for (const TypeParam value : c) {
      ASSERT_FALSE(std::isnan(widen(value))) << static_cast<int>(backend);
    }
  }
}

TYPED_TEST(ProductsOf, ScratchIsAsSaid) {
  for (const Backend backend : built_in()) {
    const Multiplier<TypeParam> multiplier(backend);
    EXPECT_EQ(multiplier.memory().total(),
              sizeof(float) * Products<TypeParam>::scratch_floats(backend, omp_get_max_threads()));
    EXPECT_EQ(multiplier.memory().bytes(Purpose::workspace), multiplier.memory().total());
  }
}

TEST(Products, ScratchDoesNotDependOnTheModel) {
  EXPECT_EQ(Products<float>::scratch_floats(Backend::openblas, 2), 0U);
  EXPECT_EQ(Products<Bf16>::scratch_floats(Backend::reference, 2), 0U);
  EXPECT_EQ(Products<Bf16>::scratch_floats(Backend::openblas, 64) * sizeof(float), 8U << 20);
  if (multiplies_unwidened(Backend::onednn, DType::bf16)) {
    EXPECT_EQ(Products<Bf16>::scratch_floats(Backend::onednn, 64) * sizeof(float), 128U << 20);
  }
}

// What oneDNN multiplies itself is not bound to the number of threads it first saw.
TEST(Products, OnednnFollowsTheNumberOfThreads) {
  if (!onednn_multiplies_bf16()) {
    GTEST_SKIP() << "oneDNN is not built in, or this CPU has no bf16";
  }
  const int threads = omp_get_max_threads();
  omp_set_num_threads(2);
  Multiplier<Bf16> multiplier(Backend::onednn);
  for (const int count : {1, 2, 3, 8, 2}) {
    omp_set_num_threads(count);
    expect_product(*multiplier, {.m = 90, .n = 70, .k = 50}, 3);
  }
  omp_set_num_threads(threads);
}

// Where it has too little scratch memory, nothing happens, and it says so.
TEST(Products, OnednnDeclinesWhatItCannotDoFast) {
  if (!onednn_multiplies_bf16()) {
    GTEST_SKIP() << "oneDNN is not built in, or this CPU has no bf16";
  }
  OnednnProducts products(nullptr, 0);
  const std::vector<Bf16> a = typed_values<Bf16>(64 * 64, 1);
  std::vector<Bf16> c(64 * 64, narrow<Bf16>(3));
  EXPECT_FALSE(products.multiply({.m = 64, .n = 64, .k = 64, .transpose_a = true}, a.data(),
                                 a.data(), c.data()));
  EXPECT_EQ(widen(c[17]), 3);
}

TEST(Products, RefuseAnUnknownOrMissingBackendWithAHint) {
  EXPECT_EQ(backend_names().front(), "openblas");
  if (has_onednn()) {
    EXPECT_EQ(backend_from("onednn"), Backend::onednn);
    EXPECT_FALSE(onednn_version().empty());
    return;
  }
  try {
    backend_from("onednn");
    FAIL() << "not refused";
  } catch (const std::invalid_argument& error) {
    EXPECT_NE(std::string(error.what()).find("libdnnl-dev"), std::string::npos);
  }
}

}  // namespace
}  // namespace perf::workloads
