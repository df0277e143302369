#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <sstream>

#include "ci/cli/init/proposal.h"
#include "schema/text/text_parts.h"

namespace perf {
namespace {

/// Words up to what ends a command in sh(1).
std::vector<std::string> shell_words(std::string_view line) {
  std::vector<std::string> words;
  std::string word;
  bool in_word = false;
  char quote = 0;
  const auto end_word = [&] {
    if (in_word) {
      words.push_back(word);
    }
    word.clear();
    in_word = false;
  };
  for (std::size_t i = 0; i < line.size(); ++i) {
    const char one = line[i];
    if (quote != 0) {
      if (one == quote) {
        quote = 0;
      } else if (one == '\\' && quote == '"' && i + 1 < line.size()) {
        word += line[++i];
      } else {
        word += one;
      }
    } else if (one == '\'' || one == '"') {
      quote = one;
      in_word = true;
    } else if (one == '\\' && i + 1 < line.size()) {
      word += line[++i];
      in_word = true;
    } else if (one == ' ' || one == '\t' || one == '\r') {
      end_word();
    } else if (std::string_view(";&|<>").find(one) != std::string_view::npos ||
               (one == '#' && !in_word)) {
      break;
    } else {
      word += one;
      in_word = true;
    }
  }
  end_word();
  return words;
}

/// Where the words behind the program begin; npos where the line does not run it.
std::size_t behind(std::string_view program, const std::string& line) {
  const std::size_t at = line.find(std::string(program) + " ");
  if (at == std::string::npos || line.substr(0, at).find('#') != std::string::npos) {
    return std::string::npos;
  }
  // Not a package that is installed, or a text about it.
  const std::string before = line.substr(0, at);
  for (const char* other : {"install ", "echo ", "apt", "cargo ", "brew ", "uses:"}) {
    if (before.find(other) != std::string::npos) {
      return std::string::npos;
    }
  }
  const bool begins =
      at == 0 || std::string_view(" \t(@;&").find(line[at - 1]) != std::string::npos;
  return begins ? at + program.size() + 1 : std::string::npos;
}

/// The number of words after an option of hyperfine(1).
std::size_t values_of(const std::string& option) {
  constexpr std::string_view kOne =
      " -w --warmup -m --min-runs -M --max-runs -r --runs -s --setup -p --prepare -c"
      " --cleanup -D --parameter-step-size -S --shell --style --sort -u --time-unit"
      " --export-json --export-csv --export-markdown --export-asciidoc"
      " --export-orgmode --output --input -n --command-name --reference ";
  if (option == "-P" || option == "--parameter-scan") {
    return 3;
  }
  if (option == "-L" || option == "--parameter-list") {
    return 2;
  }
  return kOne.find(" " + option + " ") != std::string_view::npos ? 1 : 0;
}

struct HyperfineRun {
  std::vector<std::string> commands;  ///< lines of shell
  bool prepares = false;              ///< --prepare or --setup, which is not taken over
};

HyperfineRun read_run(const std::vector<std::string>& words) {
  HyperfineRun run;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string& word = words[i];
    if (word.size() < 2 || word[0] != '-') {
      run.commands.push_back(word);
      continue;
    }
    for (const char* name : {"-p", "--prepare", "-s", "--setup"}) {
      run.prepares = run.prepares || word == name || word.starts_with(std::string(name) + "=");
    }
    i += word.find('=') == std::string::npos ? values_of(word) : 0;
  }
  return run;
}

bool may_contain_commands(const std::string& path) {
  const std::string name = filename_of(path);
  return name.ends_with(".sh") || name.ends_with(".bash") || name == "Makefile" ||
         name == "justfile" || name == "Justfile" || name == "Jenkinsfile" ||
         name.ends_with(".mk") || name.ends_with(".yml") || name.ends_with(".yaml");
}

/// A command with variables, parameters or templates is incomplete.
bool is_whole(const std::string& command) {
  return !command.empty() && command.find_first_of("$`{}") == std::string::npos;
}

/// The program that it runs, or the script where that is an interpreter: `./convert --fast in.txt`
/// -> convert, `LANG=C python3 -O fit.py --fast` -> fit.py.
std::string name_of(const std::string& command) {
  constexpr std::array<std::string_view, 9> kInterpreters{
      "bash", "env", "java", "node", "perl", "python", "python3", "ruby", "sh"};
  std::istringstream words(command);
  std::string name;
  for (std::string word; words >> word;) {
    if (word[0] == '-' || word.find('=') != std::string::npos) {
      continue;
    }
    name = filename_of(word);
    if (std::ranges::find(kInterpreters, name) == kInterpreters.end()) {
      break;
    }
  }
  return name.empty() ? "command" : name;
}

/// A line of YAML: "- run: x" is indented by its dash, and its content by what follows.
struct YamlLine {
  std::size_t indent = 0, content = 0;
  std::string_view text;  ///< without blanks, dash and comment
};

YamlLine yaml_line(std::string_view line) {
  YamlLine read;
  read.indent = std::min(line.find_first_not_of(' '), line.size());
  read.content = read.indent;
  if (line.substr(read.indent).starts_with("- ")) {
    read.content = std::min(line.find_first_not_of(' ', read.indent + 1), line.size());
  }
  read.text = trimmed(line.substr(read.content));
  if (read.text.starts_with('#')) {
    read.text = {};
  }
  if (const std::size_t comment = read.text.find(" #"); comment != std::string_view::npos) {
    read.text = trimmed(read.text.substr(0, comment));
  }
  return read;
}

/// Whether a line is in the mapping that the key at `key` belongs to.
bool is_within_mapping(const std::vector<YamlLine>& lines, std::size_t key, std::size_t line) {
  const std::size_t indent = lines[key].content;
  std::size_t begin = key, end = key + 1;
  while (begin > 0 && lines[begin].indent >= indent) {
    const YamlLine& above = lines[begin - 1];
    if (!above.text.empty() && above.content < indent) {
      break;
    }
    --begin;
  }
  while (end < lines.size() && (lines[end].text.empty() || lines[end].indent >= indent)) {
    ++end;
  }
  return begin <= line && line < end;
}

std::string_view unquoted(std::string_view text) {
  const bool is_quoted =
      text.size() > 1 && (text[0] == '"' || text[0] == '\'') && text.back() == text[0];
  return is_quoted ? text.substr(1, text.size() - 2) : text;
}

}  // namespace

std::map<std::string, std::string> env_of_line(std::string_view yaml, std::size_t line,
                                               std::size_t& unread) {
  std::vector<YamlLine> lines;
  while (!yaml.empty()) {
    lines.push_back(yaml_line(take_line(yaml)));
  }
  std::map<std::string, std::string> env;
  if (line == 0 || line > lines.size()) {
    return env;
  }
  const auto set = [&](std::string_view pair) {
    const std::size_t colon = pair.find(':');
    const std::string name(unquoted(trimmed(pair.substr(0, colon))));
    const std::string value(
        unquoted(colon == std::string_view::npos ? "" : trimmed(pair.substr(colon + 1))));
    if (value.find("${{") != std::string::npos || value.starts_with('"') ||
        value.starts_with('\'')) {
      ++unread;
    } else if (colon != std::string_view::npos && is_identifier(name)) {
      env[name] = value;
    }
  };
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const std::size_t indent = lines[i].content;
    const std::size_t colon = lines[i].text.find(':');
    const std::string_view key = lines[i].text.substr(0, std::min(colon, lines[i].text.size()));
    const bool is_env = key == "env" || key == "variables" || key == "environment";
    if (!is_env || colon == std::string_view::npos || !is_within_mapping(lines, i, line - 1)) {
      continue;
    }
    std::string_view inline_map = trimmed(lines[i].text.substr(colon + 1));
    if (inline_map.starts_with('{') && inline_map.ends_with('}')) {
      inline_map = inline_map.substr(1, inline_map.size() - 2);
      while (!inline_map.empty()) {
        const std::size_t comma = inline_map.find(',');
        set(trimmed(inline_map.substr(0, comma)));
        inline_map.remove_prefix(std::min(comma, inline_map.size() - 1) + 1);
      }
    }
    for (std::size_t j = i + 1;
         j < lines.size() && (lines[j].text.empty() || lines[j].indent > indent); ++j) {
      if (!lines[j].text.empty()) {
        set(lines[j].text);
      }
    }
  }
  return env;
}

std::vector<ShellLine> lines_running(std::string_view program, std::string_view text) {
  std::vector<ShellLine> found;
  std::istringstream lines{std::string(text)};
  std::size_t number = 0;
  for (std::string line; std::getline(lines, line);) {
    const std::size_t first = ++number;
    for (std::string more; !line.empty() && line.back() == '\\' && std::getline(lines, more);) {
      ++number;
      line.back() = ' ';
      line += more;
    }
    const std::size_t at = behind(program, line);
    if (at != std::string::npos) {
      found.push_back({first, shell_words(std::string_view(line).substr(at)),
                       line.substr(0, at - program.size() - 1)});
    }
  }
  return found;
}

void detect_hyperfine(const SourceTree& tree, Proposal& proposal) {
  std::set<std::string> taken;
  for (const std::string& file : tree.files) {
    if (!may_contain_commands(file)) {
      continue;
    }
    const std::string text = tree.read(file);
    for (const ShellLine& line : lines_running("hyperfine", text)) {
      const std::string place = file + ":" + std::to_string(line.number);
      const HyperfineRun run = read_run(line.words);
      std::size_t unread = 0;
      std::map<std::string, std::string> env;
      if (file.ends_with(".yml") || file.ends_with(".yaml")) {
        env = env_of_line(text, line.number, unread);
      }
      for (const std::string& word : shell_words(line.before)) {
        if (const std::size_t equals = word.find('='); is_identifier(word.substr(0, equals))) {
          if (equals != std::string::npos && is_whole("x" + word.substr(equals + 1))) {
            env[word.substr(0, equals)] = word.substr(equals + 1);
          }
        }
      }
      std::erase_if(env, [](const auto& one) { return one.first.starts_with("PERF_COMPARE_"); });
      if (unread > 0) {
        proposal.notes.push_back("hyperfine runs with variables from templates in " + place +
                                 ": add them to \"env\" by hand");
      }
      for (const std::string& command : run.commands) {
        if (!is_whole(command)) {
          proposal.notes.push_back("hyperfine times a command with variables in " + place +
                                   ": add it by hand");
        } else if (taken.insert(command).second) {
          proposal.found.push_back("hyperfine: " + command + " (" + place + ")");
          proposal.workloads.push_back(
              {name_of(command),
               {"sh", "-c", command},
               "process",
               "The command that hyperfine times in " + place +
                   (run.prepares ? ". What it does before each run (--prepare, --setup) is not "
                                   "done here: have the build or the command do it."
                                 : ". The runs are perf-compare's own."),
               {},
               env});
        }
      }
    }
  }
}

}  // namespace perf
