#include "schema/workload_name.h"

#include <algorithm>
#include <cassert>

#include "schema/text/fnv.h"

namespace perf {
namespace {

std::string fault_in_component(std::string_view component) {
  if (component.empty()) {
    return "has an empty component";
  }
  if (component.front() == '.' || component.front() == '-') {
    return "has a component that starts with a dot or a dash";
  }
  for (const char c : component) {
    if (!is_name_letter(c)) {
      return "may only have letters, digits and . _ - /";
    }
  }
  return {};
}

constexpr std::size_t kRoomForNumber = 10;  ///< bytes: no file of 64 MiB has more names
constexpr std::size_t kDigestDigits = 8;

/// A name of a workload, without a limit.
std::string allowed(std::string_view name) {
  std::string out;
  for (const char c : name) {
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

// Not std::isalnum: its answer depends on the locale.
bool is_name_letter(char letter) {
  return (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z') ||
         (letter >= '0' && letter <= '9') || letter == '.' || letter == '_' || letter == '-';
}

std::string fault_in_workload_name(std::string_view name) {
  if (name.empty()) {
    return "is empty";
  }
  if (name.size() > kLongestWorkloadName) {
    return "is longer than " + std::to_string(kLongestWorkloadName) + " bytes";
  }
  if (name.find("..") != std::string_view::npos) {
    return "has two dots in a row";
  }
  for (std::size_t begin = 0; begin <= name.size();) {
    const std::size_t end = std::min(name.find('/', begin), name.size());
    if (std::string fault = fault_in_component(name.substr(begin, end - begin)); !fault.empty()) {
      return fault;
    }
    begin = end + 1;
  }
  return {};
}

std::string workload_name(std::string_view name, bool has_digest) {
  if (name.size() <= kLongestWorkloadName && !has_digest) {
    return allowed(name);
  }
  const std::string_view kept = name.substr(0, kLongestWorkloadName - kDigestDigits - 1);
  return allowed(kept) + "-" + hexadecimal(fnv1a_64(name)).substr(0, kDigestDigits);
}

std::string WorkloadNames::of(std::string_view name) {
  std::string unique = workload_name(name);
  if (!given_.insert(unique).second) {
    const std::string plain = unique.substr(0, kLongestWorkloadName - kRoomForNumber);
    // The number goes on from the last one: a file may have a million twins.
    std::size_t& twin = last_twin_.try_emplace(plain, 1).first->second;
    do {
      unique = plain + "_" + std::to_string(++twin);
    } while (!given_.insert(unique).second);
  }
  assert(fault_in_workload_name(unique).empty());
  return unique;
}

}  // namespace perf
