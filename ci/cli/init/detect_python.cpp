#include <algorithm>
#include <array>
#include <initializer_list>

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
      if (is_word(one)) {
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

/// A path that no program takes for an option.
std::string as_argument(const std::string& path) {
  return path[0] == '-' ? "./" + path : path;
}

std::string stem_of(const std::string& path) {
  const std::string filename = filename_of(path);
  return filename.substr(0, filename.size() - 3);
}

/// What a repository has of Python, as paths.
struct PythonProject {
  std::vector<std::string> benchmarks, scripts, mains, packages, asv_configs;
  bool is_named = false;         ///< by a file of kProjectFiles
  bool names_plugin = false;     ///< there, pytest-benchmark
  std::string search_path;       ///< PYTHONPATH, where one is needed to import its packages
  std::vector<BuildLine> build;  ///< of its environment and extensions
  std::string python = "python3";
  std::string lock;  ///< the file that lists its environment; empty: none
};

/// What installs the packages of each commit in an environment of its checkout.
void take_environment(const SourceTree& tree, PythonProject& project) {
  if (has_file(tree, "uv.lock")) {
    project.lock = "uv.lock";
    project.build = {{"uv sync --frozen --quiet"}};
  } else if (has_file(tree, "poetry.lock")) {
    project.lock = "poetry.lock";
    project.build = {
        {"POETRY_VIRTUALENVS_IN_PROJECT=true poetry install --no-interaction --quiet"}};
  } else if (const std::string list = tree.read("requirements.txt");
             has_file(tree, "requirements.txt") &&
             list.find_first_not_of(" \t\r\n") != std::string::npos) {
    project.lock = "requirements.txt";
    project.build = {{"python3 -m venv .venv"},
                     {".venv/bin/python -m pip install --quiet -r requirements.txt"}};
  }
  project.python = project.lock.empty() ? "python3" : ".venv/bin/python";
}

/// Packages in src/; where there are none, those at the top.
void add_package(const std::string& folder, PythonProject& project) {
  const bool below_src = folder.starts_with("src/") && is_identifier(folder.substr(4));
  const bool is_tests = folder == "tests" || folder == "test" || folder == "benchmarks";
  if (below_src) {
    if (project.search_path.empty()) {
      project.packages.clear();
    }
    project.search_path = "src";
    project.packages.push_back(folder.substr(4));
  } else if (project.search_path.empty() && is_identifier(folder) && !is_tests) {
    project.packages.push_back(folder);
  }
}

/// Where packages have parts that are compiled. In place they are found with the sources; pip,
/// which fetches what the build takes, puts a copy beside them, that only src/ does not hide.
void take_extensions(const SourceTree& tree, PythonProject& project) {
  const std::string setup = tree.read("setup.py");
  const std::string pyproject = tree.read("pyproject.toml");
  const auto names_any = [&](std::initializer_list<std::string_view> words) {
    return std::ranges::any_of(
        words, [&](std::string_view word) { return pyproject.find(word) != std::string::npos; });
  };
  if (project.lock == "uv.lock" || project.lock == "poetry.lock") {
    return;  // they install the project as well
  }
  const bool has_setup = setup.find("ext_modules") != std::string::npos;
  if (!has_setup && !names_any({"ext-modules", "maturin", "mesonpy", "scikit_build_core"})) {
    return;
  }
  if (!has_setup || (!project.search_path.empty() && names_any({"setuptools-scm", "setuptools_scm",
                                                                "Cython", "cython", "pybind11"}))) {
    project.search_path = "perf-compare.python";
    project.build.push_back(
        {project.python + " -m pip install --quiet --no-deps --target perf-compare.python ."});
  } else {
    project.build.push_back({project.python + " setup.py --quiet build_ext --inplace"});
  }
}

std::vector<std::string> python_command(const PythonProject& project,
                                        const std::string& search_path,
                                        const std::vector<std::string>& arguments) {
  std::vector<std::string> command{project.python};
  if (!search_path.empty()) {
    command = {"env", "PYTHONPATH=" + search_path, project.python};
  }
  command.insert(command.end(), arguments.begin(), arguments.end());
  return command;
}

void add_pytest(const PythonProject& project, Proposal& proposal) {
  std::vector<std::string> command =
      python_command(project, project.search_path,
                     {"-m", "pytest", "-q", "--benchmark-only", "--benchmark-json={out}",
                      "--benchmark-max-time=0.1", "--benchmark-min-rounds=3"});
  for (const std::string& file : project.benchmarks) {
    command.push_back(as_argument(file));
    proposal.found.push_back("pytest-benchmark: " + file);
  }
  proposal.workloads.push_back(
      {"pytest", command, "pytest-benchmark",
       "pytest-benchmark. Each benchmark gets a verdict; -k EXPRESSION selects some. " +
           (project.lock.empty()
                ? "Nothing is installed for it: perf-compare has to be started where `python3 -m "
                  "pytest` works, and the tests"
                : "The build installs what " + project.lock + " lists; the tests") +
           " have to import the checkout, not an installed copy.",
       project.build});
}

/// The framework of models that a script imports; empty: none.
std::string framework_of(const std::string& text) {
  for (const std::string name : {"torch", "jax", "mlx", "tinygrad"}) {
    for (const std::string begin : {"import ", "from "}) {
      const std::size_t at = ("\n" + text).find("\n" + begin + name);
      const std::size_t next = at + begin.size() + name.size();
      if (at != std::string::npos &&
          (next == text.size() || !is_identifier(text.substr(next, 1)))) {
        return name;
      }
    }
  }
  return {};
}

/// The script as a whole, or its steps.
ProposedWorkload script_workload(const std::string& name, const std::string& script,
                                 const std::string& text) {
  ProposedWorkload workload{name, {}, "process", "", {}};
  if (text.find("import Steps") != std::string::npos) {
    workload.format = "steps";
    workload.comment = "The steps of " + script + ".";
    return workload;
  }
  workload.comment = "The whole of " + script +
                     ", from start to end. Below about 10 ms have it do its work several times.";
  if (const std::string framework = framework_of(text); !framework.empty()) {
    workload.comment += " It imports " + framework +
                        ": with these lines and \"format\": \"steps\" each step is timed "
                        "(docs/machine-learning.md):";
    workload.example = {"from perf_compare import Steps", "with Steps(\"train\") as steps:",
                        "    for step in steps:", "        loss = train_step()",
                        "        step.result(loss)"};
  }
  return workload;
}

/// "-m" and "benchmarks.bench_x", where it imports its own package; the path of any other.
std::vector<std::string> script_arguments(const SourceTree& tree, const std::string& script) {
  const std::string text = "\n" + tree.read(script);
  if (text.find("\nfrom .") == std::string::npos || folder_of(script).empty()) {
    return {as_argument(script)};
  }
  std::string name = script.substr(0, script.size() - 3);
  std::ranges::replace(name, '/', '.');
  return {"-m", name.substr(0, name.find(".__main__"))};
}

void add_scripts(const SourceTree& tree, const PythonProject& project, Proposal& proposal) {
  for (const std::string& script : project.scripts) {
    // Beside a script that lies in a folder Python does not look at the top for packages.
    const bool is_below =
        project.search_path.empty() && !project.packages.empty() && !folder_of(script).empty();
    const std::string stem = stem_of(script);
    proposal.found.push_back("a benchmark script: " + script);
    ProposedWorkload& workload = proposal.workloads.emplace_back(script_workload(
        stem == "__main__" ? filename_of(folder_of(script)) : stem, script, tree.read(script)));
    workload.command = python_command(project, is_below ? "." : project.search_path,
                                      script_arguments(tree, script));
    workload.build = project.build;
  }
}

void add_source(const SourceTree& tree, const std::string& file, PythonProject& project) {
  const std::string stem = stem_of(file);
  const bool is_test =
      stem.starts_with("test_") || stem.ends_with("_test") || stem.starts_with("bench_");
  if (is_test && takes_fixture(tree.read(file))) {
    project.benchmarks.push_back(file);
  } else if (stem == "__main__"
                 ? filename_of(folder_of(file)).starts_with("bench")
                 : stem.starts_with("bench") && !has_file(tree, folder_of(file) + "/__main__.py")) {
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
      project.names_plugin |= holds(tree, file, "pytest-benchmark");
    }
    if (filename_of(file) == "asv.conf.json") {
      project.asv_configs.push_back(file);
    }
    if (filename_of(file) == "__init__.py") {
      add_package(folder_of(file), project);
    }
    if (file.ends_with(".py") && file.size() > 3) {
      add_source(tree, file, project);
    }
  }
  take_environment(tree, project);
  take_extensions(tree, project);
  return project;
}

/// The whole program, or the import of the first package.
void add_program(const PythonProject& project, Proposal& proposal) {
  if (!project.mains.empty()) {
    proposal.programs.push_back(whole_program(
        "main", python_command(project, project.search_path, {project.mains.front()})));
    proposal.programs.back().build = project.build;
  } else if (!project.packages.empty()) {
    const std::string& package = project.packages.front();
    proposal.programs.push_back(
        {"import_" + package,
         python_command(project, project.search_path, {"-c", "import " + package}), "process",
         "No benchmark was found: this times how long the package takes to "
         "be imported. Have it do typical work instead.",
         project.build});
  }
}

}  // namespace

void detect_python(const SourceTree& tree, Proposal& proposal) {
  const PythonProject project = read_project(tree);
  for (const std::string& file : project.asv_configs) {
    proposal.notes.push_back(file + " belongs to asv: perf-compare import asv stores its results");
  }
  if (!project.is_named && project.benchmarks.empty() && project.scripts.empty() &&
      project.mains.empty()) {
    return;
  }
  proposal.found.push_back("a Python project");
  if (!project.benchmarks.empty()) {
    add_pytest(project, proposal);
  } else if (project.names_plugin) {
    proposal.notes.push_back("pytest-benchmark is required, but no test uses its fixture");
  }
  add_scripts(tree, project, proposal);
  add_program(project, proposal);
}

}  // namespace perf
