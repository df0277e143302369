#include "tests/reporter/outside_program.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <fstream>

namespace perf::samples {

bool has_program(const std::string& program) {
  return std::system(("command -v " + program + " >/dev/null 2>&1").c_str()) == 0;
}

std::string output_of(const std::string& command, const std::string& input, bool& succeeded) {
  const std::string file = testing::TempDir() + "reporter_test_input_" + std::to_string(getpid());
  std::ofstream(file, std::ios::binary) << input;
  std::FILE* pipe = popen((command + " <'" + file + "' 2>&1").c_str(), "r");
  std::string output;
  std::array<char, 4096> buffer{};
  std::size_t read = 0;
  while (pipe != nullptr && (read = std::fread(buffer.data(), 1, buffer.size(), pipe)) > 0) {
    output.append(buffer.data(), read);
  }
  succeeded = pipe != nullptr && pclose(pipe) == 0;
  std::remove(file.c_str());
  return output;
}

}  // namespace perf::samples
