#include "collector/plan/plan.h"

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <system_error>

#include "collector/git/baseline.h"
#include "collector/git/repository.h"
#include "collector/plan/config_source.h"
#include "collector/randomness.h"
#include "schema/config.h"
#include "schema/text/fnv.h"
#include "schema/text/glob.h"
#include "schema/text/lists.h"
#include "schema/text/text_parts.h"

namespace perf {
namespace {

void require_known_size(const std::string& size) {
  if (std::find(kSizes.begin(), kSizes.end(), size) == kSizes.end()) {
    throw UsageError("unknown size", size, "use smoke, ci or full");
  }
}

/// The globs, with the workload's name in place of a benchmark's of it.
std::vector<std::string> globs_of_workloads(const std::vector<Workload>& workloads,
                                            const PlanOptions& options) {
  std::vector<std::string> globs = options.workload_globs;
  for (std::string& glob : globs) {
    const auto matches = [&](const Workload& one) { return glob_match(glob, one.name); };
    const auto yields = [&](const Workload& one) { return glob.starts_with(one.name + "/"); };
    const auto found = std::ranges::find_if(workloads, yields);
    if (options.names_benchmarks && found != workloads.end() &&
        std::ranges::none_of(workloads, matches)) {
      glob = found->name;
    }
  }
  return globs;
}

/// The workloads of the size and the globs; a glob without a match is probably misspelt.
std::vector<PlannedWorkload> choose_workloads(const Config& config, const PlanOptions& options) {
  const std::vector<Workload> all = workloads_of_size(config, options.size);
  if (all.empty() && !options.of_store) {
    throw UsageError("no workload has this size", options.size,
                     "choose another --size, or add it to \"sizes\" in the config");
  }
  const std::vector<std::string> globs = globs_of_workloads(all, options);
  for (const std::string& glob : globs) {
    if (!options.of_store && std::ranges::none_of(all, [&](const Workload& workload) {
          return glob_match(glob, workload.name);
        })) {
      throw UsageError("no workload of size " + options.size + " matches", glob,
                       "use one of: " + joined(all, ", ", &Workload::name));
    }
  }
  std::vector<PlannedWorkload> chosen;
  for (const Workload& workload : all) {
    if (is_chosen(globs, workload.name)) {
      chosen.push_back({workload, "", ""});
    }
  }
  return chosen;
}

/// Names that only base's own config has: of any size, unless base's policy counts.
std::vector<std::string> names_missing(const Config& used, const Config& base,
                                       const PlanOptions& options) {
  std::vector<std::string> missing, names;
  if (options.policy_of_base) {
    names = mapped(workloads_of_size(used, options.size), &Workload::name);
  } else {
    names = mapped(used.workloads, [](const ConfiguredWorkload& one) { return one.workload.name; });
  }
  for (const Workload& workload : workloads_of_size(base, options.size)) {
    const bool known = std::ranges::find(names, workload.name) != names.end();
    if (!known && is_chosen(options.workload_globs, workload.name)) {
      missing.push_back(workload.name);
    }
  }
  std::ranges::sort(missing);
  return missing;
}

/// A revision's own config; where it is invalid, a warning that names the one used instead.
std::optional<FoundConfig> own_config(const Repository& repository, const Revision& revision,
                                      const std::string& instead, Plan& plan,
                                      const std::string& path = kConfigName) {
  try {
    return config_of_revision(repository, revision, path);
  } catch (const Error& error) {
    plan.warnings.push_back({WarningKind::broken_config,
                             {},
                             {{"revision", revision.name},
                              {"why", error.what + ": " + error.subject},
                              {"instead", instead}}});
    return std::nullopt;
  }
}

/// Whether the path is one of the files, or below one of the folders.
bool is_among(const std::filesystem::path& path, const std::vector<std::filesystem::path>& places) {
  std::error_code ignored;
  const auto resolved = [&ignored](const std::filesystem::path& one) {
    return std::filesystem::weakly_canonical(std::filesystem::absolute(one, ignored), ignored);
  };
  return std::ranges::any_of(places, [&](const std::filesystem::path& place) {
    const std::filesystem::path below = resolved(path).lexically_relative(resolved(place));
    return !below.empty() && *below.begin() != "..";
  });
}

void warn_of_unmeasured_changes(const Repository& repository, const PlanOptions& options,
                                Plan& plan) {
  if (options.head == "." || (!options.head_only && options.base == ".")) {
    return;
  }
  std::vector<std::string> files = uncommitted_files(repository);
  std::erase_if(files, [&](const std::string& file) {
    return is_among(repository.workdir() / file, options.outputs);
  });
  if (!files.empty()) {
    plan.warnings.push_back({WarningKind::uncommitted_files, {{"files", files.size()}}});
    if (!options.head_only && !options.config_of_base) {
      plan.warnings.back().about["instead"] = ".";
    }
  }
}

/// The names for base. A commit to judge must not choose what it is compared with, so a baseline of
/// its config has the meaning that it has at the commit that `baseline` stands for by itself.
NameSources sources_of_base(const Repository& repository, const PlanOptions& options,
                            const Revision& head, const std::string& path,
                            const NameSources& sources) {
  const auto entry = sources.baselines.find(options.base);
  if (!options.policy_of_base || path.empty() || entry == sources.baselines.end()) {
    return sources;
  }
  NameSources without = sources;
  without.baselines.erase(options.base);
  const std::optional<Revision> before = resolve_base(repository, "baseline", head, without);
  const auto config = before ? config_of_revision(repository, *before, path) : std::nullopt;
  if (!config) {
    return sources;
  }
  without.baselines = config->config.baselines;
  return without;
}

/// The config whose workloads are measured, if it does not depend on head.
std::optional<FoundConfig> config_here(const Repository& repository, const PlanOptions& options) {
  if (options.config_file) {
    return config_of_file(*options.config_file);
  }
  if (!options.config_of_base) {
    return config_of_working_tree(repository);
  }
  const auto base = find_named(repository, options.base, {options.pins, {}, options.variable});
  std::optional<FoundConfig> config = base ? config_of_revision(repository, *base) : std::nullopt;
  if (!config) {
    throw no_config(repository);
  }
  return config;
}

}  // namespace

PlannedRun make_plan(const Repository& repository, const PlanOptions& options) {
  require_known_size(options.size);
  PlannedRun run;
  Plan& plan = run.plan;
  plan.run_id = new_id();
  plan.environment = options.environment;
  plan.host = options.host;
  plan.attempt = options.attempt;
  plan.size = options.size;
  plan.seed = options.seed ? *options.seed : new_seed();

  // The config's baselines help to resolve names, unless the config is head's own.
  std::optional<FoundConfig> used = config_here(repository, options);
  NameSources sources{options.pins, used ? used->config.baselines : Config{}.baselines,
                      options.variable};
  plan.head = resolve_head(repository, options.head, sources);
  if (!used) {
    used = config_of_revision(repository, plan.head);
    if (!used && !options.of_store) {
      throw no_config(repository);
    }
    used = used.value_or(FoundConfig{});
    sources.baselines = used->config.baselines;
  }
  const std::string path = path_in_history(*used, repository);
  if (!options.head_only) {
    plan.base = resolve_base(repository, options.base, plan.head,
                             sources_of_base(repository, options, plan.head, path, sources));
  }
  warn_of_unmeasured_changes(repository, options, plan);

  // The build commands of both sides.
  run.one_build = used->named && used->config.build;
  std::optional<FoundConfig> head = *used;
  if (!run.one_build) {
    head = own_config(repository, plan.head, used->source, plan);
  }
  const FoundConfig& of_head = head && head->config.build ? *head : *used;
  run.base_build = run.head_build = of_head.config.build;
  run.base_build_source = run.head_build_source = of_head.source;
  std::optional<Config> config_of_base;
  if (plan.base) {
    const std::optional<FoundConfig> base = own_config(repository, *plan.base, "head", plan);
    if (base && base->config.build && !run.one_build) {
      run.base_build = base->config.build;
      run.base_build_source = base->source;
    }
    const bool is_other = options.policy_of_base && path != kConfigName;  // one of --config
    const std::optional<FoundConfig> judging =
        !is_other || path.empty() ? base
                                  : own_config(repository, *plan.base, used->source, plan, path);
    if (judging) {
      if (!used->named || (options.policy_of_base && !path.empty())) {
        config_of_base = judging->config;
      }
      plan.missing = names_missing(used->config, judging->config, options);
    }
    if (judging && options.policy_of_base && !path.empty()) {
      std::ranges::move(judge_by(judging->config, options.size, used->config),
                        std::back_inserter(plan.warnings));
    }
  }

  run.outside = outside_of(*used, repository, options.outputs);
  plan.workloads = choose_workloads(used->config, options);
  for (PlannedWorkload& planned : plan.workloads) {
    add_outside(run.outside, used->config, planned.workload);
  }
  if (config_of_base) {
    for (PlannedWorkload& planned : plan.workloads) {
      planned.of_base =
          std::ranges::any_of(config_of_base->workloads, [&](const ConfiguredWorkload& other) {
            return other.workload.name == planned.workload.name;
          });
    }
  }
  apply_settings(options.settings, plan);
  run.config_source = used->source;
  run.config = std::move(used->config);
  return run;
}

PlannedRun plan_between(const PlannedRun& run, const std::optional<Revision>& base,
                        const Revision& head) {
  PlannedRun between = run;
  Plan& plan = between.plan;
  plan.run_id = new_id();
  plan.digest.clear();
  plan.base = base;
  plan.head = head;
  plan.seed = fnv1a_64(std::to_string(run.plan.seed) + " " + (base ? base->oid : "none") + " " +
                       head.oid) >>
              32U;
  plan.missing.clear();
  plan.warnings.clear();
  for (PlannedWorkload& workload : plan.workloads) {
    workload.base_missing.clear();
    workload.head_failed.clear();
    workload.of_base = false;
  }
  return between;
}

PlannedRun plan_between(const Repository& repository, const PlannedRun& run,
                        const std::optional<Revision>& base, const Revision& head) {
  PlannedRun between = plan_between(run, base, head);
  const auto choose = [&](const Revision& revision, std::optional<BuildCommand>& build,
                          std::string& source) {
    build = run.head_build;
    source = run.head_build_source;
    if (run.one_build) {
      return;
    }
    if (const auto own = own_config(repository, revision, "head", between.plan);
        own && own->config.build) {
      build = own->config.build;
      source = own->source;
    }
  };
  choose(base ? *base : head, between.base_build, between.base_build_source);
  choose(head, between.head_build, between.head_build_source);
  return between;
}

}  // namespace perf
