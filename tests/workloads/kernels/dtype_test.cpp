#include "workloads/kernels/dtype.h"

#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <random>
#include <stdexcept>
#include <vector>

#ifdef __x86_64__
#include <immintrin.h>
#endif

namespace perf::workloads {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();

std::uint32_t bits_of(float value) {
  return std::bit_cast<std::uint32_t>(value);
}

// What a half stands for, by the definition of IEEE 754: sign, 5 bits of exponent, 10 of fraction.
double meaning(Fp16 value) {
  const int exponent = (value.bits >> 10) & 31, fraction = value.bits & 1023;
  const double sign = (value.bits >> 15) != 0 ? -1 : 1;
  if (exponent == 31) {
    return fraction != 0 ? std::nan("") : sign * HUGE_VAL;
  }
  return sign *
         (exponent == 0 ? std::ldexp(fraction, -24) : std::ldexp(1024 + fraction, exponent - 25));
}
double meaning(Bf16 value) {
  return std::bit_cast<float>(static_cast<std::uint32_t>(value.bits) << 16);
}

template <class T>
class NarrowType : public testing::Test {};
using NarrowTypes = testing::Types<Bf16, Fp16>;
TYPED_TEST_SUITE(NarrowType, NarrowTypes);

template <class T>
T value_of(std::uint32_t bits) {
  T value;
  value.bits = static_cast<std::uint16_t>(bits);
  return value;
}

TYPED_TEST(NarrowType, EveryValueIsWidenedExactlyAndComesBack) {
  for (std::uint32_t bits = 0; bits < 65536; ++bits) {
    const auto value = value_of<TypeParam>(bits);
    const float wide = widen(value);
    if (std::isnan(meaning(value))) {
      ASSERT_TRUE(std::isnan(wide)) << bits;
      ASSERT_TRUE(std::isnan(widen(narrow<TypeParam>(wide)))) << bits;
      continue;
    }
    ASSERT_EQ(wide, meaning(value)) << bits;
    ASSERT_EQ(std::signbit(wide), (bits >> 15) != 0) << bits;
    ASSERT_EQ(narrow<TypeParam>(wide).bits, bits);
  }
}

// Between each two neighbours: the middle goes to the even one, what is beside it to the nearer.
TYPED_TEST(NarrowType, RoundsToNearestTiesToEven) {
  for (std::uint32_t bits = 0; bits < 0x7fff; ++bits) {
    const auto low = value_of<TypeParam>(bits), high = value_of<TypeParam>(bits + 1);
    if (!std::isfinite(meaning(high))) {
      break;
    }
    const auto middle = static_cast<float>((meaning(low) + meaning(high)) / 2);  // exact
    const std::uint32_t even = bits % 2 == 0 ? bits : bits + 1;
    for (const std::uint32_t sign : {0U, 0x8000U}) {
      const float side = sign != 0 ? -1.0F : 1.0F;
      ASSERT_EQ(narrow<TypeParam>(side * middle).bits, sign | even);
      ASSERT_EQ(narrow<TypeParam>(side * std::nextafter(middle, 0.0F)).bits, sign | bits);
      ASSERT_EQ(narrow<TypeParam>(side * std::nextafter(middle, kInfinity)).bits,
                sign | (bits + 1));
    }
  }
}

TYPED_TEST(NarrowType, InfinityAndNan) {
  EXPECT_EQ(widen(narrow<TypeParam>(kInfinity)), kInfinity);
  EXPECT_EQ(widen(narrow<TypeParam>(-kInfinity)), -kInfinity);
  EXPECT_EQ(widen(narrow<TypeParam>(std::numeric_limits<float>::max())), kInfinity);
  // NaNs with their only fraction bit in what is cut off must not become infinity.
  for (const std::uint32_t nan :
       {0x7f800001U, 0xff800001U, 0x7fc00000U, 0x7fffffffU, 0xffffffffU}) {
    EXPECT_TRUE(std::isnan(widen(narrow<TypeParam>(std::bit_cast<float>(nan))))) << nan;
  }
}

TEST(Fp16, LargestIs65504) {
  EXPECT_EQ(widen(narrow<Fp16>(65504)), 65504);
  EXPECT_EQ(widen(narrow<Fp16>(std::nextafter(65520.0F, 0.0F))), 65504);
  EXPECT_EQ(widen(narrow<Fp16>(65520)), kInfinity);
  EXPECT_EQ(widen(narrow<Fp16>(0x1p-25F)), 0);  // a tie with zero, which is even
  EXPECT_EQ(widen(narrow<Fp16>(std::nextafter(0x1p-25F, 1.0F))), 0x1p-24F);
}

#ifdef __x86_64__
__attribute__((target("f16c"))) std::uint16_t narrowed_by_processor(float value) {
  return _cvtss_sh(value, _MM_FROUND_TO_NEAREST_INT);
}
__attribute__((target("f16c"))) float widened_by_processor(std::uint16_t bits) {
  return _cvtsh_ss(bits);
}

TEST(Fp16, AgreesWithTheProcessor) {
  if (!__builtin_cpu_supports("avx2"))  // has F16C, which not every compiler can ask for
  {
    GTEST_SKIP() << "this CPU does not convert halves";
  }
  for (std::uint32_t bits = 0; bits < 65536; ++bits) {
    ASSERT_EQ(bits_of(widen(value_of<Fp16>(bits))),
              bits_of(widened_by_processor(static_cast<std::uint16_t>(bits))));
  }
  const auto same = [](std::uint32_t bits) {
    const auto value = std::bit_cast<float>(bits);
    return narrow<Fp16>(value).bits == narrowed_by_processor(value);
  };
  // All signs, exponents and kept bits, with what is cut off in every state that decides.
  for (std::uint32_t high = 0; high < 1U << 19; ++high) {
    for (const std::uint32_t low : {0U, 1U, 0xfffU, 0x1000U, 0x1001U, 0x1fffU}) {
      ASSERT_TRUE(same(high << 13 | low)) << high << " " << low;
    }
  }
  std::mt19937 random(1);
  for (int i = 0; i < 2'000'000; ++i) {
    const auto bits = static_cast<std::uint32_t>(random());
    ASSERT_TRUE(same(bits)) << bits;
  }
}
#endif

// The vector code of the array forms, at every length around a vector's.
TYPED_TEST(NarrowType, ArraysAreConvertedAsSingleValues) {
  std::mt19937 random(2);
  std::vector<float> wide(200);
  for (float& value : wide) {
    value = std::bit_cast<float>(static_cast<std::uint32_t>(random()));
  }
  for (std::size_t count = 0; count <= wide.size(); ++count) {
    std::vector<TypeParam> rounded(count + 1);
    narrow(wide.data(), count, rounded.data());
    std::vector<float> back(count + 1);
    widen(rounded.data(), count, back.data());
    for (std::size_t i = 0; i < count; ++i) {
      ASSERT_EQ(rounded[i].bits, narrow<TypeParam>(wide[i]).bits);
      ASSERT_EQ(bits_of(back[i]), bits_of(widen(rounded[i])));
    }
    ASSERT_EQ(rounded[count].bits, 0);  // nothing past the end
    ASSERT_EQ(back[count], 0);
  }
}

TEST(DType, Names) {
  for (const DType dtype : {DType::fp32, DType::bf16, DType::fp16}) {
    EXPECT_EQ(dtype_from(name_of(dtype)), dtype);
  }
  EXPECT_EQ(dtype_names(), (std::vector<std::string>{"fp32", "bf16", "fp16"}));
  EXPECT_EQ(bytes_of(DType::fp32), 4U);
  EXPECT_EQ(bytes_of(DType::bf16), 2U);
  EXPECT_EQ(bytes_of(DType::fp16), 2U);
  EXPECT_THROW(dtype_from("fp8"), std::invalid_argument);
  static_assert(kDType<float> == DType::fp32 && kDType<Bf16> == DType::bf16 &&
                kDType<Fp16> == DType::fp16);
}

}  // namespace
}  // namespace perf::workloads
