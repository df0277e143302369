#include "schema/formats/surroundings.h"

#include <algorithm>
#include <array>

#include "schema/formats/reading.h"

namespace perf::formats {
namespace {

/// The end of the JSON object or list that begins at `at`, by its brackets; npos: it has none.
std::size_t end_of_json(std::string_view text, std::size_t at) {
  std::size_t depth = 0;
  for (bool quoted = false; at < text.size(); ++at) {
    const char c = text[at];
    if (quoted) {
      at += c == '\\' ? 1 : 0;
      quoted = c != '"';
    } else if (c == '"') {
      quoted = true;
    } else if (c == '{' || c == '[') {
      ++depth;
    } else if ((c == '}' || c == ']') && --depth == 0) {
      return at + 1;
    }
  }
  return std::string_view::npos;
}

/// Whether what begins there is JSON, and not a word of a log such as "[INFO]".
bool begins_as_json(std::string_view text) {
  const char open = text.front();
  const std::size_t next = text.find_first_not_of(" \t\r\n", 1);
  const std::string_view follows = open == '{' ? "\"" : "{[\"";
  return next != std::string_view::npos && follows.find(text[next]) != std::string_view::npos;
}

/// The length of a number with the blanks ahead of it: "9", " 10", "1m12", "10:11:09.5"; 0: none.
std::size_t length_of_number(std::string_view text) {
  constexpr std::string_view kOfDigits = "0123456789", kWithin = ".:dhm";
  std::size_t end = text.find_first_not_of(' ');
  if (end == text.npos || kOfDigits.find(text[end]) == kOfDigits.npos) {
    return 0;
  }
  while (true) {
    end = std::min(text.find_first_not_of(kOfDigits, end), text.size());
    if (end + 1 >= text.size() || kWithin.find(text[end]) == kWithin.npos ||
        kOfDigits.find(text[end + 1]) == kOfDigits.npos) {
      return end;
    }
    ++end;
  }
}

/// A text with each number as 0: what stands before the lines of a log differs in numbers only.
std::string shape_of(std::string_view prefix) {
  std::string shape;
  while (!prefix.empty()) {
    const std::size_t number = length_of_number(prefix);
    const std::size_t blanks = std::min(prefix.find_first_not_of(' '), prefix.size());
    const std::size_t length = number > 0 ? number : std::max<std::size_t>(blanks, 1);
    shape += number > 0 ? "0" : prefix.substr(0, length);
    prefix.remove_prefix(length);
  }
  return shape;
}

/// The length of what has this shape at the beginning of a line; npos: nothing has.
std::size_t length_of(std::string_view shape, std::string_view line) {
  std::size_t at = 0;
  for (const char c : shape) {
    const std::string_view rest = line.substr(std::min(at, line.size()));
    const std::size_t length = c == '0' ? length_of_number(rest) : rest.starts_with(c) ? 1 : 0;
    if (length == 0) {
      return std::string_view::npos;
    }
    at += length;
  }
  return at;
}

/// The length of the prefix of a line that begins a JSON document; npos: it does not.
std::size_t place_of_json(std::string_view line) {
  const std::string_view inner = trimmed(line, " \t\r");
  const bool begins = inner.ends_with('{') || inner.ends_with('[');
  const std::size_t at = begins ? line.find_last_of("{[") : 0;
  return begins && (at == 0 || line[at - 1] == ' ' || line[at - 1] == '\t') ? at : line.npos;
}

}  // namespace

void for_each_json(std::string_view text, const std::function<bool(JsonPart)>& take) {
  constexpr std::size_t kFault = 1000, kLeast = 10'000'000;  // a fault costs more than a bracket
  std::size_t work = 4 * text.size() + kLeast;  // brackets that end nowhere are searched again
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t first = std::min(text.find_first_not_of(" \t\r", at), text.size());
    const std::size_t line_end = std::min(text.find('\n', first), text.size());
    at = line_end + 1;
    const std::string_view rest = text.substr(first);
    if (rest.empty() || (rest.front() != '{' && rest.front() != '[') || !begins_as_json(rest)) {
      continue;
    }
    const std::size_t end = end_of_json(text, first);
    const std::size_t scanned = std::min(end, text.size()) - first;
    if (scanned > work) {
      return;
    }
    work -= scanned;
    JsonPart part{first, end, {}, {}};
    try {
      if (end != text.npos) {
        part.root = read_foreign_json(text.substr(first, end - first));
        at = end;
      }
    } catch (const JsonFault& fault) {
      part.fault = fault;
      part.fault->offset += first;
      work -= std::min(work, kFault);
    }
    if (!take(std::move(part))) {
      return;
    }
  }
}

void for_each_record(std::string_view text, const std::string& filename, const std::string& wanted,
                     const std::function<void(const JsonValue&)>& take) {
  bool is_empty = true;
  const auto take_part = [&](const JsonPart& part) {
    const std::string_view own = text.substr(part.begin, part.end - part.begin);
    if (part.fault) {
      throw JsonFault(*part.fault);
    }
    try {
      if (part.root.is_null()) {
        read_foreign_json(own);  // throws
      }
      const JsonArray* list = std::get_if<JsonArray>(&part.root.data);
      const JsonValue* first = list == nullptr ? &part.root : list->data();
      std::for_each(first, first + (list == nullptr ? 1 : list->size()), take);
      is_empty = is_empty && list != nullptr && list->empty();
    } catch (JsonFault& fault) {
      fault.offset += part.begin;
      throw;
    }
    return true;
  };
  const auto read = [&] {
    for_each_json(text, take_part);
    if (is_empty) {
      throw JsonFault{0, "no benchmark result"};
    }
  };
  with_places(text, filename, read, wanted);
}

std::string alone(const JsonPart& part, std::string_view text) {
  std::string masked(text);
  for (std::size_t i = 0; i < masked.size(); ++i) {
    if ((i < part.begin || i >= part.end) && masked[i] != '\n') {
      masked[i] = ' ';
    }
  }
  return masked;
}

std::size_t count_lines_beside(const JsonPart& part, std::string_view text) {
  std::size_t lines = 0;
  for (std::string_view rest : {text.substr(0, part.begin), text.substr(part.end)}) {
    while (!rest.empty()) {
      lines += trimmed(take_line(rest)).empty() ? 0 : 1;
    }
  }
  return lines;
}

std::optional<LogPrefix> log_prefix_of(std::string_view text) {
  std::string shape, first;
  for (std::string_view rest = text; !rest.empty();) {
    const std::string_view line = take_line(rest);
    const std::size_t at = std::min(place_of_go_result(line), place_of_bencher_result(line));
    if (at == 0) {
      return std::nullopt;
    }
    if (at == line.npos) {
      continue;
    }
    const std::string_view prefix = line.substr(0, at);
    if (!shape.empty() && shape_of(prefix) != shape) {
      return std::nullopt;
    }
    first = shape.empty() ? prefix : first;
    shape = shape_of(prefix);
  }
  for (std::string_view rest = text; !rest.empty() && shape.empty();) {
    const std::string_view line = take_line(rest);
    if (const std::size_t at = place_of_json(line); at != line.npos) {
      first = line.substr(0, at);
      shape = shape_of(first);
      if (trimmed(first).empty()) {
        return std::nullopt;
      }
    }
  }
  if (shape.empty()) {
    return std::nullopt;
  }
  LogPrefix found{first, {}};
  for (std::string_view rest = text; !rest.empty();) {
    const std::string_view line = take_line(rest);
    const std::size_t length = length_of(shape, line);
    // Blank lines lack the blanks at the end of the prefix.
    const bool is_blank = length == line.npos && length_of(trimmed(shape), line) == line.size();
    found.text += is_blank ? std::string_view() : line.substr(length == line.npos ? 0 : length);
    found.text += '\n';
  }
  return found;
}

}  // namespace perf::formats
