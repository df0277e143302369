#include "ci/cli/init/proposal.h"

#include <fcntl.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cerrno>
#include <system_error>
#include <utility>

#include "collector/git/git_command.h"
#include "schema/files/content.h"
#include "schema/files/descriptor.h"
#include "schema/text/lists.h"
#include "schema/text/shell_words.h"
#include "schema/text/text_parts.h"

namespace perf {
namespace {

namespace fs = std::filesystem;

constexpr std::array<std::string_view, 16> kForeign{
    "third_party", "third-party", "thirdparty", "3rdparty", "external",   "extern",
    "vendor",      "vendored",    "deps",       "_deps",    "submodules", "node_modules",
    "testdata",    "fixtures",    ".venv",      "venv"};

/// A regular file below the top, reached without a link; nothing otherwise. A pipe does not block.
/// Throws Error if the disk fails.
Descriptor open_plain(const fs::path& top, const std::string& path) {
  std::error_code failed;
  const fs::path file = top / path;
  if (fs::weakly_canonical(file.parent_path(), failed) != (top / path).parent_path() || failed) {
    return {};
  }
  Descriptor opened = open_file(file, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  if (!opened && is_system_fault(errno)) {
    refuse_unreadable(path, errno);
  }
  const std::optional<std::uintmax_t> size = regular_size(opened);
  return size && *size <= kLargestFile ? std::move(opened) : Descriptor();
}

std::string read_plain(const fs::path& top, const std::string& path) {
  const Descriptor opened = open_plain(top, path);
  std::string text;
  if (const int failed = opened ? read_up_to(opened.number(), kLargestFile, text) : 0) {
    refuse_unreadable(path, failed);
  }
  return text;
}

/// A config stays readable; more workloads are easily added.
constexpr std::size_t kMostWorkloads = 12;
constexpr std::size_t kMostNotes = 8;

/// Notes what it leaves out.
template <typename Entry>
void keep_first(std::vector<Entry>& entries, std::size_t most, const std::string& what,
                std::vector<std::string>& notes) {
  if (entries.size() <= most) {
    return;
  }
  const std::string note = std::to_string(entries.size() - most) + " more " + what + " left out";
  entries.resize(most);
  notes.push_back(note);
}

void merge(const std::vector<BuildLine>& more, std::vector<BuildLine>& lines) {
  for (const BuildLine& line : more) {
    const auto alike = std::ranges::find(lines, line.begin, &BuildLine::begin);
    std::vector<std::string>& words =
        alike == lines.end() ? lines.emplace_back(BuildLine{line.begin}).words : alike->words;
    for (const std::string& word : line.words) {
      if (std::ranges::find(words, word) == words.end()) {
        words.push_back(word);
      }
    }
  }
}

}  // namespace

SourceTree read_source_tree(const Repository& repository) {
  SourceTree tree;
  for (std::string& path :
       git_paths(repository.process(),
                 {{"ls-files", "--cached", "--others", "--exclude-standard"}, repository.workdir()},
                 "cannot list the files of the repository")) {
    if (path.empty() || is_foreign_source(path)) {
      continue;
    }
    tree.cut = tree.files.size() == kMostFiles;
    if (tree.cut) {
      break;
    }
    tree.files.push_back(std::move(path));
  }
  std::ranges::sort(tree.files);
  tree.files.erase(std::unique(tree.files.begin(), tree.files.end()), tree.files.end());
  std::error_code ignored;
  const fs::path top = fs::canonical(repository.workdir(), ignored);
  std::erase_if(tree.files, [&](const std::string& path) {
    return fs::symlink_status(top / path, ignored).type() != fs::file_type::regular;
  });
  tree.read = [top](const std::string& path) { return read_plain(top, path); };
  return tree;
}

bool is_foreign_source(std::string_view path) {
  for (std::size_t slash; (slash = path.find('/')) != std::string_view::npos;) {
    if (std::ranges::find(kForeign, path.substr(0, slash)) != kForeign.end()) {
      return true;
    }
    path.remove_prefix(slash + 1);
  }
  return false;
}

std::string folder_of(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  return slash == std::string::npos ? std::string() : path.substr(0, slash);
}

std::string filename_of(const std::string& path) {
  return path.substr(path.rfind('/') + 1);  // npos + 1 is 0
}

std::vector<std::string> files_named(const SourceTree& tree, std::string_view name) {
  std::vector<std::string> found;
  for (const std::string& path : tree.files) {
    if (filename_of(path) == name) {
      found.push_back(path);
    }
  }
  const auto depth = [](const std::string& path) { return std::ranges::count(path, '/'); };
  std::ranges::stable_sort(
      found, [&](const std::string& a, const std::string& b) { return depth(a) < depth(b); });
  return found;
}

bool has_file(const SourceTree& tree, const std::string& path) {
  return std::ranges::binary_search(tree.files, path);
}

bool holds(const SourceTree& tree, const std::string& file, std::string_view text) {
  return tree.read(file).find(text) != std::string::npos;
}

bool is_word(char one) {
  return std::isalnum(static_cast<unsigned char>(one)) != 0 || one == '_';
}

bool is_identifier(std::string_view text) {
  return !text.empty() && (text[0] < '0' || text[0] > '9') && std::ranges::all_of(text, is_word);
}

std::string line_within(const std::string& folder, const std::string& line) {
  return folder.empty() ? line : "(cd " + shell_word("./" + folder) + " && " + line + ")";
}

std::vector<std::string> build_lines(const Proposal& proposal) {
  std::vector<BuildLine> lines;
  for (const ProposedWorkload& workload : proposal.workloads) {
    merge(workload.build.empty() ? proposal.build : workload.build, lines);
  }
  return mapped(lines, [](const BuildLine& line) {
    return line.begin + (line.words.empty() ? "" : " ") + joined(line.words, " ");
  });
}

ProposedWorkload whole_program(const std::string& name, const std::vector<std::string>& command,
                               const std::string& origin) {
  return {name, command, "process",
          "No benchmark was found: this times the whole program" + origin +
              ". Give it arguments that make it do typical work."};
}

Proposal propose_workloads(const SourceTree& tree) {
  Proposal proposal;
  proposal.submodules = has_file(tree, ".gitmodules");
  detect_cmake(tree, proposal);
  detect_cargo(tree, proposal);
  detect_go(tree, proposal);
  detect_python(tree, proposal);
  detect_meson(tree, proposal);
  detect_jvm(tree, proposal);
  detect_dotnet(tree, proposal);
  detect_javascript(tree, proposal);
  detect_make(tree, proposal);
  detect_hyperfine(tree, proposal);
  detect_catch2(tree, proposal);
  detect_scripts(tree, proposal);
  detect_others(tree, proposal);
  keep_first(proposal.notes, kMostNotes, "notes were", proposal.notes);
  if (tree.cut) {
    proposal.notes.push_back("only the first " + std::to_string(kMostFiles) + " files were read");
  }
  if (proposal.workloads.empty() && !proposal.programs.empty()) {
    const bool is_target = proposal.programs.front().command.front() == "make";  // make bench
    proposal.basis = is_target ? Basis::benchmarks : Basis::program;
    proposal.workloads.push_back(std::move(proposal.programs.front()));
  }
  if (proposal.workloads.empty()) {
    proposal.basis = Basis::example;
    proposal.workloads.push_back(
        {"example",
         {"true"},
         "process",
         "REPLACE THIS: no benchmark was found. Any command will do; this one does nothing, and "
         "is timed as a whole. Give it another name, too."});
  }
  keep_first(proposal.workloads, kMostWorkloads, "workloads were", proposal.notes);
  return proposal;
}

}  // namespace perf
