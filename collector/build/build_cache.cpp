#include "collector/build/build_cache.h"

#include <fcntl.h>
#include <sys/stat.h>

#include <utility>

#include "collector/build/build_excerpt.h"
#include "collector/build/checkout_tree.h"
#include "collector/build/entry.h"
#include "collector/git/git_command.h"
#include "collector/process/captured_text.h"
#include "collector/process/compiler_caches.h"
#include "collector/process/temporary_folder.h"
#include "collector/process/whole_file.h"
#include "collector/trace/trace_programs.h"
#include "schema/files/content.h"
#include "schema/revision.h"
#include "schema/text/fnv.h"
#include "schema/text/text_parts.h"
#include "schema/text/utf8.h"

namespace perf {
namespace {

constexpr std::size_t kOidShare = 16;         // digits of the commit's id in a key
constexpr std::size_t kLongestGitMessage = 500;  // B of git's message
constexpr std::size_t kLongestCommand = 200;  // B of a build's command

/// Whether there is a build command.
bool has_command(const BuildRequest& request) {
  return request.build && !request.build->command.empty();
}

/// Everything that is hashed into the key; lengths keep ("a b") and ("a", "b") apart.
std::string key_text(const BuildRequest& request) {
  std::string text = "perf-compare build 4\noid " + request.oid + "\nmachine " + request.machine +
                     "\nlayout_seed " + std::to_string(request.layout_seed) + '\n';
  if (request.build) {
    for (const std::string& argument : request.build->command) {
      text += "argument " + std::to_string(argument.size()) + ' ' + argument + '\n';
    }
    text += request.build->submodules ? "submodules\n" : "";
    text += request.counts && has_command(request) ? "count\n" : "";
    text += has_command(request) ? "toolchain " + toolchain_digest() + '\n' : "";
  }
  text += request.outside.digest.empty() ? "" : "outside " + request.outside.digest + '\n';
  return text;
}

/// What a complete build records first: the build is made anew where it is another now.
std::string recorded_text(const BuildRequest& request, const BuildTools& tools) {
  if (tools.filters->empty()) {
    *tools.filters = filters_digest(tools.run);
  }
  return key_text(request) + "filters " + *tools.filters + '\n';
}

[[noreturn]] void cannot_write(const std::filesystem::path& where, const std::error_code& why) {
  throw Error("cannot write to the build cache", where.string() + ": " + why.message(),
              "free space, or set XDG_CACHE_HOME to another folder");
}

void write_whole(const std::filesystem::path& file, const std::string& text) {
  if (const std::error_code failed = write_whole_file(file, file.string() + ".new", text, 0600)) {
    cannot_write(file, failed);
  }
}

/// Moves it aside at once, then removes it, read-only folders included.
void remove_entry(const Entry& entry) {
  std::error_code error;
  if (!std::filesystem::exists(std::filesystem::symlink_status(entry.folder, error))) {
    return;
  }
  const TemporaryFolder trash(entry.folder.parent_path());
  std::filesystem::rename(entry.folder, trash.path() / "build", error);
  if (error) {
    cannot_write(entry.folder, error);
  }
}

/// The working tree in use, that of the clone, and linked ones (gitrepository-layout(5)).
std::vector<std::filesystem::path> working_trees_of(const Repository& repository) {
  std::vector<std::filesystem::path> trees{repository.workdir()};
  const std::filesystem::path& common = repository.common_dir();
  if (common.filename() == ".git") {
    trees.push_back(common.parent_path());
  }
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(common / "worktrees", error)) {
    const std::string file = content_of(entry.path() / "gitdir");
    trees.push_back((entry.path() / file.substr(0, file.find('\n'))).parent_path());
  }
  for (std::filesystem::path& tree : trees) {
    tree = std::filesystem::weakly_canonical(tree, error);
  }
  return trees;
}

void report(const BuildTools& tools, const std::string& line) {
  if (tools.report) {
    tools.report(line);
  }
}

bool is_interrupted(const BuildTools& tools) {
  return tools.interrupted && tools.interrupted();
}

/// Whether the folder contains this build, complete, and it would be made in the same way now.
bool is_current(const Entry& entry, const std::string& text, const std::string& name,
                const BuildTools& tools) {
  if (!content_of(entry.complete()).starts_with(text)) {
    return false;
  }
  const std::string changed = changed_input(content_of(entry.inputs()));
  if (!changed.empty()) {
    const char* where =
        changed.starts_with('$') ? ", named in scripts of " : ", outside the checkout of ";
    report(tools, changed + where + name + ", has changed since it was built");
    return false;
  }
  return true;
}

/// Whether the folder contains this build, with all files as the build left them: they are put
/// back, where they can be. `changed`: those that cannot.
bool is_complete(const Repository& repository, const Entry& entry, const std::string& text,
                 const std::string& name, const BuildTools& tools, std::set<std::string>& changed) {
  if (!is_current(entry, text, name, tools)) {
    return false;
  }
  const std::string recorded = content_of(entry.complete());
  try {
    if (brings_lfs_files(repository) && !lfs_pointers(repository, entry.tree()).empty()) {
      report(tools, "files of " + name + " were missing and can now be fetched");
      return false;
    }
    const std::vector<std::string> left = put_back(entry.tree(), entry, tools.run);
    changed.insert(left.begin(), left.end());
    if (left.empty() &&
        recorded == text + "changes\n" + tracked_changes(repository, entry.tree())) {
      return true;
    }
    report(tools, "files of " + name + " have changed since it was built");
  } catch (const Error&) {
    if (!is_interrupted(tools)) {  // else the signal ended git
      // The clone whose objects the checkout borrows may have been removed.
      report(tools, "the checkout of " + name + " is damaged");
    }
  }
  return false;
}

std::string words_of(const std::vector<std::string>& command) {
  const std::string whole = joined(command, " ");
  const std::string line = to_one_line(whole, whole.size() * kReplacementText.size());
  return line.size() > kLongestCommand ? to_one_line(line, kLongestCommand - 3) + "..." : line;
}

/// "building head v1: make"; without the command where the previous line has the same.
std::string building_line(const BuildRequest& request, const std::string& name,
                          const BuildTools& tools) {
  if (!has_command(request)) {
    return "checking out " + name;
  }
  const std::string words = words_of(request.build->command);
  const bool is_known =
      tools.reported_command && std::exchange(*tools.reported_command, words) == words;
  return "building " + name + (is_known ? "" : ": " + words);
}

/// Why a build failed; empty where it succeeded.
std::string failure_of(const ProcessResult& result, const BuildCommand& build) {
  std::string why = "exit status " + std::to_string(result.exit_code.value_or(-1));
  if (!result.spawn_error.empty()) {
    why = "could not be started: " + result.spawn_error;
  } else if (result.timed_out) {
    why = "timed out after " + to_text(Param(build.timeout)) + " s";
  } else if (result.signal) {
    why = "killed by signal " + std::to_string(*result.signal);
  } else if (result.exit_code == 0) {
    return "";
  }
  return "does not build (" + why + ")";
}

ProcessResult run_build(const BuildRequest& request, const Entry& entry, const BuildTools& tools,
                        BuildTrace* trace) {
  ProcessRequest process;
  process.command = request.build->command;
  process.directory = entry.tree();
  process.environment = clean_git_environment();
  process.environment.emplace_back(
      "PERF_COMPARE_LAYOUT_SEED",
      request.layout_seed == 0 ? "" : std::to_string(request.layout_seed));
  process.environment.emplace_back("PERF_COMPARE_COUNT", request.counts ? "1" : "");
  process.environment.emplace_back("PERF_COMPARE_CONFIG_DIR", request.outside.folder_seen());
  process.timeout = request.build->timeout;
  process.log = entry.log();
  if (tools.progress) {
    process.on_output = [reader = BuildProgressReader(tools.progress)](
                            std::string_view output) mutable { reader.read(output); };
  }
  return trace != nullptr ? trace->run(process, tools.run) : tools.run(process);
}

/// Whether a text file or a link in the tree contains the tree's own path, as CMake's cache does:
/// building in a copy of such a tree builds in the original.
bool names_itself(const Entry& entry, const BuildTools& tools) {
  const std::string place = entry.folder.filename().string(), tree = entry.tree().string();
  if (tools.run({.command = {"grep", "-rIqF", "-e", place, "--", tree}}).exit_code !=
      1) {  // 1: none
    return true;
  }
  const ProcessResult found =
      tools.run({.command = {"find", tree, "-lname", "*" + place + "*", "-print", "-quit"}});
  return found.exit_code != 0 || !found.stdout_text.empty();
}

/// Copies the revision's ordinary build into an empty entry, with the times of files, so that a
/// build with another layout seed only has to link. False where there is none or it is not usable.
bool copy_plain_build(const BuildRequest& request, const Entry& entry, const std::string& name,
                      const BuildTools& tools) {
  BuildRequest plain = request;
  plain.layout_seed = 0;
  const Entry original{entry.folder.parent_path() / build_key(plain)};
  const std::string recorded = recorded_text(plain, tools);
  if (!is_current(original, recorded, name, tools) || names_itself(original, tools)) {
    return false;
  }
  const ProcessRequest copy{.command = {"cp", "-a", "--reflink=auto", "--",
                                        original.tree().string(), entry.tree().string()},
                            .log = entry.log()};
  // A run that began to rebuild it meanwhile has removed `complete` first.
  if (const std::string inputs = content_of(original.inputs()); !inputs.empty()) {
    write_whole(entry.inputs(), inputs);
  }
  return tools.run(copy).exit_code == 0 && put_back(entry.tree(), original, tools.run).empty() &&
         content_of(original.complete()).starts_with(recorded);
}

void make_folder(const std::filesystem::path& folder) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) {
    throw Error("cannot create the build cache", folder.string() + ": " + error.message(),
                "set XDG_CACHE_HOME to a folder that you may write to");
  }
}

/// Empties an entry, except for the name of its clone.
void begin_afresh(const Repository& repository, const Entry& entry) {
  remove_entry(entry);
  make_folder(entry.folder);
  write_whole(entry.clone(), repository.common_dir().string());
}

/// Files that workloads of this clone have changed, of which copies are therefore kept.
std::set<std::string> copied_files(const Repository& repository, const Entry& of) {
  std::set<std::string> files;
  std::error_code error;
  for (const auto& build : std::filesystem::directory_iterator(of.folder.parent_path(), error)) {
    const Entry entry{build.path()};
    if (content_of(entry.clone()) != repository.common_dir().string()) {
      continue;
    }
    std::filesystem::recursive_directory_iterator at(entry.copies(), error);
    for (; !error && at != std::filesystem::recursive_directory_iterator(); at.increment(error)) {
      if (!at->is_directory(error) || at->is_symlink(error)) {
        files.insert(at->path().lexically_relative(entry.copies()).string());
      }
    }
  }
  return files;
}

void record_completion(const Repository& repository, const BuildRequest& request,
                       const Entry& entry, const CheckedOut& before,
                       const std::set<std::string>& copied, const BuildTools& tools) {
  require_unchanged(request.outside);
  write_whole(entry.files(), built_tree_text(entry.tree(), before));
  std::vector<std::string> files;
  for (const std::string& file : copied) {
    const std::optional<BuiltFile> here = built_file_at(entry.tree() / file);
    if (here && !here->is_folder()) {
      files.push_back(file);
    }
  }
  if (!files.empty()) {
    make_folder(entry.copies());
    copy_files(entry.tree(), entry.copies(), files, tools.run);
  }
  write_whole(entry.complete(), recorded_text(request, tools) + "changes\n" +
                                    tracked_changes(repository, entry.tree()));
}

/// The checkout of the revision's ordinary build, of which a copy has the times of files.
CheckedOut plain_checkout(BuildRequest request, const Entry& entry, std::int64_t began) {
  request.layout_seed = 0;
  const Entry plain{entry.folder.parent_path() / build_key(request)};
  const std::optional<BuiltTree> built = read_built_tree(content_of(plain.files()));
  return built ? checkout_of(*built) : CheckedOut{began, began};
}

/// Links a copy of the revision's ordinary build again; false, and an empty entry, where that
/// fails.
bool relink(const Repository& repository, const BuildRequest& request, const Entry& entry,
            const std::string& name, const BuildTools& tools) {
  if (request.layout_seed == 0 || !has_command(request)) {
    return false;
  }
  const bool built = copy_plain_build(request, entry, name, tools) &&
                     failure_of(run_build(request, entry, tools, nullptr), *request.build).empty();
  if (!built && !is_interrupted(tools)) {
    begin_afresh(repository, entry);
  }
  return built;
}

/// Checks out and builds in an empty entry, or sets the checkout's failure. After an interruption
/// the entry stays incomplete.
void fill(const Repository& repository, const BuildRequest& request, const Entry& entry,
          const std::string& name, const BuildTools& tools, const std::set<std::string>& copied,
          bool may_trace, Checkout& checkout) {
  const std::int64_t began = nanoseconds_now();
  if (relink(repository, request, entry, name, tools)) {
    if (!is_interrupted(tools)) {
      record_completion(repository, request, entry, plain_checkout(request, entry, began), copied,
                        tools);
    }
    return;
  }
  if (is_interrupted(tools)) {
    return;
  }
  try {
    check_out(repository, request.oid, entry.tree(), entry.log());
    if (request.build && request.build->submodules) {
      check_out_submodules(repository, entry.tree(), entry.log());
    }
  } catch (const Error& error) {
    checkout.failure = "cannot be checked out";
    // Avoids "cannot be checked out: cannot check out 3f2a...: ".
    const bool twice = error.what == "cannot check out " + short_oid(request.oid);
    checkout.excerpt = {
        to_one_line((twice ? "" : error.what + ": ") + error.subject, kLongestGitMessage)};
    checkout.remedy = error.hint;
    return;
  }
  const CheckedOut before = checked_out_tree(entry.tree(), began);
  ProcessResult build;
  if (has_command(request)) {
    BuildTrace trace(entry);
    const bool traces = may_trace && why_no_trace(tools.run).empty();
    build = run_build(request, entry, tools, traces ? &trace : nullptr);
    checkout.failure = failure_of(build, *request.build);
    if (traces && !checkout.failure.empty() && trace.may_not_be_traced(entry.log()) &&
        !is_interrupted(tools)) {
      checkout.failure.clear();
      begin_afresh(repository, entry);
      fill(repository, request, entry, name, tools, copied, false, checkout);
      return;
    }
    if (!traces && checkout.failure.empty()) {
      write_whole(entry.inputs(), trace.text_untraced(request.build->command, before.paths));
    }
    if (traces && checkout.failure.empty()) {
      if (const std::string file = trace.foreign_source(checkout, before.paths); !file.empty()) {
        checkout.failure = "builds the working tree, not the commit";
        checkout.excerpt = {"the build reads " + file};
        checkout.remedy =
            "let it name files of the checkout, where it runs: " + words_of(request.build->command);
        return;
      }
      write_whole(entry.inputs(), trace.text(began));
    }
  }
  if (!checkout.failure.empty()) {
    checkout.excerpt = excerpt_of_log(entry.log());
    checkout.built = "the build `" + words_of(request.build->command) + "`";
    checkout.remedy = remedy_of_machine(build, checkout.excerpt, entry.tree());
    checkout.starved = !checkout.remedy.empty();
    if (!checkout.starved) {
      checkout.remedy = remedy_of_tree(repository, request.oid, entry.tree());
      const FilesNotInGit files =
          files_not_in_git(repository, entry.tree(), joined(checkout.excerpt, "\n"));
      if (checkout.remedy.empty() && !files.paths.empty()) {
        checkout.remedy = "the working tree has " + files.listed() + ", but git " +
                          (files.ignored ? "ignores it" : "does not track it") +
                          ": commit it (git-lfs for large files), or let the build fetch it";
      }
    }
  } else if (!is_interrupted(tools)) {
    record_completion(repository, request, entry, before, copied, tools);
  }
}

Checkout interrupted(Checkout checkout) {
  checkout.failure = "interrupted";
  checkout.interrupted = true;
  return checkout;
}

}  // namespace

void put_back(const Checkout& checkout, const RunProcess& run) {
  if (!checkout.failure.empty() || checkout.directory.empty()) {
    return;
  }
  renew_caches(checkout);
  if (!checkout.root.empty()) {
    return;  // the user's own files
  }
  put_back(checkout.directory, Entry{checkout.directory.parent_path()}, run);
}

std::set<std::string> changed_since_build(const Checkout& checkout) {
  const bool is_build =
      checkout.failure.empty() && !checkout.directory.empty() && checkout.root.empty();
  return is_build ? changed_files(Entry{checkout.directory.parent_path()})
                  : std::set<std::string>();
}

std::filesystem::path build_cache_folder(const GetVariable& variable) {
  const std::filesystem::path cache = variable("XDG_CACHE_HOME").value_or("");
  if (cache.is_absolute()) {  // the XDG specification: relative ones are to be ignored
    return cache / "perf-compare";
  }
  const std::filesystem::path home = variable("HOME").value_or("");
  if (!home.is_absolute()) {
    throw Error("no folder for the build cache", "neither XDG_CACHE_HOME nor HOME is set",
                "set XDG_CACHE_HOME to a folder that you may write to");
  }
  return home / ".cache" / "perf-compare";
}

std::string build_key(const BuildRequest& request) {
  return request.oid.substr(0, kOidShare) + '-' + hexadecimal(fnv1a_64(key_text(request)));
}

Checkout build_revision(const Repository& repository, const std::string& name,
                        const BuildRequest& request, const std::filesystem::path& folder,
                        const BuildTools& given) {
  std::string filters;
  BuildTools tools = given;
  tools.filters = given.filters != nullptr ? given.filters : &filters;
  make_folder(folder);
  const Entry entry{folder / build_key(request)};
  Checkout checkout{entry.tree(), "", entry.log(), nullptr};
  checkout.working_trees = working_trees_of(repository);
  checkout.harness = request.outside.digest.empty() ? "" : request.outside.folder;
  checkout.hold = wait_for_lock(
      entry.folder.string() + ".lock",
      [&] { report(tools, "waiting for another run that uses " + name); }, tools.interrupted);
  if (!checkout.hold) {
    return interrupted(std::move(checkout));
  }
  require_unchanged(request.outside);
  const bool is_wanted =
      !tools.rebuilds || (tools.rebuilt != nullptr && tools.rebuilt->count(build_key(request)) > 0);
  std::set<std::string> copied;
  try {
    const std::string text = recorded_text(request, tools);
    if (is_wanted && is_complete(repository, entry, text, name, tools, copied)) {
      utimensat(AT_FDCWD, entry.complete().c_str(), nullptr, 0);  // for prune_builds
      checkout.warnings = warnings_of_tree(repository, name, request.oid, entry.tree());
      if (tools.reports_cached) {
        report(tools, name + " is already built");
      }
      return checkout;
    }
    if (is_interrupted(tools)) {
      return interrupted(std::move(checkout));
    }
    copied.merge(copied_files(repository, entry));
    begin_afresh(repository, entry);
    if (tools.rebuilt != nullptr) {
      tools.rebuilt->insert(build_key(request));
    }
    report(tools, building_line(request, name, tools));
    fill(repository, request, entry, name, tools, copied, true, checkout);
    tools.filters->clear();  // the build may have changed them
    if (checkout.failure.empty()) {
      checkout.warnings = warnings_of_tree(repository, name, request.oid, entry.tree());
    }
  } catch (const Error&) {
    if (!is_interrupted(tools)) {  // else the signal ended git
      throw;
    }
  }
  return is_interrupted(tools) ? interrupted(std::move(checkout)) : checkout;
}

}  // namespace perf
