#include <algorithm>
#include <array>
#include <cctype>
#include <set>

#include "ci/cli/init/proposal.h"

namespace perf {
namespace {

constexpr std::array<std::string_view, 4> kProjectFiles{"pyproject.toml", "setup.py", "setup.cfg",
                                                        "requirements.txt"};

/// Whether a test takes the fixture of pytest-benchmark: `def test_x(benchmark` or `, benchmark`.
bool takes_fixture(const std::string& text) {
  for (std::size_t at = 0; (at = text.find("def test", at)) != std::string::npos; ++at) {
    const std::size_t begin = text.find('(', at);
    const std::size_t end = text.find(')', at);
    if (begin == std::string::npos || end == std::string::npos || begin > end) {
      continue;
    }
    std::string name;
    for (const char one : text.substr(begin + 1, end - begin - 1) + ",") {
      if (std::isalnum(static_cast<unsigned char>(one)) != 0 || one == '_') {
        name += one;
      } else if (name == "benchmark") {
        return true;
      } else if (one == ',' || one == '\n') {
        name.clear();
      }
    }
  }
  return false;
}

bool is_identifier(const std::string& text) {
  return !text.empty() && std::isdigit(static_cast<unsigned char>(text[0])) == 0 &&
         std::ranges::all_of(
             text, [](unsigned char one) { return std::isalnum(one) != 0 || one == '_'; });
}

/// A path that no program takes for an option.
std::string as_argument(const std::string& path) {
  return path[0] == '-' ? "./" + path : path;
}

std::string stem_of(const std::string& path) {
  const std::string filename = filename_of(path);
  return filename.substr(0, filename.size() - 3);
}

/// Packages at the top or in src/, and whether the latter is so.
std::vector<std::string> packages_of(const SourceTree& tree, bool& in_src) {
  std::vector<std::string> packages;
  for (const std::string& file : tree.files) {
    if (filename_of(file) != "__init__.py") {
      continue;
    }
    const std::string folder = folder_of(file);
    const bool below_src = folder.starts_with("src/") && is_identifier(folder.substr(4));
    const bool is_tests = folder == "tests" || folder == "test" || folder == "benchmarks";
    in_src = in_src || below_src;
    if (below_src) {
      packages.push_back(folder.substr(4));
    } else if (is_identifier(folder) && !is_tests) {
      packages.push_back(folder);
    }
  }
  return packages;
}

std::vector<std::string> python_command(bool in_src) {
  if (in_src) {
    return {"env", "PYTHONPATH=src", "python3"};
  }
  return {"python3"};
}

void add_pytest(const std::vector<std::string>& files, bool in_src, Proposal& proposal) {
  std::vector<std::string> command = python_command(in_src);
  for (const char* part : {"-m", "pytest", "-q", "--benchmark-only", "--benchmark-json={out}",
                           "--benchmark-max-time=0.1", "--benchmark-min-rounds=3"}) {
    command.push_back(part);
  }
  for (const std::string& file : files) {
    command.push_back(as_argument(file));
    proposal.found.push_back("pytest-benchmark: " + file);
  }
  proposal.workloads.push_back(
      {"pytest", command, "pytest-benchmark",
       "pytest-benchmark. Each benchmark gets a verdict; -k EXPRESSION takes some. Nothing is "
       "installed for it: perf-compare has to be started where `python3 -m pytest` works, and the "
       "tests have to import the checkout, not an installed copy."});
}

void add_scripts(const std::vector<std::string>& scripts, bool in_src, Proposal& proposal) {
  for (const std::string& script : scripts) {
    std::vector<std::string> command = python_command(in_src);
    command.push_back(as_argument(script));
    proposal.found.push_back("a benchmark script: " + script);
    proposal.workloads.push_back({stem_of(script), command, "process",
                                  "The whole of " + script +
                                      ", from start to end. Below about 10 ms have it do its work "
                                      "several times."});
  }
}

/// What a repository has of Python, as paths.
struct PythonProject {
  std::vector<std::string> benchmarks, scripts, mains, packages, asv_configs;
  bool is_named = false;      ///< by a file of kProjectFiles
  bool names_plugin = false;  ///< there, pytest-benchmark
  bool in_src = false;        ///< its packages are in src/
};

void add_source(const SourceTree& tree, const std::string& file, PythonProject& project) {
  const std::string stem = stem_of(file);
  const bool is_test =
      stem.starts_with("test_") || stem.ends_with("_test") || stem.starts_with("bench_");
  if (is_test && takes_fixture(tree.read(file).value_or(""))) {
    project.benchmarks.push_back(file);
  } else if (stem.starts_with("bench")) {
    project.scripts.push_back(file);
  } else if (file == "main.py" || file == "__main__.py") {
    project.mains.push_back(file);
  }
}

PythonProject read_project(const SourceTree& tree) {
  PythonProject project;
  for (const std::string& file : tree.files) {
    if (std::ranges::find(kProjectFiles, file) != kProjectFiles.end()) {
      project.is_named = true;
      project.names_plugin = project.names_plugin || tree.read(file).value_or("").find(
                                                         "pytest-benchmark") != std::string::npos;
    }
    if (filename_of(file) == "asv.conf.json") {
      project.asv_configs.push_back(file);
    }
    if (file.ends_with(".py") && file.size() > 3) {
      add_source(tree, file, project);
    }
  }
  project.packages = packages_of(tree, project.in_src);
  return project;
}

/// The whole program, or the import of the first package.
void add_program(const PythonProject& project, Proposal& proposal) {
  std::vector<std::string> command = python_command(project.in_src);
  if (!project.mains.empty()) {
    command.push_back(project.mains.front());
    proposal.programs.push_back(whole_program("main", command));
  } else if (!project.packages.empty()) {
    const std::string& package = project.packages.front();
    command.insert(command.end(), {"-c", "import " + package});
    proposal.programs.push_back({"import_" + package, command, "process",
                                 "No benchmark was found: this times how long the package takes to "
                                 "be imported. Have it do typical work instead."});
  }
}

}  // namespace

void look_for_python(const SourceTree& tree, Proposal& proposal) {
  const PythonProject project = read_project(tree);
  for (const std::string& file : project.asv_configs) {
    proposal.notes.push_back(file + " is asv's: perf-compare import asv keeps its results");
  }
  if (!project.is_named && project.benchmarks.empty() && project.scripts.empty() &&
      project.mains.empty()) {
    return;
  }
  proposal.found.push_back("a Python project");
  if (!project.benchmarks.empty()) {
    add_pytest(project.benchmarks, project.in_src, proposal);
  } else if (project.names_plugin) {
    proposal.notes.push_back("pytest-benchmark is required, and no test takes its fixture");
  }
  add_scripts(project.scripts, project.in_src, proposal);
  add_program(project, proposal);
}

}  // namespace perf
