#include <fcntl.h>
#include <sys/stat.h>

#include <algorithm>
#include <set>
#include <system_error>

#include "collector/build/entry.h"
#include "collector/process/whole_file.h"
#include "collector/trace/program.h"
#include "schema/files/content.h"

namespace perf {
namespace {

namespace fs = std::filesystem;

constexpr std::int64_t kInSecond = 1'000'000'000;  // ns
constexpr std::size_t kMostCopied = 1000;          // files; they are arguments of one command

/// What is not as the build left it, by the paths below the checkout.
struct Differences {
  std::vector<std::string> added, changed;
};

bool is_as_built(const BuiltFile& now, const BuiltFile& then) {
  return now.mode == then.mode &&
         (now.is_folder() || (now.size == then.size && now.modified == then.modified));
}

/// Whether Python would load a file in place of a source that the build left, by its header (PEP
/// 552): it changes nothing but the time of the first import.
bool is_compiled_source(const fs::path& tree, const std::string& place, const BuiltTree& built) {
  const auto source = built.files.find(python_source(place).string());
  return source != built.files.end() &&
         python_check(tree / place, source->second).ends_with(std::string(4, '\0') + " current");
}

Differences differences_of(const fs::path& tree, const BuiltTree& built) {
  Differences found;
  std::set<std::string> seen;
  std::error_code error;
  for (fs::recursive_directory_iterator at(tree, error);
       !error && at != fs::recursive_directory_iterator(); at.increment(error)) {
    const std::string place = at->path().lexically_relative(tree).string();
    if (place == ".git") {
      at.disable_recursion_pending();
      continue;
    }
    const auto then = built.files.find(place);
    const std::optional<BuiltFile> now = built_file_at(at->path());
    if (then != built.files.end()) {
      seen.insert(place);
      if (now && !is_as_built(*now, then->second)) {
        found.changed.push_back(place);
      }
    } else if (now && now->is_folder() && at->path().filename() == "__pycache__") {
      // Its files are visited.
    } else if (!is_compiled_source(tree, place, built)) {
      found.added.push_back(place);
      at.disable_recursion_pending();
    }
  }
  for (const auto& [place, file] : built.files) {
    if (!seen.contains(place) && place != ".git") {
      found.changed.push_back(place);
    }
  }
  return found;
}

/// Sets the times of folders, which adding and removing files has changed.
void set_times_of_folders(const fs::path& tree, const BuiltTree& built) {
  for (const auto& [place, then] : built.files) {
    const std::optional<BuiltFile> now =
        then.is_folder() ? built_file_at(tree / place) : std::nullopt;
    if (now && now->is_folder() && now->modified != then.modified) {
      const timespec time{then.modified / kInSecond, then.modified % kInSecond};
      const timespec times[]{{0, UTIME_OMIT}, time};
      utimensat(AT_FDCWD, (tree / place).c_str(), times, AT_SYMLINK_NOFOLLOW);
    }
  }
}

/// Lists the files anew, with the time at which the build was done.
void renew_list(const Entry& of, const BuiltTree& built) {
  const std::optional<BuiltFile> list = built_file_at(of.files());
  const std::string text = built_tree_text(of.tree(), checkout_of(built), &built);
  if (write_whole_file(of.files(), of.files().string() + ".new", text, 0600)) {
    return;  // then these files count as changed
  }
  const timespec times[]{{0, UTIME_OMIT}, {list->modified / kInSecond, list->modified % kInSecond}};
  utimensat(AT_FDCWD, of.files().c_str(), times, 0);
}

}  // namespace

bool copy_files(const fs::path& from, const fs::path& to, const std::vector<std::string>& files,
                const RunProcess& run) {
  ProcessRequest copy{.command = {"cp", "-a", "--reflink=auto", "--parents", "--"},
                      .directory = from};
  copy.command.insert(copy.command.end(), files.begin(), files.end());
  copy.command.push_back(to.string());
  return run(copy).exit_code == 0;
}

std::set<std::string> changed_files(const Entry& of) {
  std::set<std::string> changed;
  const std::optional<BuiltTree> built = read_built_tree(content_of(of.files()));
  for (const std::string& place :
       built ? differences_of(of.tree(), *built).changed : std::vector<std::string>()) {
    std::error_code error;
    if (fs::path(place).parent_path().filename() != "__pycache__" &&
        !fs::exists(fs::symlink_status(of.copies() / place, error))) {
      changed.insert(place);
    }
  }
  return changed;
}

std::vector<std::string> put_back(const fs::path& tree, const Entry& of, const RunProcess& run) {
  const std::optional<BuiltTree> built = read_built_tree(content_of(of.files()));
  if (!built) {
    return {"."};
  }
  const Differences found = differences_of(tree, *built);
  std::error_code error;
  const bool has_copies = found.changed.size() <= kMostCopied &&
                          std::ranges::all_of(found.changed, [&](const std::string& place) {
                            return fs::exists(fs::symlink_status(of.copies() / place, error));
                          });
  if (!has_copies) {
    return found.changed;
  }
  std::vector<std::string> left;
  for (const std::vector<std::string>* places : {&found.added, &found.changed}) {
    for (const std::string& place : *places) {
      const std::optional<BuiltFile> now = built_file_at(tree / place);
      if (!now || (places == &found.changed && now->is_folder())) {
        continue;
      }
      fs::remove_all(tree / place, error);
      if (error) {
        left.push_back(place);
      }
    }
  }
  const bool copies = left.empty() && !found.changed.empty();
  if (copies && !copy_files(of.copies(), tree, found.changed, run)) {
    return found.changed;
  }
  set_times_of_folders(tree, *built);
  if (copies && tree == of.tree()) {
    renew_list(of, *built);
  }
  return left;
}

}  // namespace perf
