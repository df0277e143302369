#include <algorithm>
#include <array>
#include <system_error>
#include <utility>

#include "collector/machine/environment.h"
#include "collector/machine/readings.h"
#include "collector/process/captured_text.h"

namespace perf {
namespace {

/// A CI service: the variable that identifies it, and those that describe the job. nullptr: none.
struct CiService {
  const char* mark;
  const char* name;
  const char* job;
  const char* run;
  const char* runner;
  const char* image;
  const char* attempt = nullptr;  ///< counts from 1
};

constexpr std::array<CiService, 16> kCiServices{{
    // Before GitHub, whose variable it sets as well.
    {"GITEA_ACTIONS", "Gitea Actions", "GITHUB_JOB", "GITHUB_RUN_ID", nullptr, nullptr,
     "GITHUB_RUN_ATTEMPT"},
    {"GITHUB_ACTIONS", "GitHub Actions", "GITHUB_JOB", "GITHUB_RUN_ID", "RUNNER_ENVIRONMENT",
     "ImageVersion", "GITHUB_RUN_ATTEMPT"},
    {"GITLAB_CI", "GitLab CI", "CI_JOB_NAME", "CI_JOB_ID", "CI_RUNNER_DESCRIPTION", "CI_JOB_IMAGE"},
    {"CIRCLECI", "CircleCI", "CIRCLE_JOB", "CIRCLE_BUILD_NUM", nullptr, nullptr},
    {"TRAVIS", "Travis CI", "TRAVIS_JOB_NAME", "TRAVIS_JOB_NUMBER", nullptr, nullptr},
    {"BUILDKITE", "Buildkite", "BUILDKITE_LABEL", "BUILDKITE_BUILD_NUMBER", nullptr, nullptr},
    {"TF_BUILD", "Azure Pipelines", "SYSTEM_JOBNAME", "BUILD_BUILDID", "AGENT_NAME", "ImageVersion",
     "SYSTEM_JOBATTEMPT"},
    {"JENKINS_URL", "Jenkins", "JOB_NAME", "BUILD_NUMBER", "NODE_NAME", nullptr},
    {"TEAMCITY_VERSION", "TeamCity", "TEAMCITY_BUILDCONF_NAME", "BUILD_NUMBER", nullptr, nullptr},
    {"BITBUCKET_BUILD_NUMBER", "Bitbucket Pipelines", nullptr, "BITBUCKET_BUILD_NUMBER", nullptr,
     nullptr},
    {"APPVEYOR", "AppVeyor", "APPVEYOR_JOB_NAME", "APPVEYOR_BUILD_NUMBER", nullptr, nullptr},
    {"CIRRUS_CI", "Cirrus CI", "CIRRUS_TASK_NAME", "CIRRUS_TASK_ID", nullptr, nullptr},
    {"DRONE", "Drone", "DRONE_STEP_NAME", "DRONE_BUILD_NUMBER", nullptr, nullptr},
    {"SEMAPHORE", "Semaphore", "SEMAPHORE_JOB_NAME", "SEMAPHORE_JOB_ID", nullptr, nullptr},
    {"CODEBUILD_BUILD_ID", "AWS CodeBuild", nullptr, "CODEBUILD_BUILD_NUMBER", nullptr, nullptr},
    {"CI", "unknown", nullptr, nullptr, nullptr, nullptr},
}};

/// The value of KEY=VALUE or KEY="VALUE" in lines of shell-like assignments.
std::string assigned(const std::string& text, const std::string& key) {
  std::string_view value = value_named(text, key, '=').value_or("");
  if (value.size() >= 2 && (value.front() == '"' || value.front() == '\'') &&
      value.back() == value.front()) {
    value = value.substr(1, value.size() - 2);
  }
  return to_one_line(value);
}

/// Prefixes of control groups of container managers.
constexpr std::array<std::pair<const char*, const char*>, 4> kContainerGroups{
    {{"/docker", "docker"}, {"/kubepods", "kubernetes"}, {"/lxc", "lxc"}, {"/libpod", "podman"}}};

bool is_there(const std::filesystem::path& file) {
  std::error_code error;
  return std::filesystem::exists(file, error);
}

std::string value_of(const GetVariable& variable, const char* name) {
  return name != nullptr ? variable(name).value_or("") : "";
}

/// Null outside of known container managers.
const CiService* service_of(const GetVariable& variable) {
  const auto* service = std::ranges::find_if(kCiServices, [&](const CiService& one) {
    const std::string mark = value_of(variable, one.mark);
    return !mark.empty() && mark != "false" && mark != "0";
  });
  return service != kCiServices.end() ? service : nullptr;
}

}  // namespace

std::map<std::string, std::string> read_ci(const GetVariable& variable) {
  const CiService* service = service_of(variable);
  std::map<std::string, std::string> facts;
  if (service == nullptr) {
    return facts;
  }
  facts["ci_provider"] = service->name;
  put_fact(facts, "ci_job", value_of(variable, service->job));
  put_fact(facts, "ci_run", value_of(variable, service->run));
  put_fact(facts, "ci_runner", value_of(variable, service->runner));
  put_fact(facts, "ci_image", value_of(variable, service->image));
  return facts;
}

int read_attempt(const GetVariable& variable) {
  constexpr std::int64_t kMost = 1'000'000;
  const CiService* service = service_of(variable);
  const std::string attempt = service != nullptr ? value_of(variable, service->attempt) : "";
  return static_cast<int>(std::clamp<std::int64_t>(whole_number(attempt).value_or(1), 1, kMost));
}

std::string read_container(const std::filesystem::path& root, const GetVariable& variable) {
  if (is_there(root / "run/.containerenv")) {
    return "podman";
  }
  if (!value_of(variable, "KUBERNETES_SERVICE_HOST").empty()) {
    return "kubernetes";
  }
  if (is_there(root / ".dockerenv")) {
    return "docker";
  }
  // systemd's file, and the variable that container managers set for the first process.
  for (const std::string& kind : {read_line_of(root / "run/systemd/container"),
                                  to_one_line(value_of(variable, "container"))}) {
    if (!kind.empty()) {
      return kind;
    }
  }
  const std::string groups = read_small_file(root / "proc/self/cgroup");
  for (const auto& [group, kind] : kContainerGroups) {
    if (groups.find(group) != std::string::npos) {
      return kind;
    }
  }
  return "";
}

std::string read_container_image(const std::filesystem::path& root, const GetVariable& variable) {
  const std::string image = assigned(read_small_file(root / "run/.containerenv"), "image");
  const bool asks_gitlab = image.empty() && !value_of(variable, "GITLAB_CI").empty();
  return asks_gitlab ? to_one_line(value_of(variable, "CI_JOB_IMAGE")) : image;
}

std::string read_distribution(const std::filesystem::path& root) {
  for (const char* file : {"etc/os-release", "usr/lib/os-release"}) {
    const std::string text = read_small_file(root / file);
    const std::string id = assigned(text, "ID"), version = assigned(text, "VERSION_ID");
    if (!id.empty()) {
      return version.empty() ? id : id + " " + version;
    }
  }
  return "";
}

}  // namespace perf
