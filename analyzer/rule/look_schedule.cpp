#include "analyzer/rule/look_schedule.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>

#include "schema/error.h"
#include "schema/text/wording.h"

namespace perf {
namespace {

constexpr double kPairsLimit = 1e9;  // keeps a silly --pairs within an int

// ceil(growth * n), where a product that is whole but for rounding stays what it is.
int grown(int pairs, double growth) {
  constexpr double kRounding = 1e-9;
  const double next = std::min(std::ceil(growth * pairs - kRounding), kPairsLimit);
  return std::max(std::min(pairs, static_cast<int>(kPairsLimit) - 1) + 1, static_cast<int>(next));
}

int first_wanted_look(const Policy& policy, int judged) {
  return std::max(first_possible_look(policy, judged), policy.min_pairs);
}

}  // namespace

double look_alpha(const Policy& policy, int judged) {
  return policy.alpha * policy.alpha_share /
         (static_cast<double>(std::max(judged, 1)) * std::max(policy.looks, 1));
}

int first_possible_look(const Policy& policy, int judged) {
  const double level = look_alpha(policy, judged);
  int pairs = 1;
  for (double unanimous = 1; unanimous > level && unanimous > 0; unanimous /= 2) {
    ++pairs;
  }
  return pairs;
}

std::vector<int> look_schedule(const Policy& policy, int judged, std::optional<int> last) {
  if (!last && policy.max_pairs > 0) {
    last = policy.max_pairs;
  }
  const auto most = static_cast<std::size_t>(std::max(policy.looks, 1));
  std::vector<int> looks{first_wanted_look(policy, judged)};
  if (last && *last < looks.front()) {
    return {};
  }
  if (last && most == 1) {
    return {*last};
  }
  while (looks.size() < most) {
    looks.push_back(grown(looks.back(), policy.look_growth));
  }
  if (last) {
    while (!looks.empty() && looks.back() >= *last) {
      looks.pop_back();
    }
    if (looks.size() < most) {
      looks.push_back(*last);
    }
  }
  return looks;
}

void require_reachable_look(const Policy& policy, int judged) {
  if (policy.max_pairs == 0 || !look_schedule(policy, judged).empty()) {
    return;
  }
  const std::string most = std::to_string(policy.max_pairs);
  if (policy.min_pairs > policy.max_pairs) {
    throw UsageError("the minimum is above the maximum",
                     "--pairs " + std::to_string(policy.min_pairs) + ":" + most,
                     "give the smaller number first");
  }
  const int first_look = first_possible_look(policy, judged);
  const std::string first = std::to_string(first_look);
  throw UsageError(
      "too few pairs for any verdict",
      "--pairs " + most + ", but " +
          counted(static_cast<std::size_t>(judged), "judged comparison") +
          (judged == 1 ? " needs " : " need ") +
          counted(static_cast<std::size_t>(first_look), "pair") + " before the first look",
      "allow --pairs " + first +
          " or more, judge fewer workloads or metrics (-w, --metric), or raise --alpha");
}

}  // namespace perf
