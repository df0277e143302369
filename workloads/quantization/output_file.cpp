#include "workloads/quantization/output_file.h"

#include <fmt/format.h>
#include <signal.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <filesystem>

#include "workloads/model/bad_checkpoint.h"
#include "workloads/program/error.h"
#include "workloads/quantization/quantized_file.h"

namespace perf::workloads {

namespace {

namespace fs = std::filesystem;

constexpr char kTemporary[] = "perf-workloads-quantized-";

// What runs that were killed have left of theirs, whole or in part. Best effort.
void remove_stale_outputs(const fs::path& folder) {
  std::error_code ignored;
  for (fs::directory_iterator entry(folder, ignored), end; !ignored && entry != end;
       entry.increment(ignored)) {
    const std::string name = entry->path().filename().string();
    if (name.rfind(kTemporary, 0) != 0) {
      continue;
    }
    const char* digits = name.data() + std::strlen(kTemporary);
    pid_t process = 0;
    const auto [stop, failure] = std::from_chars(digits, name.data() + name.size(), process);
    if (failure == std::errc() && process > 0 && *stop == '.' && kill(process, 0) != 0 &&
        errno == ESRCH) {
      unlink(entry->path().c_str());
    }
  }
}

// Every step writes the file anew: nothing else may lie there, a model that is not quantized above
// all.
void require_replaceable(const std::string& path) {
  const fs::path folder = fs::path(path).parent_path();
  if (!folder.empty() && !fs::is_directory(folder)) {
    throw Error("no such folder", "--output " + path, "a folder that exists");
  }
  if (!fs::exists(fs::symlink_status(path))) {
    return;
  }
  try {
    const TensorReader file(path);
    const auto format = file.metadata().find("format");
    if (format != file.metadata().end() && format->second == kQuantizedFormat) {
      return;
    }
  } catch (const BadCheckpoint&) {
    // Whatever it is, it is none of ours.
  }
  throw Error("another file lies there", "--output " + path,
              "a path where nothing lies, or what an earlier run has written");
}

}  // namespace

OutputFile::OutputFile(const std::string& wanted, const std::string& container)
    : is_kept_(!wanted.empty()), path_(wanted) {
  if (is_kept_) {
    require_replaceable(wanted);
    return;
  }
  const char* chosen = std::getenv("TMPDIR");
  const fs::path folder = chosen == nullptr || *chosen == '\0' ? "/tmp" : chosen;
  if (!fs::is_directory(folder)) {
    throw Error("no folder for temporary files", "TMPDIR " + folder.string(),
                "another TMPDIR, or --output FILE");
  }
  remove_stale_outputs(folder);
  path_ = folder / fmt::format("{}{}.{}", kTemporary, getpid(), container);
}

OutputFile::~OutputFile() {
  std::error_code ignored;
  if (!is_kept_) {
    fs::remove(path_, ignored);
  }
}

}  // namespace perf::workloads
