#include "collector/git/without_credentials.h"

#include <gtest/gtest.h>

namespace perf {
namespace {

TEST(WithoutCredentials, TakesThemOutOfUrls) {
  EXPECT_EQ(without_credentials("https://u:SECRET@host/x.git"), "https://host/x.git");
  EXPECT_EQ(without_credentials("https://TOKEN@host:8443/x"), "https://host:8443/x");
  EXPECT_EQ(without_credentials("http://:SECRET@host"), "http://host");
  EXPECT_EQ(without_credentials("HTTPS://u:SE@CRET@host/a@b"), "HTTPS://host/a@b");
  EXPECT_EQ(without_credentials("https://u:SECRET@[::1]:80/x"), "https://[::1]:80/x");
  EXPECT_EQ(without_credentials("ftp://u:SECRET@host?a@b"), "ftp://host?a@b");
}

TEST(WithoutCredentials, LeavesTheNameThatSshNeeds) {
  EXPECT_EQ(without_credentials("ssh://git@host:22/x"), "ssh://git@host:22/x");
  EXPECT_EQ(without_credentials("git+SSH://git@host/x"), "git+SSH://git@host/x");
  EXPECT_EQ(without_credentials("ssh://git:SECRET@host/x"), "ssh://git@host/x");
  EXPECT_EQ(without_credentials("ssh://:SECRET@host/x"), "ssh://host/x");
  EXPECT_EQ(without_credentials("git@host:path/x@y"), "git@host:path/x@y");
}

TEST(WithoutCredentials, LeavesWhatHasNone) {
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
