#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <iterator>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include "ci/cli/judge/judge.h"
#include "schema/error.h"
#include "schema/files/content.h"
#include "schema/files/descriptor.h"
#include "schema/formats/foreign.h"
#include "schema/sample_set.h"
#include "schema/text/nearest_name.h"
#include "schema/text/plain_text.h"

namespace perf {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kLargestInput = std::size_t{64} << 20;  // B: no format has larger files

constexpr std::size_t kMostPaths = 200'000;  // target/criterion has 20 for each benchmark

/// A byte more than the limit of larger ones; `file` as messages name it.
std::string read_open(int descriptor, const std::string& file) {
  std::string text;
  if (const int failed = read_up_to(descriptor, kLargestInput + 1, text)) {
    refuse_unreadable(file, failed);
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
    if (paths.size() == kMostPaths) {
      throw UsageError("more than 200,000 paths in the folder", folder.string(),
                       "pass the folder of the results");
    }
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

bool is_folder(const fs::path& path) {
  std::error_code error;
  return fs::is_directory(path, error);
}

/// FOLDER@NAME; the name is empty where there is none.
struct NamedFolder {
  std::string folder, name;
};

/// Nothing for a file.
std::optional<NamedFolder> named_folder(const std::string& path) {
  std::error_code error;
  const std::size_t at = path.rfind('@');
  if (is_folder(path)) {
    return NamedFolder{path, {}};
  }
  if (at != path.npos && !fs::exists(path, error) && is_folder(path.substr(0, at))) {
    return NamedFolder{path.substr(0, at), path.substr(at + 1)};
  }
  return std::nullopt;
}

/// What a folder has beside its sessions.
class PassedOver {
 public:
  void add(const fs::path& path, const std::string& why) {
    if (warning_.figures["files"]++ == 0) {
      warning_.about = {{"file", path.string()}, {"why", why}};
    }
  }
  /// ": FILE: WHY" of the first one.
  std::string first() const {
    return warning_.about.empty()
               ? ""
               : ": " + warning_.about.at("file") + ": " + warning_.about.at("why");
  }
  void warn(SampleSet& samples) const {
    if (!warning_.figures.empty()) {
      samples.warnings.push_back(warning_);
    }
  }

 private:
  Warning warning_{WarningKind::files_passed_over};
};

[[noreturn]] void refuse_name(const NamedFolder& asked, const std::set<std::string>& known) {
  throw UsageError("no results of that name in the folder", asked.folder + "@" + asked.name,
                   instead_of(asked.name, {known.begin(), known.end()}));
}

/// The folders below that criterion.rs keeps samples in; some have sample.json alone.
std::vector<fs::path> criterion_folders(const std::vector<fs::path>& paths) {
  std::vector<fs::path> folders;
  bool are_criterion = false;
  for (const fs::path& path : paths) {
    if (path.filename() == "sample.json" && is_file(path)) {
      folders.push_back(path.parent_path());
      are_criterion = are_criterion || is_file(folders.back() / "benchmark.json");
    }
  }
  return are_criterion ? folders : std::vector<fs::path>();
}

/// Each benchmark has a folder `new` with its latest samples, and one for each baseline that was
/// saved (`cargo bench -- --save-baseline NAME`).
ImportedSession read_criterion_folder(const NamedFolder& asked,
                                      const std::vector<fs::path>& folders) {
  const bool is_one_benchmark = folders.front() == fs::path(asked.folder);
  const std::string latest = is_one_benchmark ? folders.front().filename().string() : "new";
  const std::string name = asked.name.empty() ? latest : asked.name;
  std::vector<formats::CriterionFiles> benchmarks;
  std::set<std::string> known;
  PassedOver passed_over;
  for (const fs::path& folder : folders) {
    known.insert(folder.filename());
    if (folder.filename() != name) {
      continue;
    }
    if (is_file(folder / "benchmark.json")) {
      benchmarks.push_back({folder.string(), read_input((folder / "benchmark.json").string()),
                            read_input((folder / "sample.json").string())});
    } else {
      passed_over.add(folder / "sample.json", "no benchmark.json beside it");
    }
  }
  if (benchmarks.empty()) {
    refuse_name({asked.folder, name}, known);
  }
  ImportedSession session = formats::read_criterion_files(
      benchmarks, asked.folder + (asked.name.empty() ? "" : "@" + name));
  passed_over.warn(session.samples);
  return session;
}

/// One file of results/MACHINE, with the entries of results/benchmarks.json.
ImportedSession read_asv_file(const std::string& file, const std::string& text) {
  const fs::path benchmarks = fs::path(file).parent_path() / ".." / "benchmarks.json";
  const std::string known = is_file(benchmarks) ? read_input(benchmarks.string()) : std::string();
  return formats::read_asv_results(text, file, known, benchmarks.lexically_normal().string());
}

/// NVBench names FOLDER/FILE, of the folder of its results; older versions also what is above it.
ImportedSession read_nvbench_file(const std::string& file, const std::string& text) {
  const auto read_beside = [&](const std::string& name) -> std::optional<std::string> {
    const fs::path named = name, folder = named.parent_path().filename();
    const fs::path path = fs::path(file).parent_path() / folder / named.filename();
    if (folder.empty() || folder == ".." || !is_file(path)) {
      return std::nullopt;
    }
    const Descriptor opened = open_input(path.string());
    return opened ? std::optional(read_open(opened.number(), path.string())) : std::nullopt;
  };
  return formats::read_nvbench_results(text, file, read_beside);
}

/// The sessions of a text. `format` is empty where any may be; `found`: that of the text, whose
/// reader may look beside the file.
std::vector<ImportedSession> read_text(std::string_view format, std::string_view found,
                                       const std::string& text, const std::string& file) {
  if (found == "asv") {
    return {read_asv_file(file, text)};
  }
  if (found == "nvbench" && text.starts_with('{')) {
    return {read_nvbench_file(file, text)};
  }
  if (format.empty()) {
    return {formats::read_one_session(text, file)};
  }
  return formats::read_foreign(format, text, file);
}

/// Whether it begins so, behind the number that pytest-benchmark puts ahead (0001_NAME.json); or
/// with what asv takes of a commit (asv/results.py).
bool is_named(const std::string& file, const std::string& name) {
  constexpr std::size_t kOfCommit = 8;
  const std::size_t number = std::min(file.find_first_not_of("0123456789"), file.size());
  return file.starts_with(name) || (number > 0 && file.substr(number).starts_with("_" + name)) ||
         (name.size() > kOfCommit && file.starts_with(name.substr(0, kOfCommit) + "-"));
}

/// asv keeps the facts of the machine and of the benchmarks beside its results, NVBench samples.
bool is_expected(const fs::path& path) {
  const std::string name = path.filename();
  return name.starts_with('.') || name == "machine.json" || name == "benchmarks.json" ||
         path.parent_path().string().ends_with("-bin");
}

/// Why a text is of no known format, where that has a place.
std::string fault_at_place(const UsageError& fault, const std::string& file) {
  const std::string begin = file + ":";
  const bool has_place =
      fault.subject.starts_with(begin) && !fault.subject.starts_with(begin + " ");
  return has_place ? fault.what + ", at " + fault.subject.substr(begin.size())
                   : "not of a known format";
}

std::vector<ImportedSession> read_files_of(const NamedFolder& asked, std::string_view format,
                                           const std::vector<fs::path>& paths) {
  std::vector<ImportedSession> sessions;
  std::set<std::string> known;
  PassedOver passed_over;
  for (const fs::path& path : paths) {
    if (!is_file(path)) {
      continue;
    }
    if (!is_named(path.filename(), asked.name)) {
      if (!is_expected(path)) {
        known.insert(path.filename());
      }
      continue;
    }
    std::error_code error;
    const bool is_large = fs::file_size(path, error) > kLargestInput;
    const std::string text = is_large ? std::string() : read_input(path.string());
    const formats::TextFormat found = formats::format_of(text, path.string());
    if (format.empty() ? found.is_session : found.name == format) {
      std::ranges::move(read_text(format, found.name, text, path.string()),
                        std::back_inserter(sessions));
    } else if (!is_expected(path)) {
      passed_over.add(path, is_large      ? "larger than 64 MiB"
                            : found.fault ? fault_at_place(*found.fault, path.string())
                                          : "its format is " + std::string(found.name));
    }
  }
  if (sessions.empty() && !asked.name.empty()) {
    refuse_name(asked, known);
  }
  if (sessions.empty()) {
    throw UsageError("no results in the folder", asked.folder + passed_over.first(),
                     "pass files of a known format (docs/formats.md)");
  }
  passed_over.warn(sessions.front().samples);
  return sessions;
}

/// A side of `judge` is one commit, where its files name any.
void warn_of_commits(const std::string& folder, std::vector<ImportedSession>& sessions) {
  std::set<std::string> commits;
  for (const ImportedSession& session : sessions) {
    commits.insert(session.commit);
  }
  if (commits.size() > 1) {
    sessions.front().samples.warnings.push_back(
        {WarningKind::several_commits, {{"commits", commits.size()}}, {{"folder", folder}}});
  }
}

}  // namespace

std::string read_input(const std::string& file) {
  const bool is_standard = file == "-";
  if (!is_standard && fs::is_directory(file)) {
    throw UsageError("not a file", file, "pass a file in the folder");
  }
  const Descriptor opened = is_standard ? Descriptor() : open_input(file);
  if (!is_standard && !opened) {
    throw UsageError("the file could not be read", file + ": " + std::strerror(errno),
                     "pass a file, or - for standard input");
  }
  const std::string name = is_standard ? "standard input" : file;
  std::string text = read_open(is_standard ? STDIN_FILENO : opened.number(), name);
  if (text.size() > kLargestInput) {
    throw UsageError("file larger than 64 MiB", name, "split it into several files");
  }
  return plain_text(std::move(text));
}

bool names_sessions(const std::string& path) {
  std::error_code error;
  return path == "-" || fs::exists(path, error) || named_folder(path);
}

std::vector<ImportedSession> read_sessions(const std::string& path, std::string_view format) {
  const std::optional<NamedFolder> asked = named_folder(path);
  if (!asked) {
    const std::string text = read_input(path);
    const std::string_view found = path == "-"      ? ""
                                   : format.empty() ? formats::format_of(text).name
                                                    : format;
    return read_text(format, found, text, path);
  }
  const std::vector<fs::path> paths = paths_below(asked->folder);
  if (format.empty() || format == "criterion") {
    const std::vector<fs::path> folders = criterion_folders(paths);
    if (!folders.empty()) {
      return {read_criterion_folder(*asked, folders)};
    }
  }
  std::vector<ImportedSession> sessions = read_files_of(*asked, format, paths);
  if (format.empty()) {
    warn_of_commits(path, sessions);
  }
  return sessions;
}

}  // namespace perf
