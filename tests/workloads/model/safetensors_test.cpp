#include "workloads/model/safetensors.h"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <numeric>
#include <set>

#include "tests/workloads/model/safetensors_file.h"
#include "workloads/model/tensor_writer.h"

namespace perf::workloads {
namespace {

namespace fs = std::filesystem;

class Safetensors : public testing::Test {
 protected:
  Safetensors() {
    fs::remove_all(folder_);
    fs::create_directories(folder_);
  }
  ~Safetensors() override { fs::remove_all(folder_); }

  std::vector<std::string> files() const {
    std::vector<std::string> names;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder_)) {
      names.push_back(entry.path().filename().string());
    }
    return names;
  }

  const std::string folder_ =
      testing::TempDir() + testing::UnitTest::GetInstance()->current_test_info()->name();
  const std::string path_ = folder_ + "/model.safetensors";
};

using SafetensorsDeathTest = Safetensors;  // run first, before there are threads to fork beside

const std::vector<SafetensorsEntry> kTwo = {{"first", "F32", {2, 3}}, {"second", "BF16", {3}}};

TEST_F(Safetensors, IsReadBackAsWritten) {
  std::vector<float> first(6);
  std::iota(first.begin(), first.end(), 0.5F);
  const std::vector<std::uint16_t> second = {7, 8, 9};
  const std::string header = safetensors_header(kTwo, {{"format", "pt"}});
  TensorWriter writer(path_, header, 24 + 6);
  writer.append(first.data(), 10);  // pieces need not be whole values
  writer.append(reinterpret_cast<const char*>(first.data()) + 10, 14);
  writer.append(second.data(), 6);
  writer.finish();

  const SafetensorsFile file(path_);
  EXPECT_EQ(file.header.at("__metadata__"), nlohmann::json({{"format", "pt"}}));
  EXPECT_EQ(file.names(), (std::vector<std::string>{"first", "second"}));
  EXPECT_EQ(file.tensor("first").at("dtype"), "F32");
  EXPECT_EQ(file.tensor("first").at("shape"), nlohmann::json({2, 3}));
  EXPECT_EQ(file.tensor("second").at("dtype"), "BF16");
  EXPECT_EQ(file.values<float>("first"), first);
  EXPECT_EQ(file.values<std::uint16_t>("second"), second);
  EXPECT_EQ(files(), (std::vector<std::string>{"model.safetensors"}));
  EXPECT_EQ(fs::file_size(path_), header.size() + 30);
}

TEST_F(Safetensors, TakesPiecesInAnyOrder) {
  std::vector<float> first(6);
  std::iota(first.begin(), first.end(), 0.5F);
  const std::vector<std::uint16_t> second = {7, 8, 9};
  TensorWriter writer(path_, safetensors_header(kTwo, {}), 24 + 6);
  writer.put(26, second.data() + 1, 4);
  writer.put(12, first.data() + 3, 12);
  writer.put(0, first.data(), 12);
  EXPECT_THROW(writer.finish(), std::logic_error);
  writer.start_writing_back();
  writer.put(24, second.data(), 2);
  writer.sync();
  writer.finish();
  const SafetensorsFile file(path_);
  EXPECT_EQ(file.values<float>("first"), first);
  EXPECT_EQ(file.values<std::uint16_t>("second"), second);
}

TEST(SafetensorsHeader, CountsTheBytesOfEveryType) {
  EXPECT_EQ((SafetensorsEntry{"w", "U8", {3, 5}}.bytes()), 15U);
  EXPECT_EQ((SafetensorsEntry{"w", "I64", {2}}.bytes()), 16U);
  EXPECT_EQ((SafetensorsEntry{"w", "F4", {6}}.bytes()), 3U);
  EXPECT_EQ((SafetensorsEntry{"w", "F32", {}}.bytes()), 4U);
}

TEST(SafetensorsHeader, IsTheTextOfTheFormat) {
  const std::string header = safetensors_header({{"w", "F16", {2}}}, {});
  const std::string json = R"({"w":{"dtype":"F16","shape":[2],"data_offsets":[0,4]}})";
  ASSERT_EQ(json.size(), 54U);
  EXPECT_EQ(header, std::string("\x38\0\0\0\0\0\0\0", 8) + json + "  ");
}

TEST(SafetensorsHeader, EscapesNamesAndStrings) {
  const std::string odd = "a\"b\\c\nd\x01\xc3\xa9";
  const std::string header = safetensors_header({{odd, "F32", {1}}}, {{odd, odd}});
  const nlohmann::json parsed = nlohmann::json::parse(header.substr(8));
  EXPECT_EQ(parsed.at(odd).at("dtype"), "F32");
  EXPECT_EQ(parsed.at("__metadata__").at(odd), odd);
}

TEST(SafetensorsHeader, TakesOffsetsBeyondFourGibibytes) {
  const nlohmann::json parsed = nlohmann::json::parse(
      safetensors_header({{"big", "F32", {1U << 16, 1U << 16}}, {"w", "F32", {1}}}, {}).substr(8));
  EXPECT_EQ(parsed.at("w").at("data_offsets").at(1), (std::uint64_t{1} << 34) + 4);
}

TEST(SafetensorsHeader, RefusesDuplicatesAndUnknownTypes) {
  EXPECT_THROW(safetensors_header({{"w", "F32", {1}}, {"w", "F32", {1}}}, {}),
               std::invalid_argument);
  EXPECT_THROW(safetensors_header({{"__metadata__", "F32", {1}}}, {}), std::invalid_argument);
  EXPECT_THROW(safetensors_header({{"w", "F33", {1}}}, {}), std::invalid_argument);
}

TEST_F(Safetensors, LeavesNothingWhereItWasNotFinished) {
  { TensorWriter writer(path_, safetensors_header(kTwo, {}), 30); }
  EXPECT_EQ(files(), std::vector<std::string>{});
}

TEST_F(Safetensors, KeepsTheOldFileUntilTheNewOneIsWhole) {
  std::ofstream(path_) << "old";
  {
    TensorWriter writer(path_, safetensors_header(kTwo, {}), 30);
    EXPECT_EQ(fs::file_size(path_), 3U);
  }
  EXPECT_EQ(files(), std::vector<std::string>{"model.safetensors"});
  EXPECT_EQ(fs::file_size(path_), 3U);
}

TEST_F(Safetensors, HoldsItsCallersToTheHeader) {
  TensorWriter writer(path_, safetensors_header(kTwo, {}), 30);
  const std::vector<char> bytes(31);
  writer.append(bytes.data(), 29);
  EXPECT_THROW(writer.finish(), std::logic_error);
  EXPECT_THROW(writer.append(bytes.data(), 2), std::logic_error);
  writer.append(bytes.data(), 1);
  writer.finish();
  EXPECT_EQ(files(), std::vector<std::string>{"model.safetensors"});
}

TEST_F(Safetensors, NamesTheFileAndTheReason) {
  try {
    TensorWriter(folder_ + "/absent/m", "header", 0);
    FAIL();
  } catch (const std::runtime_error& error) {
    EXPECT_EQ(error.what(), "cannot write " + folder_ + "/absent/m: No such file or directory");
  }
}

// A limit on the size of files stands for a full disk: the write fails in the same place.
[[noreturn]] void write_on_a_full_disk(const std::string& path) {
  std::signal(SIGXFSZ, SIG_IGN);
  const rlimit limit{.rlim_cur = 100'000, .rlim_max = 100'000};
  setrlimit(RLIMIT_FSIZE, &limit);
  const std::vector<char> bytes(60'000);
  int pieces = 0;
  try {
    TensorWriter writer(path, "12345678", 1'000'000);
    for (; pieces < 10; ++pieces) {
      writer.append(bytes.data(), bytes.size());
    }
  } catch (const std::runtime_error& error) {
    std::fprintf(stderr, "%s after %d", error.what(), pieces);
  }
  std::_Exit(0);
}

TEST_F(SafetensorsDeathTest, LeavesNoHalfFileOnAFullDisk) {
  EXPECT_EXIT(write_on_a_full_disk(path_), testing::ExitedWithCode(0),
              "cannot write .*/model.safetensors: File too large after 1");
  EXPECT_EQ(files(), std::vector<std::string>{});
}

TEST_F(SafetensorsDeathTest, LeavesNoFileOfThatNameWhenKilled) {
  EXPECT_EXIT(
      {
        TensorWriter writer(path_, safetensors_header(kTwo, {}), 30);
        writer.append("0123456789", 10);
        std::raise(SIGKILL);
      },
      testing::KilledBySignal(SIGKILL), "");
  EXPECT_FALSE(fs::exists(path_));
}

TEST_F(SafetensorsDeathTest, RemovesWhatKilledWritersOfTheSameFileLeft) {
  EXPECT_EXIT(
      {
        TensorWriter writer(path_, safetensors_header(kTwo, {}), 30);
        std::raise(SIGKILL);
      },
      testing::KilledBySignal(SIGKILL), "");
  const std::vector<std::string> left = files();
  ASSERT_EQ(left.size(), 1U);
  const std::string process = left[0].substr(left[0].find_last_of('-') + 1);
  const std::string alive = std::to_string(getppid());
  std::set<std::string> kept = {"other.partial-" + process, "model.safetensors.partial-" + alive,
                                "model.safetensors.partial-0", left[0] + "x"};
  for (const std::string& name : kept) {
    std::ofstream(folder_ + "/" + name) << "data";
  }
  TensorWriter writer(path_, safetensors_header(kTwo, {}), 30);
  kept.insert("model.safetensors.partial-" + std::to_string(getpid()));
  const std::vector<std::string> now = files();
  EXPECT_EQ(std::set<std::string>(now.begin(), now.end()), kept);
}

}  // namespace
}  // namespace perf::workloads
