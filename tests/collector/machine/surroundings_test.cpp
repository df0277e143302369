#include <gtest/gtest.h>

#include <set>

#include "collector/machine/environment.h"
#include "fixture_tree.h"

namespace perf {
namespace {

using testing::FixtureTree;
using Variables = std::map<std::string, std::string>;

GetVariable variables(const Variables& values, std::set<std::string>* asked = nullptr) {
  return [values, asked](const std::string& name) -> std::optional<std::string> {
    if (asked != nullptr) {
      asked->insert(name);
    }
    const auto found = values.find(name);
    return found == values.end() ? std::nullopt : std::optional<std::string>(found->second);
  };
}

TEST(Ci, NamesTheServiceAndTheJob) {
  EXPECT_EQ(read_ci(variables({{"CI", "true"},
                               {"GITHUB_ACTIONS", "true"},
                               {"GITHUB_JOB", "bench"},
                               {"GITHUB_RUN_ID", "123"},
                               {"ImageVersion", "20261101.1"},
                               {"GITHUB_TOKEN", "canary"}})),
            (Variables{{"ci_provider", "GitHub Actions"},
                       {"ci_job", "bench"},
                       {"ci_run", "123"},
                       {"ci_image", "20261101.1"}}));
  EXPECT_EQ(read_ci(variables({{"GITLAB_CI", "true"}, {"CI_JOB_NAME", "perf"}})),
            (Variables{{"ci_provider", "GitLab CI"}, {"ci_job", "perf"}}));
  EXPECT_EQ(
      read_ci(variables({{"GITHUB_ACTIONS", "true"}, {"GITEA_ACTIONS", "true"}})).at("ci_provider"),
      "Gitea Actions");
  EXPECT_EQ(read_ci(variables({{"CI", "1"}})), (Variables{{"ci_provider", "unknown"}}));
}

TEST(Ci, CountsAttempts) {
  EXPECT_EQ(read_attempt(variables({{"GITHUB_ACTIONS", "true"}, {"GITHUB_RUN_ATTEMPT", "3"}})), 3);
  EXPECT_EQ(read_attempt(variables({{"TF_BUILD", "True"}, {"SYSTEM_JOBATTEMPT", "2"}})), 2);
  EXPECT_EQ(read_attempt(variables({{"GITHUB_RUN_ATTEMPT", "3"}})), 1) << "no CI";
  EXPECT_EQ(read_attempt(variables({{"GITLAB_CI", "true"}})), 1);
  for (const char* none : {"", "0", "-2", "x", "99999999999999999999"}) {
    EXPECT_EQ(read_attempt(variables({{"GITHUB_ACTIONS", "true"}, {"GITHUB_RUN_ATTEMPT", none}})),
              1)
        << none;
  }
}

TEST(Ci, IsAbsentOnAWorkstation) {
  EXPECT_TRUE(read_ci(variables({})).empty());
  EXPECT_TRUE(read_ci(variables({{"CI", "false"}, {"DRONE", ""}, {"TRAVIS", "0"}})).empty());
}

TEST(Ci, LimitsAndCleansValues) {
  const Variables facts =
      read_ci(variables({{"GITHUB_ACTIONS", "true"},
                         {"GITHUB_JOB", "a\n\x1B[2Jb\xFF" + std::string(5000, 'x')},
                         {"GITHUB_RUN_ID", "\n\t"}}));
  EXPECT_EQ(facts.at("ci_job").substr(0, 9), "a [2Jb\uFFFD");
  EXPECT_LE(facts.at("ci_job").size(), 200u);
  EXPECT_EQ(facts.count("ci_run"), 0u);
}

TEST(Ci, ReadsNoSecretVariables) {
  std::set<std::string> asked;
  read_ci(variables({}, &asked));
  for (const char* mark : {"GITHUB_ACTIONS", "GITLAB_CI", "TF_BUILD", "JENKINS_URL", "CI"}) {
    read_ci(variables({{mark, "true"}}, &asked));
  }
  EXPECT_GT(asked.size(), 20u);
  for (const std::string& name : asked) {
    for (const char* smell : {"TOKEN", "SECRET", "PASS", "KEY", "AUTH", "CREDENTIAL", "COOKIE"}) {
      EXPECT_EQ(name.find(smell), std::string::npos) << name;
    }
  }
}

TEST(Container, IsDetected) {
  const GetVariable none = variables({});
  EXPECT_EQ(read_container(FixtureTree().root(), none), "");
  EXPECT_EQ(read_container(FixtureTree().put(".dockerenv", "").root(), none), "docker");
  EXPECT_EQ(read_container(FixtureTree().put("run/.containerenv", "").root(), none), "podman");
  EXPECT_EQ(
      read_container(FixtureTree().put("run/systemd/container", "systemd-nspawn\n").root(), none),
      "systemd-nspawn");
  EXPECT_EQ(read_container(FixtureTree().put("proc/self/cgroup", "0::/kubepods/x\n").root(), none),
            "kubernetes");
  EXPECT_EQ(read_container(FixtureTree().put("proc/self/cgroup", "4:cpu:/docker/x\n").root(), none),
            "docker");
  EXPECT_EQ(read_container(FixtureTree().put("proc/self/cgroup", "0::/user.slice\n").root(), none),
            "");
  EXPECT_EQ(read_container(FixtureTree().root(), variables({{"container", "lxc"}})), "lxc");
  EXPECT_EQ(
      read_container(FixtureTree().root(), variables({{"KUBERNETES_SERVICE_HOST", "10.0.0.1"}})),
      "kubernetes");
}

TEST(ContainerImage, IsReadFromPodmanOrGitlab) {
  FixtureTree tree;
  tree.put("run/.containerenv",
           "engine=\"podman-4.3.1\"\nimage=\"docker.io/library/debian:12\"\nimageid=\"ab\"\n");
  EXPECT_EQ(read_container_image(tree.root(), variables({})), "docker.io/library/debian:12");
  const Variables job{{"GITLAB_CI", "true"}, {"CI_JOB_IMAGE", "gcc:12"}};
  EXPECT_EQ(read_container_image(FixtureTree().root(), variables(job)), "gcc:12");
  EXPECT_EQ(read_container_image(FixtureTree().root(), variables({{"CI_JOB_IMAGE", "gcc:12"}})),
            "");
}

TEST(Distribution, IsIdAndVersion) {
  FixtureTree tree;
  tree.put("etc/os-release", "PRETTY_NAME=\"Debian GNU/Linux 12\"\nVERSION_ID=\"12\"\nID=debian\n");
  EXPECT_EQ(read_distribution(tree.root()), "debian 12");
  tree.put("etc/os-release", "ID='arch'\n");
  EXPECT_EQ(read_distribution(tree.root()), "arch");
  tree.put("etc/os-release", "VERSION_ID=1\nID=\nXID=x\n");
  EXPECT_EQ(read_distribution(tree.root()), "");
  EXPECT_EQ(read_distribution(FixtureTree().put("usr/lib/os-release", "ID=nixos\n").root()),
            "nixos");
  EXPECT_EQ(read_distribution(FixtureTree().root()), "");
}

}  // namespace
}  // namespace perf
