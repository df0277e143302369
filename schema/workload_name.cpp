#include "schema/workload_name.h"

#include <algorithm>

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

}  // namespace perf
