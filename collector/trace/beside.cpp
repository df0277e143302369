#include <algorithm>
#include <cctype>
#include <iterator>
#include <map>
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

/// What Python compiled is compared without the time of its source; of a program, only what the
/// kernel loads counts.
std::optional<std::string> digest_beside(const std::string& path, const TracedTree& tree,
                                         bool is_program) {
  const fs::path file = tree.root / path;
  return python_source(file).empty() ? content_digest(file, is_program, tree.own)
                                     : python_code_digest(file, tree.own);
}

/// Whether a program is not expected to read a file because another file contains its name:
/// documents, tests, files of tools (.github), and sources, which a compiler reads.
bool is_seldom_read(const fs::path& path) {
  static const std::set<std::string> kSuffixes{".adoc", ".c",  ".cc", ".cpp", ".cxx",
                                               ".go",   ".h",  ".hh", ".hpp", ".java",
                                               ".md",   ".rs", ".rst"};
  static const std::set<std::string> kFolders{"__pycache__", "doc", "docs", "test", "tests"};
  const std::string stem = path.stem().string();
  return kSuffixes.contains(path.extension().string()) || stem.starts_with("test_") ||
         stem.ends_with("_test") || std::ranges::any_of(path, [](const fs::path& part) {
           return part.native().starts_with('.') || kFolders.contains(part.string());
         });
}

/// Code that runs from its source: nobody draws which of it to read.
bool is_script_source(const fs::path& path) {
  static const std::set<std::string> kSuffixes{".js", ".lua", ".pl", ".py", ".rb", ".sh"};
  return kSuffixes.contains(path.extension().string());
}

/// Adds the words of a text that may be paths, by their last part: "$DATA/b/one.cfg" is
/// "/b/one.cfg". A word without a suffix needs a folder.
void add_paths_in(std::string_view text, const std::string& where,
                  std::map<std::string, std::map<std::string, std::string>>& words) {
  const auto is_of_path = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || (c & 0x80) != 0 ||
           std::string_view("._-+@/").find(c) != std::string_view::npos;
  };
  for (auto at = text.begin(); at != text.end();) {
    const auto begin = std::find_if(at, text.end(), is_of_path);
    at = std::find_if_not(begin, text.end(), is_of_path);
    std::string_view word(begin, at);
    word = word.substr(0, word.find_last_not_of('.') + 1);  // the end of a sentence
    if (begin != text.begin() && *std::prev(begin) == '$') {
      word.remove_prefix(std::min(word.find('/'), word.size()));
    }
    const fs::path path = fs::path(word).lexically_normal();
    if (path.has_extension() || path.has_parent_path()) {
      words[path.filename().string()].emplace(path.string(), where);
    }
  }
}

/// The files of a tree that the texts that were opened, or the command, name -> where. Not those
/// that were opened themselves, and no others whose names such a file explains.
std::map<std::string, std::string> named_files(const std::map<std::string, unsigned>& asked,
                                               const TracedTree& tree,
                                               const std::vector<std::string>& command) {
  constexpr std::int64_t kLongestScript = 1 << 18;  // B
  std::map<std::string, std::map<std::string, std::string>> words;
  for (const std::string& argument : command) {
    add_paths_in(argument, "the command", words);
  }
  for (const auto& [path, how] : asked) {
    const auto file = tree.built.files.find(path);
    if ((how & kOpened) != 0 && file != tree.built.files.end() && file->second.is_file() &&
        file->second.size <= kLongestScript) {
      const std::string text = content_of(tree.root / path);
      add_paths_in(text.find('\0') == std::string::npos ? text : "", path, words);
    }
  }
  // Each path that was opened or is absent, whole and from each of its folders on.
  std::set<std::string> found;
  for (const auto& [path, how] : asked) {
    const bool is_settled = is_asked_for(path, asked) || !tree.built.files.contains(path);
    std::size_t at = is_settled ? 0 : std::string::npos;
    while (at != std::string::npos) {
      found.insert(path.substr(at));
      at = path.find('/', at);
      at += at == std::string::npos ? 0 : 1;
    }
  }
  std::map<std::string, std::string> named;
  for (const auto& [path, file] : tree.built.files) {
    const auto same_name = words.find(fs::path(path).filename().string());
    if (file.is_folder() || same_name == words.end() || is_asked_for(path, asked) ||
        is_seldom_read(path)) {
      continue;
    }
    for (const auto& [word, where] : same_name->second) {
      const bool is_below = word[0] != '/' && word[0] != '.';
      const std::string name = word.substr(is_below ? 0 : word.find_first_not_of("./"));
      if (found.contains(name)) {
        continue;
      }
      if (("/" + path).ends_with("/" + name) || (!is_below && name.ends_with("/" + path))) {
        named.emplace(path, where);
      }
    }
  }
  return named;
}

bool is_equal(const std::string& path, const TracedTree& base, const TracedTree& head,
              bool is_program = false) {
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
         digest_beside(path, base, is_program) == digest_beside(path, head, is_program);
}

}  // namespace

std::string changed_beside(const std::map<std::string, unsigned>& asked, const TracedTree& base,
                           const TracedTree& head, const std::vector<std::string>& command) {
  struct Beside {
    std::string path;        ///< what was asked for
    bool is_program = true;  ///< only programs can take its place
  };
  std::map<std::string, Beside> places;
  for (const auto& [path, how] : asked) {
    const bool is_program = (how & kLoaded) != 0 && !fs::path(path).has_extension();
    if (is_program && !base.is_build) {
      continue;  // the command names it
    }
    for (const std::string& place : places_of(path, how)) {
      Beside& beside = places[place];
      if (beside.is_program) {
        beside = {path, is_program};
      }
    }
  }
  for (const TracedTree* tree : {&base, &head}) {
    for (const auto& [path, file] : tree->built.files) {
      const bool is_given = !tree->is_build && (is_seldom_read(path) || is_script_source(path));
      if (places.empty() || file.is_folder() || is_given || is_asked_for(path, asked)) {
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
    for (const auto& [path, where] : named_files(asked, *tree, command)) {
      if (!is_equal(path, base, head, true)) {
        return path + " differs, and " + where + " contains its name";
      }
    }
  }
  return {};
}

std::string changed_elsewhere(const TracedSide& base, const TracedSide& head) {
  std::set<std::string> read = files_read(base);
  read.merge(files_read(head));
  for (const TracedTree* tree : {base.tree, head.tree}) {
    for (const auto& [path, file] : tree->built.files) {
      if (!file.is_folder() && !read.contains(path) && !is_seldom_read(path) &&
          !is_equal(path, *base.tree, *head.tree, true)) {
        return path + " differs, and another seed reads other files";
      }
    }
  }
  return {};
}

std::string state_beside(const std::map<std::string, unsigned>& asked, const TracedTree& tree,
                         const std::vector<std::string>& command) {
  const std::map<std::string, std::string> named = named_files(asked, tree, command);
  std::set<std::string> places;
  for (const auto& [path, how] : asked) {
    places.merge(places_of(path, how));
  }
  std::string text;
  for (const auto& [path, file] : tree.built.files) {
    const auto is_place = [&places](const std::string& place) { return places.contains(place); };
    if (file.is_folder() || is_asked_for(path, asked) ||
        (!named.contains(path) && !std::ranges::any_of(places_of(path, kOpened), is_place))) {
      continue;
    }
    std::error_code error;
    text += path + '\0' + std::to_string(file.mode) + '\0';
    text += file.is_link()
                ? without_own_names(fs::read_symlink(tree.root / path, error).string(), tree.own)
            : file.is_file()
                ? digest_beside(path, tree, named.contains(path)).value_or("unreadable")
                : "";
    text += '\0';
  }
  return text;
}

}  // namespace perf
