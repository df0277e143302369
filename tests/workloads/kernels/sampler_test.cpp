#include "workloads/kernels/sampler.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <numeric>
#include <set>
#include <stdexcept>

#include "tests/workloads/random_values.h"
#include "tests/workloads/threads.h"
#include "workloads/kernels/random.h"

namespace perf::workloads {
namespace {

constexpr float kInfiniteLogit = std::numeric_limits<float>::infinity();
constexpr double kAlmostOne = 1 - 0x1p-53;

struct OwnSampler {
  OwnSampler(const SamplingOptions& options, std::size_t vocabulary)
      : counted(std::make_unique<Ledger>()) {
    Sampler(options, vocabulary, *counted);
    memory = std::make_unique<Ledger>(*counted);
    sampler = std::make_unique<Sampler>(options, vocabulary, *memory);
  }
  std::size_t choose(const std::vector<float>& logits, double unit) {
    return sampler->choose(logits.data(), unit);
  }

  std::unique_ptr<Ledger> counted, memory;
  std::unique_ptr<Sampler> sampler;
};

std::size_t choose(const SamplingOptions& options, const std::vector<float>& logits, double unit) {
  return OwnSampler(options, logits.size()).choose(logits, unit);
}

std::vector<float> normal_logits(std::size_t count, std::uint32_t seed, float deviation) {
  std::vector<float> logits(count);
  fill_normal(logits.data(), count, seed, deviation);
  return logits;
}

std::vector<double> reference(const SamplingOptions& options, const std::vector<float>& logits) {
  return sampling_probabilities_reference(options, logits.data(), logits.size());
}

std::vector<SamplingOptions> all_options() {
  std::vector<SamplingOptions> all = {{.method = SamplingMethod::greedy}};
  for (const double temperature : {0.1, 0.7, 5.0}) {
    all.push_back({.method = SamplingMethod::temperature, .temperature = temperature});
    for (const int k : {1, 50, 3000}) {
      all.push_back({.method = SamplingMethod::top_k, .temperature = temperature, .top_k = k});
    }
    for (const double p : {0.1, 0.9, 0.999, 1.0}) {
      all.push_back({.method = SamplingMethod::top_p, .temperature = temperature, .top_p = p});
    }
  }
  return all;
}

std::string text(const SamplingOptions& options) {
  return name_of(options.method) + " temperature " + std::to_string(options.temperature) + " k " +
         std::to_string(options.top_k) + " p " + std::to_string(options.top_p);
}

// Probabilities and their sums are good to 1e-5: e^x and sums of 2048 terms in single precision,
// and at the border of the nucleus a token more or less of those about as probable.
constexpr double kRoundingOfSums = 1e-5;

// The token at `unit` of the reference's cumulated probabilities, or its neighbour where rounding
// moves the border between them.
void expect_right_token(const std::vector<double>& probabilities, double unit, std::size_t token) {
  ASSERT_LT(token, probabilities.size());
  const auto at = probabilities.begin() + static_cast<std::ptrdiff_t>(token);
  const double before = std::accumulate(probabilities.begin(), at, 0.0);
  EXPECT_LE(before, unit + kRoundingOfSums) << "token " << token;
  EXPECT_GE(before + *at, unit - kRoundingOfSums) << "token " << token;
}

TEST(Sampler, ChoosesWhatTheReferenceDoes) {
  for (const std::size_t vocabulary : {1U, 2U, 60U, 4096U, 32'003U}) {
    for (const float deviation : {0.3F, 3.0F, 12.0F}) {
      const std::vector<float> logits = normal_logits(vocabulary, 11, deviation);
      for (const SamplingOptions& options : all_options()) {
        SCOPED_TRACE(testing::Message() << vocabulary << " tokens of deviation " << deviation
                                        << ", " << text(options));
        const std::vector<double> probabilities = reference(options, logits);
        OwnSampler sampler(options, vocabulary);
        for (std::uint32_t i = 0; i < 40; ++i) {
          const double unit = i == 0 ? 0 : i == 1 ? kAlmostOne : random_unit(7, i);
          expect_right_token(probabilities, unit, sampler.choose(logits, unit));
        }
      }
    }
  }
}

// Each of many equally spaced units: a token that may be drawn comes as often as it is probable,
// one that may not never comes.
TEST(Sampler, DrawsFromTheWholeSetAndNothingElse) {
  const std::vector<float> logits = normal_logits(3000, 3, 1.5F);
  for (const SamplingOptions& options : all_options()) {
    SCOPED_TRACE(text(options));
    const std::vector<double> probabilities = reference(options, logits);
    OwnSampler sampler(options, logits.size());
    constexpr int kDraws = 20'000;
    std::vector<int> drawn(logits.size());
    for (int i = 0; i < kDraws; ++i) {
      ++drawn[sampler.choose(logits, (i + 0.5) / kDraws)];
    }
    for (std::size_t i = 0; i < logits.size(); ++i) {
      EXPECT_NEAR(drawn[i], kDraws * probabilities[i], 1 + kDraws * kRoundingOfSums)
          << "token " << i;
    }
  }
}

// Pearson's chi-square of random draws over tokens, those rarer than 10 in all taken together: with
// f degrees of freedom it stays below f + 5 sqrt(2 f) but for a few in a million seeds.
TEST(Sampler, FrequenciesOfRandomDraws) {
  const std::vector<float> logits = normal_logits(1000, 5, 2);
  for (const SamplingMethod method :
       {SamplingMethod::temperature, SamplingMethod::top_k, SamplingMethod::top_p}) {
    const SamplingOptions options{.method = method, .temperature = 1.1};
    const std::vector<double> probabilities = reference(options, logits);
    OwnSampler sampler(options, logits.size());
    constexpr std::uint32_t kDraws = 50'000;
    std::vector<double> drawn(logits.size());
    for (std::uint32_t i = 0; i < kDraws; ++i) {
      ++drawn[sampler.choose(logits, random_unit(17, i))];
    }
    double square = 0, rare_drawn = 0, rare_expected = 0;
    int cells = 0;
    for (std::size_t i = 0; i < logits.size(); ++i) {
      const double expected = kDraws * probabilities[i];
      if (expected < 10) {
        rare_drawn += drawn[i];
        rare_expected += expected;
        continue;
      }
      square += (drawn[i] - expected) * (drawn[i] - expected) / expected;
      ++cells;
    }
    if (rare_expected > 10) {
      square += (rare_drawn - rare_expected) * (rare_drawn - rare_expected) / rare_expected;
      ++cells;
    }
    const double freedom = cells - 1;
    EXPECT_LT(square, freedom + 5 * std::sqrt(2 * freedom)) << name_of(method);
    EXPECT_GT(square, freedom - 5 * std::sqrt(2 * freedom)) << name_of(method) << ": too even";
  }
}

TEST(Sampler, MatchesResultsByHand) {
  const std::vector<float> logits = {std::log(0.1F), std::log(0.5F), std::log(0.25F),
                                     std::log(0.15F)};
  const SamplingOptions nucleus{.method = SamplingMethod::top_p, .temperature = 1, .top_p = 0.7};
  EXPECT_EQ(choose(nucleus, logits, 0.0), 1U);  // 0.5 and 0.25
  EXPECT_EQ(choose(nucleus, logits, 0.66), 1U);
  EXPECT_EQ(choose(nucleus, logits, 0.67), 2U);
  EXPECT_EQ(choose(nucleus, logits, kAlmostOne), 2U);
  const SamplingOptions three{.method = SamplingMethod::top_k, .temperature = 1, .top_k = 3};
  EXPECT_EQ(choose(three, logits, 0.0), 1U);
  EXPECT_EQ(choose(three, logits, 0.57), 2U);
  EXPECT_EQ(choose(three, logits, 0.9), 3U);
  const std::vector<double> probabilities = reference(three, logits);
  EXPECT_EQ(probabilities[0], 0);
  EXPECT_NEAR(probabilities[1], 0.5 / 0.9, 1e-7);
  EXPECT_NEAR(reference(nucleus, logits)[2], 0.25 / 0.75, 1e-7);
}

TEST(Sampler, MayDrawAnyOfEqualLogits) {
  for (const std::size_t vocabulary : {7U, 5000U}) {
    const std::vector<float> logits(vocabulary, -3.25F);
    for (const SamplingOptions& options : all_options()) {
      if (options.method == SamplingMethod::greedy) {
        continue;
      }
      SCOPED_TRACE(text(options));
      OwnSampler sampler(options, vocabulary);
      std::set<std::size_t> drawn;
      for (std::size_t i = 0; i < vocabulary; ++i) {
        drawn.insert(sampler.choose(
            logits, (static_cast<double>(i) + 0.5) / static_cast<double>(vocabulary)));
      }
      EXPECT_EQ(drawn.size(), vocabulary);
      EXPECT_EQ(reference(options, logits)[vocabulary - 1], 1.0 / static_cast<double>(vocabulary));
    }
  }
}

TEST(Sampler, KOfOneIsGreedy) {
  const std::vector<float> logits = normal_logits(10'000, 9, 3);
  const auto best =
      static_cast<std::size_t>(std::max_element(logits.begin(), logits.end()) - logits.begin());
  for (const double unit : {0.0, 0.5, kAlmostOne}) {
    EXPECT_EQ(choose({.method = SamplingMethod::greedy}, logits, unit), best);
    EXPECT_EQ(choose({.method = SamplingMethod::top_k, .top_k = 1}, logits, unit), best);
    EXPECT_EQ(choose({.method = SamplingMethod::top_p, .top_p = 1e-9}, logits, unit), best);
    for (const double temperature : {1e-3, 1e-30, 1e-300}) {
      for (const SamplingMethod method :
           {SamplingMethod::temperature, SamplingMethod::top_k, SamplingMethod::top_p}) {
        EXPECT_EQ(choose({.method = method, .temperature = temperature}, logits, unit), best)
            << name_of(method) << " " << temperature;
      }
    }
  }
}

TEST(Sampler, AHighTemperatureMakesAllEqual) {
  const std::vector<float> logits = normal_logits(1000, 9, 3);
  OwnSampler sampler({.method = SamplingMethod::temperature, .temperature = 1e300}, 1000);
  for (std::size_t i = 0; i < 1000; ++i) {
    EXPECT_EQ(sampler.choose(logits, (static_cast<double>(i) + 0.5) / 1000), i);
  }
  // Which are the k most probable is still known.
  const SamplingOptions few{.method = SamplingMethod::top_k, .temperature = 1e30, .top_k = 3};
  const std::vector<double> probabilities = reference({few.method, 1.0, 3}, logits);
  for (const double unit : {0.1, 0.5, 0.9}) {
    EXPECT_GT(probabilities[choose(few, logits, unit)], 0);
  }
}

TEST(Sampler, TokensThatAreRuledOutNeverCome) {
  for (const std::size_t vocabulary : {40U, 5000U}) {
    std::vector<float> logits = normal_logits(vocabulary, 4, 2);
    for (std::size_t i = 0; i < vocabulary; i += 2) {
      logits[i] = -kInfiniteLogit;
    }
    logits[1] = -1000;
    for (const SamplingOptions& options : all_options()) {
      OwnSampler sampler(options, vocabulary);
      for (const double unit : {0.0, 1e-30, 0.3, kAlmostOne}) {
        const std::size_t token = sampler.choose(logits, unit);
        EXPECT_TRUE(token % 2 == 1 && token > 1) << token << ", " << text(options);
      }
    }
  }
}

// No distribution, but a token, and the reference says that it is none.
TEST(Sampler, LogitsThatMakeNoDistribution) {
  for (const SamplingOptions& options : all_options()) {
    SCOPED_TRACE(text(options));
    std::vector<float> logits = normal_logits(5000, 4, 2);
    logits[17] = logits[4000] = kInfiniteLogit;
    EXPECT_EQ(choose(options, logits, 0.5), 17U);
    EXPECT_TRUE(std::isnan(reference(options, logits)[1]));
    logits[3000] = std::nanf("");
    logits[4500] = -std::nanf("");
    EXPECT_EQ(choose(options, logits, 0.5), 3000U);
    EXPECT_TRUE(std::isnan(reference(options, logits)[1]));
    const std::vector<float> nothing(5000, -kInfiniteLogit);
    EXPECT_EQ(choose(options, nothing, 0.5), 0U);
    EXPECT_TRUE(std::isnan(reference(options, nothing)[1]));
  }
}

TEST(Sampler, DoesNotDependOnThreads) {
  const std::vector<float> logits = normal_logits(151'936, 8, 3);
  for (const SamplingOptions& options : all_options()) {
    expect_same_on_any_threads([&] {
      OwnSampler sampler(options, logits.size());
      std::vector<std::size_t> tokens;
      for (std::uint32_t i = 0; i < 4; ++i) {
        tokens.push_back(sampler.choose(logits, random_unit(2, i)));
      }
      return tokens;
    });
  }
}

TEST(Sampler, RefusesWhatIsOutsideTheRanges) {
  const auto make = [](SamplingOptions options, std::size_t vocabulary = 10) {
    Ledger counted;
    Sampler(options, vocabulary, counted);
  };
  EXPECT_NO_THROW(make({}));
  EXPECT_THROW(make({}, 0), std::invalid_argument);
  for (const double temperature : {0.0, -1.0, std::nan("")}) {
    EXPECT_THROW(make({.temperature = temperature}), std::invalid_argument);
  }
  for (const double p : {0.0, 1.1, std::nan("")}) {
    EXPECT_THROW(make({.top_p = p}), std::invalid_argument);
  }
  EXPECT_THROW(make({.top_k = 0}), std::invalid_argument);
  EXPECT_THROW(sampling_method_from("best"), std::invalid_argument);
  for (const std::string& name : sampling_method_names()) {
    EXPECT_EQ(name_of(sampling_method_from(name)), name);
  }
}

}  // namespace
}  // namespace perf::workloads
