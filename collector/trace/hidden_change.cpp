#include <algorithm>
#include <array>
#include <map>
#include <string_view>
#include <tuple>
#include <utility>

#include "collector/this_process.h"
#include "collector/trace/program.h"
#include "schema/files/content.h"

namespace perf {
namespace {

namespace fs = std::filesystem;

/// Where commits keep the sources of packages of Python and Node.js.
constexpr std::array<const char*, 5> kPackageFolders{"", "src/", "lib/", "python/", "packages/"};

/// The path of a module below the folder that pip(1) or npm(1) copied it to; empty for others.
fs::path module_of(const fs::path& file) {
  fs::path module;
  bool is_below = false;
  for (const fs::path& part : file) {
    if (part == "site-packages" || part == "dist-packages" || part == "node_modules") {
      module.clear();
      is_below = true;
    } else if (is_below) {
      module /= part;
    }
  }
  return module;
}

bool is_test_or_document(const fs::path& place) {
  const std::string stem = place.stem().string(), suffix = place.extension().string();
  return stem.starts_with("test_") || stem.ends_with("_test") || suffix == ".md" ||
         suffix == ".rst" || std::ranges::any_of(place, [](const fs::path& part) {
           return part == "test" || part == "tests" || part == "doc" || part == "docs";
         });
}

/// A file that both builds left, with another content.
bool is_changed(const std::string& place, const TracedTree& base, const TracedTree& head,
                bool loaded = false) {
  const auto at_base = base.built.files.find(place), at_head = head.built.files.find(place);
  return at_base != base.built.files.end() && at_head != head.built.files.end() &&
         at_base->second.is_file() && at_head->second.is_file() &&
         !has_same_bytes(base.root / place, head.root / place) &&
         content_digest(base.root / place, loaded, base.own) !=
             content_digest(head.root / place, loaded, head.own);
}

/// Whether something in a folder of both checkouts changed, other than tests and documents.
bool has_changed_below(const std::string& folder, const TracedTree& base, const TracedTree& head) {
  const std::string prefix = folder + "/";
  for (auto at = head.built.files.lower_bound(prefix);
       at != head.built.files.end() && at->first.starts_with(prefix); ++at) {
    if (!is_test_or_document(at->first) && is_changed(at->first, base, head)) {
      return true;
    }
  }
  return false;
}

/// Whether a side used a file of this name of its own checkout.
bool uses_own(const std::string& name, const TracedSide& side) {
  const std::string root = side.tree->root.string() + "/";
  return std::ranges::any_of(side.trace->asked, [&](const auto& one) {
    return (one.second & (kOpened | kLoaded)) != 0 && one.first.starts_with(root) &&
           one.first.ends_with("/" + name);
  });
}

/// Whether the commits change the package that a module was installed from.
bool is_of_changed_package(const fs::path& module, const TracedSide& side, const TracedTree& base,
                           const TracedTree& head) {
  return std::ranges::any_of(kPackageFolders, [&](const std::string& folder) {
    const std::string place = folder + module.string();
    const bool is_single = !module.has_parent_path();
    return side.tree->built.files.contains(place) && !uses_own(place, side) &&
           (is_single ? is_changed(place, base, head)
                      : has_changed_below(folder + module.begin()->string(), base, head));
  });
}

}  // namespace

bool names_changed_file(const std::string& name, const TracedTree& base, const TracedTree& head,
                        bool loaded) {
  return std::ranges::any_of(head.built.files, [&](const auto& one) {
    return one.second.is_file() && one.first.ends_with(name) &&
           fs::path(one.first).filename() == name && is_changed(one.first, base, head, loaded);
  });
}

std::string installed_copy(const TracedSide& base, const TracedSide& head) {
  for (const TracedSide* side : {&base, &head}) {
    for (const auto& [path, how] : side->trace->asked) {
      const bool is_loaded = (how & kLoaded) != 0 || fs::path(path).extension() == ".jar";
      if ((how & (kOpened | kLoaded)) == 0 || side->trace->made.contains(path) ||
          path.starts_with(side->tree->entry.string() + "/") || !built_file_at(path)) {
        continue;
      }
      const fs::path source = python_source(path), file = source.empty() ? path : source.string();
      if (const fs::path module = module_of(file); !module.empty()) {
        if (is_of_changed_package(module, *side, *base.tree, *head.tree)) {
          return file.string();
        }
      } else if (is_loaded) {
        std::error_code error;
        for (const fs::path& one : {file, fs::canonical(file, error)}) {
          const std::string name = one.filename().string();
          if (!name.empty() && !uses_own(name, *side) &&
              names_changed_file(name, *base.tree, *head.tree, true) &&
              !side->tree->packages->has(path)) {
            return file.string();
          }
        }
      }
    }
  }
  return {};
}

std::string cache_of_other(const TracedSide& base, const TracedSide& head) {
  for (const auto& [side, other] : {std::pair{&base, &head}, std::pair{&head, &base}}) {
    const std::string root = side->tree->root.string() + "/",
                      root_of_other = other->tree->root.string() + "/";
    const auto is_shared = [&, side = side, other = other](const std::string& path) {
      return !path.starts_with(side->tree->entry.string() + "/") &&
             is_asked_for(path, other->trace->asked, kOpened) &&
             !other->trace->made.contains(path) && built_file_at(path);
    };
    const auto cache = std::ranges::find_if(side->trace->made, is_shared);
    for (const auto& [path, how] : side->trace->asked) {
      const std::string place = path.starts_with(root) ? path.substr(root.size()) : "";
      if (cache != side->trace->made.end() && !place.empty() &&
          is_asked_for(path, side->trace->asked, kOpened) &&
          !is_asked_for(root_of_other + place, other->trace->asked, kOpened) &&
          is_changed(place, *base.tree, *head.tree)) {
        return "one side reads " + *cache + ", which the other side's run made, in place of " +
               place;
      }
    }
  }
  return {};
}

std::vector<std::string> cache_folders() {
  const auto variable = [](const char* name) { return environment_variable(name).value_or(""); };
  const std::string home = variable("HOME");
  std::vector<std::string> folders;
  for (const char* name :
       {"XDG_CACHE_HOME", "GOCACHE", "GOMODCACHE", "CCACHE_DIR", "SCCACHE_DIR"}) {
    folders.push_back(variable(name));
  }
  for (const char* below : {".cache", "go/pkg/mod", ".cargo/registry", ".cargo/git", ".npm", ".m2",
                            ".gradle", ".ccache"}) {
    folders.push_back(home.empty() ? "" : home + "/" + below);
  }
  for (const char* below : {"registry", "git"}) {
    const std::string cargo = variable("CARGO_HOME");
    folders.push_back(cargo.empty() ? "" : cargo + "/" + below);
  }
  std::erase(folders, "");
  return folders;
}

std::string written_for_other(const TracedSide& base, const TracedSide& head) {
  const std::vector<std::string> caches = cache_folders();
  const auto is_in_cache = [&caches](const std::string& path) {
    return std::ranges::any_of(
        caches, [&path](const std::string& folder) { return path.starts_with(folder + "/"); });
  };
  for (const auto& [side, other, name, of_other] :
       {std::tuple{&base, &head, "base", "head"}, {&head, &base, "head", "base"}}) {
    std::set<std::string> written = side->trace->wrote;
    if (side == &head) {  // base ran first, and found them
      written.insert(side->trace->made.begin(), side->trace->made.end());
    }
    for (const std::string& path : written) {
      const std::optional<BuiltFile> found = built_file_at(path);
      if (!found || !found->is_file() || other->trace->wrote.contains(path) ||
          other->trace->made.contains(path) || is_in_cache(path) ||
          path.starts_with(side->tree->entry.string() + "/")) {
        continue;
      }
      const std::string run = name + std::string("'s run ");
      if (is_asked_for(path, other->trace->asked)) {
        return run + "writes " + path + ", which " + of_other + " reads";
      }
      // Its own log or counter, of all its runs: the other side has had more of them, or fewer.
      if (side->trace->wrote.contains(path) && is_asked_for(path, side->trace->asked) &&
          found->size > 0 && !other->trace->asked.contains(path)) {
        return run + "reads and changes " + path + ", which is its own";
      }
    }
  }
  return {};
}

}  // namespace perf
