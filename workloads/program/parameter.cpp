#include "workloads/program/parameter.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <numeric>
#include <stdexcept>
#include <utility>

#include "workloads/program/error.h"

namespace perf::workloads {

Size size_from(std::string_view name) {
  const auto found = std::find(kSizeNames.begin(), kSizeNames.end(), name);
  if (found == kSizeNames.end()) {
    throw Error("no such size", std::string(name), "--size smoke, ci or full");
  }
  return static_cast<Size>(found - kSizeNames.begin());
}

Parameter integer(std::string name, std::array<std::int64_t, 3> defaults, std::int64_t least,
                  std::int64_t most, std::string help) {
  Parameter parameter{.name = std::move(name),
                      .kind = Parameter::Kind::integer,
                      .defaults = {},
                      .help = std::move(help),
                      .least = static_cast<double>(least),
                      .most = static_cast<double>(most),
                      .choices = {},
                      .require = nullptr};
  for (std::size_t i = 0; i < defaults.size(); ++i) {
    parameter.defaults[i] = std::to_string(defaults[i]);
  }
  return parameter;
}

Parameter integers(std::string name, std::array<std::string, 3> defaults, std::int64_t least,
                   std::int64_t most, std::string help) {
  Parameter parameter = integer(std::move(name), {0, 0, 0}, least, most, std::move(help));
  parameter.kind = Parameter::Kind::integers;
  parameter.defaults = std::move(defaults);
  return parameter;
}

Parameter real(std::string name, double value, double least, double most, std::string help) {
  const std::string text = fmt::format("{}", value);
  return {.name = std::move(name),
          .kind = Parameter::Kind::real,
          .defaults = {text, text, text},
          .help = std::move(help),
          .least = least,
          .most = most,
          .choices = {},
          .require = nullptr};
}

Parameter choice(std::string name, std::vector<std::string> choices, std::string help) {
  const std::string first = choices.front();
  return choice(std::move(name), std::move(choices), {first, first, first}, std::move(help));
}

Parameter choice(std::string name, std::vector<std::string> choices,
                 std::array<std::string, 3> defaults, std::string help) {
  return {.name = std::move(name),
          .kind = Parameter::Kind::choice,
          .defaults = std::move(defaults),
          .help = std::move(help),
          .least = 0,
          .most = 0,
          .choices = std::move(choices),
          .require = nullptr};
}

Parameter text(std::string name, std::string value, void (*require)(const std::string& text),
               std::string help) {
  return {.name = std::move(name),
          .kind = Parameter::Kind::text,
          .defaults = {value, value, value},
          .help = std::move(help),
          .least = 0,
          .most = 0,
          .choices = {},
          .require = require};
}

namespace {

template <class Number>
bool parses(const std::string& text, Number& number) {
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, number);
  return error == std::errc() && stop == end;
}

// "1,4,16"; nothing for anything else.
std::vector<std::int64_t> whole_numbers(const std::string& text) {
  std::vector<std::int64_t> numbers;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    if (!parses(text.substr(begin, end - begin), numbers.emplace_back())) {
      return {};
    }
    begin = end + 1;
  }
  return numbers;
}

void require_list(const Parameter& parameter, const std::string& text) {
  const std::vector<std::int64_t> numbers = whole_numbers(text);
  std::vector<std::int64_t> sorted = numbers;
  std::sort(sorted.begin(), sorted.end());
  if (numbers.empty() || static_cast<double>(sorted.front()) < parameter.least ||
      static_cast<double>(sorted.back()) > parameter.most ||
      std::adjacent_find(sorted.begin(), sorted.end()) != sorted.end()) {
    throw Error("not an accepted value", fmt::format("--{} {}", parameter.name, text),
                fmt::format("different whole numbers from {} to {}, such as {}", parameter.least,
                            parameter.most, parameter.defaults.back()));
  }
}

void require_accepted(const Parameter& parameter, const std::string& text) {
  const std::string subject = fmt::format("--{} {}", parameter.name, text);
  if (parameter.require != nullptr) {
    try {
      parameter.require(text);
    } catch (const std::invalid_argument& error) {
      throw Error("not an accepted value", subject, error.what());
    }
  }
  if (parameter.kind == Parameter::Kind::text) {
    return;
  }
  if (parameter.kind == Parameter::Kind::integers) {
    return require_list(parameter, text);
  }
  if (parameter.kind == Parameter::Kind::choice) {
    const auto& choices = parameter.choices;
    if (std::find(choices.begin(), choices.end(), text) == choices.end()) {
      throw Error("not supported", subject,
                  fmt::format("--{} {} (one of: {})", parameter.name, nearest(text, choices),
                              fmt::join(choices, ", ")));
    }
    return;
  }
  std::int64_t whole = 0;
  double number = 0;
  const bool parsed =
      parameter.kind == Parameter::Kind::integer ? parses(text, whole) : parses(text, number);
  if (parameter.kind == Parameter::Kind::integer) {
    number = static_cast<double>(whole);
  }
  // Written so that NaN is refused as well.
  if (!parsed || !(number >= parameter.least && number <= parameter.most)) {
    throw Error("not an accepted value", subject,
                fmt::format("a{} number from {} to {}",
                            parameter.kind == Parameter::Kind::integer ? " whole" : "",
                            parameter.least, parameter.most));
  }
}

std::size_t edit_distance(std::string_view name, std::string_view other) {
  std::vector<std::size_t> row(other.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < name.size(); ++i) {
    std::size_t diagonal = row[0]++;
    for (std::size_t j = 0; j < other.size(); ++j) {
      const std::size_t substituted = diagonal + (name[i] == other[j] ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({row[j] + 1, row[j + 1] + 1, substituted});
    }
  }
  return row.back();
}

// What to try in place of an option that there is not: one that is far from it would be no help.
std::string option_instead(const std::string& name, const std::vector<std::string>& names) {
  const std::string near = nearest(name, names);
  const bool is_near =
      near.find(name) != std::string::npos || 3 * edit_distance(name, near) <= near.size();
  return (is_near ? "--" + near + " (" : "one of its own (") + "`describe` lists them all)";
}

// Some names have a brief form.
std::string full_name(std::string name, const std::vector<std::string>& names) {
  std::replace(name.begin(), name.end(), '_', '-');
  const auto known = [&](std::string_view wanted) {
    return std::find(names.begin(), names.end(), wanted) != names.end();
  };
  for (const auto& [brief, full] :
       {std::pair{"batch", "batch-size"}, std::pair{"length", "seq-len"}}) {
    if (name == brief && !known(brief) && known(full)) {
      return full;
    }
  }
  return name;
}

std::vector<std::string> names_of(const std::vector<Parameter>& parameters) {
  std::vector<std::string> names;
  names.reserve(parameters.size());
  for (const Parameter& parameter : parameters) {
    names.push_back(parameter.name);
  }
  return names;
}

}  // namespace

bool is_among(const std::vector<Parameter>& parameters, const std::string& given) {
  const std::vector<std::string> names = names_of(parameters);
  return std::find(names.begin(), names.end(), full_name(given, names)) != names.end();
}

Settings::Settings(const std::vector<Parameter>& parameters, Size size,
                   const std::map<std::string, std::string>& given) {
  const std::vector<std::string> names = names_of(parameters);
  for (const Parameter& parameter : parameters) {
    values_[parameter.name] = {.kind = parameter.kind,
                               .text = parameter.defaults[static_cast<std::size_t>(size)]};
  }
  std::map<std::string, std::string> seen;  // full name: as it was given
  for (const auto& [raw_name, text] : given) {
    const std::string name = full_name(raw_name, names);
    if (const auto [first, is_new] = seen.emplace(name, raw_name); !is_new) {
      throw Error("given twice", fmt::format("--{} and --{}", first->second, raw_name),
                  "one of the two");
    }
    const auto parameter = std::find_if(parameters.begin(), parameters.end(),
                                        [&](const Parameter& p) { return p.name == name; });
    if (parameter == parameters.end()) {
      throw Error("no such parameter", "--" + raw_name, option_instead(name, names));
    }
    require_accepted(*parameter, text);
    values_[name] = {.kind = parameter->kind, .text = text, .given = true};
  }
}

const Settings::Value& Settings::find(std::string_view name) const {
  const auto found = values_.find(name);
  if (found == values_.end()) {
    throw std::logic_error("undeclared parameter " + std::string(name));
  }
  return found->second;
}

std::int64_t Settings::integer(std::string_view name) const {
  std::int64_t value = 0;
  parses(find(name).text, value);
  return value;
}

std::vector<std::int64_t> Settings::integers(std::string_view name) const {
  return whole_numbers(find(name).text);
}

double Settings::real(std::string_view name) const {
  double value = 0;
  parses(find(name).text, value);
  return value;
}

const std::string& Settings::text(std::string_view name) const {
  return find(name).text;
}

Settings Settings::with(const std::map<std::string, std::string>& changed) const {
  Settings settings = *this;
  for (const auto& [name, text] : changed) {
    find(name);
    settings.values_.find(name)->second.text = text;
  }
  return settings;
}

perf_compare::Fields Settings::fields() const {
  perf_compare::Fields fields;
  for (const auto& [name, value] : values_) {
    switch (value.kind) {
      case Parameter::Kind::integer:
        fields.emplace_back(name, integer(name));
        break;
      case Parameter::Kind::real:
        fields.emplace_back(name, real(name));
        break;
      case Parameter::Kind::integers:  // a number where it is one
        if (integers(name).size() == 1) {
          fields.emplace_back(name, integer(name));
          break;
        }
        [[fallthrough]];
      case Parameter::Kind::choice:
      case Parameter::Kind::text:
        fields.emplace_back(name, value.text);
        break;
    }
  }
  return fields;
}

std::string nearest(std::string_view name, const std::vector<std::string>& names) {
  const auto rank = [&](const std::string& other) {
    return std::pair(other.find(name) == std::string::npos, edit_distance(name, other));
  };
  return *std::min_element(
      names.begin(), names.end(),
      [&](const std::string& a, const std::string& b) { return rank(a) < rank(b); });
}

}  // namespace perf::workloads
