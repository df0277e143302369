#pragma once

#include <optional>
#include <string>

namespace perf {

/// What the kernel and the C library tell by calls instead of files. Absent where they do not.
struct SystemCalls {
  std::optional<std::string> kernel_release;  ///< uname -r
  std::optional<std::string> architecture;    ///< uname -m
  std::optional<std::string> libc;            ///< "glibc 2.36"
  std::optional<int> cores;                   ///< CPUs that this process may run on
  std::optional<std::string> hypervisor;      ///< the signature that CPUID gives: "KVMKVMKVM"
};

/// Asks them.
SystemCalls ask_system();

}  // namespace perf
