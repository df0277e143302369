// The sides of two commands: where they differ, and what stands for their checkouts.

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <iterator>
#include <set>
#include <string_view>

#include "collector/process/whole_file.h"
#include "collector/this_process.h"
#include "collector/trace/program.h"
#include "collector/trace/trace_programs.h"

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

/// The words of a name: "bench-fast" has bench and fast.
std::set<std::string> words_of_name(const std::string& name) {
  std::set<std::string> words;
  std::string word;
  for (const char letter : name + '.') {
    if (std::isalnum(static_cast<unsigned char>(letter)) != 0) {
      word += letter;
    } else if (!word.empty()) {
      words.insert(std::exchange(word, {}));
    }
  }
  return words;
}

/// Why two programs with different names may act differently although they have the same content.
std::string may_know_its_name(const fs::path& base, const fs::path& head) {
  constexpr std::uintmax_t kLargest = std::uintmax_t{64} << 20;  // B
  std::error_code error;
  if (fs::equivalent(base, head, error)) {
    return base.string() + " and " + head.string() +
           " are two names of one file, which may depend on its name";
  }
  const std::uintmax_t size = fs::file_size(head, error);
  const std::string text = error || size > kLargest ? std::string() : content_of(head);
  if (!read_elf(text)) {
    return head.string() + " is a script, which may depend on its name";
  }
  std::vector<std::string> own;
  std::ranges::set_symmetric_difference(words_of_name(base.filename().string()),
                                        words_of_name(head.filename().string()),
                                        std::back_inserter(own));
  for (const std::string& word : own) {
    if (std::ranges::any_of(word, [](unsigned char c) { return std::isdigit(c) != 0; }) ||
        has_word(text, word)) {
      return head.string() + " may depend on its name, because of " + word;
    }
  }
  return {};
}

}  // namespace

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
    roots.difference =
        are_programs ? may_know_its_name(roots.base, roots.head) : "the commands differ";
  } else if (!fs::is_directory(roots.base) || !fs::is_directory(roots.head)) {
    roots.difference = "the commands differ";
  }
  return roots;
}

Checkout checkout_of_command(const fs::path& directory, const fs::path& root,
                             const fs::path& entry) {
  Checkout checkout;
  checkout.directory = directory;
  checkout.entry = entry;
  checkout.root = root.empty() ? entry / "tree" : root;  // empty: no path differs
  fs::create_directories(entry / "tree");
  const std::int64_t now = nanoseconds_now();
  const std::string files = built_tree_text(checkout.root, {now, now});
  write_whole_file(entry / kBuiltFiles, entry / "new", files, 0600);
  return checkout;
}

}  // namespace perf
