// Files with flipped bits or a missing end, through every reader: no crash, and every number that
// is accepted is in the file, as a second parser in Python confirms.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <nlohmann/json.hpp>
#include <random>

#include "collector/process/temporary_folder.h"
#include "schema/error.h"
#include "tests/faults/effort.h"
#include "tests/faults/flipped_readers.h"
#include "tests/fuzz/checks.h"
#include "tests/schema/mutation/mutator.h"
#include "workloads/model/bad_checkpoint.h"

namespace perf::test {
namespace {

using Json = nlohmann::json;

/// Flips one to three bits or cuts the end; every other time damages as Mutator does.
std::string damaged(const std::vector<std::string>& seeds, int number, std::mt19937& random,
                    Mutator& mutator) {
  if (number % 2 == 1) {
    return mutator.next();
  }
  std::string text = seeds[random() % seeds.size()];
  if (number % 8 == 0) {
    return text.substr(0, random() % text.size());
  }
  for (unsigned flips = 1 + random() % 3; flips > 0; --flips) {
    text[random() % text.size()] ^= static_cast<char>(1u << (random() % 8));
  }
  return text;
}

std::string hex(const std::string& bytes) {
  std::string text;
  for (const char byte : bytes) {
    constexpr char kDigits[] = "0123456789abcdef";
    text += kDigits[static_cast<unsigned char>(byte) >> 4];
    text += kDigits[static_cast<unsigned char>(byte) & 15];
  }
  return text;
}

/// For a checkpoint: its file and the part of it.
void expect_told(const workloads::BadCheckpoint& error) {
  EXPECT_FALSE(error.what_happened.empty() || error.hint.empty());
  EXPECT_NE(error.subject.find("flipped."), std::string::npos) << error.subject;
}

class FlippedFiles : public testing::TestWithParam<Flipped> {
 protected:
  static void TearDownTestSuite() {
    figure("damaged files", std::to_string(refused_) + " refused with the place, " +
                                std::to_string(read_) + " read as they stand");
  }
  static int refused_, read_;
};

int FlippedFiles::refused_ = 0;
int FlippedFiles::read_ = 0;

TEST_P(FlippedFiles, AreRefusedOrReadAsTheyStand) {
  const Flipped& kind = GetParam();
  const int wanted = tries(300, 10'000);
  ASSERT_FALSE(kind.seeds.empty());
  const TemporaryFolder folder;
  const std::string taken_path = folder.path() / "taken.jsonl";
  std::ofstream taken_file(taken_path);
  std::mt19937 random(20261123);
  Mutator mutator(20261123, kind.seeds);
  int taken = 0;
  for (int i = 0; i < wanted; ++i) {
    // The first files are undamaged: both readers must agree on them.
    const std::string text = i < static_cast<int>(kind.seeds.size())
                                 ? kind.seeds[static_cast<std::size_t>(i)]
                                 : damaged(kind.seeds, i, random, mutator);
    try {
      const Json read = kind.read(text);
      ++taken;
      taken_file << Json{{"format", kind.format}, {"text", hex(text)}, {"read", read}}.dump()
                 << "\n";
    } catch (const Error& error) {
      ASSERT_NO_THROW(fuzz::require_error(error, kind.place)) << error.subject << "\n" << text;
    } catch (const workloads::BadCheckpoint& error) {
      expect_told(error);
      ASSERT_FALSE(HasFailure()) << hex(text);
    }
  }
  read_ += taken;
  refused_ += wanted - taken;
  taken_file.close();
  ASSERT_GT(taken, wanted / 100) << "damage that leaves nothing to compare";
  const std::string compare = std::string("python3 -B " PERF_SOURCE_DIR) +
                              "/tests/faults/strict_readers/compare.py '" + taken_path + "' 2>&1";
  FILE* pipe = popen(compare.c_str(), "r");
  ASSERT_NE(pipe, nullptr);
  std::string said;
  for (int c = fgetc(pipe); c != EOF; c = fgetc(pipe)) {
    said += static_cast<char>(c);
  }
  pclose(pipe);
  EXPECT_NE(said.find("compared " + std::to_string(taken) + " wrong 0"), std::string::npos) << said;
  figure("damaged " + kind.format + " files", std::to_string(wanted) + ", of which " +
                                                  std::to_string(taken) +
                                                  " were read, every number as it stands there");
}

INSTANTIATE_TEST_SUITE_P(Formats, FlippedFiles, testing::ValuesIn(flipped_kinds()),
                         [](const auto& kind) {
                           std::string name = kind.param.format;
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

}  // namespace
}  // namespace perf::test
