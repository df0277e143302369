#include <array>
#include <filesystem>
#include <initializer_list>
#include <vector>

#include "collector/git/ancestry.h"
#include "collector/git/baseline.h"
#include "schema/files/content.h"
#include "schema/formats/json.h"
#include "schema/revision.h"

namespace perf {
namespace {

/// The variables of CI systems with a pull request's target branch; also in ci/base.sh, which
/// fetches what these rules need.
constexpr std::array kTargetVariables{
    "GITHUB_BASE_REF",                      // GitHub, Forgejo, Gitea
    "CI_MERGE_REQUEST_TARGET_BRANCH_NAME",  // GitLab
    "CHANGE_TARGET",                        // Jenkins multibranch
    "SYSTEM_PULLREQUEST_TARGETBRANCH",      // Azure
    "BITBUCKET_PR_DESTINATION_BRANCH",
    "BUILDKITE_PULL_REQUEST_BASE_BRANCH",
};

/// Those with the previously built commit, or the branch's previous end.
constexpr std::array kBeforeVariables{"CI_COMMIT_BEFORE_SHA", "GIT_PREVIOUS_COMMIT"};

/// The object ids in the event file of GitHub Actions (GITHUB_EVENT_PATH); empty where they are
/// missing.
struct EventFile {
  std::string before;  ///< push: the commit before
  std::string pull_request_head;
  std::string pull_request_base;  ///< may be older than the test merge
  std::string merge_group_base;
};

using formats::JsonMember;
using formats::JsonObject;
using formats::JsonValue;

constexpr std::uintmax_t kEventLimit = 32u << 20;  // B; GitHub's are capped at 25 MB

std::string text_at(const JsonValue& event, std::initializer_list<const char*> keys) {
  const JsonValue* value = &event;
  for (const char* key : keys) {
    const JsonObject* object = std::get_if<JsonObject>(&value->data);
    const JsonMember* member = object != nullptr ? formats::find_member(*object, key) : nullptr;
    if (member == nullptr) {
      return "";
    }
    value = &member->value;
  }
  const std::string* text = std::get_if<std::string>(&value->data);
  return text != nullptr ? *text : "";
}

/// Reads an event file; an unreadable, too large or malformed file gives an empty record, because
/// there are other rules without an event.
EventFile read_event_file(const std::string& path) {
  std::error_code error;
  const bool fits = std::filesystem::is_regular_file(path, error) &&
                    std::filesystem::file_size(path, error) <= kEventLimit;
  if (!fits) {
    return {};
  }
  try {
    const JsonValue event = formats::read_json(content_of(path));
    return {text_at(event, {"before"}), text_at(event, {"pull_request", "head", "sha"}),
            text_at(event, {"pull_request", "base", "sha"}),
            text_at(event, {"merge_group", "base_sha"})};
  } catch (const formats::JsonFault&) {
    return {};
  }
}

std::string value_of(const GetVariable& variable, const std::string& name) {
  return variable ? variable(name).value_or("") : "";
}

/// The commit that CI checked out: head itself, or the parent of a snapshot of its working tree.
std::string event_commit(const Revision& head) {
  return head.dirty && !head.parents.empty() ? head.parents.front() : head.oid;
}

/// Only a strict ancestor is a useful "commit before".
std::optional<FoundBase> earlier(const Repository& repository, const std::string& oid,
                                 const std::string& commit, const std::string& rule) {
  if (oid == commit || !is_ancestor(repository, oid, commit)) {
    return std::nullopt;
  }
  return FoundBase{oid, rule};
}

/// Whether the commit is the merge that CI made to test a pull request, and not a merge at the end
/// of the pull request's branch or, with pull_request_target, of the target branch.
bool is_test_merge(const Revision& commit, const EventFile& event, const GetVariable& variable) {
  if (commit.parents.size() != 2 || event.pull_request_head == commit.oid) {
    return false;
  }
  const std::string gitlab = value_of(variable, "CI_MERGE_REQUEST_EVENT_TYPE");
  if (event.pull_request_head == commit.parents[1] || gitlab == "merged_result" ||
      gitlab == "merge_train") {
    return true;
  }
  const std::string github = value_of(variable, "GITHUB_EVENT_NAME");
  const std::string built = value_of(variable, "GITHUB_SHA");
  return github.starts_with("pull_request") && github != "pull_request_target" &&
         (built.empty() || built == commit.oid);
}

/// A branch by its bare name or as refs/heads/NAME; the remote's is newer than a local one of a CI
/// checkout.
std::optional<std::string> branch_commit(const Repository& repository, std::string name) {
  constexpr std::string_view kHeads = "refs/heads/";
  if (name.starts_with(kHeads)) {
    name.erase(0, kHeads.size());
  }
  const std::optional<std::string> remote = repository.ref_commit("refs/remotes/origin/" + name);
  return remote ? remote : repository.ref_commit(std::string(kHeads) + name);
}

std::optional<FoundBase> base_of_target(const Repository& repository, const std::string& commit,
                                        const GetVariable& variable) {
  for (const char* name : kTargetVariables) {
    const std::string branch = value_of(variable, name);
    const std::optional<std::string> tip =
        branch.empty() ? std::nullopt : branch_commit(repository, branch);
    const std::optional<std::string> base =
        tip ? merge_base(repository, *tip, commit) : std::nullopt;
    if (base && base != commit) {
      return FoundBase{*base, "merge base with the pull request's target " + branch};
    }
  }
  return std::nullopt;
}

std::optional<FoundBase> base_of_pull_request(const Repository& repository,
                                              const std::string& commit, const EventFile& event,
                                              const GetVariable& variable) {
  const std::string gitlab = value_of(variable, "CI_MERGE_REQUEST_DIFF_BASE_SHA");
  if (std::optional<FoundBase> base =
          earlier(repository, gitlab, commit, "base of the merge request's diff")) {
    return base;
  }
  if (std::optional<FoundBase> base = base_of_target(repository, commit, variable)) {
    return base;
  }
  if (repository.has_commit(event.pull_request_base)) {
    const std::optional<std::string> base = merge_base(repository, event.pull_request_base, commit);
    if (base && base != commit) {
      return FoundBase{*base, "merge base with the pull request's base"};
    }
  }
  return earlier(repository, event.merge_group_base, commit, "base of the merge group");
}

std::optional<FoundBase> base_of_push(const Repository& repository, const std::string& commit,
                                      const EventFile& event, const GetVariable& variable) {
  std::vector<std::string> before;
  if (value_of(variable, "GITHUB_EVENT_NAME") == "push") {  // pull requests have another one
    before.push_back(event.before);
  }
  for (const char* name : kBeforeVariables) {
    before.push_back(value_of(variable, name));
  }
  for (const std::string& oid : before) {
    if (std::optional<FoundBase> base =
            earlier(repository, oid, commit, "the commit before the push")) {
      return base;
    }
  }
  return std::nullopt;
}

EventFile event_of(const GetVariable& variable) {
  const std::string file = value_of(variable, "GITHUB_EVENT_PATH");
  return file.empty() ? EventFile{} : read_event_file(file);
}

}  // namespace

std::optional<FoundBase> base_of_ci_event(const Repository& repository, const Revision& head,
                                          const GetVariable& variable) {
  const Revision commit = repository.commit(event_commit(head));
  const EventFile event = event_of(variable);
  if (is_test_merge(commit, event, variable)) {
    return FoundBase{commit.parents.front(),
                     "first parent of the pull request's test merge " + short_oid(commit.oid)};
  }
  if (std::optional<FoundBase> base =
          base_of_pull_request(repository, commit.oid, event, variable)) {
    return base;
  }
  return base_of_push(repository, commit.oid, event, variable);
}

std::string test_merge_phrase(const Repository& repository, const Revision& head,
                              const GetVariable& variable) {
  const Revision commit = repository.commit(event_commit(head));
  if (commit.parents.size() != 2 || !is_test_merge(commit, event_of(variable), variable)) {
    return {};
  }
  std::string branch;
  for (const char* name : kTargetVariables) {
    branch = branch.empty() ? value_of(variable, name) : branch;
  }
  return "the test merge of the pull request's " + short_oid(commit.parents[1]) + " into " +
         (branch.empty() ? short_oid(commit.parents[0]) : branch);
}

}  // namespace perf
