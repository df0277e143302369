#include "collector/git/event_file.h"

#include <filesystem>
#include <fstream>
#include <initializer_list>
#include <iterator>

#include "schema/formats/json_reader.h"

namespace perf {
namespace {

using formats::JsonMember;
using formats::JsonObject;
using formats::JsonValue;

constexpr std::uintmax_t kEventLimit = 32u << 20;  // B; GitHub's are capped at 25 MB

std::optional<std::string> text_at(const JsonValue& event,
                                   std::initializer_list<const char*> keys) {
  const JsonValue* value = &event;
  for (const char* key : keys) {
    const JsonObject* object = std::get_if<JsonObject>(&value->data);
    const JsonMember* member = object != nullptr ? formats::find_member(*object, key) : nullptr;
    if (member == nullptr) {
      return std::nullopt;
    }
    value = &member->value;
  }
  const std::string* text = std::get_if<std::string>(&value->data);
  return text != nullptr ? std::optional<std::string>(*text) : std::nullopt;
}

}  // namespace

EventFile read_event_file(const std::string& path) {
  std::error_code error;
  const bool fits = std::filesystem::is_regular_file(path, error) &&
                    std::filesystem::file_size(path, error) <= kEventLimit;
  std::ifstream file(path, std::ios::binary);
  if (!fits || !file) {
    return {};
  }
  const std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  try {
    const JsonValue event = formats::read_json(text);
    return {text_at(event, {"before"}), text_at(event, {"pull_request", "head", "sha"}),
            text_at(event, {"pull_request", "base", "sha"}),
            text_at(event, {"merge_group", "base_sha"})};
  } catch (const formats::JsonFault&) {
    return {};
  }
}

}  // namespace perf
