#include "ci/cli/import_files.h"

#include <algorithm>
#include <filesystem>
#include <system_error>

#include "ci/cli/session_files.h"
#include "schema/error.h"
#include "schema/formats/asv.h"
#include "schema/formats/criterion.h"
#include "schema/formats/foreign.h"

namespace perf {
namespace {

namespace fs = std::filesystem;

/// What lies below a folder, sorted, links not followed. Throws UsageError.
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
  std::sort(paths.begin(), paths.end());
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
    throw UsageError("the folder holds no benchmark of criterion", folder,
                     "name target/criterion, after cargo bench");
  }
  ImportedSession session;
  session.samples = formats::read_criterion_files(benchmarks, folder);
  return {std::move(session)};
}

/// One file of results/MACHINE, with what results/benchmarks.json says of its benchmarks.
ImportedSession read_asv_file(const fs::path& file) {
  const fs::path benchmarks = file.parent_path() / ".." / "benchmarks.json";
  const std::string known = is_file(benchmarks) ? read_input(benchmarks.string()) : std::string();
  return formats::read_asv(read_input(file.string()), file.string(),
                           {known, benchmarks.lexically_normal().string()});
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
    throw UsageError("the folder holds no results of asv", folder,
                     "name the folder of a machine: results/MACHINE");
  }
  return sessions;
}

}  // namespace

std::vector<ImportedSession> read_sessions(const std::string& format, const std::string& file) {
  std::error_code error;
  const bool is_folder = file != "-" && fs::is_directory(file, error);
  if (is_folder && format == "criterion") {
    return read_criterion_folder(file);
  }
  if (is_folder && format == "asv") {
    return read_asv_folder(file);
  }
  if (!is_folder && format == "asv" && file != "-") {
    return {read_asv_file(file)};
  }
  return formats::read_foreign(format, read_input(file), file);
}

}  // namespace perf
