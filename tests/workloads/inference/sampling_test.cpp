#include "workloads/inference/sampling.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <memory>

#include "workloads/inference/sampling_check.h"

namespace perf::workloads {
namespace {

constexpr double kNoNumber = std::numeric_limits<double>::quiet_NaN();

struct OwnSampling {
  explicit OwnSampling(const SamplingSetup& setup, std::uint64_t seed = 1) {
    Ledger counted;
    Sampling(setup, seed, counted);
    memory = std::make_unique<Ledger>(counted);
    sampling = std::make_unique<Sampling>(setup, seed, *memory);
  }
  OwnSampling& steps(int count) {
    for (int i = 0; i < count; ++i) {
      sampling->step();
    }
    return *this;
  }
  // Of the draws from the first vector, as if they had been meant under `options`.
  DrawErrors errors(const SamplingOptions& options) const {
    return draw_errors(options, sampling->logits(0), sampling->setup().vocabulary,
                       sampling->draws(0));
  }

  std::unique_ptr<Ledger> memory;
  std::unique_ptr<Sampling> sampling;
};

SamplingSetup small(SamplingMethod method) {
  return {.options = {.method = method}, .vocabulary = 5000, .vectors = 3, .samples = 300};
}

void expect_passed(const DrawErrors& errors) {
  EXPECT_LE(errors.position, kPositionTolerance);
  EXPECT_LE(errors.outside, kOutsideTolerance);
  EXPECT_LE(errors.frequency(), kFrequencyTolerance);
}

TEST(Sampling, DrawsWhatItShould) {
  for (const std::string& name : sampling_method_names()) {
    for (const double deviation : {0.5, 3.0, 8.0}) {
      for (std::uint64_t seed = 1; seed <= 20; ++seed) {
        SCOPED_TRACE(name + ", deviation " + std::to_string(deviation));
        SamplingSetup setup = small(sampling_method_from(name));
        setup.deviation = deviation;
        OwnSampling own(setup, seed);
        const DrawErrors errors = own.steps(2).errors(setup.options);
        expect_passed(errors);
        if (setup.options.method == SamplingMethod::temperature) {
          EXPECT_GE(errors.freedom, deviation < 8 ? 10U : 0U);
        }
      }
    }
  }
}

TEST(Sampling, KeepsItsDrawsInOrder) {
  const OwnSampling own = std::move(OwnSampling(small(SamplingMethod::greedy)).steps(2));
  const auto draws = own.sampling->draws(1);
  ASSERT_EQ(draws.size(), 200U);
  for (std::size_t i = 0; i < draws.size(); ++i) {
    EXPECT_EQ(draws[i].unit, own.sampling->unit(3 * i + 1));
  }
  const float* logits = own.sampling->logits(1);
  for (std::size_t token = 0; token < 5000; ++token) {
    EXPECT_LE(logits[token], logits[draws[0].token]);
  }
}

TEST(Sampling, ForgetsTheOldestDraws) {
  SamplingSetup setup = small(SamplingMethod::greedy);
  setup.vocabulary = 2;
  setup.samples = Sampling::kKeptDraws;
  setup.vectors = 1;
  OwnSampling own(setup);
  EXPECT_EQ(own.steps(2).sampling->draws(0).size(), Sampling::kKeptDraws);
  EXPECT_EQ(own.sampling->draws(0).front().unit, own.sampling->unit(Sampling::kKeptDraws));
}

TEST(Sampling, LogitsHaveTheDeviationAfterTheTemperature) {
  for (const SamplingMethod method : {SamplingMethod::greedy, SamplingMethod::temperature}) {
    SamplingSetup setup = small(method);
    setup.options.temperature = 0.5;
    const OwnSampling own(setup);
    double square = 0;
    for (std::size_t i = 0; i < setup.vocabulary; ++i) {
      square += std::pow(own.sampling->logits(2)[i], 2) / static_cast<double>(setup.vocabulary);
    }
    EXPECT_NEAR(std::sqrt(square), method == SamplingMethod::greedy ? 3 : 1.5, 0.1);
  }
}

// What a wrong sampler would draw: other options than the reference is asked for.
TEST(SamplingCheck, SeesASetThatIsTooLargeOrTooSmall) {
  const auto errors_of = [](SamplingOptions drawn, const SamplingOptions& meant) {
    SamplingSetup setup = small(drawn.method);
    setup.options = drawn;
    return OwnSampling(setup).steps(4).errors(meant);
  };
  const SamplingOptions top_k{.method = SamplingMethod::top_k}, top_p{};
  SamplingOptions more = top_k, fewer = top_k;
  more.top_k = 51;
  fewer.top_k = 49;
  EXPECT_GT(errors_of(more, top_k).position, kPositionTolerance);
  EXPECT_GT(errors_of(fewer, top_k).position, kPositionTolerance);
  EXPECT_EQ(errors_of(fewer, top_k).outside, 0);
  more.top_k = 60;
  EXPECT_GT(errors_of(more, top_k).outside, kOutsideTolerance);

  SamplingOptions larger = top_p, smaller = top_p;
  larger.top_p = 0.901;
  smaller.top_p = 0.899;
  EXPECT_GT(errors_of(larger, top_p).position, kPositionTolerance);
  EXPECT_GT(errors_of(smaller, top_p).position, kPositionTolerance);
  EXPECT_GT(errors_of({.method = SamplingMethod::temperature}, top_p).outside, kOutsideTolerance);
  SamplingOptions warmer{.method = SamplingMethod::temperature, .temperature = 0.701};
  EXPECT_GT(errors_of(warmer, {.method = SamplingMethod::temperature}).position,
            kPositionTolerance);
  EXPECT_GT(errors_of(top_p, {.method = SamplingMethod::greedy}).outside, kOutsideTolerance);
}

TEST(SamplingCheck, SeesUnitsThatAreNotRandom) {
  const SamplingSetup setup = small(SamplingMethod::temperature);
  OwnSampling own(setup);
  std::vector<Sampling::Draw> draws = own.steps(4).sampling->draws(0);
  const auto errors_of = [&] {
    return draw_errors(setup.options, own.sampling->logits(0), setup.vocabulary, draws);
  };
  expect_passed(errors_of());
  for (std::size_t i = 0; i < draws.size(); i += 5) {
    draws[i] = draws[0];
  }
  EXPECT_GT(errors_of().frequency(), kFrequencyTolerance);
  EXPECT_LE(errors_of().position, kPositionTolerance);
}

TEST(SamplingCheck, FailsOnLogitsThatMakeNoDistribution) {
  std::vector<float> logits(100, 1);
  logits[7] = std::nanf("");
  for (const std::string& name : sampling_method_names()) {
    const SamplingOptions options{.method = sampling_method_from(name)};
    const DrawErrors errors = draw_errors(options, logits.data(), 100, {{0.5, 7}, {0.1, 3}});
    EXPECT_FALSE(errors.position <= kPositionTolerance) << name;
  }
}

TEST(SamplingCheck, AddsUpErrorsAndKeepsTheWorst) {
  DrawErrors sum{.position = 1, .outside = 2, .chi_square = 3, .freedom = 4};
  sum.add({.position = 5, .outside = 1, .chi_square = 10, .freedom = 6});
  EXPECT_EQ(sum.position, 5);
  EXPECT_EQ(sum.outside, 2);
  EXPECT_EQ(sum.chi_square, 13);
  EXPECT_EQ(sum.freedom, 10U);
  sum.add({.position = kNoNumber});
  EXPECT_TRUE(std::isnan(sum.position));
}

// Quantiles of the chi-square distribution, from tables: 10 degrees of freedom exceed 29.588, and
// 50 exceed 86.661, once in a thousand: 3.09 deviations.
TEST(SamplingCheck, DeviationsOfAChiSquare) {
  EXPECT_NEAR((DrawErrors{.chi_square = 29.588, .freedom = 10}).frequency(), 3.09, 0.03);
  EXPECT_NEAR((DrawErrors{.chi_square = 86.661, .freedom = 50}).frequency(), 3.09, 0.02);
  EXPECT_EQ((DrawErrors{.chi_square = 5, .freedom = 10}).frequency(), 0);
  EXPECT_EQ(DrawErrors{}.frequency(), 0);
  EXPECT_TRUE(std::isnan((DrawErrors{.chi_square = kNoNumber, .freedom = 1}).frequency()));
}

}  // namespace
}  // namespace perf::workloads
