#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <string>
#include <system_error>
#include <vector>

#include "ci/cli/judge/judge.h"
#include "schema/error.h"
#include "schema/files/content.h"
#include "schema/files/descriptor.h"
#include "schema/formats/foreign.h"
#include "schema/sample_set.h"

namespace perf {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kLargestInput = std::size_t{64} << 20;  // B: no format has larger files

constexpr std::size_t kBeginning = 4096;  // B

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
    throw UsageError("file larger than 64 MiB", file, "split it into several files");
  }
  return text;
}

/// Nothing, with errno, if it cannot be opened; throws Error if the disk fails.
Descriptor open_input(const std::string& file) {
  Descriptor opened = open_file(file, O_RDONLY | O_CLOEXEC);
  if (!opened && is_system_fault(errno)) {
    refuse_unreadable(file, errno);
  }
  return opened;
}

/// All paths below a folder, sorted; links are not followed. Throws UsageError.
std::vector<fs::path> paths_below(const fs::path& folder) {
  std::vector<fs::path> paths;
  std::error_code error;
  for (fs::recursive_directory_iterator at(folder, error), end; !error && at != end;
       at.increment(error)) {
    paths.push_back(at->path());
  }
  if (error) {
    throw UsageError("the folder could not be read", folder.string() + ": " + error.message());
  }
  std::ranges::sort(paths);
  return paths;
}

bool is_file(const fs::path& path) {
  std::error_code error;
  return fs::is_regular_file(path, error);
}

/// criterion.rs keeps the latest samples of each benchmark in a folder `new`.
std::vector<ImportedSession> read_criterion_folder(const std::string& folder) {
  std::vector<formats::CriterionFiles> benchmarks;
  for (const fs::path& path : paths_below(folder)) {
    if (path.filename() == "new" && is_file(path / "benchmark.json") &&
        is_file(path / "sample.json")) {
      benchmarks.push_back({path.string(), read_input((path / "benchmark.json").string()),
                            read_input((path / "sample.json").string())});
    }
  }
  if (benchmarks.empty()) {
    throw UsageError("no criterion benchmark in the folder", folder,
                     "pass target/criterion, after cargo bench");
  }
  return {formats::read_criterion_files(benchmarks, folder)};
}

/// One file of results/MACHINE, with the entries of results/benchmarks.json.
ImportedSession read_asv_file(const fs::path& file) {
  const fs::path benchmarks = file.parent_path() / ".." / "benchmarks.json";
  const std::string known = is_file(benchmarks) ? read_input(benchmarks.string()) : std::string();
  return formats::read_asv_results(read_input(file.string()), file.string(), known,
                                   benchmarks.lexically_normal().string());
}

std::vector<ImportedSession> read_asv_folder(const std::string& folder) {
  std::vector<ImportedSession> sessions;
  for (const fs::path& path : paths_below(folder)) {
    const bool is_result = path.extension() == ".json" && path.filename() != "machine.json" &&
                           path.filename() != "benchmarks.json";
    if (is_result && is_file(path)) {
      sessions.push_back(read_asv_file(path));
    }
  }
  if (sessions.empty()) {
    throw UsageError("no asv results in the folder", folder,
                     "pass the folder of a machine: results/MACHINE");
  }
  return sessions;
}

}  // namespace

std::string read_input(const std::string& file) {
  if (file == "-") {
    return read_bounded(STDIN_FILENO, "standard input");
  }
  if (fs::is_directory(file)) {
    throw UsageError("not a file", file, "pass a file in the folder");
  }
  const Descriptor opened = open_input(file);
  if (!opened) {
    throw UsageError("the file could not be read", file + ": " + std::strerror(errno),
                     "pass a file, or - for standard input");
  }
  return read_bounded(opened.number(), file);
}

std::string read_beginning(const std::string& file) {
  const Descriptor opened = open_input(file);
  return opened ? read_open(opened.number(), file, kBeginning) : std::string();
}

SampleSet read_session(const std::string& file) {
  return formats::read_samples(read_input(file), file);
}

std::vector<ImportedSession> read_sessions(const std::string& format, const std::string& file) {
  std::error_code error;
  const bool is_folder = file != "-" && fs::is_directory(file, error);
  if (is_folder && format == "criterion") {
    return read_criterion_folder(file);
  }
  if (format == "asv" && file != "-") {
    return is_folder ? read_asv_folder(file) : std::vector{read_asv_file(file)};
  }
  return formats::read_foreign(format, read_input(file), file);
}

}  // namespace perf
