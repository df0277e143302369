#include "reporter/openmetrics/exposition.h"

#include <fmt/core.h>

#include <cmath>

#include "reporter/escape/markup.h"

namespace perf::reporter {
namespace {

std::string written(const Labels& labels) {
  std::string text;
  for (const auto& [label, value] : labels) {
    if (!value.empty()) {
      text += (text.empty() ? "" : ",") + label + "=\"" + label_text(value) + "\"";
    }
  }
  return text;
}

}  // namespace

Exposition::Family& Exposition::family(const std::string& name, const char* type,
                                       const std::string& unit, const std::string& help) {
  const auto [at, is_new] = families_.try_emplace(name);
  if (is_new) {
    order_.push_back(name);
    std::string& head = at->second.head;
    head = "# TYPE " + name + " " + type + "\n";
    if (!unit.empty()) {
      head += "# UNIT " + name + " " + unit + "\n";
    }
    head += "# HELP " + name + " " + label_text(help) + "\n";
  }
  return at->second;
}

void Exposition::add(Family& family, const std::string& name, const Labels& labels, double value) {
  const std::string text = written(labels);
  const std::string key = name + (text.empty() ? "" : "{" + text + "}");
  if (family.keys.insert(key).second) {
    family.samples += key + fmt::format(" {}\n", value);  // round-trip, whatever the locale
  }
}

void Exposition::gauge(const std::string& name, const std::string& unit, const std::string& help,
                       const Labels& labels, double value) {
  if (std::isfinite(value)) {
    add(family(name, "gauge", unit, help), name, labels, value);
  }
}

void Exposition::state(const std::string& name, const std::string& help, const Labels& labels,
                       const std::vector<std::string>& states, const std::string& holds) {
  Family& set = family(name, "stateset", "", help);
  for (const std::string& state : states) {
    Labels one = labels;
    one.emplace_back(name, state);
    add(set, name, one, state == holds ? 1 : 0);
  }
}

void Exposition::info(const std::string& name, const std::string& help, const Labels& labels) {
  add(family(name, "info", "", help), name + "_info", labels, 1);
}

std::string Exposition::str() const {
  std::string text;
  for (const std::string& name : order_) {
    const Family& family = families_.at(name);
    text += family.head + family.samples;
  }
  return text + "# EOF\n";
}

Labels DistinctLabels::of(Labels labels, std::size_t named) {
  const std::string name = labels[named].second;
  for (int number = 2; !taken_.insert(written(labels)).second; ++number) {
    labels[named].second = name + " (" + std::to_string(number) + ")";
  }
  return labels;
}

std::string unit_name(const std::string& unit) {
  if (unit == "s") {
    return "seconds";
  }
  if (unit == "B") {
    return "bytes";
  }
  return unit == "1/s" ? "per_second" : "";
}

std::string family_name(const std::string& name, const std::string& unit) {
  const std::string suffix = unit_name(unit);
  return suffix.empty() ? name : name + "_" + suffix;
}

}  // namespace perf::reporter
