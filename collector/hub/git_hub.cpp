#include <algorithm>
#include <chrono>
#include <map>
#include <optional>
#include <random>
#include <system_error>
#include <thread>
#include <utility>

#include "collector/build/build_cache.h"
#include "collector/git/git_command.h"
#include "collector/git/settings.h"
#include "collector/hub/git_copy.h"
#include "collector/hub/hub.h"
#include "collector/process/captured_text.h"
#include "collector/randomness.h"
#include "schema/error.h"
#include "schema/text/text_parts.h"

namespace perf {
namespace {

namespace fs = std::filesystem;

constexpr int kTries = 50;      ///< pushes, while others push to the same reference
constexpr int kStuckTries = 3;  ///< failed pushes in a row without another push

using Variables = std::vector<std::pair<std::string, std::string>>;
using Tips = std::map<std::string, std::string>;  ///< commits by WRITER/MONTH

/// The line of git's output with the reason of a failure; advice may follow it.
std::string complaint(const std::string& said) {
  const std::size_t fatal = ("\n" + said).find("\nfatal: ");
  return last_line(fatal == std::string::npos ? said : first_line(said.substr(fatal)));
}

/// Fetches into a bare repository beside the build cache, so that the user's clone is not changed.
/// It may be removed at any time.
class RefHub : public Hub {
 public:
  RefHub(std::string remote, const HubTools& tools)
      : tools_(tools),
        remote_(std::move(remote)),
        resolved_(resolved_hub("git:" + remote_, tools.repository)) {
    folder_ = tools.cache / "hubs" / (hub_key(resolved_, {}, false) + ".git");
    std::error_code failed;
    fs::create_directories(folder_.parent_path(), failed);
    lock_ = wait_for_lock(
        folder_.string() + ".lock", [] {}, tools.interrupted);
    if (lock_ == nullptr) {
      throw Error("interrupted while waiting for another process that uses the hub's copy",
                  folder_.string());
    }
  }

  std::string key() override {
    if (key_.empty()) {
      const Names names = names_there();
      key_ = hub_key(resolved_, names.id, names.is_new);
    }
    return key_;
  }

  HubListing list() override {
    fetch("*");
    HubListing listing;
    for (const auto& [ref, tip] : copy().tips("")) {
      try {
        list_reference(ref, copy().files_of(tip), listing);
      } catch (const Error&) {  // a reference may have any target
        listing.strange.push_back(no_payload(kHubRefs + ref));
      }
    }
    return listing;
  }

  std::string read(const HubEntry& entry) override {
    if (copy().size_of(entry.place) > kLargestPayload) {
      throw Error("the payload is too large", entry.name,
                  "perf-compare did not write it in this form: find out who put it there");
    }
    return copy().content_of(entry.place);
  }

  void put(const std::string& writer, const std::vector<Payload>& payloads) override {
    if (const Names names = names_there(); names.is_new && names.id.empty()) {
      make_copy();
      push({copy().empty_commit(new_id()) + ":" + kHubId});  // another one may be faster
      key_.clear();
    }
    std::string place = writer;
    std::string said;
    Tips before;
    for (int tries = 0, stuck = 0; tries < kTries; ++tries) {
      if (tries > 0) {
        wait_a_little();
      }
      fetch(place + "/*");
      const Tips now = copy().tips(place + "/");
      stuck = tries > 0 && now == before ? stuck + 1 : 0;
      if (stuck == kStuckTries && place == writer &&
          said.find("failed to update ref") != std::string::npos) {
        place +=
            "." + std::to_string(std::random_device{}() % 1000000);  // a killed server left a lock
        continue;
      }
      if (stuck == kStuckTries || is_interrupted()) {
        break;
      }
      before = now;
      const std::vector<std::string> wanted = commits_for(place, payloads, now);
      if (wanted.empty()) {
        return;
      }
      const ProcessResult pushed = push(wanted);
      if (pushed.exit_code == 0 && !pushed.timed_out) {
        return;
      }
      said = complaint(pushed.stderr_text);
      if (const std::size_t why = pushed.stdout_text.find("\n!"); why != std::string::npos) {
        said = first_line(pushed.stdout_text.substr(why + 1));
      }
    }
    throw Error("cannot push the runs to the hub: " + said, address(),
                "let this job push there; the runs stay in the store");
  }

  void drop_before(const std::string& month) override {
    fetch("*");
    std::vector<std::string> wanted;
    for (const auto& [ref, tip] : copy().tips("")) {
      const std::string of = ref.substr(ref.rfind('/') + 1);
      if (is_month(of) && of < month) {
        wanted.push_back(":" + (kHubRefs + ref));
      }
    }
    for (const std::string& one : wanted) {
      if (const ProcessResult pushed = push({one}); pushed.exit_code != 0) {
        throw Error("cannot remove payloads from the hub: " + complaint(pushed.stderr_text),
                    one.substr(1), "let this job delete references there");
      }
    }
    fetch("*");
  }

 private:
  static void list_reference(const std::string& ref,
                             const std::map<std::string, std::string>& files, HubListing& listing) {
    const std::size_t slash = ref.find('/');
    const std::string writer = ref.substr(0, slash);
    const std::string month = slash == std::string::npos ? "" : ref.substr(slash + 1);
    if (!is_run_id(writer) || !is_month(month)) {
      listing.strange.push_back(no_payload(kHubRefs + ref));
      return;
    }
    for (const auto& [file, blob] : files) {
      const std::string name = payload_name(file);
      if (name.empty()) {
        listing.strange.push_back(no_payload(ref + "/" + file));
      } else {
        listing.entries.push_back({writer, month, name, blob});
      }
    }
  }

  /// What the hub's references tell.
  struct Names {
    std::string id;
    bool is_new = false;  ///< it can be reached and has no payloads
  };

  Names names_there() {
    make_copy();
    const ProcessResult listed = git({"ls-remote", "--quiet", remote_, "refs/perf-compare/*"});
    Names names;
    names.is_new = listed.exit_code == 0 && listed.stdout_text.find(kHubRefs) == std::string::npos;
    if (const std::size_t at = listed.stdout_text.find("\t" + std::string(kHubId) + "\n");
        at != std::string::npos) {
      const std::size_t begin = listed.stdout_text.rfind('\n', at) + 1;
      names.id = listed.stdout_text.substr(begin, at - begin);
    }
    return names;
  }

  /// Settings for reaching remotes are from the user's repository, objects and references in the
  /// copy, which must exist. Made once: git lists the settings of both.
  const Variables& environment() {
    if (environment_.empty()) {
      environment_ = remote_settings(tools_.repository, folder_);
      // Gives up after a minute without data.
      environment_.emplace_back("GIT_HTTP_LOW_SPEED_LIMIT", "1");
      environment_.emplace_back("GIT_HTTP_LOW_SPEED_TIME", "60");
      environment_.emplace_back("GIT_DIR", folder_.string());
    }
    return environment_;
  }

  ProcessResult git(std::vector<std::string> arguments) {
    const Repository& repository = tools_.repository;
    ProcessResult result =
        run_git(repository.process(), {std::move(arguments), repository.workdir(), environment()});
    if (result.exit_code != 0 && is_interrupted()) {
      throw Error("interrupted while git was connecting to the hub", address());
    }
    return result;
  }

  bool is_interrupted() const { return tools_.interrupted && tools_.interrupted(); }

  std::string address() const { return without_credentials("git:" + remote_); }

  void make_copy() const {
    std::error_code ignored;
    if (!fs::exists(folder_ / "HEAD", ignored)) {
      fs::remove_all(folder_, ignored);
      git_output(tools_.repository.process(),
                 {{"init", "--bare", "--quiet", folder_.string()}, folder_.parent_path()},
                 "cannot create a copy of the hub");
    }
  }

  ProcessResult fetch_once(const std::string& which) {
    const std::string refs = kHubRefs + which;
    return git({"fetch", "--quiet", "--no-tags", "--prune", "--no-write-fetch-head",
                "--no-recurse-submodules", "--no-filter", remote_, "+" + refs + ":" + refs});
  }

  bool is_reached() const {
    const Repository& repository = tools_.repository;
    return run_git(repository.process(),
                   {{"ls-remote", "--quiet", remote_, "HEAD"}, repository.workdir()})
               .exit_code == 0;
  }

  /// A damaged copy, as a killed process may leave it, is made again.
  void fetch(const std::string& which) {
    make_copy();
    ProcessResult fetched = fetch_once(which);
    if (fetched.exit_code != 0 && is_reached()) {
      std::error_code failed;
      copy_.reset();
      fs::remove_all(folder_, failed);
      make_copy();
      fetched = fetch_once(which);
    }
    if (fetched.exit_code != 0 || fetched.timed_out) {
      throw Error("cannot reach the hub: " + complaint(fetched.stderr_text), address(),
                  "check that git reaches it: git ls-remote " + without_credentials(remote_));
    }
  }

  ProcessResult push(const std::vector<std::string>& wanted) {
    std::vector<std::string> arguments{
        "push", "--porcelain", "--no-follow-tags", "--no-signed", "--recurse-submodules=no",
        remote_};
    arguments.insert(arguments.end(), wanted.begin(), wanted.end());
    return git(std::move(arguments));
  }

  GitCopy& copy() {
    if (!copy_) {
      copy_.emplace(folder_);
    }
    return *copy_;
  }

  /// The refspecs to push, "COMMIT:REFERENCE", of each month with new payloads.
  std::vector<std::string> commits_for(const std::string& writer,
                                       const std::vector<Payload>& payloads, const Tips& now) {
    std::map<std::string, std::vector<const Payload*>> by_month;
    for (const Payload& payload : payloads) {
      by_month[payload.month].push_back(&payload);
    }
    std::vector<std::string> wanted;
    for (const auto& [month, all] : by_month) {
      const std::string ref = writer + "/" + month;
      const auto tip = now.find(ref);
      const std::string commit = copy().commit(all, writer, tip == now.end() ? "" : tip->second);
      if (!commit.empty()) {
        wanted.push_back(commit + ":" + kHubRefs + ref);
      }
    }
    return wanted;
  }

  /// Random, so that writers to one reference do not collide again.
  static void wait_a_little() {
    std::this_thread::sleep_for(std::chrono::milliseconds(20 + std::random_device{}() % 400));
  }

  HubTools tools_;
  std::string remote_;
  std::string resolved_;
  std::string key_{};
  fs::path folder_;
  Variables environment_{};
  BuildLock lock_;
  std::optional<GitCopy> copy_;
};

}  // namespace

std::unique_ptr<Hub> open_git_hub(const std::string& remote, const HubTools& tools) {
  return std::make_unique<RefHub>(remote, tools);
}

}  // namespace perf
