#include <gtest/gtest.h>

#include <cstdlib>
#include <utility>
#include <vector>

#include "collector/git/git_command.h"
#include "collector/git/settings.h"
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

TEST(KeptCredentials, AreEmptyForUrlsWithoutAny) {
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

TEST(WithoutCredentials, RemovesThemFromUrls) {
  EXPECT_EQ(without_credentials("https://u:SECRET@host/x.git"), "https://host/x.git");
  EXPECT_EQ(without_credentials("https://TOKEN@host:8443/x"), "https://host:8443/x");
  EXPECT_EQ(without_credentials("http://:SECRET@host"), "http://host");
  EXPECT_EQ(without_credentials("HTTPS://u:SE@CRET@host/a@b"), "HTTPS://host/a@b");
  EXPECT_EQ(without_credentials("https://u:SECRET@[::1]:80/x"), "https://[::1]:80/x");
  EXPECT_EQ(without_credentials("ftp://u:SECRET@host?a@b"), "ftp://host?a@b");
}

TEST(WithoutCredentials, KeepsTheNameThatSshNeeds) {
  EXPECT_EQ(without_credentials("ssh://git@host:22/x"), "ssh://git@host:22/x");
  EXPECT_EQ(without_credentials("git+SSH://git@host/x"), "git+SSH://git@host/x");
  EXPECT_EQ(without_credentials("ssh://git:SECRET@host/x"), "ssh://git@host/x");
  EXPECT_EQ(without_credentials("ssh://:SECRET@host/x"), "ssh://host/x");
  EXPECT_EQ(without_credentials("git@host:path/x@y"), "git@host:path/x@y");
}

TEST(WithoutCredentials, KeepsUrlsWithoutCredentials) {
  for (const char* text :
       {"", "://", "a://", "@", "https://host/x", "file:///home/a@b", "../up@1", "/a b@c",
        "see https://host or ask root@host", "https://host/\nroot@host", "https://host#a@b"}) {
    EXPECT_EQ(without_credentials(text), text);
  }
}

TEST(WithoutCredentials, CleansAllUrlsOfAText) {
  EXPECT_EQ(without_credentials(
                "fatal: clone of 'https://u:SECRET@host/s' into '/a@b' failed\nhttps://T@host\n"),
            "fatal: clone of 'https://host/s' into '/a@b' failed\nhttps://host\n");
  EXPECT_EQ(without_credentials("https://a:b@c,https://d:e@f,ssh://g:i@j"),
            "https://c,https://f,ssh://g@j");
  EXPECT_EQ(without_credentials("url.https://u:SECRET@host/.insteadOf=https://host/"),
            "url.https://host/.insteadOf=https://host/");
}

}  // namespace
}  // namespace perf
