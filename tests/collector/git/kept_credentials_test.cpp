#include "collector/git/kept_credentials.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <utility>
#include <vector>

#include "collector/git/git_command.h"
#include "tests/collector/git/scratch.h"

namespace perf {
namespace {

using Variables = std::vector<std::pair<std::string, std::string>>;

/// The address that git asks in place of a URL.
std::string asked(Variables environment, const std::string& url) {
  const test::Scratch scratch;
  GitRequest request{{"ls-remote", "--get-url", url}, scratch.path(), std::move(environment)};
  const std::string line = git_output(test::run_process(), request, "no URL");
  return line.substr(0, line.size() - 1);
}

TEST(KeptCredentials, ReachGitForTheUrlAndItsHost) {
  KeptCredentials credentials;
  EXPECT_EQ(credentials.take_from("https://u:SECRET@host/group/x"), "https://host/group/x");
  EXPECT_EQ(asked(credentials.environment(), "https://host/group/x"),
            "https://u:SECRET@host/group/x");
  EXPECT_EQ(asked(credentials.environment(), "https://host/other"), "https://u:SECRET@host/other");
  credentials.take_from("https://u:SECRET@bare");
  EXPECT_EQ(asked(credentials.environment(), "https://bare/x"), "https://u:SECRET@bare/x");
  for (const std::string other :
       {"https://host.org/x", "http://host/x", "https://host:1/x", "https://bare.org/x"}) {
    EXPECT_EQ(asked(credentials.environment(), other), other);
  }
}

TEST(KeptCredentials, AreThoseOfEachUrl) {
  KeptCredentials credentials;
  credentials.take_from("https://first@host/a");
  credentials.take_from("https://second@host/b");
  credentials.take_from("ssh://git:third@host/c");
  EXPECT_EQ(asked(credentials.environment(), "https://host/a"), "https://first@host/a");
  EXPECT_EQ(asked(credentials.environment(), "https://host/b"), "https://second@host/b");
  EXPECT_EQ(asked(credentials.environment(), "https://host/c"), "https://first@host/c");
  EXPECT_EQ(asked(credentials.environment(), "ssh://git@host/d"), "ssh://git:third@host/d");
}

TEST(KeptCredentials, AreNoneOfUrlsWithoutAny) {
  KeptCredentials credentials;
  for (const std::string url :
       {"", "../x", "/x", "git@host:x", "ssh://git@host/x", "https://host"}) {
    EXPECT_EQ(credentials.take_from(url), url);
  }
  EXPECT_TRUE(credentials.environment().empty());
}

TEST(KeptCredentials, LeaveTheUsersOwnSettings) {
  KeptCredentials credentials;
  credentials.take_from("https://u:SECRET@host");
  setenv("GIT_CONFIG_COUNT", "1", 1);
  Variables environment = credentials.environment();
  unsetenv("GIT_CONFIG_COUNT");
  environment.emplace_back("GIT_CONFIG_KEY_0", "url.https://mirror/.insteadOf");
  environment.emplace_back("GIT_CONFIG_VALUE_0", "https://slow/");
  EXPECT_EQ(asked(environment, "https://slow/x"), "https://mirror/x");
  EXPECT_EQ(asked(environment, "https://host/x"), "https://u:SECRET@host/x");
}

}  // namespace
}  // namespace perf
