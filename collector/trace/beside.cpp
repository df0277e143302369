#include <algorithm>
#include <set>
#include <string_view>

#include "collector/trace/program.h"
#include "schema/files/content.h"

namespace perf {
namespace {

namespace fs = std::filesystem;

/// Each run of digits as one `#`.
std::string without_digits(std::string_view text) {
  std::string result;
  for (const char c : text) {
    const bool is_digit = c >= '0' && c <= '9';
    if (!is_digit || result.empty() || result.back() != '#') {
      result += is_digit ? '#' : c;
    }
  }
  return result;
}

/// What paths that take each other's place have in common.
std::set<std::string> places_of(const std::string& path, unsigned how) {
  std::set<std::string> places;
  if (const std::string place = without_digits(path); place != path) {
    places.insert("as " + place);
  }
  if ((how & kOpened) != 0) {
    const fs::path file = path, folder = file.parent_path();
    places.insert("in " + folder.string() + "/*" + without_digits(file.extension().string()));
    if (!folder.empty()) {
      places.insert("in " + folder.parent_path().string() + "/*/" + file.filename().string());
    }
  }
  return places;
}

/// What Python compiled is compared without the time of its source.
std::optional<std::string> digest_beside(const std::string& path, const TracedTree& tree) {
  const fs::path file = tree.root / path;
  return file.extension() == ".pyc" && file.parent_path().filename() == "__pycache__"
             ? python_code_digest(file, tree.own)
             : content_digest(file, false, tree.own);
}

bool is_equal(const std::string& path, const TracedTree& base, const TracedTree& head) {
  const auto at_base = base.built.files.find(path), at_head = head.built.files.find(path);
  if (at_base == base.built.files.end() || at_head == head.built.files.end() ||
      at_base->second.mode != at_head->second.mode) {
    return false;
  }
  const fs::path in_base = base.root / path, in_head = head.root / path;
  if (at_base->second.is_link()) {
    std::error_code error;
    return without_own_names(fs::read_symlink(in_base, error).string(), base.own) ==
           without_own_names(fs::read_symlink(in_head, error).string(), head.own);
  }
  return !at_base->second.is_file() || has_same_bytes(in_base, in_head) ||
         digest_beside(path, base) == digest_beside(path, head);
}

}  // namespace

std::string changed_beside(const std::map<std::string, unsigned>& asked, const TracedTree& base,
                           const TracedTree& head) {
  struct Beside {
    std::string path;        ///< what was asked for
    bool is_program = true;  ///< only programs can take its place
  };
  std::map<std::string, Beside> places;
  for (const auto& [path, how] : asked) {
    const bool is_program = (how & kLoaded) != 0 && !fs::path(path).has_extension();
    for (const std::string& place : places_of(path, how)) {
      Beside& beside = places[place];
      if (beside.is_program) {
        beside = {path, is_program};
      }
    }
  }
  for (const TracedTree* tree : {&base, &head}) {
    for (const auto& [path, file] : tree->built.files) {
      const auto known = asked.find(path);
      const bool is_compared = known != asked.end() && (known->second & (kOpened | kLoaded)) != 0;
      if (places.empty() || file.is_folder() || is_compared) {
        continue;
      }
      for (const std::string& place : places_of(path, kOpened)) {
        const auto beside = places.find(place);
        if (beside != places.end() && beside->second.path != path &&
            (!beside->second.is_program || (file.mode & 0111) != 0) &&
            !is_equal(path, base, head)) {
          return path + " differs, and may be read in place of " + beside->second.path;
        }
      }
    }
  }
  return {};
}

std::string state_beside(const std::map<std::string, unsigned>& asked, const TracedTree& tree) {
  std::set<std::string> places;
  for (const auto& [path, how] : asked) {
    places.merge(places_of(path, how));
  }
  std::string text;
  for (const auto& [path, file] : tree.built.files) {
    const auto known = asked.find(path);
    const bool is_asked_for = known != asked.end() && (known->second & (kOpened | kLoaded)) != 0;
    const auto is_place = [&places](const std::string& place) { return places.contains(place); };
    if (file.is_folder() || is_asked_for ||
        !std::ranges::any_of(places_of(path, kOpened), is_place)) {
      continue;
    }
    std::error_code error;
    text += path + '\0' + std::to_string(file.mode) + '\0';
    text += file.is_link()
                ? without_own_names(fs::read_symlink(tree.root / path, error).string(), tree.own)
            : file.is_file() ? digest_beside(path, tree).value_or("unreadable")
                             : "";
    text += '\0';
  }
  return text;
}

}  // namespace perf
