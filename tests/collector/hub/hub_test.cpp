// Hubs: what is brought there lies there, once; what others did there is as untrusted as they are.

#include "collector/hub/hub.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>

#include "collector/build/build_cache.h"
#include "tests/collector/git/scratch.h"
#ifdef PERF_COMPARE_LIBPQ
#include "tests/collector/postgres/server.h"
#endif

namespace perf {
namespace {

namespace fs = std::filesystem;
using test::error_of, test::git, test::run_process, test::write_file;

Payload payload(int number, const std::string& month = "2026-01") {
  std::string digest(32, '0');
  digest.back() = static_cast<char>('a' + number % 6);
  return {"run-" + std::to_string(number) + "-" + digest, month,
          "bytes of " + std::to_string(number)};
}

std::vector<std::string> names(const HubListing& listing) {
  std::vector<std::string> found;
  std::ranges::transform(listing.entries, std::back_inserter(found), &HubEntry::name);
  return found;
}

std::vector<std::string> strange(const HubListing& listing) {
  std::vector<std::string> found;
  std::ranges::transform(listing.strange, std::back_inserter(found), &Error::subject);
  return found;
}

/// A clone, a bare repository that it calls origin, a folder, and caches.
struct World {
  World() {
    scratch.commit("file", "text");
    git(scratch.path(), {"init", "-q", "--bare", remote().string()});
    scratch.git({"remote", "add", "origin", remote().string()});
    fs::create_directory(shared());
  }
  fs::path remote() const { return scratch.beside("remote.git"); }
  fs::path shared() const { return scratch.beside("shared"); }
  fs::path cache(const std::string& name = "cache") const { return scratch.beside(name); }
  std::unique_ptr<Hub> open(const std::string& kind,
                            const std::string& cache_name = "cache") const {
    return open_hub(address(kind), {repository, cache(cache_name), [] { return false; }});
  }
  std::string address(const std::string& kind) const {
#ifdef PERF_COMPARE_LIBPQ
    if (kind == "postgres") {
      if (postgres_.empty()) {
        postgres_ = test::new_postgres_hub();
      }
      return postgres_;
    }
#endif
    return kind == "git" ? "git:origin" : "dir:" + shared().string();
  }
  /// Waits for no lock: it was left behind.
  std::string remote_git(const std::vector<std::string>& arguments) const {
    return git(remote(), arguments);
  }

  test::Scratch scratch;
  Repository repository = Repository::open(scratch.path(), run_process());
  mutable std::string postgres_{};
};

class EveryHub : public testing::TestWithParam<const char*> {
 protected:
  World world_;
};

TEST_P(EveryHub, HasWhatWasBroughtOnce) {
  const std::unique_ptr<Hub> hub = world_.open(GetParam());
  EXPECT_TRUE(hub->list().entries.empty());
  hub->put("ada", {payload(1), payload(2, "2025-12")});
  hub->put("ada", {payload(2, "2025-12"), payload(3)});
  const HubListing listing = hub->list();
  ASSERT_EQ(listing.entries.size(), 3U);
  EXPECT_EQ(names(listing), (std::vector{payload(2).name, payload(1).name, payload(3).name}));
  EXPECT_EQ(listing.entries[0].writer, "ada");
  EXPECT_EQ(listing.entries[0].month, "2025-12");
  EXPECT_EQ(hub->read(listing.entries[2]), "bytes of 3");
  EXPECT_TRUE(listing.strange.empty());
}

TEST_P(EveryHub, IsSharedByWriters) {
  {
    const std::unique_ptr<Hub> hub = world_.open(GetParam(), "cache-1");
    hub->put("ada", {payload(1)});
  }
  const std::unique_ptr<Hub> hub = world_.open(GetParam(), "cache-2");
  hub->put("bob", {payload(2)});
  EXPECT_EQ(names(hub->list()), (std::vector{payload(1).name, payload(2).name}));
}

TEST_P(EveryHub, LosesMonthsThatAreDropped) {
  const std::unique_ptr<Hub> hub = world_.open(GetParam());
  hub->put("ada", {payload(1), payload(2, "2025-12")});
  hub->put("bob", {payload(3, "2025-12")});
  hub->drop_before("2026-01");
  EXPECT_EQ(names(hub->list()), std::vector{payload(1).name});
  hub->put("ada", {payload(4)});
  EXPECT_EQ(hub->list().entries.size(), 2U);
}

#ifdef PERF_COMPARE_LIBPQ
INSTANTIATE_TEST_SUITE_P(Kinds, EveryHub, testing::Values("git", "dir", "postgres"));
#else
INSTANTIATE_TEST_SUITE_P(Kinds, EveryHub, testing::Values("git", "dir"));
#endif

TEST(Hub, RefusesInvalidAddresses) {
  const World world;
  for (const std::string address :
       {"", "origin", "git:", "dir:", "git:--upload-pack=x", "http://h"}) {
    EXPECT_THROW(open_hub(address, {world.repository, world.cache()}), UsageError) << address;
  }
}

TEST(FolderHub, NeedsAnExistingFolder) {
  const World world;
  const Error error = error_of([&] {
    open_hub("dir:" + (world.shared() / "typo").string(), {world.repository, world.cache()});
  });
  EXPECT_EQ(error.what, "no such folder");
  EXPECT_FALSE(fs::exists(world.shared() / "typo"));
}

TEST(FolderHub, ReportsOtherFilesAndFollowsNoLink) {
  const World world;
  const std::unique_ptr<Hub> hub = world.open("dir");
  hub->put("ada", {payload(1)});
  const fs::path month = world.shared() / "runs/ada/2026-01";
  write_file(month / "readme.txt", "hello");
  write_file(world.shared() / "runs/notes.txt", "hello");
  write_file(world.shared() / "runs/ada/never" / payload_file(payload(2).name), "x");
  write_file(world.scratch.beside("secret"), "secret");
  fs::create_symlink(world.scratch.beside("secret"), month / payload_file(payload(3).name));
  fs::create_directory_symlink(world.scratch.path(), world.shared() / "runs/eve");
  const HubListing listing = hub->list();
  EXPECT_EQ(names(listing), std::vector{payload(1).name});
  EXPECT_EQ(strange(listing),
            (std::vector<std::string>{"ada/2026-01/readme.txt", "ada/never", "notes.txt"}));
  EXPECT_THROW(hub->read({"ada", "2026-01", "x", "ada/2026-01/" + payload_file(payload(3).name)}),
               Error);
  hub->drop_before("9999-12");
  EXPECT_TRUE(fs::exists(world.scratch.path() / "file"));
}

TEST(FolderHub, RemovesFilesOfAKilledWriter) {
  const World world;
  const std::unique_ptr<Hub> hub = world.open("dir");
  hub->put("ada", {payload(1)});
  const fs::path left = world.shared() / "runs/ada/2026-01/.part-x.99";
  write_file(left, "half");
  EXPECT_EQ(hub->list().entries.size(), 1U);
  hub->put("ada", {payload(2)});
  EXPECT_FALSE(fs::exists(left));
}

TEST(FolderHub, ListsOthersBesideAnUnreadableFolder) {
  if (geteuid() == 0) {
    GTEST_SKIP() << "root may read everything";
  }
  const World world;
  const std::unique_ptr<Hub> hub = world.open("dir");
  hub->put("ada", {payload(1)});
  fs::create_directory(world.shared() / "runs/eve");
  fs::permissions(world.shared() / "runs/eve", fs::perms::none);
  EXPECT_EQ(names(hub->list()), std::vector{payload(1).name});
  EXPECT_EQ(strange(hub->list()), std::vector{(world.shared() / "runs/eve").string()});
  hub->put("ada", {payload(2)});
}

TEST(FolderHub, RefusesTooLargePayloads) {
  const World world;
  const std::unique_ptr<Hub> hub = world.open("dir");
  hub->put("ada", {payload(1)});
  fs::resize_file(world.shared() / "runs/ada/2026-01" / payload_file(payload(1).name),
                  kLargestPayload + 1);
  EXPECT_THROW(hub->read(hub->list().entries.at(0)), Error);
}

TEST(FolderHub, ReportsMissingWritePermission) {
  const World world;
  const std::unique_ptr<Hub> hub = world.open("dir");
  write_file(world.shared() / "runs/ada", "no folder");
  const Error error = error_of([&] { hub->put("ada", {payload(1)}); });
  EXPECT_NE(error.what.find("cannot push a run to the hub"), std::string::npos) << error.what;
  EXPECT_NE(error.hint.find("the run stays in the store"), std::string::npos) << error.hint;
}

TEST(GitHub, IsNotFetchedByClones) {
  const World world;
  world.scratch.git({"push", "-q", "origin", "main"});
  world.open("git")->put("ada", {payload(1)});
  git(world.scratch.beside(""), {"clone", "-q", world.remote().string(), "clone"});
  EXPECT_EQ(git(world.scratch.beside("clone"), {"for-each-ref", "refs/perf-compare"}), "");
  EXPECT_EQ(world.scratch.git({"for-each-ref", "refs/perf-compare"}), "");
  EXPECT_EQ(world.remote_git({"for-each-ref", "--format=%(refname)", "refs/perf-compare"}),
            "refs/perf-compare/id\nrefs/perf-compare/runs/ada/2026-01");
}

/// Another cache pushes to the same reference between looking and pushing: as with one writer on
/// many runners.
TEST(GitHub, TriesAgainAfterAConflictingPush) {
  const World world;
  world.open("git")->put("ada", {payload(1)});
  // The server lets the first push of a try see another one come in before it.
  const fs::path other = world.scratch.beside("other.git");
  git(world.scratch.beside(""),
      {"clone", "-q", "--mirror", world.remote().string(), other.string()});
  write_file(world.remote() / "hooks/pre-receive",
             "#!/bin/sh\n[ -e once ] && exit 0\ntouch once\n"
             "unset $(git rev-parse --local-env-vars) GIT_QUARANTINE_PATH\ncd '" +
                 other.string() +
                 "'\n"
                 "tree=$(git rev-parse refs/perf-compare/runs/ada/2026-01^{tree})\n"
                 "new=$(git -c user.name=a -c user.email=b commit-tree -p "
                 "refs/perf-compare/runs/ada/2026-01 -m more $tree)\n"
                 "git push -q '" +
                 world.remote().string() + "' $new:refs/perf-compare/runs/ada/2026-01\n");
  fs::permissions(world.remote() / "hooks/pre-receive", fs::perms::owner_all);
  world.open("git")->put("ada", {payload(2)});
  EXPECT_TRUE(fs::exists(world.remote() / "once"));
  EXPECT_EQ(world.open("git")->list().entries.size(), 2U);
  EXPECT_EQ(world.remote_git({"rev-list", "--count", "refs/perf-compare/runs/ada/2026-01"}), "3");
}

TEST(GitHub, AvoidsALockThatAKilledServerLeft) {
  const World world;
  world.open("git")->put("ada", {payload(1)});
  write_file(world.remote() / "refs/perf-compare/runs/ada/2026-01.lock", "");
  world.open("git")->put("ada", {payload(2)});
  EXPECT_EQ(world.open("git")->list().entries.size(), 2U);
}

TEST(GitHub, ReportsWhoRefusedAndAHint) {
  const World world;
  write_file(world.remote() / "hooks/pre-receive",
             "#!/bin/sh\necho no right to write >&2\nexit 1\n");
  fs::permissions(world.remote() / "hooks/pre-receive", fs::perms::owner_all);
  const std::unique_ptr<Hub> hub = world.open("git");
  const Error refused = error_of([&] { hub->put("ada", {payload(1)}); });
  EXPECT_NE(refused.what.find("pre-receive hook declined"), std::string::npos) << refused.what;
  EXPECT_EQ(refused.subject, "git:origin");
  EXPECT_NE(refused.hint.find("let this job push there"), std::string::npos) << refused.hint;
  fs::rename(world.remote(), world.scratch.beside("away"));
  const Error gone = error_of([&] { hub->list(); });
  EXPECT_NE(gone.what.find("cannot reach the hub: fatal: "), std::string::npos) << gone.what;
}

TEST(GitHub, ReportsInterruptions) {
  const World world;
  fs::rename(world.remote(), world.scratch.beside("away"));
  const auto hub = open_hub("git:origin", {world.repository, world.cache(), [] { return true; }});
  EXPECT_EQ(error_of([&] { hub->list(); }).what, "interrupted while git was connecting to the hub");
}

/// What the clone's settings say of its remotes holds, even where it holds for this clone alone;
/// what they say of other things does not.
TEST(GitHub, UsesTheSettingsOfTheClone) {
  const World world;
  const std::string folder = world.scratch.path().parent_path().string();
  write_file(world.scratch.beside("more"), "[url \"" + folder + "/\"]\n  insteadOf = elsewhere:\n");
  world.scratch.git({"config", "includeIf.gitdir:" + world.scratch.path().string() + "/.git.path",
                     world.scratch.beside("more").string()});
  world.scratch.git({"remote", "set-url", "origin", "elsewhere:remote.git"});
  world.scratch.git({"config", "remote.origin.mirror", "true"});
  world.scratch.git({"config", "push.gpgSign", "true"});
  const fs::path hook = world.scratch.beside("hooks/pre-push");
  fs::create_directory(hook.parent_path());
  write_file(hook, "#!/bin/sh\ntouch '" + folder + "/ran'\nexit 1\n");
  fs::permissions(hook, fs::perms::owner_all);
  world.scratch.git({"config", "core.hooksPath", hook.parent_path().string()});
  world.open("git")->put("ada", {payload(1)});
  EXPECT_EQ(world.open("git", "cache-2")->list().entries.size(), 1U);
  EXPECT_FALSE(fs::exists(world.scratch.beside("ran")));
}

TEST(GitHub, RepairsItsCopy) {
  const World world;
  world.open("git")->put("ada", {payload(1)});
  for (const fs::directory_entry& entry : fs::directory_iterator(world.cache() / "hubs")) {
    if (entry.path().extension() == ".git") {
      write_file(entry.path() / "packed-refs", "nonsense");
      write_file(entry.path() / "HEAD.lock", "");
    }
  }
  world.open("git")->put("ada", {payload(2)});
  EXPECT_EQ(world.open("git")->list().entries.size(), 2U);
}

TEST(GitHub, ReportsOtherFiles) {
  const World world;
  world.scratch.git({"push", "-q", "origin", "main:refs/perf-compare/runs/eve/2026-01"});
  world.scratch.git({"push", "-q", "origin", "main:refs/perf-compare/runs/eve/a/b"});
  const HubListing listing = world.open("git")->list();
  EXPECT_TRUE(listing.entries.empty());
  EXPECT_EQ(strange(listing),
            (std::vector<std::string>{"eve/2026-01/file", "refs/perf-compare/runs/eve/a/b"}));
}

TEST(GitHub, ListsOthersBesideABrokenReference) {
  const World world;
  world.open("git")->put("ada", {payload(1)});
  world.scratch.git({"push", "-q", "origin", "main^{tree}:refs/perf-compare/runs/eve/2026-01"});
  world.scratch.git(
      {"push", "-q", "origin",
       world.scratch.git({"rev-parse", "main:file"}) + ":refs/perf-compare/runs/eve/2026-02"});
  const std::unique_ptr<Hub> hub = world.open("git");
  const HubListing listing = hub->list();
  EXPECT_EQ(names(listing), std::vector{payload(1).name});
  EXPECT_EQ(strange(listing), (std::vector<std::string>{"refs/perf-compare/runs/eve/2026-01",
                                                        "refs/perf-compare/runs/eve/2026-02"}));
  hub->put("ada", {payload(2)});
  hub->drop_before("2026-03");
  EXPECT_EQ(world.remote_git({"for-each-ref", "refs/perf-compare/runs"}), "");
}

}  // namespace
}  // namespace perf
