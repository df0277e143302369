#include "workloads/training/lora_choice.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <sstream>
#include <stdexcept>

namespace perf::workloads {

namespace {

constexpr std::array<const char*, kProjections> kNames = {"q", "k", "v", "o", "gate", "up", "down"};

// The parts between commas. A comma at the end makes an empty part, which nothing accepts.
std::vector<std::string> parts_of(const std::string& text) {
  std::vector<std::string> parts;
  std::istringstream in(text + ",");
  for (std::string part; std::getline(in, part, ',');) {
    parts.push_back(part);
  }
  return parts;
}

// A whole number below `layers` that begins at text[at]; moves `at` past it.
int layer_at(const std::string& text, std::size_t& at, int layers) {
  int layer = -1;
  const char* begin = text.data() + at;
  const auto [stop, error] = std::from_chars(begin, text.data() + text.size(), layer);
  if (error != std::errc() || *begin == '-') {
    throw std::invalid_argument("`all`, or layers counted from 0 such as 0,3,8-11");
  }
  if (layer >= layers) {
    throw std::invalid_argument(fmt::format("layers from 0 to {}, or `all`", layers - 1));
  }
  at += static_cast<std::size_t>(stop - begin);
  return layer;
}

}  // namespace

std::string name_of(Projection projection) {
  return kNames.at(static_cast<std::size_t>(projection));
}

std::vector<Projection> lora_targets_from(const std::string& text) {
  std::array<bool, kProjections> chosen{};
  for (const std::string& part : parts_of(text)) {
    const auto name = std::find(kNames.begin(), kNames.end(), part);
    if (name == kNames.end()) {
      throw std::invalid_argument(
          fmt::format("one or more of {}, with commas between them", fmt::join(kNames, ", ")));
    }
    chosen[static_cast<std::size_t>(name - kNames.begin())] = true;
  }
  std::vector<Projection> targets;
  for (int index = 0; index < kProjections; ++index) {
    if (chosen[static_cast<std::size_t>(index)]) {
      targets.push_back(static_cast<Projection>(index));
    }
  }
  return targets;
}

std::vector<bool> lora_layers_from(const std::string& text, int layers) {
  if (text == "all") {
    return {};
  }
  std::vector<bool> chosen(static_cast<std::size_t>(layers));
  for (const std::string& part : parts_of(text)) {
    std::size_t at = 0;
    const int first = layer_at(part, at, layers);
    int last = first;
    if (at < part.size() && part[at] == '-') {
      last = layer_at(part, ++at, layers);
    }
    if (at != part.size() || last < first) {
      throw std::invalid_argument("`all`, or layers counted from 0 such as 0,3,8-11");
    }
    for (int layer = first; layer <= last; ++layer) {
      chosen[static_cast<std::size_t>(layer)] = true;
    }
  }
  return chosen;
}

}  // namespace perf::workloads
