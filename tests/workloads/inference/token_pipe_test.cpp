#include "workloads/inference/token_pipe.h"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <numeric>
#include <stdexcept>

#include "workloads/program/error.h"

namespace perf::workloads {
namespace {

using Tokens = std::vector<std::uint32_t>;

Tokens counting(std::size_t count) {
  Tokens tokens(count);
  std::iota(tokens.begin(), tokens.end(), 100'000U);
  return tokens;
}

TEST(TokenPipe, TheReaderGetsWhatIsHandedOver) {
  TokenPipe pipe(100'000);
  const Tokens tokens = counting(100'000);  // more than a pipe holds at once
  pipe.hand_over(tokens.data(), 1);
  EXPECT_EQ(pipe.received(), Tokens{100'000U}) << "at once";
  pipe.hand_over(tokens.data() + 1, tokens.size() - 1);
  EXPECT_EQ(pipe.received(), tokens);
  pipe.clear();
  pipe.hand_over(tokens.data() + 7, 3);
  EXPECT_EQ(pipe.received(), (Tokens{100'007U, 100'008U, 100'009U}));
  pipe.hand_over(tokens.data(), 0);
  EXPECT_EQ(pipe.received().size(), 3U);
}

TEST(TokenPipe, RefusesMoreThanTheReaderHasRoomFor) {
  TokenPipe pipe(2);
  const Tokens tokens = counting(3);
  EXPECT_THROW(pipe.hand_over(tokens.data(), 3), std::length_error);
  pipe.hand_over(tokens.data(), 2);
  EXPECT_THROW(pipe.hand_over(tokens.data(), 1), std::length_error);
}

TEST(TokenPipe, ReportsThatItIsMissing) {
  rlimit before{};
  ASSERT_EQ(getrlimit(RLIMIT_NOFILE, &before), 0);
  rlimit none = before;
  none.rlim_cur = 0;
  ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &none), 0);
  EXPECT_THROW(TokenPipe(1), Error);
  ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &before), 0);
}

}  // namespace
}  // namespace perf::workloads
