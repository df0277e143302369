#include "workloads/kernels/quantize.h"

#include <gtest/gtest.h>
#include <omp.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <random>

#include "tests/workloads/random_values.h"
#include "workloads/kernels/quantized_group.h"

namespace perf::workloads {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr float kMost = std::numeric_limits<float>::max();
constexpr CodeType kTypes[] = {CodeType::int8, CodeType::int4, CodeType::int2, CodeType::nf4};

// A matrix with memory of its own, and 64 bytes after codes and scales that nobody may write.
struct Owned {
  QuantizedMatrix matrix;
  std::vector<std::uint8_t> codes;
  std::vector<std::byte> scales;

  Owned(Scheme scheme, std::size_t rows, std::size_t columns, std::size_t codes_off = 0)
      : matrix{scheme, rows, columns} {
    codes.assign(codes_off + matrix.code_bytes() + 64, 0xa5);
    scales.assign(matrix.scale_bytes() + 64, std::byte{0xa5});
    matrix.codes = codes.data() + codes_off;
    matrix.scales = scales.data();
  }

  bool is_within() const {
    return std::all_of(codes.end() - 64, codes.end(), [](std::uint8_t b) { return b == 0xa5; }) &&
           std::all_of(scales.end() - 64, scales.end(),
                       [](std::byte b) { return b == std::byte{0xa5}; });
  }

  std::size_t group() const {
    return matrix.scheme.group == 0 ? matrix.columns : matrix.scheme.group;
  }

  int code(std::size_t row, std::size_t column) const {
    const std::size_t bits = bits_of(matrix.scheme.type), at = column * bits;
    const std::size_t row_bytes = matrix.scheme.code_row_bytes(matrix.columns);
    const int code =
        (matrix.codes[row * row_bytes + at / 8] >> (at % 8)) & static_cast<int>((1U << bits) - 1);
    const bool is_negative = matrix.scheme.type != CodeType::nf4 && (code >> (bits - 1)) == 1;
    return is_negative ? code - (1 << bits) : code;
  }

  float scale(std::size_t row, std::size_t column) const {
    const std::size_t bytes = matrix.scheme.scale_bytes();
    const std::byte* at =
        matrix.scales + (row * matrix.scheme.groups(matrix.columns) + column / group()) * bytes;
    if (bytes == sizeof(float)) {
      float result;
      std::memcpy(&result, at, sizeof result);
      return result;
    }
    Bf16 result;
    std::memcpy(&result, at, sizeof result);
    return widen(result);
  }

  double level(std::size_t row, std::size_t column) const {
    const int own = code(row, column);
    return matrix.scheme.type == CodeType::nf4
               ? static_cast<double>(kNf4Levels[static_cast<std::size_t>(own)])
               : own;
  }
};

std::vector<float> normal_values(std::size_t count, unsigned seed, float deviation = 0.02F) {
  std::mt19937 engine(seed);
  std::normal_distribution<float> normal(0, deviation);
  std::vector<float> result(count);
  for (float& value : result) {
    value = normal(engine);
  }
  return result;
}

// The same scales to the bit; the same codes, but where x / scale is, to the precision of its
// product with a rounded inverse, half-way between the two.
void expect_same(const float* in, const Owned& got, const Owned& want) {
  const QuantizedMatrix& matrix = got.matrix;
  for (std::size_t i = 0; i < matrix.scale_bytes(); ++i) {
    ASSERT_EQ(got.matrix.scales[i], want.matrix.scales[i]) << "byte " << i << " of the scales";
  }
  for (std::size_t row = 0; row < matrix.rows; ++row) {
    for (std::size_t column = 0; column < matrix.columns; ++column) {
      if (got.code(row, column) == want.code(row, column)) {
        continue;
      }
      const double x = static_cast<double>(in[row * matrix.columns + column]) /
                       static_cast<double>(want.scale(row, column));
      const double middle = (got.level(row, column) + want.level(row, column)) / 2;
      ASSERT_NEAR(x, middle, std::abs(x) * 0x1p-21)
          << "row " << row << " column " << column << ": " << got.code(row, column) << " for "
          << want.code(row, column);
      ASSERT_EQ(std::abs(got.code(row, column) - want.code(row, column)), 1);
    }
  }
}

void expect_reference(const float* in, Scheme scheme, std::size_t rows, std::size_t columns,
                      std::size_t codes_off = 0) {
  SCOPED_TRACE(name_of(scheme.type) + " group " + std::to_string(scheme.group) + " rows " +
               std::to_string(rows) + " columns " + std::to_string(columns));
  Owned got(scheme, rows, columns, codes_off), want(scheme, rows, columns);
  quantize(in, got.matrix);
  quantize_reference(in, want.matrix);
  expect_same(in, got, want);
  EXPECT_TRUE(got.is_within());
  EXPECT_TRUE(want.is_within());
}

TEST(Quantize, NamesAndSizes) {
  for (const CodeType type : kTypes) {
    EXPECT_EQ(code_type_from(name_of(type)), type);
  }
  EXPECT_EQ(code_type_names(), (std::vector<std::string>{"int8", "int4", "int2", "nf4"}));
  EXPECT_THROW(code_type_from("int3"), std::invalid_argument);
  const Scheme scheme{CodeType::int2, 32};
  EXPECT_EQ(scheme.groups(33), 2U);
  EXPECT_EQ(scheme.code_row_bytes(33), 9U);
  EXPECT_EQ(scheme.scale_row_bytes(33), 4U);
  EXPECT_EQ((Scheme{CodeType::int4, 0}).scale_row_bytes(33), 4U);
  Arena memory(QuantizedMatrix::room(scheme, 5, 33));
  const QuantizedMatrix matrix = QuantizedMatrix::take(scheme, 5, 33, memory);
  EXPECT_EQ(matrix.bytes(), 5U * (9 + 4));
  EXPECT_EQ(memory.used(), QuantizedMatrix::room(scheme, 5, 33));
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(matrix.scales) % 64, 0U);
}

TEST(Quantize, MatchesReferenceForAllShapes) {
  const std::vector<float> values = normal_values(20 * 3072 + 1, 1);
  for (const CodeType type : kTypes) {
    for (const std::size_t group : {0, 1, 7, 32, 64, 96, 128}) {
      for (const std::size_t columns : {1, 31, 32, 33, 96, 256, 767, 768, 3072}) {
        for (const std::size_t rows : {1, 3, 20}) {
          expect_reference(values.data() + (rows == 3 ? 1 : 0), {type, group}, rows, columns);
        }
      }
    }
  }
}

TEST(Quantize, MatchesReferenceWhereCodesAreNotAligned) {
  const std::vector<float> values = normal_values(4 * 1536, 2);
  for (const CodeType type : kTypes) {
    for (const std::size_t group : {0, 32, 128}) {
      expect_reference(values.data(), {type, group}, 4, 1536, 3);
    }
  }
}

TEST(Quantize, MatchesReferenceForRowsLongerThanAnyCache) {
  const std::vector<float> values = normal_values(2 * 40'032, 3);
  for (const CodeType type : kTypes) {
    expect_reference(values.data(), {type, 0}, 2, 40'032);
  }
}

TEST(Quantize, MatchesReferenceOverTheWholeRangeOfFloats) {
  std::mt19937 engine(4);
  std::uniform_int_distribution<int> exponent(-149, 127);
  std::vector<float> values = random_values(64 * 128, 5, 1);
  for (std::size_t group = 0; group < values.size(); group += 32) {
    const int power = group == 0 ? 127 : exponent(engine);
    for (std::size_t i = 0; i < 32; ++i) {
      values[group + i] = std::ldexp(values[group + i], power);
    }
  }
  values[0] = kMost;
  values[33] = -kMost;
  values[65] = std::nextafter(kMost, 0.0F);
  for (const CodeType type : kTypes) {
    for (const std::size_t group : {0, 7, 32, 64}) {
      expect_reference(values.data(), {type, group}, 256, 32);
    }
  }
}

TEST(Quantize, DoesNotDependOnTheNumberOfThreads) {
  const int before = omp_get_max_threads();
  const std::vector<float> values = normal_values(37 * 768, 6);
  for (const CodeType type : kTypes) {
    for (const std::size_t group : {0, 32, 100}) {
      omp_set_num_threads(1);
      Owned one({type, group}, 37, 768);
      quantize(values.data(), one.matrix);
      const QuantizationError error = quantization_error(values.data(), one.matrix);
      for (const int threads : {2, 3}) {
        omp_set_num_threads(threads);
        Owned more({type, group}, 37, 768);
        quantize(values.data(), more.matrix);
        EXPECT_EQ(one.codes, more.codes);
        EXPECT_EQ(one.scales, more.scales);
        const QuantizationError same = quantization_error(values.data(), more.matrix);
        EXPECT_EQ(error.signal, same.signal);
        EXPECT_EQ(error.noise, same.noise);
        EXPECT_EQ(error.rounding, same.rounding);
      }
    }
  }
  omp_set_num_threads(before);
}

// Groups of 32 are what inference stores.
TEST(Quantize, GroupsOf32AreThoseOfInference) {
  std::vector<float> values = normal_values(100 * 64, 7);
  // At scale 1 the borders between the levels of nf4, which belong to the lower one.
  values[0] = 1;
  for (std::size_t i = 1; i < kNf4Levels.size(); ++i) {
    values[i] = (kNf4Levels[i - 1] + kNf4Levels[i]) / 2;
  }
  const std::pair<CodeType, WeightType> types[] = {{CodeType::int8, WeightType::int8},
                                                   {CodeType::int4, WeightType::int4},
                                                   {CodeType::nf4, WeightType::nf4}};
  for (const auto& [type, weight_type] : types) {
    Owned got({type, 32}, 100, 64);
    quantize(values.data(), got.matrix);
    for (std::size_t i = 0; i < values.size(); i += 32) {
      std::uint8_t codes[32];
      const Bf16 scale = quantize_group(weight_type, values.data() + i, 32, codes);
      EXPECT_EQ(got.scale(i / 64, i % 64), widen(scale));
      for (std::size_t j = 0; j < 32; ++j) {
        const int mask = type == CodeType::int8 ? 255 : 15;
        EXPECT_EQ(got.code((i + j) / 64, (i + j) % 64) & mask, codes[j]) << name_of(type);
      }
    }
  }
}

// By the definitions, in bytes.
TEST(Quantize, PacksTheFirstColumnIntoTheLowestBits) {
  const auto codes_of = [](CodeType type, std::vector<float> row) {
    Owned got({type, 0}, 1, row.size());
    quantize(row.data(), got.matrix);
    return std::vector<std::uint8_t>(got.matrix.codes, got.matrix.codes + got.matrix.code_bytes());
  };
  using Bytes = std::vector<std::uint8_t>;
  EXPECT_EQ(codes_of(CodeType::int8, {127, -1, 2, -127}), (Bytes{127, 255, 2, 129}));
  EXPECT_EQ(codes_of(CodeType::int4, {-8, 7, 1, -2, 3}), (Bytes{0x78, 0xe1, 0x03}));
  EXPECT_EQ(codes_of(CodeType::int2, {-2, 1, 0, -1, 1}), (Bytes{0xc6, 0x01}));
  EXPECT_EQ(codes_of(CodeType::nf4, {-1, 1, 0, 0.08F, 0.72F}), (Bytes{0xf0, 0x87, 0x0e}));
  // Vector code puts together 32 columns and more: column i has the code i % 4 - 2.
  std::vector<float> steps(512);
  for (std::size_t i = 0; i < steps.size(); ++i) {
    steps[i] = static_cast<float>(i % 4) - 2;
  }
  EXPECT_EQ(codes_of(CodeType::int2, steps), Bytes(128, 0x4e));
}

TEST(Quantize, TheOppositeOfTheOutermostValueIsLimited) {
  std::vector<float> row(64, 0.0F);
  row[3] = -8;
  row[19] = 8;  // the same lane of any register
  for (const std::size_t columns : {41, 41, 64, 64}) {
    std::swap(row[3], row[19]);  // both orders
    const std::size_t low = row[3] < 0 ? 3 : 19, high = 22 - low;
    Owned four({CodeType::int4, 0}, 1, columns), two({CodeType::int2, 0}, 1, columns);
    quantize(row.data(), four.matrix);
    quantize(row.data(), two.matrix);
    EXPECT_EQ(four.scale(0, 0), 1);
    EXPECT_EQ(four.code(0, low), -8);
    EXPECT_EQ(four.code(0, high), 7);
    EXPECT_EQ(two.code(0, low), -2);
    EXPECT_EQ(two.code(0, high), 1);
  }
}

TEST(Quantize, ZerosSubnormalScalesAndNaN) {
  for (const CodeType type : kTypes) {
    for (const std::size_t group : {0, 32, 31}) {
      SCOPED_TRACE(name_of(type) + " group " + std::to_string(group));
      std::vector<float> in = normal_values(6 * 64, 8);
      std::fill_n(in.begin(), 64, 0.0F);
      std::fill_n(in.begin() + 64, 64, 1e-40F);
      in[2 * 64 + 5] = kInfinity;
      in[3 * 64 + 40] = -kInfinity;
      in[4 * 64 + 63] = std::nanf("");
      Owned got({type, group}, 6, 64);
      quantize(in.data(), got.matrix);
      const int zero = type == CodeType::nf4 ? 7 : 0;
      std::vector<float> back(in.size());
      dequantize(got.matrix, back.data());
      for (const std::size_t column : {0, 20, 45, 63}) {
        EXPECT_EQ(got.scale(0, column), 0);
        EXPECT_EQ(got.scale(1, column), 0);
        EXPECT_EQ(got.code(0, column), zero);
        EXPECT_EQ(got.code(1, column), zero);
        EXPECT_EQ(back[column], 0);
        EXPECT_FALSE(std::isnan(got.scale(5, column)));
        EXPECT_NE(back[5 * 64 + column], 0) << column;
      }
      const std::size_t spoiled[] = {5, 40, 63};
      for (std::size_t row = 2; row < 5; ++row) {
        EXPECT_TRUE(std::isnan(got.scale(row, spoiled[row - 2])));
        EXPECT_TRUE(std::isnan(back[row * 64 + spoiled[row - 2]]));
        EXPECT_EQ(got.code(row, spoiled[row - 2]), zero);
      }
      if (group != 0) {
        EXPECT_FALSE(std::isnan(got.scale(2, 40)));
      }
      expect_reference(in.data(), {type, group}, 6, 64);
      EXPECT_TRUE(std::isnan(quantization_error(in.data(), got.matrix).noise));
      EXPECT_TRUE(std::isnan(quantization_error(in.data(), got.matrix).rounding));
    }
  }
}

TEST(Dequantize, IsLevelTimesScale) {
  const std::vector<float> in = normal_values(9 * 130, 9);
  for (const CodeType type : kTypes) {
    for (const std::size_t group : {0, 7, 32}) {
      Owned got({type, group}, 9, 130);
      quantize(in.data(), got.matrix);
      std::vector<float> back(in.size());
      dequantize(got.matrix, back.data());
      for (std::size_t i = 0; i < in.size(); ++i) {
        ASSERT_EQ(back[i],
                  static_cast<float>(got.level(i / 130, i % 130)) * got.scale(i / 130, i % 130));
      }
    }
  }
}

// Literal codes of the row 1, -1, 0.5 at scale 0.5: 2, -1 (of -2) and 0 (of 1).
TEST(QuantizationError, MatchesLiteralCodes) {
  const std::vector<float> in = {1, -1, 0.5F};
  Owned matrix({CodeType::int8, 0}, 1, 3);
  const std::uint8_t codes[] = {2, 255, 0};
  const float scale = 0.5F;
  std::memcpy(matrix.matrix.codes, codes, sizeof codes);
  std::memcpy(matrix.matrix.scales, &scale, sizeof scale);
  const QuantizationError error = quantization_error(in.data(), matrix.matrix);
  EXPECT_EQ(error.signal, 2.25);
  EXPECT_EQ(error.noise, 0.5);
  EXPECT_EQ(error.values, 3);
  EXPECT_EQ(error.rounding, 2);
  EXPECT_DOUBLE_EQ(error.signal_to_noise(), 10 * std::log10(4.5));
  EXPECT_DOUBLE_EQ(error.mean_squared_error(), 0.5 / 3);
}

// Every code one off is seen, in the middle as well as at both ends.
TEST(QuantizationError, RoundingIsAtMostOneForTheNearestCodesOnly) {
  const std::vector<float> in = normal_values(3 * 96, 10);
  for (const CodeType type : kTypes) {
    for (const std::size_t group : {0, 32}) {
      Owned good({type, group}, 3, 96);
      quantize(in.data(), good.matrix);
      const double rounding = quantization_error(in.data(), good.matrix).rounding;
      EXPECT_LE(rounding, 1 + 1e-4) << name_of(type);
      EXPECT_GT(rounding, 0.8) << name_of(type);
      const std::size_t bits = bits_of(type);
      for (std::size_t i = 0; i < in.size(); ++i) {
        const int code = good.code(i / 96, i % 96);
        const int top = type == CodeType::nf4 ? 15 : (1 << (bits - 1)) - 1;
        const int wrong = code == top ? code - 1 : code + 1;
        const std::size_t at = i % 96 * bits;
        std::uint8_t& byte =
            good.matrix.codes[i / 96 * good.matrix.scheme.code_row_bytes(96) + at / 8];
        const std::uint8_t before = byte;
        const unsigned mask = ((1U << bits) - 1) << (at % 8);
        byte = static_cast<std::uint8_t>((byte & ~mask) |
                                         (static_cast<unsigned>(wrong) << (at % 8) & mask));
        ASSERT_GT(quantization_error(in.data(), good.matrix).rounding, 1.0)
            << name_of(type) << " value " << i;
        byte = before;
      }
    }
  }
}

TEST(QuantizationError, IsFoundWithAZeroScale) {
  const std::vector<float> in = {1e-40F, 0.1F};
  Owned matrix({CodeType::int8, 0}, 1, 2);
  std::memset(matrix.matrix.codes, 0, 2);
  std::memset(matrix.matrix.scales, 0, 4);
  EXPECT_EQ(quantization_error(in.data(), matrix.matrix).rounding, kInfinity);
  matrix.matrix.columns = 1;
  EXPECT_EQ(quantization_error(in.data(), matrix.matrix).rounding, 0);
}

// Against sums in plain loops, of a matrix that no vector, piece or part divides.
TEST(QuantizationError, SumsAreThoseOfPlainLoops) {
  const std::vector<float> in = normal_values(131 * 333, 11);
  for (const CodeType type : kTypes) {
    for (const std::size_t group : {0, 7, 64}) {
      Owned got({type, group}, 131, 333);
      quantize(in.data(), got.matrix);
      double signal = 0, noise = 0;
      for (std::size_t i = 0; i < in.size(); ++i) {
        const double x = in[i];
        const double off = x - got.level(i / 333, i % 333) * got.scale(i / 333, i % 333);
        signal += x * x;
        noise += off * off;
      }
      const QuantizationError error = quantization_error(in.data(), got.matrix);
      EXPECT_NEAR(error.signal / signal, 1, 1e-10);
      EXPECT_NEAR(error.noise / noise, 1, 1e-10);
      EXPECT_EQ(error.values, 131 * 333);
    }
  }
}

// Normal weights in rows of 768: the largest is about 3.2 deviations (3.0 to 3.5), a step of int8
// 3.2 / 127 of one, its noise a twelfth of the step's square: 42.8 dB. The others were measured
// with the reference, which takes the formulas literally; a tenth of a dB is several times their
// scatter over seeds.
TEST(QuantizationError, MatchesTheoryForNormalWeights) {
  const std::vector<float> in = normal_values(400 * 768, 12);
  const auto ratio = [&](CodeType type, std::size_t group, bool is_reference) {
    Owned got({type, group}, 400, 768);
    is_reference ? quantize_reference(in.data(), got.matrix) : quantize(in.data(), got.matrix);
    return quantization_error(in.data(), got.matrix).signal_to_noise();
  };
  EXPECT_NEAR(ratio(CodeType::int8, 0, false), 42.8, 0.5);
  for (const CodeType type : kTypes) {
    for (const std::size_t group : {0, 32, 128}) {
      EXPECT_NEAR(ratio(type, group, false), ratio(type, group, true), 1e-4);
    }
  }
  EXPECT_GT(ratio(CodeType::int4, 32, false), ratio(CodeType::int4, 128, false) + 1);
  EXPECT_GT(ratio(CodeType::nf4, 128, false), ratio(CodeType::int4, 128, false));
}

}  // namespace
}  // namespace perf::workloads
