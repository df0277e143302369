#pragma once

#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "collector/process/process.h"

namespace perf {

/// How a path was asked for; a path may be asked for in several ways.
enum Asked : unsigned {
  kQueried = 1,  ///< stat, access, readlink, a path that was record for in vain
  kLoaded = 2,   ///< executed by the kernel, or mapped by the dynamic loader
  kOpened = 4,   ///< opened by a program, which may have read all of it
  kListed = 8,   ///< a folder whose names were read
};

/// What a process and its descendants asked the file system for, by the path that they named,
/// made absolute; `..` and links are still in it.
struct Trace {
  std::map<std::string, unsigned> asked;  ///< path -> Asked, in any combination
  /// Program and working folder of each execve(2) that succeeded.
  std::set<std::pair<std::string, std::string>> executed;
  std::set<std::string> made;         ///< paths that the processes themselves created
  std::vector<std::string> doubts{};  ///< what a comparison of files cannot see, each once
};

/// Runs every process under strace(1), descendants included, which writes to `log` what they ask
/// the file system for. seccomp-bpf: calls that are not traced take no time.
RunProcess under_strace(RunProcess run_process, std::filesystem::path log);

/// Why nothing can be traced here; empty where it can. Tries it on true(1).
std::string why_no_trace(const RunProcess& run_process);

/// Reads what strace wrote (-f -y -xx: strings and the paths of descriptors in hexadecimal).
/// `folder`: where the first process began. A line that is not understood is a doubt, and so is a
/// log without any call.
Trace read_trace(std::string_view log, const std::filesystem::path& folder);

}  // namespace perf
