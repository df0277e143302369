#include "schema/store/stored_values.h"

#include <string_view>

#include "schema/error.h"

namespace perf::store {
namespace {

constexpr std::string_view kLower = "abcdefghijklmnopqrstuvwxyz";
constexpr std::string_view kIdLetters =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._-";
constexpr std::size_t kSha1 = 40, kSha256 = 64;  // hexadecimal digits
constexpr std::size_t kLongestId = 100, kLongestSize = 20;

bool is_of(std::string_view text, std::string_view letters) {
  return text.find_first_not_of(letters) == std::string_view::npos;
}

void require(bool holds, const char* what, const std::string& value) {
  if (!holds) {
    throw Error(what, value.substr(0, kLongestId),
                "it was not written by this program; do not use it");
  }
}

}  // namespace

void require_oid(const std::string& oid) {
  require((oid.size() == kSha1 || oid.size() == kSha256) && is_of(oid, "0123456789abcdef"),
          "the store holds a commit that is none", oid);
}

void require_run_id(const std::string& id) {
  require(!id.empty() && id.size() <= kLongestId && is_of(id, kIdLetters) && id[0] != '-' &&
              id[0] != '.',
          "the store holds a run's id that is none", id);
}

void require_size(const std::string& size) {
  require(!size.empty() && size.size() <= kLongestSize && is_of(size, kLower),
          "the store holds a size that is none", size);
}

}  // namespace perf::store
