#include "schema/formats/workload_names.h"

#include <cassert>

#include "schema/workload_name.h"

namespace perf::formats {
namespace {

constexpr std::size_t kRoomForNumber = 10;  ///< bytes: no file of 64 MiB has more names

/// A name of a workload, of at most `longest` bytes.
std::string allowed(std::string_view name, std::size_t longest) {
  std::string out;
  for (const char c : name.substr(0, longest)) {
    const bool begins_component = out.empty() || out.back() == '/';
    const bool after_dot = !out.empty() && out.back() == '.';
    const bool misplaced =
        (begins_component && (c == '/' || c == '-' || c == '.')) || (after_dot && c == '.');
    const bool stays = !misplaced && (c == '/' || is_name_letter(c));
    out += stays ? c : '_';
  }
  if (out.empty()) {
    out = "_";
  }
  if (out.back() == '/') {
    out.back() = '_';
  }
  return out;
}

}  // namespace

std::string WorkloadNames::of(std::string_view name) {
  std::string unique = allowed(name, kLongestWorkloadName);
  if (!given_.insert(unique).second) {
    const std::string plain = allowed(name, kLongestWorkloadName - kRoomForNumber);
    // The number goes on from the last one: a file may have a million twins.
    std::size_t& twin = last_twin_.try_emplace(plain, 1).first->second;
    do {
      unique = plain + "_" + std::to_string(++twin);
    } while (!given_.insert(unique).second);
  }
  assert(fault_in_workload_name(unique).empty());
  return unique;
}

}  // namespace perf::formats
