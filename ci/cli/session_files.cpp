#include "ci/cli/session_files.h"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>

#include "schema/error.h"
#include "schema/formats/sample_files.h"
#include "schema/system_fault.h"

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
  if (!stream && is_system_fault(errno))
    throw Error("the file could not be read", file + ": " + std::strerror(errno), "check the disk");
  if (!stream)
    throw UsageError("the file could not be read", file + ": " + std::strerror(errno),
                     "name a file, or - for standard input");
  try {
    return read_all(stream);
  } catch (const std::ios_base::failure& failure) {
    throw Error("the file could not be read", file + ": " + failure.what(), "check the disk");
  }
}

SampleSet read_session(const std::string& file) {
  return formats::read_samples(read_input(file), file);
}

}  // namespace perf
