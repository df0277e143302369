#include <algorithm>
#include <cstring>
#include <iterator>
#include <map>

#include "collector/plan/config_source.h"
#include "schema/files/content.h"
#include "schema/text/fnv.h"
#include "schema/text/glob.h"

namespace perf {
namespace {

namespace fs = std::filesystem;

constexpr const char* kEverything = "*";
/// Files that are visited before a glob is refused: it may begin at the root of the disk.
constexpr std::size_t kMostFilesSeen = 100'000;
constexpr std::size_t kMiB = 1u << 20;

constexpr const char* kUsesHint =
    R"(list in the config what the benchmark reads: "uses": ["bench.cpp", "data/*"])";

[[noreturn]] void cannot_read(const fs::path& path, const std::string& why) {
  throw Error("cannot read a file that the config uses from outside", path.string() + ": " + why,
              kUsesHint);
}

[[noreturn]] void too_much(const Outside& outside, const std::string& what) {
  throw UsageError("the config uses more than " + what + " from outside the history",
                   outside.folder.string(), kUsesHint);
}

fs::path whole(const fs::path& path) {
  std::error_code error;
  const fs::path found = fs::weakly_canonical(fs::absolute(path, error), error);
  return error ? path : found;
}

/// Repositories, stores, and Python's caches.
bool is_passed_over(const fs::path& path, const Outside& outside) {
  const fs::path name = path.filename();
  return name == ".git" || name == ".perf-compare" || name == "__pycache__" ||
         std::ranges::find(outside.left_out, path) != outside.left_out.end();
}

/// SQLite's header and our application_id: a store, or a copy of one.
bool is_store(std::string_view content) {
  constexpr std::size_t kIdPlace = 68;
  return content.starts_with("SQLite format 3") && content.size() > kIdPlace &&
         content.substr(kIdPlace).starts_with("prfc");
}

using Files = std::map<std::string, fs::path>;  ///< by the name that globs match

/// Pipes, sockets and devices have no content of their own.
bool add_file(const std::string& name, const fs::path& path, const Outside& outside, Files& files) {
  std::error_code error;
  const fs::file_status status = fs::symlink_status(path, error);
  if (!fs::is_regular_file(status) && !fs::is_symlink(status)) {
    return false;
  }
  files.emplace(name, path);
  if (files.size() > kMostFilesOutside) {
    too_much(outside, std::to_string(kMostFilesOutside) + " files");
  }
  return true;
}

/// Adds the files below `place` (empty, or ending with a slash) that match a glob; returns whether
/// any does.
bool add_below(const std::string& place, const std::string& glob, const Outside& outside,
               Files& files) {
  const fs::path root = whole(outside.folder / place);
  std::error_code error, gone;
  std::size_t files_seen = 0;
  bool any = false;
  fs::recursive_directory_iterator at(root, error);
  for (; !error && at != fs::recursive_directory_iterator(); at.increment(error)) {
    if (++files_seen > kMostFilesSeen) {
      too_much(outside, std::to_string(kMostFilesOutside) + " files");
    }
    if (is_passed_over(at->path(), outside)) {
      at.disable_recursion_pending();
    } else if (!fs::is_directory(at->symlink_status(gone))) {
      const std::string name = place + at->path().lexically_relative(root).string();
      any |= glob_match(glob, name) && add_file(name, at->path(), outside, files);
    }
  }
  if (error && error != std::errc::no_such_file_or_directory) {
    cannot_read(root, error.message());
  }
  return any;
}

/// A glob without a star is a file, or a folder with everything below it.
bool add_matches(const std::string& glob, const Outside& outside, Files& files) {
  std::error_code error;
  const std::size_t star = glob.find_first_of("*?");
  if (star != std::string::npos) {
    return add_below(glob.substr(0, glob.rfind('/', star) + 1), glob, outside, files);
  }
  if (fs::is_directory(fs::symlink_status(outside.folder / glob, error))) {
    const std::string place = glob.ends_with('/') ? glob : glob + "/";
    return add_below(place, place + "*", outside, files);
  }
  return add_file(glob, outside.folder / glob, outside, files);
}

/// A file's type and content; a link's target. Empty for a store.
std::string counted_content(const fs::path& path) {
  std::error_code error;
  const fs::file_status status = fs::symlink_status(path, error);
  if (fs::is_symlink(status)) {
    return "link\n" + fs::read_symlink(path, error).string();
  }
  const bool runs = (status.permissions() & fs::perms::owner_exec) != fs::perms::none;
  std::string content;
  const Descriptor file = open_file(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW);
  if (!file || read_up_to(file.number(), kMostBytesOutside + 1, content) != 0) {
    cannot_read(path, std::strerror(errno));
  }
  return is_store(content) ? "" : (runs ? "program\n" : "file\n") + content;
}

/// Lengths keep names and contents apart.
void read_files(Outside& outside) {
  Files files;
  for (const std::string& glob : outside.globs) {
    if (!add_matches(glob, outside, files) && glob != kEverything) {
      throw UsageError("nothing that the config uses matches", glob,
                       "write globs relative to its folder, " + outside.folder.string());
    }
  }
  std::uint64_t hash = fnv1a_64("perf-compare outside 1\n");
  std::size_t bytes = 0;
  fs::file_time_type latest{};
  for (const auto& [name, path] : files) {
    const std::string content = counted_content(path);
    bytes += content.size();
    if (bytes > kMostBytesOutside) {
      too_much(outside, std::to_string(kMostBytesOutside / kMiB) + " MiB");
    }
    if (content.empty()) {
      continue;
    }
    hash = fnv1a_64(
        std::to_string(name.size()) + ' ' + name + ' ' + std::to_string(content.size()) + '\n',
        hash);
    hash = fnv1a_64(content, hash);
    std::error_code error;
    const fs::file_time_type changed = fs::last_write_time(path, error);
    if (!error && (outside.latest.empty() || changed > latest)) {
      outside.latest = name;
      latest = changed;
    }
  }
  outside.digest = hexadecimal(hash);
}

}  // namespace

Outside outside_of(const FoundConfig& found, const Repository& repository,
                   const std::vector<fs::path>& outputs) {
  Outside outside;
  if (found.file.empty()) {  // a commit's own
    return outside;
  }
  const fs::path file = whole(found.file), tree = whole(repository.workdir());
  const auto& uses = found.config.uses;
  outside.folder = file.parent_path();
  outside.named = found.named;
  outside.with_config = *file.lexically_relative(tree).begin() == "..";
  if (!uses && !outside.with_config) {
    return outside;
  }
  outside.globs = uses.value_or(std::vector<std::string>{kEverything});
  outside.left_out = {file};
  if (!uses) {
    outside.left_out.push_back(tree);
  }
  std::ranges::transform(outputs, std::back_inserter(outside.left_out), whole);
  read_files(outside);
  return outside;
}

void require_unchanged(const Outside& outside) {
  if (outside.digest.empty()) {
    return;
  }
  Outside now = outside;
  now.latest.clear();
  read_files(now);
  if (now.digest != outside.digest) {
    throw Error(
        "files that the config uses from outside changed during the measurement",
        (outside.folder / now.latest).string(),
        "run the command again; where the build itself writes there, let it write elsewhere, "
        "or " +
            std::string(kUsesHint));
  }
}

void add_outside(const Outside& outside, const Config& config, Workload& workload) {
  workload.config_folder = outside.folder_seen();
  if (outside.digest.empty()) {
    return;
  }
  std::string text = outside.digest + '\n';
  const auto add = [&text](const std::string& word) {
    text += std::to_string(word.size()) + ' ' + word + '\n';
  };
  if (outside.with_config) {
    add(workload.format);
    std::ranges::for_each(workload.command, add);
    add(config.own_builds ? "own" : "build");
    if (config.build) {
      std::ranges::for_each(config.build->command, add);
      add(config.build->submodules ? "submodules" : "");
    }
  }
  workload.outside = hexadecimal(fnv1a_64(text));
}

}  // namespace perf
