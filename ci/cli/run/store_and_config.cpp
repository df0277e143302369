#include "ci/cli/run/store_and_config.h"

#include <cstdio>
#include <system_error>
#include <utility>
#include <vector>

#include "ci/cli/output/output.h"
#include "collector/git/repository.h"
#include "reporter/escape/terminal.h"
#include "schema/error.h"
#include "schema/text/shell_words.h"

namespace perf {
namespace {

constexpr const char* kFolder = ".perf-compare";

/// A store in a commit may be forged, and may have a journal, by which SQLite changes files.
void refuse_store_of_commit(const Repository& repository) {
  const std::optional<std::string> head = repository.ref_commit("HEAD");
  if (head && repository.has_path(*head, kFolder)) {
    throw Error("the checked-out commit contains a store, which may be forged", kFolder,
                "remove it from the commit: git rm -r --cached .perf-compare\nor pass a store: "
                "--db FILE");
  }
}

/// SQLite creates a store in an empty file. It may be the rest of a history after a full disk.
std::filesystem::path note_if_empty(std::filesystem::path file) {
  std::error_code ignored;
  if (std::filesystem::is_regular_file(file, ignored) &&
      std::filesystem::file_size(file, ignored) == 0 && !ignored) {
    std::fprintf(stderr,
                 "note: %s is empty and becomes a new store; if it had results, restore a copy\n",
                 reporter::terminal_text(file.string()).c_str());
  }
  return file;
}

}  // namespace

std::filesystem::path store_path(const Options& options, const Repository& repository) {
  if (!options.db.empty()) {
    std::filesystem::path file = options.db;
    refuse_links_out(file.parent_path(), "--db " + options.db);
    if (std::error_code ignored; std::filesystem::equivalent(
            file.parent_path() / ".", repository.workdir() / kFolder, ignored)) {
      refuse_store_of_commit(repository);
    }
    return note_if_empty(std::move(file));
  }
  refuse_store_of_commit(repository);
  return note_if_empty(repository.workdir() / kFolder / "results.db");
}

std::optional<std::filesystem::path> store_there(const Options& options,
                                                 const Repository& repository,
                                                 const std::string& what_makes_it) {
  const std::filesystem::path file = store_path(options, repository);
  std::error_code error;
  const bool is_there = std::filesystem::exists(file, error);
  if (error) {
    throw Error("cannot look for the store: " + error.message(), file.string());
  }
  if (!is_there && !options.db.empty()) {
    throw Error(
        "no such store", options.db,
        "perf-compare " + what_makes_it + " --db " + shell_word(options.db) + " creates it");
  }
  return is_there ? std::optional(file) : std::nullopt;
}

std::filesystem::path store_to_look_into(const Options& options, Spawner& spawner) {
  std::filesystem::path path =
      options.db.empty()
          ? store_path(options, Repository::open(options.repo, make_run_process(spawner)))
          : std::filesystem::path(options.db);
  std::error_code ignored;
  if (!std::filesystem::exists(std::filesystem::symlink_status(path, ignored))) {
    throw Error("no store yet", path.string(),
                "measure something first, or pass another file with --db FILE");
  }
  return path;
}

FoundConfig found_here(const Options& options, const Repository* repository) {
  if (!options.config.empty()) {
    return config_of_file(options.config);
  }
  const auto found = repository ? config_of_working_tree(*repository) : std::nullopt;
  return found.value_or(FoundConfig{});
}

Config config_here(const Options& options, const Repository* repository) {
  return found_here(options, repository).config;
}

std::vector<ConfiguredBaseline> configured_baselines(const Config& config,
                                                     const Repository& repository) {
  std::vector<ConfiguredBaseline> baselines;
  for (const auto& [name, expression] : config.baselines) {
    const std::optional<Revision> revision = repository.find(expression);
    baselines.push_back({name, expression, revision ? std::optional(revision->oid) : std::nullopt});
  }
  return baselines;
}

}  // namespace perf
