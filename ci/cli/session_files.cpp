#include "ci/cli/session_files.h"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>

#include "schema/error.h"
#include "schema/formats/sample_files.h"

namespace perf {
namespace {

std::string read_all(std::istream& stream) {
  return {std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
}

}  // namespace

std::string read_input(const std::string& file) {
  if (file == "-")
    return read_all(std::cin);
  if (std::filesystem::is_directory(file))
    throw UsageError("a folder holds no samples itself", file, "name a file in it");
  std::ifstream stream(file, std::ios::binary);
  std::string text;
  if (stream)
    text = read_all(stream);
  if (!stream)
    throw UsageError("the file could not be read", file + ": " + std::strerror(errno),
                     "name a file, or - for standard input");
  return text;
}

SampleSet read_session(const std::string& file) {
  return formats::read_samples(read_input(file), file);
}

}  // namespace perf
