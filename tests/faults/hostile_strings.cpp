#include "tests/faults/hostile_strings.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <string_view>

#include "schema/text/utf8.h"
#include "tests/reporter/samples.h"

namespace perf::test {
namespace {

namespace fs = std::filesystem;
using namespace std::string_view_literals;

// SPROUT: a file that exists if a string was executed or written to.
constexpr std::array kPieces{
    // Options, of ours, of git's, of whatever runs behind.
    "-"sv, "--"sv, "---"sv, "-h"sv, "-C"sv, "-c core.hooksPath=."sv,
    "-ccore.fsmonitor=touch SPROUT"sv, "--upload-pack=touch SPROUT"sv, "--exec=touch SPROUT"sv,
    "--output=SPROUT"sv, "-oSPROUT"sv, "--git-dir=."sv, "--work-tree=/"sv, "--template=."sv,
    "--config=SPROUT"sv, "--db=SPROUT"sv, "--no-index"sv, "--help"sv, "--version"sv, "--ext-diff"sv,
    "-u./SPROUT"sv, "--end-of-options"sv, "--receive-pack=x"sv,
    "--open-files-in-pager=touch SPROUT"sv, "-O touch SPROUT"sv, "@SPROUT"sv,
    // What a shell would do.
    "$(touch SPROUT)"sv, "`touch SPROUT`"sv, ";touch SPROUT"sv, "&& touch SPROUT"sv,
    "| touch SPROUT"sv, "> SPROUT"sv, "\ntouch SPROUT\n"sv, "'; touch SPROUT; '"sv,
    "\"; touch SPROUT; \""sv, "${IFS}touch${IFS}SPROUT"sv, "$HOME"sv, "~"sv, "~root"sv, "{a,b}"sv,
    "!!"sv, "<(touch SPROUT)"sv, "\\"sv, "'"sv, "\""sv, "\"'"sv, "$'\\x41'"sv,
    "() { :;}; touch SPROUT"sv,
    // What git reads into names.
    "HEAD"sv, "HEAD~1"sv, "HEAD^{tree}"sv, "HEAD:perf-compare.json"sv, "@"sv, "@{-1}"sv, "@{u}"sv,
    "@{upstream}"sv, "@{1 day ago}"sv, "HEAD@{now}"sv, "HEAD@{99999999999999999999}"sv, "^HEAD"sv,
    "HEAD^{/regex}"sv, "HEAD^{/(a+)+$}"sv, ":/one"sv, ":/!-x"sv, ":0:file"sv, ":(attr:x)"sv,
    "HEAD~99999999999999999999"sv, "HEAD^-1"sv, "HEAD^@"sv, "HEAD^!"sv, "^{commit}"sv, "^{}"sv,
    "refs/heads/main"sv, "refs/"sv, "refs/heads/../../HEAD"sv, "ORIG_HEAD"sv, "FETCH_HEAD"sv,
    "main.lock"sv, "main"sv, "a-blob"sv, "a-tree"sv, "baseline"sv, "release"sv, ".."sv, "..."sv,
    "HEAD..HEAD~1"sv, "HEAD~2..HEAD"sv, "a..b..c"sv, "v1-1-gdeadbeef"sv, "deadbeef"sv, "0000"sv,
    "0000000000000000000000000000000000000000"sv, "ffffffffffffffffffffffffffffffffffffffff"sv,
    "DEADBEEFdeadbeefDEADBEEFdeadbeefDEADBEEF"sv,
    "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"sv,
    // Paths.
    "."sv, "./"sv, "/"sv, "//"sv, "../"sv, "../../"sv, "../SPROUT"sv, "sub/../../SPROUT"sv,
    "/etc/passwd"sv, "/proc/self/environ"sv, "file:///etc/passwd"sv, "ext::touch SPROUT"sv,
    "https://evil.example/x"sv, "C:\\SPROUT"sv, "\\\\host\\share"sv, ".git"sv, ".git/config"sv,
    ".GIT/config"sv, ".perf-compare"sv, ".perf-compare/results.db"sv, "perf-compare.json"sv,
    "a/b/c"sv, "a//b"sv, "a/./b"sv, "name with spaces"sv, " leading"sv, "trailing "sv, "nul"sv,
    "aux.txt"sv, "%2e%2e%2f"sv, "..%c0%af"sv, "\xef\xbc\x8e\xef\xbc\x8e\xef\xbc\x8f"sv,
    "\xe2\x80\xa6/"sv, "file:?mode=memory"sv, "x.db?vfs=none"sv, ":memory:"sv,
    // Patterns, formats and numbers.
    "*"sv, "**"sv, "?"sv, "[a-z]"sv, "[!"sv, "{}"sv, "{0}"sv, "{out}"sv, "%s%n%n"sv, "%99999d"sv,
    "a*a*a*a*a*a*a*a*a*b"sv, "1e309"sv, "-0"sv, "NaN"sv, "0x7fffffff"sv, "18446744073709551616"sv,
    "null"sv, "true"sv, "[]"sv, "key=value"sv, "="sv, ","sv, "a=1,2"sv, "k=$(touch SPROUT)"sv};

std::string upper_or_wide(std::string text) {
  std::string wide;
  for (const char c : text) {
    if (c > 0x20 && c < 0x7F) {
      append_utf8(wide, char32_t{0xFF00} + static_cast<char32_t>(c) - 0x20);
    } else {
      wide += c;
    }
  }
  return wide;
}

}  // namespace

std::size_t HostileStrings::below(std::size_t end) {
  return std::uniform_int_distribution<std::size_t>(0, end - 1)(random_);
}

std::string HostileStrings::piece() {
  const std::vector<std::string>& texts = samples::hostile_texts();
  switch (below(8)) {
    case 0:
      return texts[below(texts.size())];
    case 1: {
      std::string bytes(below(24), ' ');
      std::generate(bytes.begin(), bytes.end(), [&] { return static_cast<char>(below(256)); });
      return bytes;
    }
    default:
      return std::string(kPieces[below(kPieces.size())]);
  }
}

std::string HostileStrings::any() {
  std::string text = piece();
  while (below(3) == 0) {
    text += piece();
  }
  switch (below(12)) {
    case 0:
      text.insert(below(text.size() + 1), 1, static_cast<char>(below(256)));
      break;
    case 1:
      text.resize(below(text.size() + 1));
      break;
    case 2:
      text = upper_or_wide(text);
      break;
    case 3:
      for (const std::size_t wanted = std::size_t{64} << below(8);
           !text.empty() && text.size() < wanted;) {
        text += text;
      }
      break;
    case 4:
      text = "--" + text;
      break;
    default:
      break;
  }
  constexpr std::size_t kLongest = 64 * 1024;  // an argument of Linux may have twice as many
  return text.substr(0, kLongest);
}

std::string HostileStrings::argument() {
  std::string text = any();
  text.erase(std::remove(text.begin(), text.end(), '\0'), text.end());
  return text;
}

std::string HostileStrings::path(const fs::path& world, const fs::path& here) {
  const std::string text = argument();
  const std::string inside = text.empty() || text.front() != '/' ? text : world.string() + text;
  const std::string place = (here / inside).lexically_normal().string();
  return place.rfind(world.string() + "/", 0) == 0 ? inside : "sub/" + std::to_string(below(100));
}

bool is_printable(const std::string& text) {
  std::string encoded;
  for (const char32_t code : decode_utf8(text)) {
    const bool is_control = (code < 0x20 && code != '\n') || (code >= 0x7F && code <= 0x9F);
    const bool is_hiding = (code >= 0x200E && code <= 0x200F) ||
                           (code >= 0x2028 && code <= 0x202E) ||
                           (code >= 0x2060 && code <= 0x206F) || code == 0xFEFF || code == 0x061C;
    if (is_control || is_hiding) {
      return false;
    }
    append_utf8(encoded, code);
  }
  return encoded == text;
}

std::string in_json(const std::string& text) {
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      quoted += std::string("\\") + c;
    } else if (static_cast<unsigned char>(c) < 0x20) {
      std::array<char, 8> escape{};
      std::snprintf(escape.data(), escape.size(), "\\u%04x", static_cast<unsigned>(c));
      quoted += escape.data();
    } else {
      quoted += c;
    }
  }
  return quoted + '"';
}

}  // namespace perf::test
