#include "collector/git/ancestry.h"

#include <gtest/gtest.h>

#include "collector/git/repository.h"
#include "tests/collector/git/scratch.h"

namespace perf {
namespace {

using test::error_of;
using test::run_process;
using test::Scratch;
using test::usage_error_of;

/// main: first - second - merge - last; side: first - aside, merged.
struct Forked {
  Forked() {
    first = scratch.commit("a", "1");
    scratch.git({"checkout", "--quiet", "-b", "side"});
    aside = scratch.commit("b", "1");
    scratch.git({"checkout", "--quiet", "main"});
    second = scratch.commit("a", "2");
    scratch.git({"merge", "--quiet", "--no-ff", "-m", "Merge", "side"});
    merge = scratch.git({"rev-parse", "HEAD"});
    last = scratch.commit("a", "3");
  }
  Scratch scratch;
  std::string first, aside, second, merge, last;
};

std::vector<std::string> oids(const std::vector<Revision>& revisions) {
  std::vector<std::string> list;
  for (const Revision& revision : revisions) {
    list.push_back(revision.oid);
  }
  return list;
}

/// A clone that has only the last commits.
Repository shallow_clone(const Scratch& scratch, const std::string& name, int depth) {
  const std::string to = scratch.beside(name).string();
  scratch.git({"clone", "--quiet", "--depth", std::to_string(depth),
               "file://" + scratch.path().string(), to});
  return Repository::open(to, run_process());
}

/// Exit code 2, and not 3.
bool is_usage_error(const std::function<void()>& call) {
  try {
    call();
  } catch (const UsageError&) {
    return true;
  } catch (const Error&) {
  }
  return false;
}

TEST(Ancestry, FindsMergeBases) {
  Forked forked;
  const Repository repository = Repository::open(forked.scratch.path(), run_process());
  EXPECT_EQ(merge_base(repository, forked.aside, forked.second), forked.first);
  EXPECT_EQ(merge_base(repository, forked.aside, forked.last), forked.aside);
  EXPECT_TRUE(is_ancestor(repository, forked.aside, forked.last));
  EXPECT_TRUE(is_ancestor(repository, forked.last, forked.last));
  EXPECT_FALSE(is_ancestor(repository, forked.aside, forked.second));
  EXPECT_FALSE(is_ancestor(repository, forked.last, forked.first));
  EXPECT_FALSE(is_ancestor(repository, std::string(40, '0'), forked.first));
  EXPECT_FALSE(is_ancestor(repository, "not an id", forked.first));
}

TEST(Ancestry, DetectsUnrelatedHistories) {
  Scratch scratch;
  const std::string first = scratch.commit("a", "1");
  scratch.git({"checkout", "--quiet", "--orphan", "other"});
  const std::string other = scratch.commit("b", "1");
  const Repository repository = Repository::open(scratch.path(), run_process());
  EXPECT_EQ(merge_base(repository, first, other), std::nullopt);
  EXPECT_EQ(first_parent(repository, repository.commit(other)), std::nullopt);
}

TEST(Ancestry, ListsTheFirstParentLineOfARange) {
  Forked forked;
  const Repository repository = Repository::open(forked.scratch.path(), run_process());
  EXPECT_EQ(oids(range(repository, forked.first + "..main")),
            (std::vector<std::string>{forked.second, forked.merge, forked.last}));
  // side is no first parent of main: what main's own line has beside it.
  EXPECT_EQ(oids(range(repository, "side..")),
            (std::vector<std::string>{forked.second, forked.merge, forked.last}));
  EXPECT_EQ(oids(range(repository, "HEAD..side")), std::vector<std::string>{});
  EXPECT_EQ(oids(range(repository, "main~2..side")), std::vector<std::string>{forked.aside});
  for (const std::string bad : {"main", "a...b", "main...side", "nothing..main", "main..nothing"}) {
    usage_error_of([&] { range(repository, bad); });
  }
}

TEST(Ancestry, WalksTheWholeFirstParentLine) {
  Forked forked;
  const Repository repository = Repository::open(forked.scratch.path(), run_process());
  const FirstParentLine line = first_parent_line(repository, resolve(repository, "main"));
  EXPECT_EQ(oids(line.commits),
            (std::vector<std::string>{forked.first, forked.second, forked.merge, forked.last}));
  EXPECT_FALSE(line.cut);
  EXPECT_EQ(line.commits.back().name, "main");
  EXPECT_EQ(oids(first_parent_line(repository, repository.commit(forked.aside)).commits),
            (std::vector<std::string>{forked.first, forked.aside}));
}

TEST(Ancestry, WalksTheLineAsFarAsAShallowCloneGoes) {
  Forked forked;
  const Repository repository = shallow_clone(forked.scratch, "two", 2);
  const FirstParentLine line = first_parent_line(repository, resolve(repository, "HEAD"));
  EXPECT_EQ(oids(line.commits), (std::vector<std::string>{forked.merge, forked.last}));
  EXPECT_TRUE(line.cut);
}

TEST(Ancestry, UsesGitInAShallowClone) {
  Forked forked;
  const Repository repository = shallow_clone(forked.scratch, "three", 3);
  ASSERT_TRUE(repository.is_shallow());
  EXPECT_TRUE(is_ancestor(repository, forked.second, forked.last));
  EXPECT_EQ(merge_base(repository, forked.second, forked.last), forked.second);
  EXPECT_EQ(oids(range(repository, "HEAD~2..HEAD")),
            (std::vector<std::string>{forked.merge, forked.last}));
}

TEST(Ancestry, ReportsWhatAShallowCloneLacks) {
  Forked forked;
  forked.scratch.git({"tag", "old", forked.first});
  const Repository repository = shallow_clone(forked.scratch, "one", 1);
  const std::vector<std::function<void()>> calls{
      [&] { resolve(repository, "HEAD~1"); }, [&] { resolve(repository, forked.first); },
      [&] { first_parent(repository, resolve(repository, "HEAD")); },
      [&] { repository.commit(forked.first); }};
  for (const auto& call : calls) {
    const Error error = error_of(call);
    EXPECT_NE(error.hint.find("fetch-depth: 0"), std::string::npos) << error.subject;
    EXPECT_FALSE(is_usage_error(call)) << error.subject;
  }
  // Names that were not fetched are the asker's error, with the same advice.
  const Error tag = usage_error_of([&] { resolve(repository, "old"); });
  EXPECT_NE(tag.hint.find("fetch-depth: 0"), std::string::npos) << tag.hint;
}

TEST(Ancestry, RefusesARangeBeyondAShallowClone) {
  Scratch scratch;
  scratch.commit("a", "1");
  scratch.git({"checkout", "--quiet", "-b", "old"});
  scratch.git({"checkout", "--quiet", "main"});
  for (int i = 2; i < 6; ++i) {
    scratch.commit("a", std::to_string(i));
  }
  const std::string to = scratch.beside("cut").string();
  scratch.git({"clone", "--quiet", "--depth", "2", "--no-single-branch",
               "file://" + scratch.path().string(), to});
  const Repository repository = Repository::open(to, run_process());
  const Error error = error_of([&] { range(repository, "origin/old..HEAD"); });
  EXPECT_NE(error.hint.find("fetch-depth: 0"), std::string::npos);
  EXPECT_NE(error_of([&] {
              merge_base(repository, resolve(repository, "origin/old").oid,
                         resolve(repository, "HEAD").oid);
            }).hint.find("fetch-depth: 0"),
            std::string::npos);
}

}  // namespace
}  // namespace perf
