#include "ci/cli/session_files.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

#include "schema/error.h"
#include "schema/files/open_file.h"
#include "schema/files/read_up_to.h"
#include "schema/files/refuse_unreadable.h"
#include "schema/formats/sample_files.h"
#include "schema/system_fault.h"

namespace perf {
namespace {

constexpr std::size_t kLargestInput = std::size_t{64} << 20;  // B: no format has larger files

constexpr std::size_t kBeginning = 4096;  // B

struct Opened {
  int descriptor;
  ~Opened() {
    if (descriptor >= 0) {
      close(descriptor);
    }
  }
};

/// `file` as messages name it.
std::string read_open(int descriptor, const std::string& file, std::size_t limit) {
  std::string text;
  if (const int failed = read_up_to(descriptor, limit, text)) {
    refuse_unreadable(file, failed);
  }
  return text;
}

std::string read_bounded(int descriptor, const std::string& file) {
  std::string text = read_open(descriptor, file, kLargestInput + 1);
  if (text.size() > kLargestInput) {
    throw UsageError("more than 64 MiB", file, "give it in several files");
  }
  return text;
}

/// The descriptor, or -1 with errno; throws Error where the disk fails.
int open_input(const std::string& file) {
  const int descriptor = open_file(file, O_RDONLY | O_CLOEXEC);
  if (descriptor < 0 && is_system_fault(errno)) {
    refuse_unreadable(file, errno);
  }
  return descriptor;
}

}  // namespace

std::string read_input(const std::string& file) {
  if (file == "-") {
    return read_bounded(STDIN_FILENO, "standard input");
  }
  if (std::filesystem::is_directory(file)) {
    throw UsageError("a folder holds no samples itself", file, "name a file in it");
  }
  const Opened opened{open_input(file)};
  if (opened.descriptor < 0) {
    throw UsageError("the file could not be read", file + ": " + std::strerror(errno),
                     "name a file, or - for standard input");
  }
  return read_bounded(opened.descriptor, file);
}

std::string read_beginning(const std::string& file) {
  const Opened opened{open_input(file)};
  return opened.descriptor < 0 ? std::string() : read_open(opened.descriptor, file, kBeginning);
}

SampleSet read_session(const std::string& file) {
  return formats::read_samples(read_input(file), file);
}

}  // namespace perf
