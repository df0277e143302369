// What `perf-compare prune` leaves of a history with changes in it.

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "tests/ci/recorded_line.h"
#include "tests/contains.h"

namespace perf::test {
namespace {

/// The commits whose runs on a machine still have raw steps.
std::vector<std::size_t> with_steps(const RecordedLine& line, const std::string& machine) {
  const Store store(line.path() / ".perf-compare" / "results.db", Store::Access::read_only);
  std::vector<std::size_t> found;
  for (std::size_t i = 0; i < line.oids.size(); ++i) {
    const Measurements history = store.load(machine + "-claimed-" + std::to_string(i));
    if (!history.invocations.at(0).blocks.at(0).steps.empty()) {
      found.push_back(i);
    }
  }
  return found;
}

std::vector<std::size_t> from_to(std::size_t first, std::size_t last) {
  std::vector<std::size_t> numbers;
  for (; first <= last; ++first) {
    numbers.push_back(first);
  }
  return numbers;
}

TEST(Prune, KeepsRawStepsBesideABackfilledAlert) {
  RecordedLine line(40, 40, "100");
  const auto level = [](std::size_t commit) { return commit < 21 ? 0.1 : 0.12; };
  for (std::size_t i = 0; i < 40; i += 2) {
    line.record(i, i + 1, level);
  }
  ASSERT_TRUE(ended(line.trend({"--fail-on", "new"}), 1));  // after commit 20, up to 22
  const std::string id = Store(line.path() / ".perf-compare" / "results.db").alerts().at(0).id;
  ASSERT_TRUE(ended(line.perf_compare({"alert", "ignore", id, "--reason", "a price paid"}),
                    0));  // what was accepted is evidence all the same
  for (std::size_t i = 1; i < 40; i += 2) {
    line.record(i, i + 1, level);
  }
  const Outcome pruned = line.perf_compare({"prune", "--keep-steps", "1d"});
  ASSERT_EQ(pruned.exit_code, 0) << pruned.err;
  // Three on either side of 20 and 22. The store alone knows the order of measuring: 14 to 28 by
  // twos.
  const std::vector<std::size_t> kept = with_steps(line, "machine1");
  for (const std::size_t wanted : from_to(17, 25)) {
    EXPECT_EQ(std::count(kept.begin(), kept.end(), wanted), 1) << wanted;
  }
  EXPECT_LE(kept.size(), 13U) << pruned.out;
  EXPECT_TRUE(contains(pruned.out, std::to_string(kept.size()) + " beside a change"));
}

TEST(Prune, KeepsRawStepsBesideAnUnreportedChange) {
  RecordedLine line(60, 60, "100");
  line.record(
      0, 60, [](std::size_t commit) { return commit < 30 ? 0.12 : 0.1; }, "better");
  line.record(
      0, 60, [](std::size_t commit) { return commit < 45 ? 0.1 : 0.12; }, "worse");
  const Outcome pruned = line.perf_compare({"prune", "--keep-steps", "1d"});
  ASSERT_EQ(pruned.exit_code, 0) << pruned.err;
  // A commit that one machine needs stays on all.
  std::vector<std::size_t> kept = from_to(26, 33);
  for (const std::size_t more : from_to(41, 48)) {
    kept.push_back(more);
  }
  EXPECT_EQ(with_steps(line, "better"), kept) << pruned.out;
  EXPECT_EQ(with_steps(line, "worse"), kept) << pruned.out;
}

}  // namespace
}  // namespace perf::test
