#pragma once

#include <cstdint>
#include <filesystem>
#include <random>
#include <string>

namespace perf::test {

/// A fuzzer of strings as somebody hostile would give them for a revision, a path, a name or a
/// value: options, shell syntax, git syntax, paths, controls, bad UTF-8, long ones, and what comes
/// of joining and cutting those. The same seed gives the same strings.
class HostileStrings {
 public:
  explicit HostileStrings(std::uint64_t seed) : random_(seed) {}

  /// Any string; it may hold NUL.
  std::string any();
  /// One that can be an argument, or a variable's value: without NUL.
  std::string argument();
  /// One that is a path within `world` when seen from `here`; never one that leaves it.
  std::string path(const std::filesystem::path& world, const std::filesystem::path& here);
  /// 0 <= answer < end.
  std::size_t below(std::size_t end);

 private:
  std::string piece();
  std::mt19937_64 random_;
};

/// Whether a text is UTF-8 that a terminal shows as it stands: no controls but line ends, nothing
/// that hides or reverses what stands around it.
bool is_printable(const std::string& text);

/// The text in JSON's quotes; bytes that are no UTF-8 stay as they are.
std::string in_json(const std::string& text);

}  // namespace perf::test
