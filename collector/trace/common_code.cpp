#include <algorithm>
#include <array>
#include <string_view>

#include "collector/trace/program.h"
#include "schema/files/content.h"

namespace perf {
namespace {

namespace fs = std::filesystem;

/// Of files that interpreters run without the loader; sorted.
constexpr std::array<std::string_view, 18> kCodeSuffixes{
    ".class", ".cjs", ".dll", ".jar", ".jl", ".js", ".lua", ".mjs", ".php",
    ".pl",    ".pm",  ".py",  ".pyc", ".rb", ".sh", ".so",  ".ts",  ".wasm"};

/// Whether what was asked for is code, not data.
bool is_code(const fs::path& file, unsigned how) {
  if ((how & kLoaded) != 0) {
    return true;
  }
  const std::optional<BuiltFile> found = built_file_at(file);
  return (how & kOpened) != 0 && found && found->is_file() &&
         ((found->mode & S_IXUSR) != 0 ||
          std::ranges::find(kCodeSuffixes, file.extension().string()) != kCodeSuffixes.end());
}

/// Whether it is data of which the commits have another version each, under this name.
bool is_changed_data(const fs::path& file, unsigned how, const TracedSide& base,
                     const TracedSide& head) {
  return (how & kOpened) != 0 &&
         names_changed_file(file.filename().string(), *base.tree, *head.tree);
}

/// When a path came to lead to what it leads to: the ctime of the file, and of links on the way.
std::int64_t installed_at(const fs::path& path) {
  std::int64_t latest = 0;
  const auto see = [&latest](const fs::path& place, bool is_end) {
    const std::optional<BuiltFile> found = built_file_at(place);
    if (found && (is_end || found->is_link())) {
      latest = std::max(latest, found->changed);
    }
  };
  for (fs::path at = path; at.has_relative_path(); at = at.parent_path()) {
    see(at, at == path);
  }
  std::error_code error;
  see(fs::canonical(path, error), true);
  return latest;
}

/// The source of what Python compiled, where it exists: the first run compiles it.
fs::path written_file(const fs::path& path) {
  const fs::path source = python_source(path);
  return built_file_at(source) ? source : path;
}

bool is_inside(const std::string& path, const TracedTree& tree) {
  return path.starts_with(tree.entry.string() + "/");
}

/// What the later build installed outside, and both sides then used.
std::string installed_last(const TracedSide& base, const TracedSide& head) {
  const bool head_is_later = head.tree->ended > base.tree->ended;
  const TracedTree& later = *(head_is_later ? head : base).tree;
  for (const auto& [path, how] : base.trace->asked) {
    const auto at_head = head.trace->asked.find(path);
    if (at_head == head.trace->asked.end() || is_inside(path, *base.tree) ||
        is_inside(path, *head.tree) || base.trace->made.contains(path) ||
        head.trace->made.contains(path)) {
      continue;
    }
    const fs::path file = written_file(path);
    const std::int64_t time = installed_at(file);
    const unsigned both = how & at_head->second;
    const bool runs = is_code(path, both);
    if (time > later.built.began && time <= later.ended && !later.packages->has(file) &&
        (runs || is_changed_data(path, both, base, head))) {
      return std::string("both sides ") + (runs ? "run " : "read ") + path + ", installed by " +
             (head_is_later ? "head" : "base") +
             "'s build last\nlet the build install into the checkout (--prefix, PYTHONUSERBASE, "
             "CARGO_INSTALL_ROOT, GOBIN), and run that";
    }
  }
  return {};
}

}  // namespace

std::string common_code_of(const TracedSide& base, const TracedSide& head) {
  if (base.trace == nullptr || head.trace == nullptr || !base.tree->is_build) {
    return {};
  }
  if (std::string installed = installed_last(base, head); !installed.empty()) {
    return installed;
  }
  if (const std::string file = foreign_code(base, head); !file.empty()) {
    return "both sides ran code from " + file +
           ", not from the commits\nlet the command and the search paths (PATH, PYTHONPATH, "
           "LD_LIBRARY_PATH, pip install, npm link) lead to files of the checkout";
  }
  std::string left = cache_of_other(base, head);
  left = left.empty() ? written_for_other(base, head) : left;
  if (!left.empty()) {
    return left +
           "\nlet runs keep nothing outside the checkout, or put it back before each "
           "(\"prepare\")";
  }
  return {};
}

}  // namespace perf
