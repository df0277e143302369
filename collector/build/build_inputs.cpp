#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdlib>
#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <thread>
#include <vector>

#include "collector/build/entry.h"
#include "collector/git/settings.h"
#include "collector/process/temporary_folder.h"
#include "collector/process/workload_runner.h"
#include "collector/this_process.h"
#include "collector/trace/built_tree.h"
#include "collector/trace/program.h"
#include "schema/files/content.h"
#include "schema/text/fnv.h"
#include "schema/text/glob.h"
#include "schema/text/text_parts.h"

namespace perf {
namespace {

namespace fs = std::filesystem;

constexpr std::int64_t kSecond = 1'000'000'000;        // ns
constexpr std::uintmax_t kLargestDigested = 1u << 20;  // B; of larger files size and time count

// ---- Variables and tools

/// Globs of variables that decide what compilers and build tools make.
constexpr std::array<const char*, 60> kBuildVariables{
    // make, and the C family (make's implicit rules, autoconf, gcc, clang, ld)
    "AR", "AS", "CC", "CPP", "CXX", "F77", "FC", "LD", "NM", "RANLIB", "STRIP", "*FLAGS", "CPATH",
    "*_INCLUDE_PATH", "LIBRARY_PATH", "LD_LIBRARY_PATH", "LD_PRELOAD", "LD_RUN_PATH",
    "COMPILER_PATH", "GCC_EXEC_PREFIX", "SOURCE_DATE_EPOCH", "NIX_CFLAGS*", "NIX_LDFLAGS*",
    // build systems and package finders
    "CMAKE_*", "PKG_CONFIG*", "ACLOCAL_PATH", "CONFIG_SITE", "MAKEFILES", "DEB_BUILD_*", "CONDA_*",
    "VIRTUAL_ENV",
    // Rust
    "CARGO_*", "RUSTC*", "RUSTUP_TOOLCHAIN",
    // Go
    "GOARCH", "GOOS", "GOAMD64", "GOARM*", "GOEXPERIMENT", "GOTOOLCHAIN", "GOROOT", "GOPATH",
    "GOWORK", "GOENV", "CGO_*",
    // Python, Java, JavaScript, GPUs
    "PYTHONPATH", "PYTHONHOME", "PYTHONOPTIMIZE", "PYTHONSTARTUP", "JAVA_HOME", "JAVA_OPTS",
    "JAVA_TOOL_OPTIONS", "JDK_*", "CLASSPATH", "MAVEN_OPTS", "GRADLE_OPTS", "NODE_ENV",
    "NODE_OPTIONS", "NODE_PATH", "CUDA_*"};

/// Those of them that only change how fast, where or how loudly it is made, or are secret.
constexpr std::array<const char*, 11> kOtherVariables{
    "*_JOBS",  "*_PARALLEL_LEVEL", "*MAKEFLAGS", "CARGO_TERM_*",  "CARGO_REGISTR*", "*COLOR*",
    "*TOKEN*", "*PASSWORD*",       "*SECRET*",   "CONDA_PROMPT*", "CONDA_SHLVL"};

constexpr std::array<const char*, 29> kTools{
    "ar",  "as",       "c++",  "cargo", "cc",     "clang",  "clang++", "cmake", "dotnet", "g++",
    "gcc", "gfortran", "ghc",  "go",    "gradle", "java",   "javac",   "ld",    "make",   "meson",
    "mvn", "ninja",    "node", "npm",   "nvcc",   "python", "python3", "rustc", "zig"};

template <std::size_t N>
bool matches(const std::array<const char*, N>& globs, std::string_view name) {
  return std::ranges::any_of(globs, [name](const char* glob) { return glob_match(glob, name); });
}

/// make's options without those of parallel work: "-j8", "--jobserver-auth=3,4".
std::string make_options(const std::string& value) {
  std::istringstream words(value);
  std::string kept;
  for (std::string word; words >> word;) {
    if (!word.starts_with("-j") && !word.starts_with("--job") && !word.starts_with("-l") &&
        !word.starts_with("-O") && word != "w") {
      kept += word + ' ';
    }
  }
  return kept;
}

/// What a path leads to: size, time and ctime, and the content of a file that is not large.
struct InputState {
  std::uintmax_t size = 0;
  std::int64_t modified = 0, changed = 0;
  std::string digest = "-";
  bool is_program = false;
};

std::string digest_of(const fs::path& path, std::uintmax_t size) {
  return size <= kLargestDigested ? hexadecimal(fnv1a_64(content_of(path))) : "-";
}

/// Follows links; nothing where there is no regular file.
std::optional<InputState> input_at(const fs::path& path) {
  struct stat found {};
  if (stat(path.c_str(), &found) != 0 || !S_ISREG(found.st_mode)) {
    return std::nullopt;
  }
  const auto nanoseconds = [](const timespec& time) {
    return std::int64_t{time.tv_sec} * kSecond + time.tv_nsec;
  };
  return InputState{static_cast<std::uintmax_t>(found.st_size), nanoseconds(found.st_mtim),
                    nanoseconds(found.st_ctim), "-", (found.st_mode & S_IXUSR) != 0};
}

std::string variables_text() {
  std::map<std::string, std::string> found;
  for (char** at = environ; *at != nullptr; ++at) {
    const std::string_view variable = *at;
    const std::string name(variable.substr(0, variable.find('=')));
    const std::string value(variable.substr(std::min(name.size() + 1, variable.size())));
    if (name == "MAKEFLAGS" || name == "GNUMAKEFLAGS") {
      found[name] = make_options(value);
    } else if (matches(kBuildVariables, name) && !matches(kOtherVariables, name)) {
      found[name] = value;
    }
  }
  std::string text;
  for (const auto& [name, value] : found) {
    if (!value.empty()) {
      text += name + ' ' + std::to_string(value.size()) + ' ' + value + '\n';
    }
  }
  return text;
}

std::vector<fs::path> folders_of_path() {
  std::vector<fs::path> folders;
  std::istringstream path(environment_variable("PATH").value_or(""));
  for (std::string folder; std::getline(path, folder, ':');) {
    folders.emplace_back(folder);
  }
  return folders;
}

/// "/usr/bin/cc 123 DIGEST", without links; empty where there is no file.
std::string file_text(const fs::path& path) {
  std::error_code error;
  const fs::path file = fs::canonical(path, error);
  const std::optional<InputState> state = error ? std::nullopt : input_at(file);
  if (!state) {
    return {};
  }
  const std::string digest = digest_of(file, state->size);
  return file.string() + ' ' + std::to_string(state->size) + ' ' +
         (digest == "-" ? std::to_string(state->modified) : digest);
}

/// Every program of these names on PATH: a wrapper of a compiler starts another.
std::string tools_text() {
  std::string text;
  std::set<std::string> seen;
  for (const fs::path& folder : folders_of_path()) {
    for (const char* name : kTools) {
      std::error_code error;
      const fs::path tool = fs::canonical(folder / name, error);
      if (!error && seen.insert(std::string(name) + ' ' + tool.string()).second) {
        text += std::string(name) + ' ' + file_text(tool) + '\n';
      }
    }
  }
  return text;
}

/// Files that a text names: by a path, or as the first of that name on PATH.
std::string named_files_text(const std::string& text) {
  const std::vector<fs::path> folders = folders_of_path();
  std::istringstream words(text);
  std::string files;
  for (std::string word; words >> word;) {
    std::erase_if(word, [](char c) { return c == '\'' || c == '"'; });
    if (word.starts_with("~/")) {
      word.replace(0, 1, environment_variable("HOME").value_or(""));
    }
    if (word.find('/') != std::string::npos) {
      files += file_text(word) + '\n';
      continue;
    }
    for (const fs::path& folder : folders) {
      if (const std::string file = file_text(folder / word); !file.empty()) {
        files += file + '\n';
        break;
      }
    }
  }
  return files;
}

// ---- What a build reads outside

constexpr const char* kOpening =
    "trace=?open,?openat,?openat2,?creat,execve,execveat,?rename,?renameat,?renameat2,?link,"
    "?linkat,?access,?faccessat,?faccessat2,?stat,?lstat,?newfstatat,?statx,?readlink,"
    "?readlinkat";

/// What the machine writes as it runs, and what depends on every package.
constexpr std::array<const char*, 19> kOfTheMachine{"/proc/*",
                                                    "/sys/*",
                                                    "/dev/*",
                                                    "/run/*",
                                                    "/var/run/*",
                                                    "/var/log/*",
                                                    "/var/cache/*",
                                                    "/var/lib/dpkg/*",
                                                    "/var/lib/apt/*",
                                                    "/etc/ld.so.*",
                                                    "/etc/alternatives/*",
                                                    "/etc/ssl/*",
                                                    "/etc/passwd",
                                                    "/etc/group",
                                                    "/etc/host*",
                                                    "/etc/resolv.conf",
                                                    "/etc/mtab",
                                                    "/etc/machine-id",
                                                    "*/.git/*"};
constexpr std::string_view kMemory = "/dev/shm/";

/// What workloads may run, of what a build installs.
constexpr std::array<const char*, 7> kCode{"*.jar", "*.js", "*.pl",  "*.py",
                                           "*.rb",  "*.so", "*.so.*"};

/// Records of what was not there, or was and was not read, and of variables: "absent PATH",
/// "present NAMES PATH", "variable DIGEST NAME".
constexpr std::string_view kAbsent = "absent ", kPresent = "present ", kVariable = "variable ";
constexpr const char* kNotListed = "-";
constexpr std::size_t kMostAsked = 100'000;
constexpr const char* kEndOfInputs = "end";
constexpr std::int64_t kClockTick = 20'000'000;  // ns: ctime is taken from a clock that ticks

// ---- Variables that the project's own scripts name

constexpr std::uintmax_t kLongestScript = 1u << 18;  // B
constexpr std::size_t kShortestName = 3;             // of a word that may name a variable

/// Sources, documents, products and dependencies, which read no variables when they are compiled.
constexpr std::array<const char*, 19> kNoScripts{"*.c",
                                                 "*.cc",
                                                 "*.cpp",
                                                 "*.cxx",
                                                 "*.cu",
                                                 "*.h",
                                                 "*.hh",
                                                 "*.hpp",
                                                 "*.go",
                                                 "*.java",
                                                 "*.md",
                                                 "*.html",
                                                 "*.rst",
                                                 "*.o",
                                                 "*.a",
                                                 "*.so",
                                                 "*/.git/*",
                                                 "*/site-packages/*",
                                                 "*/node_modules/*"};

/// Variables of the user and the terminal, and those that are counted elsewhere.
constexpr std::array<const char*, 15> kOfTheUser{
    "PATH", "HOME",    "USER",   "LOGNAME", "SHELL", "TERM*",         "TMPDIR", "PWD",
    "LANG", "DISPLAY", "EDITOR", "SSH_*",   "XDG_*", "PERF_COMPARE*", "*_proxy"};

/// Whether a text ends as before the name of a variable: of a shell, make or CMake, or quoted.
bool asks_for_variable(std::string_view before) {
  constexpr std::array<std::string_view, 5> kPlain{"$", "${", "$(", "ENV{", "process.env."};
  constexpr std::array<std::string_view, 6> kQuoted{"getenv(",      "Getenv(", "environ[",
                                                    "environ.get(", "ENV[",    "env::var("};
  const auto ends = [&before](std::string_view end) { return before.ends_with(end); };
  const bool is_quoted = before.ends_with('"') || before.ends_with('\'');
  before.remove_suffix(is_quoted ? 1 : 0);
  return is_quoted ? std::ranges::any_of(kQuoted, ends) : std::ranges::any_of(kPlain, ends);
}

/// Adds the words that may be names of variables: BUILD_TYPE, $mode.
void add_names(std::string_view text, std::set<std::string, std::less<>>& names) {
  const auto is_of_name = [](char c) {
    return (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
  };
  const auto is_of_word = [&](char c) { return is_of_name(c) || (c >= 'a' && c <= 'z'); };
  for (auto at = text.begin(); at != text.end();) {
    const auto begin = std::find_if(at, text.end(), is_of_word);
    at = std::find_if_not(begin, text.end(), is_of_word);
    const std::string_view word(begin, at);
    const bool may_be_name = word.size() >= kShortestName && std::ranges::all_of(word, is_of_name);
    if (!word.empty() && (word[0] < '0' || word[0] > '9') &&
        (may_be_name ||
         asks_for_variable(text.substr(0, static_cast<std::size_t>(begin - text.begin()))))) {
      names.emplace(word);
    }
  }
}

std::string variable_digest(const std::string& name) {
  const std::optional<std::string> value = environment_variable(name.c_str());
  return value ? hexadecimal(fnv1a_64(*value)) : "-";
}

/// A digest of the names in a folder; kNotListed where there are many.
std::string names_digest(const fs::path& folder) {
  constexpr std::size_t kMostNames = 10'000;
  std::set<std::string> names;
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, error)) {
    if (entry.path().filename() != "__pycache__") {  // an import makes it
      names.insert(entry.path().filename());
    }
    if (names.size() > kMostNames) {
      return kNotListed;
    }
  }
  return hexadecimal(fnv1a_64(joined({names.begin(), names.end()}, std::string(1, '/'))));
}

/// What was asked of a path that was not read: where a link leads to, and the names in a folder
/// that was listed.
std::string state_digest(const fs::path& path, bool lists) {
  std::error_code error;
  const fs::path target = fs::read_symlink(path, error);
  return !error ? hexadecimal(fnv1a_64(target.string())) : lists ? names_digest(path) : kNotListed;
}

bool is_under(const std::string& path, const std::string& folder) {
  return path.starts_with(folder) && path.size() > folder.size() && path[folder.size()] == '/';
}

}  // namespace

std::string toolchain_digest() {
  return hexadecimal(fnv1a_64(variables_text() + tools_text()));
}

std::string filters_digest(const RunProcess& run) {
  const std::string settings = settings_of_checkouts(run);
  return hexadecimal(fnv1a_64(
      settings +
      named_files_text(settings + environment_variable("XDG_CONFIG_HOME").value_or("~/.config") +
                       "/git/attributes /etc/gitattributes")));
}

/// Takes one line: `7 openat(AT_FDCWD</src>, "a.h", O_RDONLY) = 3</usr/include/a.h>` with paths in
/// hexadecimal, or one with two paths, as of rename(2).
void BuildTrace::take(std::string_view line) {
  line.remove_prefix(std::min(line.find_first_not_of("0123456789 "), line.size()));
  const bool has_two = line.starts_with("rename") || line.starts_with("link");
  const std::string_view call = line.substr(0, line.find('('));
  const bool only_asks = call.find("stat") != call.npos || call.find("access") != call.npos;
  std::size_t at = 0;
  for (int paths = has_two ? 2 : 1; paths > 0; --paths) {
    const std::size_t begin = line.find('"', at);
    const std::size_t end = begin == line.npos ? begin : line.find('"', begin + 1);
    if (end == line.npos) {
      return;
    }
    std::string path = from_hexadecimal(line.substr(begin + 1, end - begin - 1));
    if (path.empty() && only_asks) {
      return;  // fstat(2)
    }
    if (!path.starts_with('/')) {
      const std::size_t open = line.find('<', at);
      const std::size_t close = line.find('>', std::min(open, line.size()));
      if (open > begin || close > begin) {
        return;  // an old call without its folder
      }
      path = from_hexadecimal(line.substr(open + 1, close - open - 1)) + "/" + path;
    }
    if (has_two || line.find("O_CREAT") != std::string_view::npos) {
      made_.insert(path);
    }
    if (line.find("O_DIRECTORY") != std::string_view::npos) {
      listed_.insert(path);
    }
    (only_asks ? asked_ : files_).insert(std::move(path));
    at = end + 1;
  }
}

ProcessResult BuildTrace::run(ProcessRequest request, const RunProcess& run) {
  command_ = joined(request.command, " ");
  const TemporaryFolder folder;
  const fs::path pipe = folder.path() / "trace";
  if (mkfifo(pipe.c_str(), 0600) != 0) {
    return run(request);
  }
  const Descriptor reading = open_file(pipe, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  // -D: the build stays our child, and ends when its first process does.
  std::vector<std::string> command{
      "strace", "-D",          "-f", "--seccomp-bpf", "-y", "-qq",         "-xx",
      "-o",     pipe.string(), "-e", kOpening,        "-e", "signal=none", "--"};
  command.insert(command.end(), request.command.begin(), request.command.end());
  request.command = std::move(command);
  std::atomic<bool> ended = false;
  std::thread reader([&] {
    std::string text;
    std::array<char, 1 << 16> chunk;
    for (;;) {
      const bool is_last = ended;
      pollfd wait{reading.number(), POLLIN, 0};
      poll(&wait, 1, 10);
      const ssize_t size = read(reading.number(), chunk.data(), chunk.size());
      if (size <= 0) {
        if (is_last) {
          break;
        }
        if (size == 0) {
          poll(nullptr, 0, 10);  // strace has not opened it yet
        }
        continue;
      }
      text.append(chunk.data(), static_cast<std::size_t>(size));
      std::size_t at = 0;
      for (std::size_t line = text.find('\n'); line != std::string::npos;
           line = text.find('\n', at)) {
        take(std::string_view(text).substr(at, line - at));
        at = line + 1;
      }
      text.erase(0, at);
    }
  });
  ProcessResult result = run(request);
  ended = true;
  reader.join();
  return result;
}

bool BuildTrace::may_not_be_traced(const fs::path& log) const {
  constexpr std::streamoff kLastWords = 1 << 16;  // B; a log may be large
  std::ifstream in(log, std::ios::binary | std::ios::ate);
  const std::streamoff size = in ? std::streamoff(in.tellg()) : 0;
  std::string said(static_cast<std::size_t>(std::min(size, kLastWords)), '\0');
  in.seekg(size - static_cast<std::streamoff>(said.size()));
  in.read(said.data(), static_cast<std::streamsize>(said.size()));
  return std::ranges::any_of(
      std::array{"ptrace", "strace: ", "new privileges", "setuid", "suid"},
      [&](const char* word) { return said.find(word) != std::string::npos; });
}

std::string BuildTrace::foreign_source(const Checkout& checkout,
                                       const std::set<std::string>& commit) const {
  std::error_code error;
  const std::string builds = fs::canonical(entry_.folder.parent_path(), error).string();
  for (const fs::path& tree : checkout.working_trees) {
    if (is_under(builds, tree.string())) {
      continue;  // programs that search upwards find files there
    }
    for (const std::string& path : files_) {
      if (is_under(path, builds) || is_under(path, "/usr")) {
        continue;
      }
      const std::string real = fs::weakly_canonical(path, error).string();
      const bool is_of_harness =
          !checkout.harness.empty() && is_under(real, checkout.harness.string());
      if (is_under(real, tree.string()) && !is_of_harness && input_at(real) &&
          commit.contains(real.substr(tree.string().size() + 1))) {
        return real;
      }
    }
  }
  return {};
}

std::string BuildTrace::variables() const {
  std::set<std::string, std::less<>> names;
  add_names(command_, names);
  std::error_code error;
  const std::string tree = fs::canonical(entry_.tree(), error).string();
  for (const std::string& path : files_) {
    if (!is_under(path, tree) || matches(kNoScripts, path)) {
      continue;
    }
    const std::optional<InputState> state = input_at(path);
    const std::string text = state && state->size <= kLongestScript ? content_of(path) : "";
    add_names(text.find('\0') == std::string::npos ? text : "", names);
  }
  std::string text;
  for (const std::string& name : names) {
    if (!matches(kOfTheUser, name) && !matches(kOtherVariables, name) &&
        std::ranges::find(kOfOneJob, name) == kOfOneJob.end()) {
      text += std::string(kVariable) + variable_digest(name) + ' ' + name + '\0';
    }
  }
  return text;
}

std::string BuildTrace::text_untraced(const std::vector<std::string>& command,
                                      const std::set<std::string>& commit) {
  command_ = joined(command, " ");
  std::error_code error;
  const fs::path tree = fs::canonical(entry_.tree(), error);
  for (const std::string& place : commit) {
    files_.insert((tree / place).string());
  }
  return variables();
}

bool is_of_trace(std::string_view text) {
  return text.ends_with(std::string(kEndOfInputs) + '\0');
}

std::string BuildTrace::text(std::int64_t began) const {
  const std::vector<std::string> caches = cache_folders();
  std::error_code error;
  const std::string builds = fs::canonical(entry_.folder.parent_path(), error).string();
  const auto is_left_out = [&](const std::string& path) {
    return is_under(path, builds) || (matches(kOfTheMachine, path) && !path.starts_with(kMemory)) ||
           std::ranges::any_of(caches,
                               [&](const std::string& cache) { return is_under(path, cache); });
  };
  std::string text = variables();
  for (const std::string& path : files_) {
    const std::string real = fs::canonical(path, error).string();
    const std::optional<InputState> state = error ? std::nullopt : input_at(path);
    // What the build itself has written counts where workloads may run it.
    const bool counts =
        state && (state->changed < began - kClockTick || state->is_program || matches(kCode, real));
    if (counts && !is_left_out(path) && !is_left_out(real)) {
      text += std::to_string(state->size) + ' ' + std::to_string(state->modified) + ' ' +
              std::to_string(state->changed) + ' ' + digest_of(path, state->size) + ' ' + path +
              '\0';
    }
  }
  const fs::path temporary = fs::temp_directory_path(error);
  std::set<std::string> asked = asked_;
  asked.insert(files_.begin(), files_.end());
  std::size_t count = 0;
  for (const std::string& path : asked) {
    const std::optional<BuiltFile> found = built_file_at(path);
    const bool is_read = files_.contains(path) && input_at(path);
    // What the build itself has made or changed may go with it.
    const bool is_own = found ? found->changed >= began - kClockTick : made_.contains(path);
    if (is_read || is_own || is_left_out(path) || ++count > kMostAsked) {
      continue;
    }
    // What was missed may be put before what was found instead.
    text += found ? std::string(kPresent) +
                        state_digest(path, listed_.contains(path) && path != temporary) + ' '
                  : std::string(kAbsent);
    text += path + '\0';
  }
  return text + kEndOfInputs + '\0';
}

std::string changed_input(std::string_view text) {
  while (!text.empty()) {
    std::string_view whole = text.substr(0, text.find('\0'));
    text.remove_prefix(std::min(whole.size() + 1, text.size()));
    if (whole.starts_with(kAbsent)) {
      const std::string absent(whole.substr(kAbsent.size()));
      if (struct stat found{}; lstat(absent.c_str(), &found) == 0) {
        return absent;
      }
      continue;
    }
    const bool is_variable = whole.starts_with(kVariable);
    if (is_variable || whole.starts_with(kPresent)) {
      whole.remove_prefix(is_variable ? kVariable.size() : kPresent.size());
      const std::size_t space = std::min(whole.find(' '), whole.size());
      const std::string name(whole.substr(std::min(space + 1, whole.size())));
      const std::string_view digest = whole.substr(0, space);
      if (is_variable && variable_digest(name) != digest) {
        return "$" + name;
      }
      if (!is_variable &&
          (!built_file_at(name) || (digest != kNotListed && state_digest(name, true) != digest))) {
        return name;
      }
      continue;
    }
    std::istringstream record{std::string(whole)};
    InputState then;
    std::string path;
    if (!(record >> then.size >> then.modified >> then.changed >> then.digest &&
          record.get() == ' ' && std::getline(record, path, '\0'))) {
      continue;  // the end
    }
    const std::optional<InputState> now = input_at(path);
    const bool is_same =
        now && now->size == then.size &&
        ((now->modified == then.modified && (now->changed == then.changed || then.digest == "-")) ||
         (then.digest != "-" && digest_of(path, now->size) == then.digest));
    if (!is_same) {
      return path;
    }
  }
  return {};
}

}  // namespace perf
