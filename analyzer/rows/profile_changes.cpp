#include "analyzer/rows/profile_changes.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <string>
#include <utility>

namespace perf {
namespace {

std::string file_name(const std::string& object) {
  return object.substr(object.rfind('/') + 1);
}

/// Both sides of each function, by symbol and file name.
std::map<std::pair<std::string, std::string>, FunctionChange> side_by_side(const Profile& base,
                                                                           const Profile& head) {
  std::map<std::pair<std::string, std::string>, FunctionChange> functions;
  for (const Profile* side : {&base, &head}) {
    for (const HotFunction& one : side->functions) {
      FunctionChange& change = functions[{one.symbol, file_name(one.object)}];
      change.symbol = one.symbol;
      change.name = one.name;
      change.object = file_name(one.object);
      (side == &base ? change.base_share : change.head_share) += one.share;
    }
  }
  return functions;
}

bool has_moved(const FunctionChange& change, double base_samples, double head_samples) {
  const double together = (change.base_share * base_samples + change.head_share * head_samples) /
                          (base_samples + head_samples);
  const double error = std::sqrt(together * (1 - together) * (1 / base_samples + 1 / head_samples));
  const double moved = std::abs(change.head_share - change.base_share);
  return moved >= kLeastShareMoved && moved > kShareSigmas * error;
}

/// How far it moved: in seconds where they are known (for all functions, or for none).
double size_of(const FunctionChange& change) {
  return change.base_seconds && change.head_seconds
             ? std::abs(*change.head_seconds - *change.base_seconds)
             : std::abs(change.head_share - change.base_share);
}

}  // namespace

std::vector<FunctionChange> profile_changes(const Profile& base, const Profile& head,
                                            std::optional<double> base_step,
                                            std::optional<double> head_step) {
  if (base.samples <= 0 || head.samples <= 0) {
    return {};
  }
  std::vector<FunctionChange> changes;
  for (auto& [key, change] : side_by_side(base, head)) {
    if (!has_moved(change, static_cast<double>(base.samples), static_cast<double>(head.samples))) {
      continue;
    }
    if (base_step && head_step) {
      change.base_seconds = change.base_share * *base_step;
      change.head_seconds = change.head_share * *head_step;
    }
    changes.push_back(std::move(change));
  }
  std::ranges::stable_sort(changes, std::greater(), size_of);
  return changes;
}

}  // namespace perf
