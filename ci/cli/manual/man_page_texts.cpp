#include "ci/cli/manual/man_page_texts.h"

namespace perf {

const std::vector<std::string_view>& manual_description() {
  static const std::vector<std::string_view> paragraphs{
      "Two revisions of a git repository are built, and their workloads run in pairs of fresh "
      "processes, one a side, in random order, until it is known whether one is slower: each "
      "comparison ends as regressed, improved, unchanged (proven to be within the threshold) or "
      "inconclusive, and the whole report errs at most as often as --alpha says. Every raw step is "
      "kept in a SQLite file. What is built and run stands in perf-compare.json.",
      "BASE and HEAD are pinned baselines, git revisions, or . (the working tree as it is). The "
      "word baseline means the base of the CI event, else the merge base of HEAD with the default "
      "branch, else the first parent of HEAD. Without a command and without revisions, HEAD is "
      "compared with its baseline. A branch that bears the name of a command is reached by "
      "perf-compare compare NAME HEAD.",
      "Standard output carries the result and nothing else; progress goes to standard error."};
  return paragraphs;
}

const std::vector<ManualTerm>& manual_environment() {
  static const std::vector<ManualTerm> variables{
      {"NO_COLOR, TERM",
       "Where NO_COLOR is set and not empty, or TERM is dumb, --color auto means never."},
      {"PATH", "Where git, builds, benchmarks and profilers are looked for."},
      {"GIT_CEILING_DIRECTORIES",
       "Folders above which no repository is looked for, as git reads it."},
      {"GIT_CONFIG_COUNT",
       "How many settings git gets this way. Where submodules need the password of an address, git "
       "gets that after them."},
      {"GIT_LFS_SKIP_SMUDGE",
       "Of git-lfs: where it is set, checkouts hold pointers, and the report warns of them."},
      {"XDG_CACHE_HOME, HOME",
       "Where builds are kept: in the folder perf-compare of XDG_CACHE_HOME, by default .cache in "
       "the home folder."},
      {"TMPDIR", "Where temporary files go, if it is an absolute path. Default: /tmp."},
      {"CXX", "The compiler whose version is part of the machine's description."},
      {"OMP_NUM_THREADS, OPENBLAS_NUM_THREADS, GOTO_NUM_THREADS, MKL_NUM_THREADS, "
       "RAYON_NUM_THREADS, OPENBLAS_CORETYPE",
       "Benchmarks get them as they are; doctor says which are set."},
      {"LD_PRELOAD",
       "Libraries that benchmarks load anyway; selftest and --count add one of their own."},
      {"GITHUB_EVENT_NAME, GITHUB_EVENT_PATH, GITHUB_BASE_REF, GITHUB_SHA",
       "The event of GitHub Actions, and of Forgejo and Gitea: which commit is the baseline."},
      {"GITHUB_STEP_SUMMARY, GITHUB_OUTPUT",
       "The files to which --github adds a summary and outputs."},
      {"CI_COMMIT_BEFORE_SHA, CI_MERGE_REQUEST_DIFF_BASE_SHA, "
       "CI_MERGE_REQUEST_TARGET_BRANCH_NAME, CI_MERGE_REQUEST_EVENT_TYPE",
       "Of GitLab: which commit is the baseline."},
      {"GIT_PREVIOUS_COMMIT, CHANGE_TARGET", "The same of Jenkins."},
      {"SYSTEM_PULLREQUEST_TARGETBRANCH, BITBUCKET_PR_DESTINATION_BRANCH, "
       "BUILDKITE_PULL_REQUEST_BASE_BRANCH",
       "The same of Azure Pipelines, Bitbucket and Buildkite, for pull requests alone."},
      {"CI, APPVEYOR, BITBUCKET_BUILD_NUMBER, BUILDKITE, CIRCLECI, CIRRUS_CI, CODEBUILD_BUILD_ID, "
       "DRONE, GITEA_ACTIONS, GITHUB_ACTIONS, GITLAB_CI, JENKINS_URL, SEMAPHORE, TEAMCITY_VERSION, "
       "TF_BUILD, TRAVIS",
       "Which CI service this is. What that service says of the job, the run, the runner and its "
       "image is kept with the results: AGENT_NAME, APPVEYOR_BUILD_NUMBER, APPVEYOR_JOB_NAME, "
       "BUILD_BUILDID, BUILD_NUMBER, BUILDKITE_BUILD_NUMBER, BUILDKITE_LABEL, CI_JOB_ID, "
       "CI_JOB_IMAGE, CI_JOB_NAME, CI_RUNNER_DESCRIPTION, CIRCLE_BUILD_NUM, CIRCLE_JOB, "
       "CIRRUS_TASK_ID, CIRRUS_TASK_NAME, CODEBUILD_BUILD_NUMBER, DRONE_BUILD_NUMBER, "
       "DRONE_STEP_NAME, GITHUB_JOB, GITHUB_RUN_ID, ImageVersion, JOB_NAME, NODE_NAME, "
       "RUNNER_ENVIRONMENT, SEMAPHORE_JOB_ID, SEMAPHORE_JOB_NAME, SYSTEM_JOBNAME, "
       "TEAMCITY_BUILDCONF_NAME, TRAVIS_JOB_NAME, TRAVIS_JOB_NUMBER."},
      {"container, KUBERNETES_SERVICE_HOST", "Whether this is a container, and of what kind."},
      {"PERF_COMPARE_OUT",
       "Set for a workload of the format steps: the file to which it writes its steps."},
      {"PERF_COMPARE_STEPS, PERF_COMPARE_WARMUP, PERF_COMPARE_SEED",
       "Set for every workload: how many steps it should take, how many of them to warm up, and "
       "the seed of its random numbers."},
      {"PERF_COMPARE_PLANT_ALLOCATION",
       "Set by selftest: the bytes that a workload is to allocate in vain."},
      {"PERF_COMPARE_LAYOUT_SEED",
       "Set for a build whose code is to be laid out differently, to tell a slowdown from code "
       "that was only moved."}};
  return variables;
}

const std::vector<ManualTerm>& manual_files() {
  static const std::vector<ManualTerm> files{
      {"perf-compare.json", "The config, at the top of the repository; --config names another."},
      {".perf-compare/results.db",
       "The store: every run, invocation and step, for sqlite3 to read; --db names another. Its "
       "folder ignores itself."},
      {"$XDG_CACHE_HOME/perf-compare", "Builds of revisions. It may be removed at any time."}};
  return files;
}

}  // namespace perf
