#include <algorithm>
#include <map>

#include "ci/cli/init/proposal.h"

// Programs and benchmarks of a meson.build are found by pattern: conditions are not evaluated.

namespace perf {
namespace {

constexpr const char* kMesonBuild = "perf-compare.build";

/// `result = name(arguments)`; the result may be missing.
struct MesonCall {
  std::string result, arguments;
};

/// The text without its comments.
std::string without_comments(std::string text) {
  char quote = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\'') {
      quote = quote == 0 ? '\'' : 0;
    } else if (text[i] == '#' && quote == 0) {
      const std::size_t end = std::min(text.find('\n', i), text.size());
      text.erase(i, end - i);  // the newline comes next
    }
  }
  return text;
}

std::vector<MesonCall> calls_of(const std::string& name, const std::string& text) {
  std::vector<MesonCall> calls;
  for (std::size_t at = 0; (at = text.find(name + "(", at)) != std::string::npos; ++at) {
    if (at > 0 && (is_word(text[at - 1]) || text[at - 1] == '.')) {
      continue;
    }
    MesonCall call;
    std::size_t end = at + name.size() + 1;
    for (int depth = 1; end < text.size() && depth > 0; ++end) {
      depth += text[end] == '(' ? 1 : text[end] == ')' ? -1 : 0;
    }
    call.arguments = text.substr(at + name.size() + 1, end - at - name.size() - 2);
    std::size_t before = text.find_last_not_of(" \t", at - std::min<std::size_t>(at, 1));
    if (at > 0 && before != std::string::npos && text[before] == '=') {
      before = text.find_last_not_of(" \t", before - std::min<std::size_t>(before, 1));
      std::size_t begin = before + 1;
      while (begin > 0 && is_word(text[begin - 1])) {
        --begin;
      }
      call.result = text.substr(begin, before + 1 - begin);
    }
    calls.push_back(std::move(call));
  }
  return calls;
}

/// The text of its first argument where that is one.
std::string quoted_first(const std::string& arguments) {
  const std::size_t begin = arguments.find_first_not_of(" \t\r\n");
  const std::size_t end = arguments.find('\'', begin + 1);
  return begin == std::string::npos || end == std::string::npos || arguments[begin] != '\''
             ? std::string()
             : arguments.substr(begin + 1, end - begin - 1);
}

/// The second argument, up to a comma.
std::string second_of(const std::string& arguments) {
  const std::size_t comma = arguments.find(',');
  if (comma == std::string::npos) {
    return {};
  }
  const std::size_t begin = arguments.find_first_not_of(" \t\r\n", comma + 1);
  return begin == std::string::npos ? std::string()
                                    : arguments.substr(begin, arguments.find(',', begin) - begin);
}

struct MesonProgram {
  std::string path;  ///< of its file, in the build folder
  bool is_google = false;
};

class MesonReader {
 public:
  MesonReader(const SourceTree& tree, Proposal& proposal) : proposal_(proposal) {
    for (const std::string& file : files_named(tree, "meson.build")) {
      texts_.emplace_back(file, without_comments(tree.read(file)));
      for (const MesonCall& call : calls_of("dependency", texts_.back().second)) {
        if (quoted_first(call.arguments) == "benchmark" && !call.result.empty()) {
          google_.push_back(call.result);
        }
      }
    }
  }

  void propose() {
    for (const auto& [file, text] : texts_) {
      for (const MesonCall& call : calls_of("executable", text)) {
        add_program(file, call);
      }
    }
    for (const auto& [file, text] : texts_) {
      for (const MesonCall& call : calls_of("benchmark", text)) {
        add_benchmark(file, call);
      }
    }
  }

 private:
  bool uses_google(const std::string& arguments) const {
    return arguments.find("dependency('benchmark'") != std::string::npos ||
           std::ranges::any_of(google_, [&](const std::string& name) {
             for (std::size_t at = 0; (at = arguments.find(name, at)) != std::string::npos; ++at) {
               const std::size_t end = at + name.size();
               if (!(at > 0 && (is_word(arguments[at - 1]) || arguments[at - 1] == '\'')) &&
                   !(end < arguments.size() && is_word(arguments[end]))) {
                 return true;
               }
             }
             return false;
           });
  }

  MesonProgram program_of(const std::string& file, const std::string& arguments) const {
    const std::string name = quoted_first(arguments), folder = folder_of(file);
    return {std::string(kMesonBuild) + "/" + (folder.empty() ? "" : folder + "/") + name,
            uses_google(arguments)};
  }

  void add_program(const std::string& file, const MesonCall& call) {
    const std::string name = quoted_first(call.arguments);
    if (name.empty()) {
      return;
    }
    const MesonProgram program = program_of(file, call.arguments);
    programs_.emplace(call.result, program);
    proposal_.programs.push_back(
        whole_program(name, {program.path}, ", which " + file + " builds"));
  }

  void add_benchmark(const std::string& file, const MesonCall& call) {
    const std::string name = quoted_first(call.arguments), second = second_of(call.arguments);
    const std::vector<MesonCall> own = calls_of("executable", call.arguments);
    const auto known = programs_.find(second);
    if (name.empty()) {
      proposal_.notes.push_back("a benchmark() of " + file +
                                " has a name with variables: add it by hand");
      return;
    }
    proposal_.found.push_back("a Meson benchmark: " + name + " (" + file + ")");
    const std::string place = "benchmark('" + name + "') of " + file;
    if (own.empty() && known == programs_.end()) {
      proposal_.workloads.push_back(
          {name,
           {"meson", "test", "-C", kMesonBuild, "--no-rebuild", "--benchmark", name},
           "process",
           place + ", timed as a whole, Meson included: better name its program here."});
      return;
    }
    const MesonProgram program =
        own.empty() ? known->second : program_of(file, own.front().arguments);
    std::vector<std::string> command{program.path};
    if (program.is_google) {
      command.insert(command.end(), {"--benchmark_out={out}", "--benchmark_out_format=json",
                                     "--benchmark_min_time=0.05"});
    }
    const bool has_arguments = call.arguments.find("args") != std::string::npos;
    proposal_.workloads.push_back(
        {name, command, program.is_google ? "google-benchmark" : "process",
         (program.is_google ? "Google Benchmark, " : "The whole program of ") + place + "." +
             (has_arguments ? " To do: its args." : "")});
  }

  Proposal& proposal_;
  std::vector<std::pair<std::string, std::string>> texts_{};  ///< file, text
  std::vector<std::string> google_{};                         ///< variables of that dependency
  std::map<std::string, MesonProgram> programs_{};            ///< by variable
};

}  // namespace

void detect_meson(const SourceTree& tree, Proposal& proposal) {
  if (!has_file(tree, "meson.build") || !proposal.build.empty()) {
    return;
  }
  proposal.found.push_back("a Meson project");
  proposal.build.push_back({std::string("meson setup ") + kMesonBuild + " --buildtype=release"});
  proposal.build.push_back({std::string("meson compile -C ") + kMesonBuild});
  MesonReader(tree, proposal).propose();
}

}  // namespace perf
