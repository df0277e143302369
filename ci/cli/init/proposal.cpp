#include "ci/cli/init/proposal.h"

#include <algorithm>
#include <utility>

namespace perf {
namespace {

/// A config that is read in one go; the rest is easily added.
constexpr std::size_t kMostWorkloads = 12;
constexpr std::size_t kMostNotes = 8;

/// Nothing has to be left out silently.
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

std::vector<std::string> build_lines(const Proposal& proposal) {
  std::vector<BuildLine> lines;
  for (const ProposedWorkload& workload : proposal.workloads) {
    merge(workload.build.empty() ? proposal.build : workload.build, lines);
  }
  std::vector<std::string> texts;
  for (const BuildLine& line : lines) {
    texts.push_back(line.begin);
    for (const std::string& word : line.words) {
      texts.back() += " " + word;
    }
  }
  return texts;
}

ProposedWorkload whole_program(const std::string& name, const std::vector<std::string>& command,
                               const std::string& origin) {
  return {name, command, "process",
          "No benchmark was found: this times the whole program" + origin +
              ". Give it arguments that make it do typical work."};
}

Proposal look_at(const SourceTree& tree) {
  Proposal proposal;
  look_for_cmake(tree, proposal);
  look_for_cargo(tree, proposal);
  look_for_go(tree, proposal);
  look_for_python(tree, proposal);
  look_for_make(tree, proposal);
  look_for_hyperfine(tree, proposal);
  keep_first(proposal.notes, kMostNotes, "remarks were", proposal.notes);
  if (tree.cut) {
    proposal.notes.push_back("only the first " + std::to_string(kMostFiles) +
                             " files were looked at");
  }
  if (proposal.workloads.empty() && !proposal.programs.empty()) {
    proposal.basis = Basis::program;
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
