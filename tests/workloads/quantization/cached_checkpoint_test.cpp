#include "workloads/quantization/cached_checkpoint.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <memory>
#include <thread>

#include "tests/workloads/quantization/quantized_model.h"
#include "workloads/program/error.h"
#include "workloads/quantization/checkpoint_tensors.h"

namespace perf::workloads {
namespace {

namespace fs = std::filesystem;

/// A variable of the environment, as long as the object lives.
class Variable {
 public:
  Variable(const char* name, const std::string& value) : name_(name) {
    if (const char* before = std::getenv(name); before != nullptr) {
      before_ = std::make_unique<std::string>(before);
    }
    setenv(name, value.c_str(), 1);
  }
  ~Variable() {
    if (before_ == nullptr) {
      unsetenv(name_);
    } else {
      setenv(name_, before_->c_str(), 1);
    }
  }
  Variable(const Variable&) = delete;
  Variable& operator=(const Variable&) = delete;

 private:
  const char* name_;
  std::unique_ptr<std::string> before_;
};

SyntheticShape shape_of(int layers) {
  return {.layers = layers, .hidden = 32, .intermediate = 48, .vocabulary = 50};
}

class CachedCheckpointTest : public ScratchFolder {
 protected:
  std::size_t files() const {
    std::size_t count = 0;
    for (const fs::directory_entry& entry : fs::directory_iterator(kept_)) {
      count += entry.path().extension() == ".safetensors" ? 1 : 0;
    }
    return count;
  }
  /// As if it had been used an hour ago, or more.
  static void grow_old(const std::string& path, int hours) {
    struct stat now = {};
    ASSERT_EQ(stat(path.c_str(), &now), 0);
    const timespec times[2] = {{now.st_atim.tv_sec - 3600 * hours, 0}, {0, UTIME_OMIT}};
    ASSERT_EQ(utimensat(AT_FDCWD, path.c_str(), times, 0), 0);
  }

  const Variable cache_{"XDG_CACHE_HOME", folder_};
  const std::string kept_ = folder_ + "/perf-compare/checkpoints";
};

TEST_F(CachedCheckpointTest, HoldsTheModelOfItsSeedInEveryType) {
  const SyntheticShape shape = shape_of(2);
  const SyntheticTensors source(shape, CachedCheckpoint::kSeed);
  for (const DType dtype : {DType::fp32, DType::bf16, DType::fp16}) {
    const CachedCheckpoint cached(shape, dtype);
    EXPECT_TRUE(cached.was_written());
    EXPECT_EQ(cached.path().compare(0, kept_.size(), kept_), 0) << cached.path();
    const CheckpointTensors file(cached.path());
    EXPECT_EQ(file.matrix_bytes(), shape.parameters() * bytes_of(dtype));
    ASSERT_EQ(file.tensors().size(), source.tensors().size());
    for (std::size_t i = 0; i < source.tensors().size(); ++i) {
      const Tensor& tensor = source.tensors()[i];
      EXPECT_EQ(file.tensors()[i].name, tensor.name);
      EXPECT_EQ(file.tensors()[i].part, tensor.part);
      EXPECT_EQ(file.tensors()[i].layer, tensor.layer);
      EXPECT_EQ(file.tensors()[i].rows, tensor.rows);
      std::vector<float> wanted(tensor.values()), found(tensor.values());
      source.read(i, 0, tensor.rows, wanted.data());
      file.read(i, 0, tensor.rows, found.data());
      for (float& value : wanted) {
        value = dtype == DType::bf16   ? widen(narrow<Bf16>(value))
                : dtype == DType::fp16 ? widen(narrow<Fp16>(value))
                                       : value;
      }
      EXPECT_EQ(found, wanted) << tensor.name;
    }
  }
}

TEST_F(CachedCheckpointTest, IsWrittenOnce) {
  const CachedCheckpoint first(shape_of(1), DType::fp32);
  const fs::file_time_type written = fs::last_write_time(first.path());
  const CheckpointTensors reading(first.path());
  const CachedCheckpoint second(shape_of(1), DType::fp32);
  EXPECT_FALSE(second.was_written());
  EXPECT_EQ(second.path(), first.path());
  EXPECT_EQ(fs::last_write_time(first.path()), written);
  std::vector<float> values(32);
  reading.read(0, 0, 1, values.data());  // a second use is no change of the file
}

TEST_F(CachedCheckpointTest, IsWrittenOnceByManyAtOnce) {
  std::vector<int> written(6);
  std::vector<std::thread> others;
  for (int& mine : written) {
    others.emplace_back(
        [&mine] { mine = CachedCheckpoint(shape_of(3), DType::bf16).was_written() ? 1 : 0; });
  }
  for (std::thread& other : others) {
    other.join();
  }
  EXPECT_EQ(std::count(written.begin(), written.end(), 1), 1);
}

TEST_F(CachedCheckpointTest, ReplacesAFileThatIsNotWhatWouldBeWritten) {
  for (const Container container : {Container::safetensors, Container::parquet}) {
    const auto was_written = [&] {
      return CachedCheckpoint(shape_of(1), DType::fp32, {}, container).was_written();
    };
    EXPECT_TRUE(was_written());
    const std::string path = CachedCheckpoint(shape_of(1), DType::fp32, {}, container).path();
    for (const std::streamoff place : {20, -2}) {  // a header, and the last value or the footer
      std::fstream(path, std::ios::in | std::ios::out | std::ios::binary)
              .seekp(place, place < 0 ? std::ios::end : std::ios::beg)
          << '\xf3';
      EXPECT_TRUE(was_written()) << place;
    }
    fs::resize_file(path, fs::file_size(path) - 1);
    EXPECT_TRUE(was_written());
    EXPECT_FALSE(was_written());
  }
}

TEST_F(CachedCheckpointTest, KeepsThreeAndRemovesTheOneUsedLongestAgo) {
  std::vector<std::string> paths;
  for (int layers = 1; layers <= 3; ++layers) {
    paths.push_back(CachedCheckpoint(shape_of(layers), DType::fp32).path());
    grow_old(paths.back(), 10 - layers);
  }
  EXPECT_FALSE(CachedCheckpoint(shape_of(1), DType::fp32).was_written());  // the oldest, used again
  const CachedCheckpoint fourth(shape_of(4), DType::fp32);
  EXPECT_EQ(files(), CachedCheckpoint::kMostFiles);
  EXPECT_TRUE(fs::exists(paths[0]));
  EXPECT_FALSE(fs::exists(paths[1]));
  EXPECT_TRUE(fs::exists(paths[2]));
}

TEST_F(CachedCheckpointTest, NeverRemovesOneThatIsInUse) {
  auto held = std::make_unique<CachedCheckpoint>(shape_of(1), DType::fp32);
  const std::string path = held->path();
  grow_old(path, 5);
  for (int layers = 2; layers <= 5; ++layers) {
    CachedCheckpoint(shape_of(layers), DType::fp32);
  }
  EXPECT_TRUE(fs::exists(path));
  held.reset();
  grow_old(path, 5);
  CachedCheckpoint(shape_of(6), DType::fp32);
  EXPECT_FALSE(fs::exists(path));
  EXPECT_EQ(files(), CachedCheckpoint::kMostFiles);
}

TEST_F(CachedCheckpointTest, RemovesWhatKilledProcessesLeft) {
  fs::create_directories(kept_);
  const std::string left = kept_ + "/synthetic-of-another.safetensors.partial-1";
  std::ofstream(left) << "part";
  CachedCheckpoint(shape_of(1), DType::fp32);
  EXPECT_FALSE(fs::exists(left));
}

TEST_F(CachedCheckpointTest, ReportsAFullDiskBeforehand) {
  const auto refusal = [](const SyntheticShape& shape, const std::vector<PlannedFile>& beside) {
    try {
      const CachedCheckpoint cached(shape, DType::fp32, beside);
      return std::string();
    } catch (const Error& error) {
      return std::string(error.what());
    }
  };
  SyntheticShape huge = {.layers = 1000, .hidden = 65536, .intermediate = 262144};
  const std::string said = refusal(huge, {});
  EXPECT_NE(said.find("no room on the disk"), std::string::npos) << said;
  EXPECT_NE(said.find(kept_ + " has "), std::string::npos) << said;
  EXPECT_NE(said.find("192005 GiB would be written"), std::string::npos) << said;
  EXPECT_NE(said.find("XDG_CACHE_HOME"), std::string::npos) << said;
  EXPECT_EQ(files(), 0U);
  // What is written beside it lies on the same disk.
  EXPECT_NE(refusal(shape_of(1), {{folder_ + "/out", std::uint64_t{1} << 55}}), "");
  EXPECT_EQ(files(), 0U);
  EXPECT_EQ(refusal(shape_of(1), {{folder_ + "/out", 1000}}), "");
}

TEST_F(CachedCheckpointTest, NeedsAFolder) {
  const auto refusal = [] {
    try {
      const CachedCheckpoint cached(shape_of(1), DType::fp32);
      return std::string();
    } catch (const Error& error) {
      return std::string(error.what());
    }
  };
  {
    const Variable none("XDG_CACHE_HOME", "");
    {
      const Variable home("HOME", folder_ + "/home");
      EXPECT_EQ(CachedCheckpoint(shape_of(1), DType::fp32).path().find(folder_ + "/home/.cache/"),
                0U);
    }
    const Variable no_home("HOME", "");
    EXPECT_NE(refusal().find("neither XDG_CACHE_HOME nor HOME"), std::string::npos);
  }
  std::ofstream(folder_ + "/file") << "no folder";
  const Variable file("XDG_CACHE_HOME", folder_ + "/file");
  EXPECT_NE(refusal().find("cannot keep synthetic checkpoints"), std::string::npos);
}

}  // namespace
}  // namespace perf::workloads
