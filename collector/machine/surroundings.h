#pragma once

#include <filesystem>
#include <map>
#include <string>

#include "collector/environment_variable.h"

namespace perf {

/// Which CI service runs us, and which job: ci_provider, ci_job, ci_run, ci_runner, ci_image, where
/// known. Asks for an allow-list of names and nothing else, because the variables of a CI job hold
/// its secrets.
std::map<std::string, std::string> read_ci(const GetVariable& variable);

/// Which attempt of its job this is, from 1; 1 where the CI service does not say.
int read_attempt(const GetVariable& variable);

/// The kind of container around us ("docker", "podman", "lxc", "kubernetes", "wsl"); empty outside
/// one, or where it hides well.
std::string read_container(const std::filesystem::path& root, const GetVariable& variable);

/// The container's image, where podman or GitLab tell it.
std::string read_container_image(const std::filesystem::path& root, const GetVariable& variable);

/// "debian 12", from etc/os-release (os-release(5)).
std::string read_distribution(const std::filesystem::path& root);

}  // namespace perf
