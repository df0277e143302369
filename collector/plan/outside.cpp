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
constexpr std::uintmax_t kLargestLinked = 16 * kMiB;  // B; more may be data for many purposes

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

bool is_below(const fs::path& path, const fs::path& folder) {
  const fs::path below = path.lexically_relative(folder);
  return !below.empty() && *below.begin() != "..";
}

/// Repositories, stores, and Python's caches.
bool is_passed_over(const fs::path& path, const Outside& outside) {
  const fs::path name = path.filename();
  return name == ".git" || name == ".perf-compare" || name == "__pycache__" ||
         std::ranges::any_of(outside.left_out,
                             [&](const fs::path& other) { return is_below(path, other); });
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

/// The search below a folder that globs name.
struct Search {
  const std::string& glob;
  const Outside& outside;
  Files& files;
  std::size_t seen = 0;
  bool any = false;
  std::vector<fs::path> way{};  ///< the folders from the first to the present one, without links
};

/// Adds the files below a folder that match; `place`: its name, empty or ending with a slash. Links
/// are followed, except to a folder on the way.
void add_below(const fs::path& folder, const std::string& place, Search& search) {
  const fs::path real = whole(folder);
  if (std::ranges::find(search.way, real) != search.way.end() ||
      (!search.way.empty() && is_passed_over(real, search.outside))) {
    return;
  }
  search.way.push_back(real);
  std::error_code error, gone;
  for (fs::directory_iterator at(real, error); !error && at != fs::directory_iterator();
       at.increment(error)) {
    if (++search.seen > kMostFilesSeen) {
      too_much(search.outside, std::to_string(kMostFilesOutside) + " files");
    }
    const std::string name = place + at->path().filename().string();
    if (is_passed_over(at->path(), search.outside)) {
      continue;
    }
    if (fs::is_directory(at->path(), gone)) {
      add_below(at->path(), name + "/", search);
    } else {
      search.any |=
          glob_match(search.glob, name) && add_file(name, at->path(), search.outside, search.files);
    }
  }
  if (error && error != std::errc::no_such_file_or_directory) {
    cannot_read(real, error.message());
  }
  search.way.pop_back();
}

/// A glob without a star is a file, or a folder with everything below it. Returns whether any file
/// matches.
bool add_matches(const std::string& glob, const Outside& outside, Files& files) {
  std::error_code error;
  const std::size_t star = glob.find_first_of("*?");
  std::string place = star == std::string::npos ? glob : glob.substr(0, glob.rfind('/', star) + 1);
  std::string wanted = glob;
  if (star == std::string::npos) {
    if (!fs::is_directory(outside.folder / glob, error)) {
      return add_file(glob, outside.folder / glob, outside, files);
    }
    place += glob.ends_with('/') ? "" : "/";
    wanted = place + kEverything;
  }
  Search search{wanted, outside, files};
  add_below(whole(outside.folder / place), place, search);
  return search.any;
}

/// A file's type and content; of a link also its target. A linked file that is large counts by its
/// size and time. Empty for a store.
std::string counted_content(const fs::path& path, const Outside& outside) {
  std::error_code error;
  std::string link;
  if (fs::is_symlink(fs::symlink_status(path, error))) {
    link = "link\n" + fs::read_symlink(path, error).string() + "\n";
    const std::uintmax_t size = fs::file_size(path, error);  // an error for other types
    if (error || is_passed_over(whole(path), outside)) {
      return link;
    }
    if (size > kLargestLinked) {
      const auto time = fs::last_write_time(path, error).time_since_epoch().count();
      return link + std::to_string(size) + ' ' + std::to_string(time);
    }
  }
  const fs::perms permissions = fs::status(path, error).permissions();
  const bool runs = (permissions & fs::perms::owner_exec) != fs::perms::none;
  std::string content;
  const Descriptor file = open_file(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (!file || read_up_to(file.number(), kMostBytesOutside + 1, content) != 0) {
    cannot_read(path, std::strerror(errno));
  }
  return is_store(content) ? "" : link + (runs ? "program\n" : "file\n") + content;
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
    const std::string content = counted_content(path, outside);
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
    if (!workload.cwd.empty()) {
      add("cwd " + workload.cwd);
    }
    for (const auto& [name, value] : workload.env) {
      add("env " + name + "=" + value);
    }
    if (!workload.prepare.empty()) {
      add("prepare");
      std::ranges::for_each(workload.prepare, add);
    }
    if (workload.serve) {
      add("serve");
      std::ranges::for_each(workload.serve->command, add);
      add(std::string(to_string(workload.serve->ready_by)) + " " + workload.serve->ready);
    }
    add(config.own_builds ? "own" : "build");
    if (config.build) {
      std::ranges::for_each(config.build->command, add);
      add(config.build->submodules ? "submodules" : "");
    }
  }
  workload.outside = hexadecimal(fnv1a_64(text));
}

}  // namespace perf
