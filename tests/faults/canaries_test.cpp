// A hundred secrets in the environment, under names that CI systems, clouds and tools use: no file
// and no output of perf-compare contains one. Builds and workloads of this test do not print their
// environment.

#include <gtest/gtest.h>

#include <algorithm>

#include "schema/files/content.h"
#include "tests/ci/claimed_benchmark.h"
#include "tests/ci/scratch_repository.h"
#include "tests/faults/effort.h"

namespace perf::test {
namespace {

namespace fs = std::filesystem;

/// Names of secrets, and names similar to the variables that perf-compare reads.
const std::vector<std::string>& canary_names() {
  static const std::vector<std::string> names{
      // CI systems; the names and numbers of jobs, which are recorded, are not among them.
      "GITHUB_TOKEN", "GH_TOKEN", "GH_ENTERPRISE_TOKEN", "ACTIONS_RUNTIME_TOKEN",
      "ACTIONS_ID_TOKEN_REQUEST_TOKEN", "ACTIONS_CACHE_URL", "ACTIONS_RESULTS_URL", "RUNNER_TOKEN",
      "GITHUB_JOB_TOKEN", "GITHUB_RUN_ID_SECRET", "GITHUB_ACTOR", "GITHUB_EVENT_SECRET",
      "GITHUB_PATH_SECRET", "ImageVersionSecret", "CI_JOB_TOKEN", "CI_JOB_JWT", "CI_JOB_JWT_V2",
      "CI_JOB_ID_SECRET", "CI_JOB_NAME_SECRET", "CI_JOB_IMAGE_PASSWORD", "CI_REPOSITORY_URL",
      "CI_REGISTRY_PASSWORD", "CI_DEPLOY_PASSWORD", "CI_BUILD_TOKEN",
      "CI_DEPENDENCY_PROXY_PASSWORD", "CI_RUNNER_TOKEN", "GITLAB_TOKEN", "GITLAB_USER_EMAIL",
      "CIRCLE_TOKEN", "CIRCLE_OIDC_TOKEN", "TRAVIS_TOKEN", "BUILDKITE_AGENT_ACCESS_TOKEN",
      "SYSTEM_ACCESSTOKEN", "JENKINS_API_TOKEN", "TEAMCITY_AUTH_PASSWORD",
      "BITBUCKET_STEP_OIDC_TOKEN", "DRONE_RPC_SECRET", "SEMAPHORE_OIDC_TOKEN", "CODECOV_TOKEN",
      "COVERALLS_REPO_TOKEN",
      // Clouds, registries and services.
      "AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_SESSION_TOKEN", "AZURE_CLIENT_SECRET",
      "ARM_CLIENT_SECRET", "GOOGLE_CREDENTIALS", "GCLOUD_SERVICE_KEY", "DIGITALOCEAN_TOKEN",
      "HEROKU_API_KEY", "CLOUDFLARE_API_TOKEN", "VAULT_TOKEN", "KUBE_TOKEN", "DOCKER_PASSWORD",
      "DOCKER_AUTH_CONFIG", "NPM_TOKEN", "NODE_AUTH_TOKEN", "PYPI_PASSWORD", "TWINE_PASSWORD",
      "CARGO_REGISTRY_TOKEN", "RUBYGEMS_API_KEY", "NUGET_API_KEY", "HF_TOKEN", "OPENAI_API_KEY",
      "ANTHROPIC_API_KEY", "WANDB_API_KEY", "SLACK_WEBHOOK_URL", "STRIPE_SECRET_KEY", "SENTRY_DSN",
      "DATABASE_URL", "PGPASSWORD", "MYSQL_PWD", "REDIS_URL", "SSH_PRIVATE_KEY", "GPG_PASSPHRASE",
      "SIGNING_KEY", "SNYK_TOKEN", "SONAR_TOKEN", "HTTP_PROXY_PASSWORD",
      // Tools used with benchmarks.
      "PERF_COMPARE_TOKEN", "PERF_COMPARE_OUT_SECRET", "PERF_COMPARE_SEED_SECRET", "GIT_TOKEN",
      "GIT_PASSWORD", "GIT_AUTHOR_SECRET", "GIT_CONFIG_SECRET", "OMP_SECRET", "OMP_NUM_THREADS_KEY",
      "OPENBLAS_SECRET", "MALLOC_SECRET_", "LD_SECRET", "GLIBC_SECRET", "CC", "CFLAGS", "CXXFLAGS",
      "LDFLAGS", "CMAKE_SECRET", "container_secret", "USER", "LOGNAME", "HOSTNAME"};
  return names;
}

/// A unique value.
std::string canary_of(const std::string& name) {
  return "canary-" + std::to_string(std::hash<std::string>{}(name)) + "-of-" + name + "-end";
}

std::map<std::string, std::string> poisoned_environment(const fs::path& folder) {
  std::map<std::string, std::string> variables{
      {"GITHUB_ACTIONS", "true"},      {"GITHUB_JOB", "benchmark"},
      {"GITHUB_RUN_ID", "1234"},       {"GITHUB_EVENT_NAME", "push"},
      {"GITHUB_OUTPUT", folder / "o"}, {"GITHUB_STEP_SUMMARY", folder / "summary"}};
  for (const std::string& name : canary_names()) {
    variables[name] = canary_of(name);
  }
  return variables;
}

/// Names of the canaries that a text holds.
std::vector<std::string> canaries_in(const std::string& text) {
  std::vector<std::string> found;
  for (const std::string& name : canary_names()) {
    if (text.find(canary_of(name)) != std::string::npos) {
      found.push_back(name);
    }
  }
  return found;
}

/// Benchmarks that work, fail, crash, write garbage and are missing; the last commit does not
/// build.
struct Watched : ScratchRepository {
  Watched() {
    write("bench", kClaimedBenchmark, true);
    write("fails", "#!/bin/sh\necho failing >&2\nexit 3\n", true);
    write("dies", "#!/bin/sh\nkill -9 $$\n", true);
    write("babbles", "#!/bin/sh\necho '{\"type\":' > \"$PERF_COMPARE_OUT\"\n", true);
    write("build", "#!/bin/sh\necho building\n", true);
    write("work", "100");
    write("perf-compare.json", R"({"build": {"command": ["./build"]}, "workloads": [
      {"name": "claimed", "command": ["./bench"]}, {"name": "fails", "command": ["./fails"]},
      {"name": "dies", "command": ["./dies"]}, {"name": "gone", "command": ["./gone"]},
      {"name": "babbles", "command": ["./babbles"]}]})");
    commit("Add benchmarks");
    write("work", "130");
    commit("Slow one down");
    write("build", "#!/bin/sh\necho '../main.c:1:1: error: no such thing' >&2\nexit 1\n", true);
    commit("Break the build");
    results = path() / "results";
    fs::create_directories(results);
    variables = poisoned_environment(results);
  }

  /// Runs a command and searches its output.
  void watch(const std::vector<std::string>& arguments, const std::vector<int>& codes) {
    const Outcome outcome = perf_compare(arguments, variables);
    EXPECT_EQ(std::count(codes.begin(), codes.end(), outcome.exit_code), 1)
        << "perf-compare " << arguments.front() << " gave " << outcome.exit_code << "\n"
        << outcome.err;
    EXPECT_EQ(canaries_in(outcome.out + outcome.err), std::vector<std::string>{})
        << "printed by perf-compare " << arguments.front();
    ++commands;
  }

  std::vector<std::string> with_every_output(std::vector<std::string> arguments) {
    const std::string stem = (results / std::to_string(commands)).string();
    for (const std::string format : {"json", "markdown", "html", "junit", "openmetrics"}) {
      arguments.insert(arguments.end(), {"--" + format, stem + "." + format});
    }
    arguments.insert(arguments.end(), {"--plots", stem + "-plots", "--github"});
    return arguments;
  }

  /// Searches every file: store, cache, build logs, reports, leftovers.
  int search() const {
    int files = 0;
    for (const fs::directory_entry& entry :
         fs::recursive_directory_iterator(path().parent_path())) {
      if (entry.is_regular_file() && !entry.is_symlink()) {
        EXPECT_EQ(canaries_in(content_of(entry.path())), std::vector<std::string>{})
            << entry.path();
        ++files;
      }
    }
    return files;
  }

  fs::path results;
  std::map<std::string, std::string> variables;
  int commands = 0;
};

TEST(Canaries, AreInNoFileAndNoMessage) {
  ASSERT_EQ(canary_names().size(), 100U);
  Watched repository;
  const std::string good = "HEAD~2", slow = "HEAD~1";
  repository.watch(
      repository.with_every_output({good, slow, "--pairs", "12", "-v", "--profile-changes"}),
      {1, 3});
  repository.watch(repository.with_every_output({slow, "HEAD", "-v"}), {1, 3});
  repository.watch({"collect", slow, "-v"}, {0, 3});
  repository.watch({"collect", "HEAD", "-v"}, {3});
  repository.watch(repository.with_every_output({"trend"}), {0, 1});
  repository.watch(repository.with_every_output({"report"}), {1, 3});
  repository.watch({"show"}, {0});
  repository.watch({"show", slow, "--json", "results/show.json"}, {0});
  repository.watch({"list", "--json", "results/list.json"}, {0});
  repository.watch({"doctor", "-v"}, {0});
  repository.watch({"doctor", "--json", "results/doctor.json"}, {0});
  repository.watch({"export", "results/copy.db"}, {0});
  repository.watch({"pin", "release", good, "--reason", "the last good one"}, {0});
  repository.watch({"merge", "results/copy.db", "--db", "results/other.db"}, {0});
  repository.watch({"no such commit", "HEAD"}, {2});
  if (tries(0, 1) > 0) {
    repository.watch({"bisect", good, slow, "-w", "claimed", "-v"}, {1});
    repository.watch({"profile", "-w", "claimed", "-v"}, {0, 3});
    repository.watch({"selftest", "-w", "claimed", "--pairs", "24", "-v"}, {0, 1, 3});
    repository.watch({"calibrate", "-w", "claimed", "--pairs", "12", "-v"}, {0, 1, 3});
    repository.watch({good, slow, "-w", "claimed", "--pairs", "12", "--count", "-v"}, {1});
  }
  const int files = repository.search();
  EXPECT_GT(files, 30);
  figure("canaries", "100 variables, " + std::to_string(repository.commands) + " commands, " +
                         std::to_string(files) + " files searched, none found");
}

TEST(Canaries, AreFoundWhereTheyAre) {
  Watched repository;
  repository.write("results/leak", "x" + canary_of("GITHUB_TOKEN") + "x");
  EXPECT_EQ(canaries_in(content_of(repository.results / "leak")),
            std::vector<std::string>{"GITHUB_TOKEN"});
}

}  // namespace
}  // namespace perf::test
