#include "collector/git/settings.h"

#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <string_view>

#include "collector/git/git_command.h"
#include "schema/error.h"
#include "schema/text/lists.h"
#include "schema/text/text_parts.h"

namespace perf {
namespace {

constexpr std::string_view kMark = "://";
constexpr std::string_view kSchemeLetters =
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789+.-";

/// Whether a text ends with a scheme of ssh (ssh, git+ssh), whose user names are not secret; with
/// http the name may be a token.
bool ends_with_ssh(std::string_view text) {
  const std::size_t other = text.find_last_not_of(kSchemeLetters);
  return lower(text.substr(other == std::string_view::npos ? 0 : other + 1)).find("ssh") !=
         std::string::npos;
}

/// "https://host/" of a URL of that host.
std::string root_of(const std::string& url) {
  return url.substr(0, url.find('/', url.find("://") + 3)) + '/';
}

using GitSettings = std::vector<std::pair<std::string, std::string>>;

constexpr std::string_view kNull = "\uFFFD";  ///< a zero byte in captured output
constexpr std::array<std::string_view, 5> kScopes{"system", "global", "local", "worktree",
                                                  "command"};
constexpr std::array<std::string_view, 6> kGroups{"url.",      "http.", "credential.",
                                                  "protocol.", "ssh.",  "push.pushoption"};
constexpr std::array<std::string_view, 3> kOfCore{"core.sshcommand", "core.gitproxy",
                                                  "core.askpass"};
constexpr std::array<std::string_view, 5> kOfRemotes{".url", ".pushurl", ".proxy",
                                                     ".proxyauthmethod", ".vcs"};

bool is_of_reaching(const std::string& key) {
  const auto begins = [&key](std::string_view group) { return key.starts_with(group); };
  const auto ends = [&key](std::string_view ending) { return key.ends_with(ending); };
  return std::ranges::any_of(kGroups, begins) || std::ranges::find(kOfCore, key) != kOfCore.end() ||
         (key.starts_with("remote.") && std::ranges::any_of(kOfRemotes, ends));
}

/// A setting as git lists it; no value means true.
struct Listed {
  std::string scope, key, value;

  bool is_own() const { return scope == "local" || scope == "worktree"; }
};

/// The settings, in order.
std::vector<Listed> list_settings(const RunProcess& run, const std::filesystem::path& directory,
                                  const std::string& git_dir = {}) {
  GitRequest list{{"config", "--list", "--null", "--show-scope", "--includes"}, directory};
  if (!git_dir.empty()) {
    list.environment.emplace_back("GIT_DIR", git_dir);
  }
  const std::string text = git_output(run, list, "the settings of git cannot be read");
  std::vector<Listed> settings;
  std::string scope;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find(kNull, at), text.size());
    const std::string part = text.substr(at, end - at);
    at = end + kNull.size();
    if (std::ranges::find(kScopes, scope) != kScopes.end()) {
      const std::size_t line = part.find('\n');  // "KEY\nVALUE"
      settings.push_back({scope, part.substr(0, line),
                          line == std::string::npos ? "true" : part.substr(line + 1)});
      scope.clear();
    } else {
      scope = part;
    }
  }
  return settings;
}

GitSettings settings_of_reaching(const Repository& repository, const std::string& git_dir) {
  GitSettings settings;
  for (Listed& one : list_settings(repository.process(), repository.workdir(), git_dir)) {
    if (one.scope != "command" && is_of_reaching(one.key)) {  // git reads the variables itself
      settings.emplace_back(std::move(one.key), std::move(one.value));
    }
  }
  return settings;
}

/// A setting that names a command, and what stands for it where the user has none for all
/// repositories.
struct Command {
  std::string_view begin, end;  ///< of its key
  const char* instead;
};

constexpr std::array<Command, 9> kCommands{{
    // `git lfs install --local` writes these.
    {"filter.lfs", ".clean", "git-lfs clean -- %f"},
    {"filter.lfs", ".smudge", "git-lfs smudge -- %f"},
    {"filter.lfs", ".process", "git-lfs filter-process"},
    {"filter.", ".clean", ""},
    {"filter.", ".smudge", ""},
    {"filter.", ".process", ""},
    {"core.", "sshcommand", "ssh"},
    {"core.", "askpass", ""},
    {"core.", "alternaterefscommand", ":"},
}};

const Command* command_of(const std::string& key) {
  const auto found = std::ranges::find_if(kCommands, [&](const Command& one) {
    return key.starts_with(one.begin) && key.ends_with(one.end) &&
           (one.begin != "filter.lfs" || key == "filter.lfs" + std::string(one.end));
  });
  return found == kCommands.end() ? nullptr : &*found;
}

bool is_helper(const std::string& key) {
  return key.starts_with("credential.") && key.ends_with(".helper");
}

/// Arguments of git that replace the commands of a clone's own config.
std::vector<std::string> instead_of_own(const RunProcess& run,
                                        const std::filesystem::path& workdir) {
  std::vector<std::string> arguments;
  const auto set = [&](const std::string& key, const std::string& value) {
    if (key.find('=') != std::string::npos) {  // `git -c` would split the name
      throw Error("cannot switch off a command of the clone's own config", key,
                  "give it a name without =, or configure it for all repositories");
    }
    arguments.insert(arguments.end(), {"-c", key + "=" + value});
  };
  std::optional<std::vector<Listed>> users;
  const auto of_user = [&](const std::string& key) -> std::optional<std::string> {
    if (!users) {
      users = list_settings(run, "/");
    }
    const auto last = std::ranges::find(users->rbegin(), users->rend(), key, &Listed::key);
    return last == users->rend() ? std::nullopt : std::optional(last->value);
  };
  bool has_helpers = false, is_partial = false;
  std::string remote_program;
  for (const Listed& own : list_settings(run, workdir)) {
    if (!own.is_own()) {
      continue;
    }
    if (const Command* command = command_of(own.key)) {
      set(own.key, of_user(own.key).value_or(command->instead));
      const std::string required = own.key.substr(0, own.key.rfind('.')) + ".required";
      if (command->begin == "filter.") {  // such a filter would fail without a command
        set(required, of_user(required).value_or("false"));
      }
    } else if (own.key.starts_with("protocol.")) {
      set("protocol.ext.allow", of_user("protocol.ext.allow").value_or("never"));
    } else if (own.key == "core.gitproxy") {  // the first one counts, so nothing replaces it
      set("protocol.git.allow", "never");
    } else if (own.key.starts_with("lfs.extension.") && of_user(own.key) != own.value) {
      throw Error("git-lfs would run a command of the clone's own config", own.key,
                  "configure it for all repositories: git config --global");
    }
    has_helpers = has_helpers || is_helper(own.key);
    is_partial =
        is_partial || own.key == "extensions.partialclone" || own.key.ends_with(".promisor");
    if (own.key.starts_with("remote.") && own.key.ends_with(".uploadpack")) {
      remote_program = own.key;
    }
  }
  if (is_partial && !remote_program.empty()) {  // every command may fetch what is missing
    throw Error(
        "git would run a command of the clone's own config", remote_program,
        "if you trust it: git config --global " + remote_program + " PROGRAM, and unset it here");
  }
  if (has_helpers) {
    set("credential.helper", "");  // forgets those of all files
    of_user("credential.helper");
    for (const Listed& one : *users) {
      if (is_helper(one.key)) {
        set(one.key, one.value);
      }
    }
  }
  return arguments;
}

/// Names the program that runs at a remote: of a remote's settings `uploadpack` and `receivepack`
/// git takes the first value, so only an option replaces the clone's own.
void name_remote_program(std::vector<std::string>& git) {
  const std::size_t at = place_of_command(git, 1);
  const std::string& command = git.at(at);
  if (command == "push") {
    git.insert(git.begin() + at + 1, "--receive-pack=git-receive-pack");
  } else if (command == "fetch" || command == "ls-remote") {
    git.insert(git.begin() + at + 1, "--upload-pack=git-upload-pack");
  }
}

}  // namespace

std::string without_credentials(std::string_view text) {
  std::string clean;
  for (std::size_t mark = text.find(kMark); mark != std::string_view::npos;
       mark = text.find(kMark)) {
    const std::size_t begin = mark + kMark.size();
    const std::string_view rest = text.substr(begin);
    // As curl reads it: a password may contain an @.
    const std::size_t at = rest.substr(0, rest.find_first_of("/?# \t\r\n\v\f")).rfind('@');
    clean += text.substr(0, begin);
    if (at == std::string_view::npos) {
      text = rest;
      continue;
    }
    const std::string_view name = rest.substr(0, std::min(rest.find(':'), at));
    if (!name.empty() && ends_with_ssh(text.substr(0, mark))) {
      clean.append(name) += '@';
    }
    text = rest.substr(at + 1);
  }
  return clean.append(text);
}

std::string KeptCredentials::take_from(const std::string& url) {
  std::string clean = without_credentials(url);
  if (clean != url) {
    const std::string root = root_of(clean);
    if (clean.starts_with(
            root)) {  // not only "https://host", with which https://host.example begins
      keep(url, clean);
    }
    keep(root_of(url), root);
  }
  return clean;
}

void KeptCredentials::keep(const std::string& with, const std::string& without) {
  const bool is_kept =
      std::ranges::any_of(rules_, [&](const auto& rule) { return rule.first == without; });
  if (!is_kept) {
    rules_.emplace_back(without, with);
  }
}

std::vector<std::pair<std::string, std::string>> KeptCredentials::environment() const {
  return as_environment(mapped(rules_, [](const auto& rule) {
    return std::pair("url." + rule.second + ".insteadOf", rule.first);
  }));
}

RunProcess without_own_commands(RunProcess run, const std::filesystem::path& workdir) {
  auto arguments = std::make_shared<std::optional<std::vector<std::string>>>();
  return [run = std::move(run), workdir, arguments](const ProcessRequest& request) {
    const bool is_git = !request.command.empty() && request.command.front() == "git";
    const auto names_repository = [](const auto& variable) {
      return variable.first == "GIT_DIR" && !variable.second.empty();
    };
    if (!is_git || (request.directory != workdir &&
                    std::ranges::none_of(request.environment, names_repository))) {
      return run(request);
    }
    if (!*arguments) {
      *arguments = instead_of_own(run, workdir);
    }
    ProcessRequest changed = request;
    name_remote_program(changed.command);
    changed.command.insert(changed.command.begin() + 1, (*arguments)->begin(), (*arguments)->end());
    return run(changed);
  };
}

std::string settings_of_checkouts(const RunProcess& run) {
  constexpr std::array<std::string_view, 4> kOfFiles{"core.autocrlf", "core.eol", "core.symlinks",
                                                     "core.attributesfile"};
  std::string text;
  for (const Listed& one : list_settings(run, "/")) {
    if (one.key.starts_with("filter.") || std::ranges::find(kOfFiles, one.key) != kOfFiles.end()) {
      text += one.key + ' ' + one.value + '\n';
    }
  }
  return text;
}

GitSettings remote_settings(const Repository& repository, const std::filesystem::path& other) {
  GitSettings settings = settings_of_reaching(repository, "");
  for (const auto& there : settings_of_reaching(repository, other.string())) {
    if (const auto found = std::ranges::find(settings, there); found != settings.end()) {
      settings.erase(found);
    }
  }
  return as_environment(settings);
}

}  // namespace perf
