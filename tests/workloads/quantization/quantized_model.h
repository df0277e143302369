#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "tests/workloads/random_values.h"
#include "workloads/kernels/dtype.h"
#include "workloads/model/tensor_writer.h"

namespace perf::workloads {

/// A folder for the files of one test.
class ScratchFolder : public testing::Test {
 protected:
  ScratchFolder() {
    std::filesystem::remove_all(folder_);
    std::filesystem::create_directories(folder_);
  }
  ~ScratchFolder() override { std::filesystem::remove_all(folder_); }

  const std::string folder_ = testing::TempDir() + "quantization_" +
                              testing::UnitTest::GetInstance()->current_test_info()->name();
};

/// A tensor to write, of random values; of types that are no float's: of any bytes.
struct RandomTensor {
  SafetensorsEntry entry;
  std::string bytes;

  RandomTensor(const std::string& name, const std::string& type, std::vector<std::size_t> shape,
               std::uint32_t seed = 7)
      : entry{name, type, std::move(shape)}, bytes(entry.bytes(), '\x5a') {
    if (type == "F32") {
      fill<float>(seed);
    } else if (type == "BF16") {
      fill<Bf16>(seed);
    } else if (type == "F16") {
      fill<Fp16>(seed);
    }
  }

  /// As floats.
  std::vector<float> values() const {
    if (entry.type == "BF16") {
      return widened<Bf16>();
    }
    return entry.type == "F16" ? widened<Fp16>() : widened<float>();
  }

 private:
  template <class T>
  void fill(std::uint32_t seed) {
    const std::size_t count = bytes.size() / sizeof(T);
    const std::vector<float> random = random_values(count, seed, 0.05F);
    narrow(random.data(), count, reinterpret_cast<T*>(bytes.data()));
  }
  template <class T>
  std::vector<float> widened() const {
    std::vector<float> out(bytes.size() / sizeof(T));
    widen(reinterpret_cast<const T*>(bytes.data()), out.size(), out.data());
    return out;
  }
};

inline void write_tensors(const std::string& path, const std::vector<RandomTensor>& tensors) {
  std::vector<SafetensorsEntry> entries;
  std::uint64_t bytes = 0;
  for (const RandomTensor& tensor : tensors) {
    entries.push_back(tensor.entry);
    bytes += tensor.bytes.size();
  }
  TensorWriter file(path, safetensors_header(entries, {{"format", "pt"}}), bytes);
  for (const RandomTensor& tensor : tensors) {
    file.append(tensor.bytes.data(), tensor.bytes.size());
  }
  file.finish();
}

}  // namespace perf::workloads
