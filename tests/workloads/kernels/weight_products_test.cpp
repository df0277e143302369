#include "workloads/kernels/weight_products.h"

#include <gtest/gtest.h>
#include <omp.h>

#include <cmath>
#include <limits>
#include <stdexcept>
#include <vector>

#include "tests/workloads/threads.h"
#include "tests/workloads/typed_values.h"
#include "workloads/kernels/few_rows.h"
#include "workloads/kernels/many_rows.h"
#include "workloads/kernels/products_onednn.h"

namespace perf::workloads {
namespace {

struct ProductCase {
  std::size_t rows, columns, outputs;
  float beta = 0;
  std::size_t block_bytes = 0;
};

// Weights, a WeightProducts made for just this case, and the memory of both.
class Multiplier {
 public:
  Multiplier(Backend backend, WeightType type, const ProductCase& shape, std::uint32_t seed)
      : memory_(counted(backend, type, shape)),
        weights_(WeightMatrix::take(type, shape.outputs, shape.columns, memory_)),
        products_(backend, type, shape.rows, shape.columns, shape.outputs, memory_, 0,
                  shape.block_bytes) {
    pack_rows(random_values(shape.outputs * shape.columns, seed).data(), 0, shape.outputs,
              weights_);
  }

  WeightProducts& operator*() { return products_; }
  const WeightMatrix& weights() const { return weights_; }
  const Ledger& memory() const { return memory_; }

 private:
  static Ledger counted(Backend backend, WeightType type, const ProductCase& shape) {
    Ledger counting;
    WeightMatrix::take(type, shape.outputs, shape.columns, counting);
    const WeightProducts products(backend, type, shape.rows, shape.columns, shape.outputs, counting,
                                  0, shape.block_bytes);
    return Ledger(counting);
  }
  Ledger memory_;
  WeightMatrix weights_;
  WeightProducts products_;
};

std::vector<Backend> built_in() {
  std::vector<Backend> backends;
  for (const std::string& name : backend_names()) {
    backends.push_back(backend_from(name));
  }
  return backends;
}

std::vector<WeightType> all_types() {
  std::vector<WeightType> types;
  for (const std::string& name : weight_type_names()) {
    types.push_back(weight_type_from(name));
  }
  return types;
}

std::string title(Backend backend, WeightType type, const ProductCase& shape) {
  return name_of(type) + ", backend " + std::to_string(static_cast<int>(backend)) + ", " +
         std::to_string(shape.rows) + " x " + std::to_string(shape.columns) + " x " +
         std::to_string(shape.outputs) + ", beta " + std::to_string(shape.beta);
}

// What is multiplied: as it is, or rounded to Bf16.
float as(DType product, float value) {
  return product == DType::bf16 ? widen(narrow<Bf16>(value)) : value;
}

// What the stored weights and the rows are rounded to is known, so that only the order of a sum in
// single precision is free: a rounding of 2^-24 of a partial sum for each term.
void expect_product(WeightProducts& products, const WeightMatrix& weights, DType product,
                    std::size_t rows, float beta) {
  const std::size_t columns = weights.columns, outputs = weights.rows;
  const std::vector<float> in = random_values(rows * columns, 11);
  const std::vector<float> before = random_values(rows * outputs, 12);
  std::vector<float> stored(outputs * columns);
  unpack_rows(weights, 0, outputs, stored.data());
  std::vector<float> out = before;
  if (beta == 0) {
    out.assign(out.size(), std::numeric_limits<float>::quiet_NaN());
  }
  products.multiply(weights, in.data(), rows, beta, out.data());

  for (std::size_t i = 0; i < rows; ++i) {
    for (std::size_t j = 0; j < outputs; ++j) {
      double sum = beta == 0 ? 0 : before[i * outputs + j], sizes = std::abs(sum);
      for (std::size_t l = 0; l < columns; ++l) {
        const double term =
            double{as(product, in[i * columns + l])} * as(product, stored[j * columns + l]);
        sum += term;
        sizes += std::abs(term);
      }
      const double tolerance = 0x1p-24 * (sizes * std::sqrt(static_cast<double>(columns)) + 1);
      ASSERT_NEAR(out[i * outputs + j], sum, tolerance) << "row " << i << ", output " << j;
    }
  }
}

void expect_product(Backend backend, WeightType type, const ProductCase& shape,
                    std::uint32_t seed) {
  SCOPED_TRACE(title(backend, type, shape));
  Multiplier multiplier(backend, type, shape, seed);
  expect_product(*multiplier, multiplier.weights(), product_type(backend, type), shape.rows,
                 shape.beta);
}

void expect_products_of_one(Backend backend, WeightType type, std::size_t block_bytes) {
  const ProductCase largest{40, 224, 150, 0, block_bytes};
  Multiplier multiplier(backend, type, largest, 5);
  for (const ProductCase& shape :
       {ProductCase{40, 32, 150, 1}, ProductCase{23, 224, 3}, ProductCase{17, 64, 64}, largest}) {
    SCOPED_TRACE(title(backend, type, shape));
    const Multiplier other(Backend::reference, type, shape, 6);
    expect_product(*multiplier, other.weights(), product_type(backend, type), shape.rows,
                   shape.beta);
  }
}

TEST(WeightProducts, OddShapesMatchDoubleSums) {
  for (const Backend backend : built_in()) {
    for (const WeightType type : all_types()) {
      for (const ProductCase& shape :
           {ProductCase{17, 1, 1}, ProductCase{17, 33, 1}, ProductCase{18, 31, 2, 1},
            ProductCase{19, 32, 65}, ProductCase{37, 95, 70}, ProductCase{64, 64, 64, 1},
            ProductCase{65, 96, 129, 1}, ProductCase{129, 70, 33}}) {
        expect_product(backend, type, shape, 1);
      }
    }
  }
}

// Blocks of 64 to 128 of the 203 rows, the last one shorter; of fewer rows where 64 are too many.
TEST(WeightProducts, BlocksMeetWithoutGapOrOverlap) {
  for (const Backend backend : built_in()) {
    for (const WeightType type : all_types()) {
      for (const float beta : {0.0F, 1.0F}) {
        expect_product(backend, type, ProductCase{21, 333, 203, beta, 333 * 128 * 2}, 3);
        expect_product(backend, type, ProductCase{21, 333, 203, beta, 1}, 3);
      }
    }
  }
}

// Columns and rows of several panels' depth and height: multiply_many_rows() takes 512 at once, and
// with AVX-512 multiplies whole blocks of rows where they lie, unless they are 4096 bytes apart.
TEST(WeightProducts, PanelsMeetWithoutGapOrOverlap) {
  for (const WeightType type : all_types()) {
    for (const float beta : {0.0F, 1.0F}) {
      expect_product(Backend::openblas, type, ProductCase{21, 1153, 70, beta}, 3);
      expect_product(Backend::openblas, type, ProductCase{1031, 70, 37, beta}, 3);
      expect_product(Backend::openblas, type, ProductCase{64, 1153, 70, beta}, 3);
      expect_product(Backend::openblas, type, ProductCase{64, 1024, 70, beta}, 3);
    }
  }
}

TEST(WeightProducts, DoNotDependOnTheNumberOfThreads) {
  const ProductCase shape{150, 600, 203, 1};
  const std::vector<float> in = random_values(shape.rows * shape.columns, 8);
  for (const WeightType type : all_types()) {
    SCOPED_TRACE(name_of(type));
    if (type == WeightType::fp32) {
      continue;  // a library's
    }
    expect_same_on_any_threads([&] {
      Multiplier multiplier(Backend::openblas, type, shape, 7);
      std::vector<float> out = random_values(shape.rows * shape.outputs, 9);
      (*multiplier).multiply(multiplier.weights(), in.data(), shape.rows, 1, out.data());
      return out;
    });
  }
}

// A product made for large matrices multiplies small ones, too.
TEST(WeightProducts, OneServesMatricesOfManyShapes) {
  for (const Backend backend : built_in()) {
    for (const WeightType type : all_types()) {
      for (const std::size_t block_bytes : {std::size_t{0}, std::size_t{40'000}}) {
        expect_products_of_one(backend, type, block_bytes);
      }
    }
  }
}

// What the models are multiplied with reaches oneDNN's own kernels, within the scratch memory.
TEST(WeightProducts, Bf16ReachesTheModelsShapes) {
  if (product_type(best_backend(WeightType::bf16), WeightType::bf16) != DType::bf16) {
    GTEST_SKIP() << "this CPU does not multiply bf16";
  }
  for (const ProductCase& shape :
       {ProductCase{40, 896, 192}, ProductCase{33, 4864, 100, 1}, ProductCase{20, 8960, 67}}) {
    expect_product(Backend::onednn, WeightType::int8, shape, 5);
  }
}

TEST(WeightProducts, FewRowsAreTheDecodersKernels) {
  for (const Backend backend : built_in()) {
    for (const WeightType type : all_types()) {
      for (const std::size_t rows : {std::size_t{1}, kFewRows}) {
        const ProductCase shape{rows, 96, 70, 1};
        SCOPED_TRACE(title(backend, type, shape));
        Multiplier multiplier(backend, type, shape, 7);
        const std::vector<float> in = random_values(rows * shape.columns, 8);
        std::vector<float> out = random_values(rows * shape.outputs, 9), want = out;
        (*multiplier).multiply(multiplier.weights(), in.data(), rows, 1, out.data());
        (backend == Backend::reference ? multiply_few_rows_reference : multiply_few_rows)(
            multiplier.weights(), in.data(), rows, 1, want.data());
        EXPECT_EQ(out, want);
        EXPECT_EQ(multiplier.memory().bytes(Purpose::workspace), 0U);
      }
    }
  }
}

// A matrix of 16 Mi values: one that is stored in the type it is multiplied in needs no block.
TEST(WeightProducts, WorkspaceIsBounded) {
  constexpr std::size_t kMiB = std::size_t{1} << 20, kRows = 64, kColumns = 2048;
  const auto threads = static_cast<std::size_t>(omp_get_max_threads());
  for (const Backend backend : built_in()) {
    for (const WeightType type : all_types()) {
      SCOPED_TRACE(title(backend, type, {kRows, kColumns, 8192}));
      const auto bytes = [&](std::size_t values) {
        Ledger counted;
        const WeightProducts products(backend, type, kRows, kColumns, 8192, counted, values);
        return counted.bytes(Purpose::workspace);
      };
      const bool unpacks = plain_dtype(type) != product_type(backend, type);
      const std::size_t panels = type == WeightType::fp32 || backend == Backend::reference
                                     ? 0
                                     : many_rows_scratch(omp_get_max_threads()) * sizeof(float);
      EXPECT_LE(panels, threads * 9 * kMiB / 8);
      if (backend == Backend::reference) {
        EXPECT_EQ(bytes(0), unpacks ? 4 * kMiB : 0);
      } else if (backend != Backend::onednn) {
        EXPECT_EQ(bytes(0), panels);
      } else {
        EXPECT_LE(bytes(0) - panels, (unpacks ? 65 : 1) * kMiB + threads * kMiB / 2);
        EXPECT_LE(bytes(2 * kMiB) - panels, (unpacks ? 9 : 1) * kMiB + threads * kMiB / 2);
      }
    }
  }
}

TEST(WeightProducts, TypesAndBackendsGoTogether) {
  for (const WeightType type : all_types()) {
    for (const Backend backend : {Backend::openblas, Backend::eigen, Backend::reference}) {
      EXPECT_EQ(product_type(backend, type), DType::fp32) << name_of(type);
    }
    const bool precise = type == WeightType::fp32 || type == WeightType::fp16;
    const bool fast =
        precise ? onednn_multiplies_fp32() : onednn_multiplies_bf16() || onednn_multiplies_fp32();
    EXPECT_EQ(best_backend(type), fast ? Backend::onednn : Backend::openblas) << name_of(type);
    if (precise) {
      EXPECT_EQ(product_type(Backend::onednn, type), DType::fp32);
    } else {
      EXPECT_EQ(product_type(Backend::onednn, type) == DType::bf16, onednn_multiplies_bf16());
    }
  }
}

TEST(WeightProducts, RefusesWhatItWasNotMadeFor) {
  const ProductCase shape{32, 64, 48};
  Multiplier multiplier(Backend::openblas, WeightType::bf16, shape, 1);
  const std::vector<float> in(33 * 65);
  std::vector<float> out(33 * 49);
  const auto multiply = [&](WeightMatrix weights, std::size_t rows) {
    (*multiplier).multiply(weights, in.data(), rows, 0, out.data());
  };
  const WeightMatrix& made = multiplier.weights();
  EXPECT_NO_THROW(multiply(made, 32));
  EXPECT_THROW(multiply(made, 33), std::logic_error);
  WeightMatrix other = made;
  other.type = WeightType::fp16;
  EXPECT_THROW(multiply(other, 20), std::logic_error);
  other = made;
  other.columns = 65;
  EXPECT_THROW(multiply(other, 20), std::logic_error);
  other = made;
  other.rows = 49;
  EXPECT_THROW(multiply(other, 20), std::logic_error);
  Ledger counted;
  WeightProducts smaller(Backend::reference, WeightType::bf16, 32, 64, 48, counted, 63 * 48);
  EXPECT_THROW(smaller.multiply(made, in.data(), 20, 0, out.data()), std::logic_error);
}

}  // namespace
}  // namespace perf::workloads
