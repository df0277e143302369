// The sides of two commands: where they differ, and what stands for their checkouts.

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <iterator>
#include <set>
#include <span>
#include <string_view>

#include "collector/process/whole_file.h"
#include "collector/this_process.h"
#include "collector/trace/program.h"
#include "collector/trace/trace_programs.h"
#include "schema/text/text_parts.h"

namespace perf {
namespace {

namespace fs = std::filesystem;

fs::path absolute_in(const fs::path& directory, const std::string& word) {
  return (directory / word).lexically_normal();
}

/// Without the last parts that both paths have in common.
std::pair<fs::path, fs::path> where_they_part(fs::path base, fs::path head) {
  while (base.filename() == head.filename() && base.has_relative_path() &&
         head.has_relative_path()) {
    base = base.parent_path();
    head = head.parent_path();
  }
  return {base, head};
}

bool contains(const fs::path& folder, const fs::path& path) {
  const fs::path below = path.lexically_relative(folder);
  return !below.empty() && *below.begin() != "..";
}

// What a program can know of its own path. Sources: dash(1), bash(1), make(1), perlvar(1), and the
// references of Python, Node.js, Ruby, PHP, Lua, R, Java and Rust. In lower case.

/// Shows the script's own path or its working folder.
constexpr std::array<std::string_view, 53> kShowsPlace{
    "$0",           "${0",           "$_",           "pwd",
    "cwd",          "getwd",         "~+",           "~-",
    "cd -",         "dirs",          "pushd",        "argv",
    "argzero",      "bash_source",   "sh.file",      "dirname",
    "basename",     "realpath",      "abspath",      "rel2abs",
    "readlink",     "absolute(",     "resolve(",     "samefile",
    "st_ino",       " -ef ",         "-inum",        "__file",
    "__dir",        "__cached",      "co_filename",  "f_code",
    "findbin",      "program_name",  "program_file", "program_invocation",
    "script_name",  "php_self",      "import.meta",  "mainmodule",
    "require.main", "info script",   "commandargs",  "getinfo",
    "curdir",       "makefile_list", "notdir",       "user.dir",
    "class.path",   "codesource",    "os.args",      "env::args",
    "current_"};
/// Shows where other code lies that it uses.
constexpr std::array<std::string_view, 19> kShowsCode{
    ".__file",      "__path",      "__spec",          "__load",    "sys.path",
    "sys.prefix",   "exec_prefix", "executable",      "execpath",  "sysconfig",
    "importlib",    "pkgutil",     "inspect",         "traceback", "virtual_env",
    "conda_prefix", "which",       "require.resolve", "/proc/"};

/// Functions of C and C++ by which a compiled program takes its path apart, or asks for it.
constexpr std::array<std::string_view, 16> kTakesPathsApart{"strrchr",
                                                            "strchr",
                                                            "strstr",
                                                            "strtok",
                                                            "strsep",
                                                            "sscanf",
                                                            "memrchr",
                                                            "basename",
                                                            "dirname",
                                                            "readlink",
                                                            "realpath",
                                                            "getcwd",
                                                            "program_invocation",
                                                            "__progname",
                                                            "rfind",
                                                            "find_last"};

// B; larger files are not searched.
constexpr std::int64_t kLargestScript = std::int64_t{4} << 20,
                       kLargestData = std::int64_t{16} << 20,
                       kLargestProgram = std::int64_t{128} << 20;

bool has_any(std::string_view text, std::span<const std::string_view> words) {
  return std::ranges::any_of(
      words, [text](std::string_view word) { return text.find(word) != std::string_view::npos; });
}

/// The first argument of a shell's script or function, or all.
bool has_arguments(std::string_view text) {
  for (std::size_t at = text.find('$'); at < text.size(); at = text.find('$', at + 1)) {
    const std::size_t name = at + (text.substr(at + 1).starts_with('{') ? 2 : 1);
    if (name < text.size() && std::string_view("123456789@*").find(text[name]) < 11) {
      return true;
    }
  }
  return false;
}

/// In lower case, without double quotes and without going to the script's own folder.
std::string searched_text(const std::string& text) {
  std::string result = lower(text);
  std::erase(result, '"');
  for (const std::string_view goes :
       {"cd ${0%/*}", "cd $(dirname $0)", "cd $(dirname -- $0)", "cd `dirname $0`",
        "cd $(dirname ${bash_source[0]})", "os.chdir(os.path.dirname(__file__))",
        "os.chdir(os.path.dirname(os.path.abspath(__file__)))"}) {
    for (std::size_t at = result.find(goes); at != std::string::npos; at = result.find(goes, at)) {
      const std::size_t before = at == 0 ? at : result.find_last_not_of(" \t", at - 1);
      if (at == 0 || before == std::string::npos ||
          std::string_view("\n;&|{(").find(result[before]) != std::string_view::npos) {
        result.erase(at, goes.size());
      } else {
        ++at;
      }
    }
  }
  return result;
}

/// The words of a path below `from`: "a/bench-fast" has a, bench and fast.
std::set<std::string> words_of_path(const fs::path& path, const fs::path& from) {
  std::set<std::string> words;
  std::string word;
  for (const char letter : path.lexically_relative(from).string() + '/') {
    if ((letter & 0x80) != 0 || std::isalnum(static_cast<unsigned char>(letter)) != 0) {
      word += lower(letter);
    } else if (!word.empty()) {
      words.insert(std::exchange(word, {}));
    }
  }
  return words;
}

/// The words of a side's path that the other's does not have.
std::vector<std::string> own_words(fs::path path, const fs::path& other) {
  fs::path common;
  for (auto [one, two] = std::pair(path.begin(), other.begin());
       one != path.end() && two != other.end() && *one == *two; ++one, ++two) {
    common /= *one;
  }
  std::vector<std::string> own;
  std::ranges::set_difference(words_of_path(path, common), words_of_path(other, common),
                              std::back_inserter(own));
  return own;
}

/// Whether a file belongs to an environment, or outside the side to the system or to a hidden
/// folder (.pyenv, .cargo): it was not written for these sides.
bool is_installed(const fs::path& file, const TracedTree& tree) {
  constexpr std::array kOfSystem{"/bin/",      "/etc/",      "/lib",     "/nix/",
                                 "/sbin/",     "/usr/bin/",  "/usr/lib", "/usr/local/lib",
                                 "/usr/sbin/", "/usr/share/"};
  const std::string& path = file.native();
  const bool is_outside = !contains(tree.root, file);
  bool is_installed = is_outside && (path.find("/.") != std::string::npos ||
                                     std::ranges::any_of(kOfSystem, [&path](const char* folder) {
                                       return path.starts_with(folder);
                                     }));
  for (fs::path at = file.parent_path(); at.has_relative_path(); at = at.parent_path()) {
    const std::string name = at.filename().string();
    is_installed |= is_environment(at) || name == "site-packages" || name == "dist-packages";
  }
  return is_installed;
}

}  // namespace

bool has_too_many_files(const fs::path& folder) {
  constexpr int kMostFiles = 200'000;  // a second or two
  std::error_code error;
  fs::recursive_directory_iterator at(folder, error);
  for (int files = 0; !error && at != fs::recursive_directory_iterator(); at.increment(error)) {
    if (++files > kMostFiles) {
      return true;
    }
  }
  return false;
}

fs::path executable_of(const Workload& workload, const fs::path& directory) {
  const std::string& program = workload.command.front();
  if (program.find('/') != std::string::npos) {
    const fs::path file = directory / program;
    return access(file.c_str(), X_OK) == 0 && fs::is_regular_file(file) ? file : fs::path();
  }
  const auto own = workload.env.find("PATH");
  const std::string path =
      own != workload.env.end() ? own->second : environment_variable("PATH").value_or("/bin");
  for (std::size_t at = 0; at <= path.size();) {
    const std::size_t end = std::min(path.find(':', at), path.size());
    const fs::path file = absolute_in(directory / path.substr(at, end - at), program);
    if (access(file.c_str(), X_OK) == 0 && fs::is_regular_file(file)) {
      return file;
    }
    at = end + 1;
  }
  return {};
}

std::string program_digest(const fs::path& program) {
  return program.empty() ? "" : content_digest(program, false, {}).value_or("");
}

CommandRoots roots_of(const CommandSide& base, const CommandSide& head) {
  CommandRoots roots;
  if (base.workload.env != head.workload.env) {
    roots.difference = "the variables of the commands differ";
    return roots;
  }
  if (base.workload.prepare != head.workload.prepare) {
    roots.difference = "their preparations differ";
    return roots;
  }
  const std::vector<std::string>&at_base = base.workload.command, &at_head = head.workload.command;
  if (at_base.size() != at_head.size()) {
    roots.difference = "the commands differ";
    return roots;
  }
  std::vector<std::pair<fs::path, fs::path>> pairs;
  if (base.directory != head.directory) {
    pairs.emplace_back(base.directory, head.directory);
    roots.base = base.directory;
    roots.head = head.directory;
  }
  const auto is_path = [](const std::string& word) { return word.find('/') != std::string::npos; };
  for (std::size_t i = 0; i < at_base.size(); ++i) {
    if (at_base[i] == at_head[i]) {
      continue;
    }
    pairs.emplace_back(absolute_in(base.directory, at_base[i]),
                       absolute_in(head.directory, at_head[i]));
    // Without a slash it may be any word, although a file has that name.
    if (!is_path(at_base[i]) || !is_path(at_head[i]) || !fs::exists(pairs.back().first) ||
        !fs::exists(pairs.back().second)) {
      roots.difference = "the commands differ: " + at_base[i] + ", " + at_head[i];
      return roots;
    }
  }
  for (const auto& [one, other] : pairs) {
    if (roots.base.empty()) {
      std::tie(roots.base, roots.head) = where_they_part(one, other);
    } else if (!contains(roots.base, one) || !contains(roots.head, other) ||
               one.lexically_relative(roots.base) != other.lexically_relative(roots.head)) {
      roots.difference = "the commands differ in several files or folders";
    }
  }
  if (roots.base.empty() || !roots.difference.empty()) {
    return roots;
  }
  struct stat of_base {
  }, of_head{};
  std::error_code error;
  if (stat(roots.base.c_str(), &of_base) != 0 || stat(roots.head.c_str(), &of_head) != 0 ||
      of_base.st_dev != of_head.st_dev) {
    roots.difference = "the commands use different file systems";
  } else if (fs::canonical(roots.base, error) != roots.base ||
             fs::canonical(roots.head, error) != roots.head) {
    roots.difference = "the commands differ in a link";
  } else if (contains(roots.base, roots.head) || contains(roots.head, roots.base)) {
    roots.difference = "one side's folder contains the other's";
  } else if (fs::is_regular_file(roots.base) && fs::is_regular_file(roots.head)) {
    const bool are_programs = absolute_in(base.directory, at_base.front()) == roots.base;
    roots.difference = !are_programs ? "the commands differ"
                       : fs::equivalent(roots.base, roots.head, error)
                           ? roots.base.string() + " and " + roots.head.string() +
                                 " are two names of one file, which may depend on its name"
                           : "";
  } else if (!fs::is_directory(roots.base) || !fs::is_directory(roots.head)) {
    roots.difference = "the commands differ";
  }
  return roots;
}

std::string may_act_by_path(const TracedSide& side, const std::vector<std::string>& command,
                            const TracedSide& other,
                            const std::vector<std::string>& other_command) {
  const TracedTree& tree = *side.tree;
  const Trace& trace = *side.trace;
  if (tree.built.files.empty()) {
    return {};  // both have the same path
  }
  const std::string name = tree.root.filename().string();
  const std::vector<std::string> own = own_words(tree.root, other.tree->root);
  const bool can_be_searched = !own.empty() && std::ranges::all_of(own, [](const auto& word) {
    return word.size() > 1 &&
           std::ranges::none_of(word, [](char c) { return c >= '0' && c <= '9'; });
  });
  const bool arguments_differ =
      command.size() != other_command.size() ||
      !std::equal(command.begin() + 1, command.end(), other_command.begin() + 1);
  const bool only_environment = !arguments_differ && is_environment(tree.root);
  const auto may_show = [&](const std::string& text, bool is_apart) {
    return has_any(text, kShowsCode) || (!is_apart && has_any(text, kShowsPlace)) ||
           (arguments_differ && has_arguments(text));
  };
  if (may_show(searched_text(joined(command, " ")), only_environment)) {
    return "the command may act by its path";
  }
  std::set<fs::path> knowing, executed;
  std::error_code error;
  for (const auto& [program, path] : trace.learned) {
    if (path.find(tree.root.native()) != std::string::npos || has_word(path, name)) {
      knowing.insert(fs::weakly_canonical(program, error));
    }
  }
  for (const auto& [program, folder] : trace.executed) {
    executed.insert(fs::weakly_canonical(program, error));
  }
  for (const auto& [path, how] : trace.asked) {
    const bool is_of_kernel = path.starts_with("/proc/") || path.starts_with("/sys/");
    if (is_of_kernel &&
        (path.ends_with("/cmdline") || path.ends_with("/cwd") || path.ends_with("/environ"))) {
      return "it reads " + path;
    }
    const std::string &root = tree.root.native(), &other_root = other.tree->root.native();
    const std::size_t above = path.starts_with(root) ? root.size() : 0;
    if (has_word(path.substr(above), name) &&
        !other.trace->asked.contains((above == 0 ? "" : other_root) + path.substr(above))) {
      return "it looks for " + path;
    }
    const fs::path source = python_source(path);
    const fs::path file = fs::weakly_canonical(fs::exists(source) ? source : fs::path(path), error);
    const std::optional<BuiltFile> found = built_file_at(file);
    if ((how & (kOpened | kLoaded)) == 0 || !found || !found->is_file() || is_of_kernel ||
        trace.made.contains(path) || tree.packages->has(file) || found->size > kLargestProgram) {
      continue;
    }
    const std::string text = content_of(file);
    const bool is_program = read_elf(text).has_value();
    if (!is_program && name.size() > 1 && found->size <= kLargestData &&
        has_word(without_own_names(text, tree.own), name)) {
      return path + " contains the name " + name;
    }
    if (is_installed(file, tree) || (!is_program && found->size > kLargestScript)) {
      continue;
    }
    const bool is_apart = only_environment && !contains(tree.root, file);
    if (!is_program && (text.starts_with("PK") || may_show(searched_text(text), is_apart))) {
      return path + " may act by its path";
    }
    const bool knows = executed.contains(file) ? knowing.contains(file) : !knowing.empty();
    const bool asks = has_word(text, "PWD");
    const auto may_tell_the_words = [&, text = lower(text)] {
      if (can_be_searched) {
        return std::ranges::any_of(own, [&](const auto& word) { return has_word(text, word); });
      }
      const bool is_static = text.find("/ld-") == std::string::npos;  // no names of functions
      return asks || is_static || has_any(text, kTakesPathsApart);
    };
    if (is_program && (knows || asks) && may_tell_the_words()) {
      return path + " may act by its path, which has the words " + joined(own, ", ");
    }
  }
  return {};
}

Checkout checkout_of_command(const fs::path& directory, const fs::path& root,
                             const fs::path& entry) {
  Checkout checkout;
  checkout.directory = directory;
  checkout.entry = entry;
  checkout.root = root.empty() ? entry / "tree" : root;  // empty: no path differs
  fs::create_directories(entry / "tree");
  const std::int64_t now = nanoseconds_now();
  const std::string files =
      has_too_many_files(checkout.root) ? "" : built_tree_text(checkout.root, {now, now});
  write_whole_file(entry / kBuiltFiles, entry / "new", files, 0600);
  return checkout;
}

}  // namespace perf
