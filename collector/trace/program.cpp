#include "collector/trace/program.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <deque>
#include <optional>
#include <set>
#include <string_view>

#include "collector/mapped_file.h"
#include "schema/files/content.h"
#include "schema/files/descriptor.h"
#include "schema/text/fnv.h"
#include "schema/text/glob.h"
#include "schema/text/lists.h"

namespace perf {
namespace {

namespace fs = std::filesystem;

constexpr const char* kProgramVersion = "program 3";  // part of every id
constexpr int kMostLinks = 40;                        // as the kernel follows
constexpr int kMostInterpreters = 5;                  // of nested scripts, as the kernel follows
/// ctime is taken from a clock that ticks; ns.
constexpr std::int64_t kTick = 20'000'000;
constexpr std::int64_t kSecond = 1'000'000'000;  // ns; zip(1) cuts times down to two of them

/// What stands at a path that was asked for, as one tree has it.
struct State {
  std::string text;     ///< equal where everything that this way of asking shows is equal
  fs::path file{};      ///< where its content lies, if it is a file of the tree
  std::string place{};  ///< of that file, below the tree
  std::string doubt{};
  const BuiltFile* built = nullptr;  ///< that file, as the build left it
  std::vector<fs::path> outside{};   ///< paths on the way that are not in the tree
  std::vector<fs::path> later{};     ///< in the tree, but not left by its build
  fs::path absent{};                 ///< in the tree, with links followed, and not there
};

bool is_below(const fs::path& path, const fs::path& root) {
  const std::string &text = path.native(), &above = root.native();
  return text == above || (text.starts_with(above) && text[above.size()] == '/');
}

/// The working tree of the measured repository that a path lies in, and is no build; empty: none.
fs::path working_tree_of(const fs::path& path, const TracedTree& tree) {
  if (is_below(path, tree.entry.parent_path())) {
    return {};
  }
  fs::path innermost;
  for (const fs::path& one : tree.working_trees) {
    if (is_below(path, one) && one.native().size() > innermost.native().size()) {
      innermost = one;
    }
  }
  return innermost;
}

bool is_built(const std::string& place, const TracedTree& tree) {
  const auto found = tree.built.files.find(place);
  return found != tree.built.files.end() && found->second.is_file();
}

/// Whether a path of a working tree belongs to an environment that was installed there (of Python,
/// conda or Node.js, or in a hidden folder, as .cargo), or to a benchmark that is not part of the
/// history.
bool may_lie_in(const fs::path& working_tree, const fs::path& path, const TracedTree& tree) {
  const fs::path place = path.lexically_relative(working_tree);
  const std::string top = place.begin()->string();
  if (top.size() > 1 && top.starts_with('.') && !tree.built.files.contains(top)) {
    return true;
  }
  if (!tree.harness.empty() && is_below(path, tree.harness) && !is_built(place.string(), tree)) {
    return true;
  }
  for (fs::path at = path.parent_path(); is_below(at, working_tree) && at != working_tree;
       at = at.parent_path()) {
    if (is_environment(at)) {
      return true;
    }
  }
  return false;
}

/// Files of the kernel, except shared memory and message queues.
bool is_of_kernel(const fs::path& path) {
  return is_below(path, "/proc") || is_below(path, "/sys") ||
         (is_below(path, "/dev") && !is_below(path, "/dev/shm") && !is_below(path, "/dev/mqueue") &&
          !is_below(path, "/dev/hugepages"));
}

bool is_in_history(std::string_view path) {
  return path.starts_with(".git/") || path.find("/.git/") != std::string_view::npos;
}

char kind_of(const BuiltFile& file) {
  return file.is_folder() ? 'd' : file.is_link() ? 'l' : file.is_file() ? 'f' : 'o';
}

std::string names_in(const std::string& folder, const BuiltTree& built) {
  std::string names;
  const std::string prefix = folder.empty() ? "" : folder + "/";
  for (auto at = built.files.lower_bound(prefix);
       at != built.files.end() && at->first.starts_with(prefix); ++at) {
    if (at->first.find('/', prefix.size()) == std::string::npos && !at->first.empty()) {
      names += at->first.substr(prefix.size()) + '\0' + kind_of(at->second);  // as in readdir(3)
    }
  }
  return hexadecimal(fnv1a_64(names)) + "/" + std::to_string(names.size());
}

/// The source of a module that Python compiled, where Python checks whether it changed: not of one
/// whose header forbids that check (PEP 552).
std::string source_of(const std::string& path, const TracedTree& tree) {
  const std::string source = python_source(path).string();
  if (source.empty()) {
    return {};
  }
  const std::string header = content_of(tree.root / path).substr(0, 5);
  const bool is_unchecked = header.size() == 5 && header[4] == 1;
  return tree.built.files.contains(source) && !is_unchecked ? source : std::string();
}

/// Whether a file was written during the build. Whole seconds: its time was copied, and cut.
bool is_of_build(const BuiltFile& file, const TracedTree& tree) {
  if (!tree.is_build) {
    return true;  // only their order counts
  }
  return file.modified > tree.built.checked_out && file.modified < tree.ended + kTick &&
         file.modified % kSecond != 0;
}

/// What the kernel keeps of a file in extended attributes and obeys: capabilities and access lists.
std::string attributes_of(const fs::path& file) {
  std::string text;
  for (const char* name : {"security.capability", "system.posix_acl_access"}) {
    std::array<char, 1024> value{};
    const ssize_t size = lgetxattr(file.c_str(), name, value.data(), value.size());
    text += size > 0 ? " " + std::string(name) + "=" +
                           std::string(value.data(), static_cast<std::size_t>(size))
                     : "";
  }
  return text;
}

/// Where a large file has holes: reading these is faster.
std::string holes_of(const fs::path& file) {
  constexpr off_t kLarge = 1 << 16;
  const Descriptor opened = open_file(file, O_RDONLY | O_CLOEXEC);
  const off_t size = opened ? lseek(opened.number(), 0, SEEK_END) : 0;
  std::string text;
  for (off_t at = 0; size >= kLarge && at >= 0 && at < size;) {
    const off_t hole = lseek(opened.number(), at, SEEK_HOLE);
    at = hole < 0 || hole >= size ? -1 : lseek(opened.number(), hole, SEEK_DATA);
    text += hole < 0 || hole >= size ? "" : std::to_string(hole) + '-' + std::to_string(at) + ' ';
  }
  return text.empty() ? "" : " with holes " + hexadecimal(fnv1a_64(text));
}

/// Whether equal folders are listed in one order on this file system: that of creation, or of a
/// hash. ZFS, for example, gives each folder its own.
bool has_order(const fs::path& folder) {
  struct statfs found {};
  constexpr std::array kOrdered{0xEF53L, 0x58465342L, 0x9123683EL, 0x01021994L, 0x794C7630L};
  return statfs(folder.c_str(), &found) == 0 &&  // ext4, XFS, btrfs, tmpfs, overlayfs
         std::ranges::find(kOrdered, static_cast<long>(found.f_type)) != kOrdered.end();
}

/// Follows a path as the kernel would, with the tree as its build left it.
class Walk {
 public:
  Walk(const TracedTree& tree, unsigned how) : tree_(tree), how_(how) {}

  State state_of(const fs::path& path) {
    std::deque<std::string> rest = parts_of(path);
    fs::path at = "/";
    for (int links = 0; !rest.empty();) {
      const std::string part = rest.front();
      rest.pop_front();
      if (part == "..") {
        at = at.parent_path();
        continue;
      }
      const fs::path next = at / part;
      if (is_of_kernel(next) && is_of_kernel(next / joined(rest))) {
        return note_of_kernel(next / joined(rest));
      }
      const std::optional<BuiltFile> found = find(next);
      if (!found && is_compiled_later(next / joined(rest))) {
        return std::move(state_);
      }
      if (!found) {
        if (is_below(next, tree_.root)) {
          const bool is_below_it = !rest.empty() && std::ranges::find(rest, "..") == rest.end();
          state_.absent = is_below_it ? next / joined(rest) : next;
          if (built_file_at(state_.absent)) {
            std::ranges::replace(state_.later, next, state_.absent);
          }
        }
        state_.text += "absent";
        return std::move(state_);
      }
      if (found->is_link()) {
        if (++links > kMostLinks) {
          state_.text += "a link without end";
          return std::move(state_);
        }
        std::error_code error;
        const fs::path target = fs::read_symlink(next, error);
        state_.text += "link " + without_own_names(target.string(), tree_.own) + '\n';
        const std::deque<std::string> way = parts_of(target);
        rest.insert(rest.begin(), way.begin(), way.end());
        at = target.is_absolute() ? fs::path("/") : at;
        continue;
      }
      at = next;
      if (!found->is_folder() && !rest.empty()) {
        state_.text += "no folder";
        return std::move(state_);
      }
    }
    finish(at);
    return std::move(state_);
  }

 private:
  static std::deque<std::string> parts_of(const fs::path& path) {
    std::deque<std::string> parts;
    for (const fs::path& part : path.relative_path()) {
      if (!part.empty() && part != ".") {
        parts.push_back(part.string());
      }
    }
    return parts;
  }
  static fs::path joined(const std::deque<std::string>& parts) {
    fs::path path;
    for (const std::string& part : parts) {
      path /= part;
    }
    return path;
  }

  std::string below(const fs::path& path) const {
    return path == tree_.root ? "" : path.native().substr(tree_.root.native().size() + 1);
  }

  State note_of_kernel(const fs::path& path) {
    const std::optional<BuiltFile> found = built_file_at(path);
    state_.text += "of the kernel";
    const std::string text = path.string() + "/";
    if ((how_ & ~kQueried) != 0 &&
        (text.find("/cwd/") != std::string::npos || text.find("/root/") != std::string::npos ||
         text.find("/fd/") != std::string::npos)) {
      state_.doubt = "it opens files through " + path.string();
    }
    if (text.find("/../") != std::string::npos) {
      state_.doubt = "it opens files through " + path.string();
    }
    if (found && S_ISBLK(found->mode)) {
      state_.doubt = "it opens the block device " + path.string();
    }
    return std::move(state_);
  }

  /// What is at a path; in the tree, as the build left it.
  std::optional<BuiltFile> find(const fs::path& path) {
    const std::optional<BuiltFile> now = built_file_at(path);
    if (!is_below(path, tree_.root)) {
      const fs::path cache = tree_.entry.parent_path();
      if (now && is_below(path, cache) && path != cache && !is_below(path, tree_.entry)) {
        state_.doubt = "it opens files of another build";
      }
      if (!now || !now->is_folder()) {
        state_.outside.push_back(path);
      }
      return now;
    }
    if (path == tree_.root) {
      return now;
    }
    const auto built = tree_.built.files.find(below(path));
    if (built == tree_.built.files.end()) {
      if (is_below(path, tree_.root / ".git") && now) {
        return now;
      }
      if (now) {
        state_.later.push_back(path);
      }
      return std::nullopt;  // a run made it, or nobody
    }
    const BuiltFile& then = built->second;
    const bool same_kind = now && now->mode == then.mode && now->number == then.number;
    if (!same_kind ||
        (!then.is_folder() && (now->changed != then.changed || now->size != then.size))) {
      state_.doubt = below(path) + " was changed after the build";
    }
    return then;
  }

  /// What Python compiles as it runs counts as its source, whether it exists or not: Python uses
  /// it only where it is current.
  bool is_compiled_later(const fs::path& path) {
    const std::string place = is_below(path, tree_.root) && path != tree_.root ? below(path) : "";
    const std::string source = source_of(place, tree_);
    if (source.empty()) {
      return false;
    }
    state_.later.clear();
    if (built_file_at(path) &&
        python_check(path, tree_.built.files.at(source)).ends_with("stale")) {
      state_.later.push_back(path);
    }
    add_file(place, {});
    return true;
  }

  void finish(const fs::path& path) {
    if (!is_below(path, tree_.root)) {
      // Below the build's own folder, whose path differs between the sides.
      const std::string entry = tree_.entry.string(), place = path.string();
      state_.text += "outside " + (place.starts_with(entry) ? place.substr(entry.size()) : place);
      if ((how_ & kListed) != 0) {
        state_.outside.push_back(path);
      }
      return;
    }
    std::string place = below(path);
    const auto root = tree_.built.files.find("");  // only where the root is a file
    const BuiltFile file = !place.empty()                    ? *find(path)
                           : root != tree_.built.files.end() ? root->second
                                                             : *built_file_at(path);
    if (is_in_history(place) || (place == ".git" && (how_ & ~kQueried) != 0)) {
      state_.doubt = "it reads the history (.git)";
    } else if (file.is_folder()) {
      state_.text += "folder" + permissions_of(file) + attributes_of(path);
      if (!place.empty()) {
        add_times(file);
      }
      if ((how_ & kListed) != 0) {
        state_.text += " of " + names_in(place, tree_.built) + order_in(path);
        note_later(path);
      }
    } else if (!file.is_file()) {
      state_.doubt = "it opens " + place + ", which is not a regular file";
    } else {
      add_file(place, file);
    }
  }

  /// Notes the entries of a listed folder that its build did not leave.
  void note_later(const fs::path& folder) {
    std::error_code error;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder, error)) {
      const std::string place = below(entry.path());
      if (!tree_.built.files.contains(place) && source_of(place, tree_).empty()) {
        state_.later.push_back(entry.path());
      }
    }
  }

  /// A digest of the order in which the kernel lists what the build left; empty for file systems
  /// that give each folder an order of its own.
  std::string order_in(const fs::path& folder) const {
    if (!has_order(folder)) {
      return {};
    }
    std::string names;
    std::error_code error;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder, error)) {
      if (const std::string place = below(entry.path()); tree_.built.files.contains(place)) {
        names += place + '\0';
      }
    }
    return " in the order " + hexadecimal(fnv1a_64(names));
  }

  static std::string permissions_of(const BuiltFile& file) {
    return " " + std::to_string(file.mode & 07777);
  }

  /// Compares what Python compiled by its source, and where the build left it by its code and by
  /// whether Python will use that: it may come from another source.
  void add_compiled(const std::string& place, const std::string& source) {
    find(tree_.root / source);
    state_.place = source;
    state_.file = tree_.root / source;
    state_.text += "compiled";
    doubt_own_id();
    add_digest(content_digest(state_.file, false, tree_.own));
    if (tree_.built.files.contains(place)) {
      add_digest(python_code_digest(tree_.root / place, tree_.own));
      state_.text += python_check(tree_.root / place, tree_.built.files.at(source));
    }
  }

  void add_file(const std::string& place, const BuiltFile& file) {
    if (const std::string source = source_of(place, tree_); !source.empty()) {
      add_compiled(place, source);
      return;
    }
    state_.place = place;
    state_.file = place.empty() ? tree_.root : tree_.root / place;
    state_.built = &tree_.built.files.at(place);
    state_.text += "file" + permissions_of(file) + attributes_of(state_.file);
    struct stat own {};
    const bool is_there = lstat(state_.file.c_str(), &own) == 0;
    if (!tree_.is_build && is_there) {
      state_.text += " of user " + std::to_string(own.st_uid);
    }
    if ((how_ & kQueried) != 0) {
      state_.text += " of " + std::to_string(file.size) + " B";
    }
    if ((how_ & (kQueried | kOpened)) != 0) {
      add_times(file);
      const std::uint64_t links = is_there ? own.st_nlink : 0;
      state_.text += links == 1 ? "" : ", " + std::to_string(links) + " links";
      state_.text += (how_ & kLoaded) == 0 || (how_ & kOpened) != 0 ? holes_of(state_.file) : "";
    }
    if ((how_ & kOpened) != 0) {
      doubt_own_id();
    }
    if ((how_ & (kOpened | kLoaded)) != 0) {
      add_digest(content_digest(state_.file, (how_ & kOpened) == 0, tree_.own));
    }
  }

  /// Times count as programs use them: before or after the build began; and as they are where they
  /// were set.
  void add_times(const BuiltFile& file) {
    if (!tree_.is_build) {
      return;
    }
    const bool is_set = file.modified < tree_.built.began - 2 * kSecond ||
                        file.modified > tree_.ended + 2 * kSecond;
    state_.text += is_set                     ? " of " + std::to_string(file.modified)
                   : is_of_build(file, tree_) ? " of the build"
                                              : "";
  }

  void doubt_own_id() {
    if (is_own_id(state_.file, tree_.own)) {
      state_.doubt = state_.place + " contains little but the commit's id";
    }
  }

  void add_digest(const std::optional<std::string>& digest) {
    state_.text += " with " + digest.value_or("nothing that can be read");
    if (!digest) {
      state_.doubt = state_.place + " cannot be read";
    }
  }

  const TracedTree& tree_;
  unsigned how_;
  State state_;
};

using AskedBelow = std::map<std::string, unsigned>;

/// A path's name in both trees: relative to the tree, or absolute where it is elsewhere.
std::string common_name(const std::string& path, const TracedTree& tree) {
  const std::string entry = tree.entry.string();  // some search upwards for files
  for (const auto& [root, name] : {std::pair{tree.root.string(), "."}, std::pair{entry, ".."}}) {
    if (path == root) {
      return name;
    }
    if (path.starts_with(root) && path[root.size()] == '/') {
      return (name == std::string("..") ? "../" : "") + path.substr(root.size() + 1);
    }
  }
  return path;
}

fs::path path_in(const TracedTree& tree, const std::string& name) {
  return name.starts_with('/') ? fs::path(name) : tree.root / name;
}

State state_of(const std::string& name, unsigned how, const TracedTree& tree) {
  return Walk(tree, how).state_of(path_in(tree, name));
}

/// Everything that a side asked for, by common name, with what the kernel reads to execute it.
AskedBelow asked_of(const TracedSide& side) {
  AskedBelow asked;
  for (const auto& [path, how] : side.trace->asked) {
    asked[common_name(path, *side.tree)] |= how;
  }
  for (const auto& [program, folder] : side.trace->executed) {
    std::string path = program;
    for (int i = 0; i < kMostInterpreters && !path.empty(); ++i) {
      const State state = state_of(common_name(path, *side.tree), kQueried, *side.tree);
      path = state.file.empty() ? std::string() : interpreter_of(state.file);
      if (!path.empty()) {
        path = path.starts_with('/') ? path : folder + "/" + path;
        asked[common_name(path, *side.tree)] |= kLoaded;
      }
    }
  }
  return asked;
}

/// The file whose time counts for one outside: the source of what Python compiled.
fs::path original_of(const fs::path& path) {
  const fs::path source = python_source(path);
  return source.empty() ? path : source;
}

bool is_while_building(std::int64_t time, const TracedTree& tree) {
  return time > tree.built.began - kTick && time < tree.ended + kTick;
}

/// Whether the package manager changed it, and neither build did.
bool is_upgraded(const fs::path& path, std::int64_t changed, const TracedTree& base,
                 const TracedTree& head) {
  return !is_while_building(changed, base) && !is_while_building(changed, head) &&
         head.packages->has(path);
}

/// Whether a build left a file of this name, wherever.
bool has_name(const fs::path& name, const BuiltTree& built) {
  return std::ranges::any_of(built.files, [&name](const auto& one) {
    return one.second.is_file() && fs::path(one.first).filename() == name;
  });
}

/// A doubt about a file outside that changed since the earlier build began.
std::string changed_outside(const fs::path& path, unsigned how, const TracedSide& base,
                            const TracedSide& head) {
  const auto was_made = [&path](const TracedSide& side) {
    return side.trace != nullptr && side.trace->made.contains(path.string());
  };
  const std::int64_t began = std::min(base.tree->built.began, head.tree->built.began) - kTick;
  const std::optional<BuiltFile> here = built_file_at(path);
  const fs::path original = original_of(path);
  const std::optional<BuiltFile> now = here ? built_file_at(original) : here;
  if (was_made(base) || was_made(head)) {
    return {};
  }
  if (const fs::path tree = working_tree_of(original, *head.tree);
      !tree.empty() && (how & ~kQueried) != 0 && !may_lie_in(tree, original, *head.tree)) {
    return "it reads the working tree: " + path.string();
  }
  if (now && (S_ISFIFO(now->mode) || S_ISSOCK(now->mode) || S_ISBLK(now->mode))) {
    return "it opens " + path.string() + ", which is not a regular file";
  }
  if (is_in_history(path.string()) && (how & ~kQueried) != 0) {
    return "it reads a history (" + path.string() + ")";
  }
  if (!now && (how & ~kQueried) != 0) {
    return path.string() + (head.tree->is_build ? ", outside the checkout," : "") + " was removed";
  }
  if (!head.tree->is_build) {
    return now && now->changed > began ? path.string() + " was changed meanwhile" : std::string();
  }
  const bool is_doubt =
      now && now->changed > began && !is_upgraded(original, now->changed, *base.tree, *head.tree);
  return is_doubt ? path.string() +
                        ", outside the checkout, was changed since the build began; --rebuild "
                        "builds anew"
                  : std::string();
}

/// Whether a path outside contains the side's own names, other than the place of its checkout.
bool names_own(const std::string& path, const TracedTree& tree) {
  const std::string& root = tree.root.native();
  const auto end = std::ranges::mismatch(path, root).in1;
  const std::string rest(end, path.end());
  return without_own_names(rest, tree.own) != rest;
}

/// Whether one side's run filled a cache outside that the other read: only the first run reads what
/// is cached.
bool has_filled_cache(const TracedSide& side, const TracedSide& other) {
  return std::ranges::any_of(side.trace->made, [&](const std::string& path) {
    return is_asked_for(path, other.trace->asked, kOpened) && built_file_at(path) &&
           common_name(path, *side.tree).starts_with('/');
  });
}

/// A file outside that one side alone used: what it does depends on something that no file shows,
/// such as the id of its commit.
std::string used_alone(const TracedSide& side, const TracedSide& other) {
  const bool is_alone = side.trace == other.trace;  // a commit by itself
  const bool is_cached =
      side.tree->is_build && (has_filled_cache(side, other) || has_filled_cache(other, side));
  std::set<std::string> of_other;
  for (const auto& [path, how] : other.trace->asked) {
    of_other.insert(original_of(path).string());
  }
  const char* where = side.tree->is_build ? ", outside the checkout," : "";
  for (const auto& [path, how] : side.trace->asked) {
    const std::string name = common_name(path, *side.tree), original = original_of(path).string();
    if (!name.starts_with('/') || is_of_kernel(path) || !built_file_at(path) ||
        side.trace->made.contains(path) || (!is_alone && of_other.contains(original))) {
      continue;
    }
    if (names_own(path, *side.tree)) {
      return path + where + " is named after the commit";
    }
    const bool is_used = ((how & (kOpened | kLoaded | kListed)) != 0 ||
                          (!side.tree->is_build && !built_file_at(path)->is_folder())) &&
                         !is_alone && !is_cached;
    if (is_used && !other.trace->made.contains(path) && !side.tree->packages->has(original)) {
      return path + where + " is read by one side alone";
    }
  }
  return {};
}

/// Whether a side's run made a file: by its path, or by its name, as folders may have been renamed.
bool made(const TracedSide& side, const fs::path& path) {
  return side.trace->made.contains(path.string()) ||
         std::ranges::any_of(side.trace->made, [&path](const std::string& one) {
           return fs::path(one).filename() == path.filename();
         });
}

/// A doubt about files in a checkout that neither its build nor this run made: their origin is not
/// known.
std::string made_by_another(const std::string& name, const State& state, const TracedSide& side) {
  if (side.trace == nullptr) {
    return {};
  }
  for (const fs::path& later : state.later) {
    if (later.filename() != "__pycache__" && !made(side, later)) {
      return later.lexically_relative(side.tree->root).string() + " was left by another run";
    }
  }
  const std::string path = path_in(*side.tree, name).string();
  return is_asked_for(path, side.trace->asked) && !state.absent.empty() &&
                 !made(side, state.absent) && !made(side, path)
             ? name + " was made by another process"
             : std::string();
}

std::string described(const std::string& asked, unsigned how, const State& base, const State& head,
                      const TracedTree& base_tree, const TracedTree& head_tree) {
  const std::string name =
      asked == "." && !head_tree.is_build ? head_tree.root.filename().string() : asked;
  if (base.text == "absent" || head.text == "absent") {
    return name + ": only " + (base.text == "absent" ? "head" : "base") + " has it";
  }
  if (!base.file.empty() && !head.file.empty()) {
    const std::string where =
        first_difference(base.file, base_tree.own, head.file, head_tree.own, (how & kOpened) == 0);
    return base.text.starts_with("compiled") && has_same_bytes(base.file, head.file)
               ? name + " is stale, or compiled from another source"
           : has_same_bytes(base.file, head.file)
               ? name + " differs in its time, permissions, links or holes"
           : where.empty() ? name + " differs"
                           : (base.place == head.place && !base.place.empty() ? base.place : name) +
                                 ": " + where;
  }
  return name + " differs";
}

/// Adds a file that a program chose, by its path below the checkout and by the name asked for.
void add_below(const std::string& name, unsigned how, const State& state, AskedBelow& below) {
  if (!state.place.empty()) {
    below[state.place] |= how;
  }
  const std::string plain = fs::path(name).lexically_normal().string();
  if (!plain.starts_with('/') && !plain.starts_with("..")) {
    below[plain] |= kQueried;
  }
}

/// When the build last wrote the files that programs may compare by that. The generated files of
/// one suffix count as one, and only where programs asked for their state: several jobs may build
/// them in any order.
std::map<std::string, std::int64_t> times_of(const AskedBelow& asked, const TracedTree& tree) {
  std::map<std::string, std::int64_t> times;
  for (const auto& [name, how] : asked) {
    const State state = state_of(name, kQueried, tree);
    if (state.built == nullptr || (how & (kQueried | kOpened)) == 0 ||
        !is_of_build(*state.built, tree)) {
      continue;
    }
    const bool is_of_commit = state.built->is_of_commit;
    if (is_of_commit || ((how & kQueried) != 0 && (how & kLoaded) == 0)) {
      const std::string suffix = fs::path(state.place).extension().string();
      std::int64_t& time = times[is_of_commit || suffix.empty() ? state.place : "*" + suffix];
      time = std::max(time, state.built->modified);
    }
  }
  return times;
}

/// Two files that the builds wrote in the opposite order.
std::string other_order(const AskedBelow& asked, const TracedTree& base, const TracedTree& head) {
  const auto at_base = times_of(asked, base), at_head = times_of(asked, head);
  std::vector<std::pair<std::int64_t, std::string>> sorted;
  for (const auto& [place, time] : at_base) {
    if (at_head.contains(place)) {
      sorted.emplace_back(time, place);
    }
  }
  std::ranges::sort(sorted);
  const std::int64_t gap = base.is_build ? kTick : 2 * kSecond;  // cp -r takes a while
  std::size_t earlier = 0, latest = 0;  // at head, the latest of those that are earlier at base
  for (const auto& [time, place] : sorted) {
    for (; sorted[earlier].first < time - gap; ++earlier) {
      const bool is_later = at_head.at(sorted[earlier].second) > at_head.at(sorted[latest].second);
      latest = is_later ? earlier : latest;
    }
    const std::string& other = sorted[latest].second;
    if (earlier > 0 && at_head.at(other) > at_head.at(place) + gap) {
      return place + " is newer than " + other + " at base, and older at head";
    }
  }
  return {};
}

/// Compares what both sides asked for; `base` and `head` may have no trace. `chosen`: what the
/// programs chose themselves, so that they may choose another file next time.
std::string difference_in(const AskedBelow& asked, const AskedBelow& chosen, const TracedSide& base,
                          const TracedSide& head, const std::vector<std::string>& command = {}) {
  AskedBelow below;
  std::string doubt;
  for (const auto& [name, how] : asked) {
    const State at_base = state_of(name, how, *base.tree),
                at_head = state_of(name, how, *head.tree);
    if (at_base.text != at_head.text) {
      return described(name, how, at_base, at_head, *base.tree, *head.tree);
    }
    for (const State* state : {&at_base, &at_head}) {
      doubt = doubt.empty() ? state->doubt : doubt;
      if (doubt.empty() && (how & ~kQueried) != 0) {
        doubt = made_by_another(name, *state, state == &at_base ? base : head);
      }
      for (const fs::path& outside : state->outside) {
        doubt = doubt.empty() ? changed_outside(outside, how, base, head) : doubt;
      }
      if (chosen.contains(name)) {
        add_below(name, how, *state, below);
      }
    }
  }
  if (const std::string order = other_order(asked, *base.tree, *head.tree); !order.empty()) {
    return order;
  }
  return doubt.empty() ? changed_beside(below, *base.tree, *head.tree, command) : doubt;
}

/// Adds the files that a command names, also within a shell's script: by their path below the
/// checkout or the end of it, because a shell may change its folder.
void add_named(const std::vector<std::string>& command, const BuiltTree& built, AskedBelow& asked) {
  constexpr const char* kBetweenWords = " \t\n;&|()<>{}=\"'`$";
  std::set<std::string> words;
  for (const std::string& argument : command) {
    for (std::size_t at = 0; at < argument.size();) {
      const std::size_t end = std::min(argument.find_first_of(kBetweenWords, at), argument.size());
      std::string word = fs::path(argument.substr(at, end - at)).lexically_normal().string();
      while (word.starts_with("../")) {  // from a folder of the checkout
        word.erase(0, 3);
      }
      words.insert(std::move(word));
      at = end + 1;
    }
  }
  for (const auto& [path, file] : built.files) {
    const bool is_named = std::ranges::any_of(words, [&path](const std::string& word) {
      return !word.empty() && (path == word || path.ends_with("/" + word));
    });
    if (is_named && !file.is_folder()) {
      asked[path] |= kOpened;
    }
  }
}

/// Returns the first glob that no file matches, or an empty text.
std::string add_inputs(const std::vector<std::string>& inputs, const TracedTree& base,
                       const TracedTree& head, AskedBelow& asked) {
  std::string useless;
  for (const std::string& glob : inputs) {
    bool matches = false;
    for (const TracedTree* tree : {&base, &head}) {
      for (const auto& [path, file] : tree->built.files) {
        if (!file.is_folder() && glob_match(glob, path)) {
          asked[path] |= kOpened;
          matches = true;
        }
      }
    }
    useless = useless.empty() && !matches ? glob : useless;
  }
  return useless;
}

/// 128 bits of hash.
std::string id_of(const std::string& text) {
  return hexadecimal(fnv1a_64(text)) + hexadecimal(fnv1a_64(text, fnv1a_64(kProgramVersion)));
}

}  // namespace

bool is_asked_for(const std::string& path, const std::map<std::string, unsigned>& asked,
                  unsigned ways) {
  const auto known = asked.find(path);
  return known != asked.end() && (known->second & ways) != 0;
}

bool is_environment(const fs::path& folder) {
  return folder.filename() == "node_modules" || built_file_at(folder / "pyvenv.cfg") ||
         built_file_at(folder / "conda-meta");
}

std::string python_check(const fs::path& compiled, const BuiltFile& source) {
  constexpr std::size_t kHeader = 16;
  const std::string header = content_of(compiled).substr(0, kHeader);
  const auto number_at = [&header](std::size_t at) {
    return header.size() == kHeader ? record_at<std::uint32_t>(header, at) : std::nullopt;
  };
  const bool is_current = number_at(8) == static_cast<std::uint32_t>(source.modified / kSecond) &&
                          number_at(12) == static_cast<std::uint32_t>(source.size);
  return header.substr(0, 8) + (number_at(4).value_or(0) != 0 ? header.substr(8)
                                : is_current                  ? " current"
                                                              : " stale");
}

fs::path python_source(const fs::path& file) {
  const fs::path folder = file.parent_path();
  const std::string name = file.filename().string();
  return file.extension() == ".pyc" && folder.filename() == "__pycache__"
             ? folder.parent_path() / (name.substr(0, name.find('.')) + ".py")
             : fs::path();
}

std::string state_outside(const TracedSide& side) {
  std::set<std::string> paths;
  for (const auto& [name, how] : asked_of(side)) {
    for (const fs::path& path : state_of(name, how & ~(kOpened | kLoaded), *side.tree).outside) {
      if (!side.trace->made.contains(path.string())) {
        paths.insert(path.string());
      }
    }
  }
  std::string text;
  for (const std::string& path : paths) {
    text += path + '\0';
    if (const std::optional<BuiltFile> now = built_file_at(path)) {
      for (const std::int64_t one : {std::int64_t{now->mode}, now->size, now->changed}) {
        text += std::to_string(one) + ' ';
      }
    }
    text += '\0';
  }
  return id_of(text);
}

bool ask_alike(const TracedSide& one, const TracedSide& other) {
  const auto lasting_of = [](const TracedSide& side) {
    constexpr unsigned kWritten = kListed << 1;
    AskedBelow asked = asked_of(side), lasting;
    for (const std::set<std::string>* written : {&side.trace->made, &side.trace->wrote}) {
      for (const std::string& path : *written) {
        asked[common_name(path, *side.tree)] |= kWritten;
      }
    }
    for (const auto& [name, how] : asked) {
      const bool is_outside = name.starts_with('/'), is_written = (how & kWritten) != 0;
      if (is_outside && is_of_kernel(name)) {
        continue;
      }
      if (built_file_at(path_in(*side.tree, name)) || (!is_outside && !is_written)) {
        lasting[name] = is_outside ? how & kWritten : how;
      }
    }
    return lasting;
  };
  return lasting_of(one) == lasting_of(other);
}

std::set<std::string> files_read(const TracedSide& side) {
  std::set<std::string> files;
  for (const auto& [name, how] : asked_of(side)) {
    const State state = state_of(name, how & ~(kOpened | kLoaded), *side.tree);
    if ((how & (kOpened | kLoaded)) != 0 && !state.file.empty()) {
      files.insert(state.place);
    }
  }
  return files;
}

std::string program_id(const TracedSide& side, const std::vector<std::string>& command) {
  std::string text = kProgramVersion;
  for (const std::string& argument : command) {
    text += '\0' + without_own_names(argument, side.tree->own);
  }
  for (const auto& [name, how] : asked_of(side)) {
    if (!name.starts_with('/')) {
      const State state = state_of(name, how, *side.tree);
      if (state.text == "absent" && side.trace->made.contains(path_in(*side.tree, name).string())) {
        continue;  // names of scratch files may be drawn
      }
      text += '\0' + name + '\0' + state.text;
    }
  }
  std::vector<std::pair<std::int64_t, std::string>> sorted =
      mapped(times_of(asked_of(side), *side.tree),
             [](const auto& one) { return std::pair(one.second, one.first); });
  std::ranges::sort(sorted);
  std::set<std::string> together;
  for (std::size_t i = 0; i < sorted.size(); ++i) {
    together.insert(sorted[i].second);
    if (i + 1 == sorted.size() || sorted[i + 1].first > sorted[i].first + kTick) {
      for (const std::string& place : std::exchange(together, {})) {
        text += '\0' + place;
      }
      text += '\0' + std::string("then");
    }
  }
  return id_of(text);
}

std::string difference_of(const TracedSide& base, const TracedSide& head,
                          const std::vector<std::string>& inputs,
                          const std::vector<std::string>& command) {
  AskedBelow asked = asked_of(base);
  for (const auto& [name, how] : asked_of(head)) {
    asked[name] |= how;
  }
  const AskedBelow chosen = asked;
  add_inputs(inputs, *base.tree, *head.tree, asked);
  std::string difference = difference_in(asked, chosen, base, head, command);
  for (const auto& [side, other] : {std::pair{&base, &head}, std::pair{&head, &base}}) {
    if (difference.empty() && !side->trace->doubts.empty()) {
      difference = side->trace->doubts.front();
    }
    difference = difference.empty() ? used_alone(*side, *other) : difference;
  }
  return difference;
}

bool has_word(std::string_view text, std::string_view name) {
  const auto is_part = [&](std::size_t at) {
    return at < text.size() &&
           (std::isalnum(static_cast<unsigned char>(text[at])) != 0 || text[at] == '_');
  };
  for (std::size_t at = text.find(name); at != std::string_view::npos;
       at = text.find(name, at + 1)) {
    if (!is_part(at - 1) && !is_part(at + name.size())) {
      return true;
    }
  }
  return false;
}

std::string done_alone(const TracedSide& base, const TracedSide& head) {
  const auto done_by = [](const TracedSide& side) {
    std::set<std::string> done = files_read(side);
    for (const auto& [program, folder] : side.trace->executed) {
      done.insert(common_name(program, *side.tree));
    }
    return done;
  };
  const std::set<std::string> at_base = done_by(base), at_head = done_by(head);
  std::vector<std::string> alone;
  std::ranges::set_symmetric_difference(at_base, at_head, std::back_inserter(alone));
  if (!alone.empty()) {
    return alone.front() + " is used by one side alone";
  }
  const bool has_roots = !base.tree->built.files.empty();
  if (has_roots && (files_read(base).empty() || files_read(head).empty())) {
    return "the commands differ in " + head.tree->root.filename().string() + ", which is not read";
  }
  return {};
}

std::string foreign_code(const TracedSide& base, const TracedSide& head) {
  for (const auto& [side, other] : {std::pair{&base, &head}, std::pair{&head, &base}}) {
    const fs::path own = side->tree->entry, cache = own.parent_path();
    const AskedBelow asked = asked_of(*side);
    const bool reads_own = !files_read(*side).empty();
    for (const auto& [name, how] : asked) {
      const bool is_used = (how & (kOpened | kLoaded)) != 0;
      if (!is_used && name.find("..") == std::string::npos && !is_below(name, cache)) {
        continue;
      }
      for (const fs::path& path : state_of(name, kQueried, *side->tree).outside) {
        const fs::path file = original_of(path), tree = working_tree_of(file, *side->tree);
        const std::optional<BuiltFile> found = built_file_at(file);
        if (!found || !found->is_file()) {
          continue;
        }
        // Of another build: it may also be written.
        if (is_below(file, cache) && !is_below(file, own) &&
            (is_used || file.parent_path() != cache)) {
          return file.string();
        }
        if (!is_used) {
          continue;
        }
        const std::string place = tree.empty() ? "" : file.lexically_relative(tree).string();
        // A search upwards for a file finds that of the checkout first.
        const bool is_searched = asked.contains("../" + place);
        const bool has_own =
            is_built(place, *side->tree) || is_built(place, *other->tree) ||
            ((how & kLoaded) != 0 && (!reads_own || has_name(file.filename(), side->tree->built)));
        if (!tree.empty() && has_own && !is_searched && !may_lie_in(tree, file, *side->tree)) {
          return file.string();
        }
      }
    }
  }
  return installed_copy(base, head);
}

std::string lasting_program_id(const TracedSide& side, const std::vector<std::string>& command,
                               const std::vector<std::string>& inputs) {
  std::string text = program_id(side, command);
  AskedBelow asked = asked_of(side), given, below;
  add_inputs(inputs, *side.tree, *side.tree, given);
  for (const auto& [name, how] : given) {
    text += '\0' + name + '\0' + state_of(name, how, *side.tree).text;
    asked[name] |= how;
  }
  for (const auto& [name, how] : asked) {
    add_below(name, how, state_of(name, how, *side.tree), below);
  }
  text += '\0' + state_beside(below, *side.tree, command);
  return id_of(text);
}

std::string difference_of_inputs(const TracedTree& base, const TracedTree& head,
                                 const std::vector<std::string>& command,
                                 const std::vector<std::string>& inputs) {
  AskedBelow asked;
  for (const TracedTree* tree : {&base, &head}) {
    add_named(command, tree->built, asked);
  }
  const std::string useless = add_inputs(inputs, base, head, asked);
  const std::string difference = difference_in(asked, {}, {&base}, {&head});
  return difference.empty() && !useless.empty() ? "no file matches \"inputs\": " + useless
                                                : difference;
}

}  // namespace perf
