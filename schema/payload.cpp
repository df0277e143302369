#include "schema/payload.h"

#include <cstddef>
#include <string_view>

namespace perf {
namespace {

constexpr std::string_view kDigits = "0123456789";
constexpr std::string_view kHexDigits = "0123456789abcdef";
constexpr std::string_view kIdLetters =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._-";
constexpr std::size_t kLongestId = 100;
constexpr std::size_t kDigest = 32;  ///< digits

bool is_of(std::string_view text, std::string_view letters) {
  return text.find_first_not_of(letters) == std::string_view::npos;
}

}  // namespace

bool is_run_id(const std::string& text) {
  return !text.empty() && text.size() <= kLongestId && is_of(text, kIdLetters) && text[0] != '-' &&
         text[0] != '.';
}

bool is_month(const std::string& text) {
  return text.size() == 7 && text[4] == '-' && is_of(text.substr(0, 4), kDigits) &&
         is_of(text.substr(5), kDigits);
}

std::string id_of_payload(const std::string& name) {
  if (name.size() < kDigest + 2) {
    return {};
  }
  const std::size_t dash = name.size() - kDigest - 1;
  const std::string id = name.substr(0, dash);
  return name[dash] == '-' && is_of(name.substr(dash + 1), kHexDigits) && is_run_id(id)
             ? id
             : std::string();
}

}  // namespace perf
