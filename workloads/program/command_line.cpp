#include "workloads/program/command_line.h"

#include <algorithm>

#include "workloads/program/error.h"
#include "workloads/program/parameter.h"

namespace perf::workloads {

namespace {

using Verb = CommandLine::Verb;

Verb verb_from(const std::string& word) {
  static const std::map<std::string, Verb> verbs = {
      {"--help", Verb::help},
      {"-h", Verb::help},
      {"help", Verb::help},
      {"--version", Verb::version},
      {"list", Verb::list},
      {"describe", Verb::describe},
      {"run", Verb::run},
      {"suite", Verb::suite},
      {"memory-model", Verb::memory_model},
      {"export", Verb::export_model},
      {"settings", Verb::settings},
      {"trace", Verb::trace},
  };
  const auto found = verbs.find(word);
  if (found != verbs.end()) {
    return found->second;
  }
  throw Error("no such command", word,
              "perf-workloads " + nearest(word, {"list", "describe", "run", "suite", "memory-model",
                                                 "export", "settings", "trace", "--help"}));
}

// Reads the option at arguments[i] and leaves i at its last argument.
void read_option(const std::vector<std::string>& arguments, std::size_t& i,
                 std::map<std::string, std::string>& options) {
  const std::string& word = arguments[i];
  if (word.size() < 3 || word.compare(0, 2, "--") != 0) {
    throw Error("not an option", word, "--NAME VALUE (`perf-workloads describe` lists the names)");
  }
  const std::size_t equals = word.find('=');
  std::string name = word.substr(2, equals == std::string::npos ? equals : equals - 2);
  std::replace(name.begin(), name.end(), '_', '-');  // both are one option, to be given once
  if (equals == std::string::npos && i + 1 == arguments.size()) {
    throw Error("no value for option", word, word + " VALUE");
  }
  const std::string value = equals == std::string::npos ? arguments[++i] : word.substr(equals + 1);
  if (!options.emplace(name, value).second) {
    throw Error("given twice", "--" + name, "one of the two");
  }
}

CommandLine asked_for(Verb verb) {
  CommandLine line;
  line.verb = verb;
  return line;
}

bool asks_for_help(const std::string& word) {
  return word == "--help" || word == "-h";
}

// `suite [PATTERN]...`, options anywhere between.
CommandLine read_suite(const std::vector<std::string>& arguments) {
  CommandLine line = asked_for(Verb::suite);
  for (std::size_t i = 1; i < arguments.size(); ++i) {
    if (asks_for_help(arguments[i])) {
      return asked_for(Verb::help);
    }
    if (arguments[i].compare(0, 1, "-") == 0) {
      read_option(arguments, i, line.options);
    } else {
      line.patterns.push_back(arguments[i]);
    }
  }
  return line;
}

// `export [MODEL] FILE`, options anywhere between.
CommandLine read_export(const std::vector<std::string>& arguments) {
  CommandLine line = asked_for(Verb::export_model);
  std::vector<std::string> names;
  for (std::size_t i = 1; i < arguments.size(); ++i) {
    if (asks_for_help(arguments[i])) {
      return asked_for(Verb::help);
    }
    if (arguments[i] == "--force") {
      line.options["force"] = "on";
    } else if (arguments[i].compare(0, 1, "-") == 0) {
      read_option(arguments, i, line.options);
    } else {
      names.push_back(arguments[i]);
    }
  }
  if (names.empty() || names.size() > 2) {
    throw Error(names.empty() ? "no file named" : "unexpected argument",
                names.empty() ? "export" : names[2], "perf-workloads export [MODEL] FILE");
  }
  line.file = names.back();
  if (names.size() == 2) {
    line.workload = names.front();
  }
  return line;
}

}  // namespace

CommandLine read_command_line(const std::vector<std::string>& arguments) {
  if (arguments.empty()) {
    throw Error("no command", "perf-workloads", "perf-workloads list, or perf-workloads --help");
  }
  CommandLine line = asked_for(verb_from(arguments[0]));
  if (line.verb == Verb::export_model) {
    return read_export(arguments);
  }
  if (line.verb == Verb::suite) {
    return read_suite(arguments);
  }
  if (line.verb == Verb::help || line.verb == Verb::version) {
    return line;
  }
  std::size_t i = 1;
  if (line.verb == Verb::memory_model) {
    if (arguments.size() >= 2 && arguments[1].compare(0, 1, "-") != 0) {
      line.workload = arguments[i++];
    }
  } else if (line.verb != Verb::list) {
    if (arguments.size() < 2 || arguments[1].compare(0, 1, "-") == 0) {
      if (arguments.size() >= 2 && asks_for_help(arguments[1])) {
        return asked_for(Verb::help);
      }
      throw Error("the workload's name is missing", "perf-workloads " + arguments[0],
                  "perf-workloads " + arguments[0] + " NAME (`perf-workloads list` has the names)");
    }
    line.workload = arguments[1];
    i = 2;
    if (line.verb == Verb::trace) {
      if (arguments.size() < 3 || arguments[2].compare(0, 1, "-") == 0) {
        throw Error("no file named", "trace " + line.workload,
                    "perf-workloads trace " + line.workload + " FILE");
      }
      line.file = arguments[i++];
    }
  }
  for (; i < arguments.size(); ++i) {
    if (asks_for_help(arguments[i])) {
      return asked_for(Verb::help);
    }
    if (line.verb == Verb::list || line.verb == Verb::describe) {
      throw Error("unexpected argument", arguments[i],
                  "`perf-workloads " + arguments[0] + "`" + " without it");
    }
    if (line.verb == Verb::trace && arguments[i] == "--force") {
      line.options["force"] = "on";
    } else {
      read_option(arguments, i, line.options);
    }
  }
  return line;
}

std::string help_text() {
  return R"(Runs the machine-learning workloads that perf-compare measures.

  perf-workloads list                       names, and what each does
  perf-workloads describe NAME              parameters with their defaults, phases, metrics, checks
  perf-workloads run NAME [--size S] [--PARAM VALUE]...
  perf-workloads suite [PATTERN]... [--size S] [--PARAM VALUE]...
                                            runs those that match, a name, a family or a glob, or all
  perf-workloads memory-model [MODEL] [--PARAM VALUE]...   the memory that training takes
  perf-workloads export [MODEL] FILE [--dtype D] [--seed N] [--force]
                 [--batch-size B --seq-len L] [--lora-targets q,v] [--lora-rank R] [--lora-layers all]
                                            what training starts from, as a safetensors file
  perf-workloads export NAME FILE [--PARAM VALUE]... [--force]
                                            prompts and random numbers of inference/generate, forward
                                            or sampling
  perf-workloads settings NAME [--PARAM VALUE]...           what `run` would go by, as JSON
  perf-workloads trace NAME FILE [--PARAM VALUE]... [--force]
                                            numbers of a training's or an inference's first steps, to
                                            hold another implementation against
  perf-workloads --help | --version

Sizes: smoke and ci (the default) take about half a second, full is the size to report: a suite of
all takes minutes then, 10 GB of memory and 1 GB of disk. An option of a suite goes to the workloads
that have it. Workloads that cannot run are shown as such, and the exit status is 3.
A parameter given as an option wins over the size's default; --steps, --warmup and --seed win over
PERF_COMPARE_STEPS, PERF_COMPARE_WARMUP and PERF_COMPARE_SEED. With PERF_COMPARE_OUT naming a file,
`run` and `suite` append their steps there as JSON Lines, the format `steps` of perf-compare.
PERF_COMPARE_ISA=avx2 or avx512 chooses the instructions of kernels and libraries; else the CPU does.
A check that fails is reported; `suite` then ends with 1, unless PERF_COMPARE_OUT is set: perf-compare
decides what it means.
Exit status: 0 it ran, 1 a check of a suite failed, 2 usage error, 3 it could not run.
)";
}

}  // namespace perf::workloads
