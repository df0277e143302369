#include <algorithm>
#include <nlohmann/json.hpp>

#include "ci/cli/init/proposal.h"
#include "schema/text/shell_words.h"

namespace perf {
namespace {

/// The package manager of a JavaScript project, by its lock file, and how it installs.
struct PackageManager {
  std::string_view lock, program, install;
};
constexpr PackageManager kPackageManagers[] = {
    {"pnpm-lock.yaml", "pnpm", "pnpm install --frozen-lockfile"},
    {"yarn.lock", "yarn", "yarn install --frozen-lockfile"},
    {"bun.lock", "bun", "bun install --frozen-lockfile"},
    {"bun.lockb", "bun", "bun install --frozen-lockfile"},
    {"package-lock.json", "npm", "npm ci --silent"},
    {"", "npm", "npm install --silent"},
};

/// By the lock file in the folder, "" or "NAME/".
const PackageManager& manager_of(const SourceTree& tree, const std::string& folder) {
  return *std::ranges::find_if(kPackageManagers, [&](const PackageManager& one) {
    return one.lock.empty() || has_file(tree, folder + std::string(one.lock));
  });
}

/// "bench", "benchmarks", "bench:parse".
bool is_benchmark_script(const std::string& name) {
  const std::string first = name.substr(0, name.find(':'));
  return first == "bench" || first == "benchmark" || first == "benchmarks";
}

/// The interpreter that a script's first line names.
std::string interpreter_of(const std::string& text) {
  const std::string first = text.substr(0, text.find('\n'));
  return first.starts_with("#!") && first.find("bash") != std::string::npos ? "bash" : "sh";
}

/// The scripts of one package.json; packages of a workspace are installed at the top.
void add_scripts(const SourceTree& tree, const std::string& file, const std::string& top,
                 Proposal& proposal) {
  const auto manifest = nlohmann::json::parse(tree.read(file), nullptr, false);
  const auto scripts = manifest.is_object() ? manifest.find("scripts") : manifest.end();
  if (!manifest.is_object() || scripts == manifest.end() || !scripts->is_object()) {
    return;
  }
  const std::string folder = folder_of(file);
  const PackageManager& manager = manager_of(tree, top.empty() ? top : top + "/");
  const std::string program(manager.program);
  std::vector<BuildLine> build{{line_within(top, std::string(manager.install))}};
  if (scripts->contains("build")) {
    build.push_back({line_within(folder, program + " run build")});
  }
  for (const auto& [name, script] : scripts->items()) {
    if (!is_benchmark_script(name) || !script.is_string()) {
      continue;
    }
    proposal.found.push_back("a script of " + file + ": " + name);
    std::vector<std::string> command{program, "run", name};
    if (!folder.empty()) {
      command = {
          "sh", "-c",
          "cd " + shell_word("./" + folder) + " && exec " + program + " run " + shell_word(name)};
    }
    proposal.workloads.push_back(
        {folder.empty() ? name : filename_of(folder) + "/" + name, command, "process",
         "The script \"" + name + "\" of " + file + ", \"" + script.get<std::string>() +
             "\", from start to end. For a verdict on each of its benchmarks, have it write a "
             "format of docs/formats.md.",
         build});
  }
}

}  // namespace

void detect_javascript(const SourceTree& tree, Proposal& proposal) {
  const bool at_top = has_file(tree, "package.json");
  for (const std::string& file : files_named(tree, "package.json")) {
    if (folder_of(file).empty()) {
      proposal.found.push_back("a JavaScript package (package.json)");
    }
    add_scripts(tree, file, at_top ? "" : folder_of(file), proposal);
  }
}

void detect_scripts(const SourceTree& tree, Proposal& proposal) {
  if (!proposal.workloads.empty()) {
    return;  // they often run what was found
  }
  for (const std::string& file : tree.files) {
    const std::string name = filename_of(file), folder = folder_of(file);
    const bool is_near = folder.find('/') == std::string::npos && !folder.starts_with(".");
    const bool runs = name.starts_with("run-") || name.starts_with("run_");
    if (is_near && name.substr(runs ? 4 : 0).starts_with("bench") && name.ends_with(".sh")) {
      proposal.found.push_back("a benchmark script: " + file);
      proposal.workloads.push_back(
          {name.substr(0, name.size() - 3),
           {interpreter_of(tree.read(file)), file},
           "process",
           "The whole of " + file +
               ", from start to end. If it starts a server, use \"serve\" (docs/config.md)."});
    }
  }
}

}  // namespace perf
