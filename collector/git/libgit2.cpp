#include "collector/git/libgit2.h"

#include <array>

#include "collector/git/repository.h"
#include "collector/git/settings.h"
#include "collector/process/captured_text.h"
#include "schema/error.h"

namespace perf {
namespace {

/// libgit2's default caches and windows grow to 256 MiB and more; the tool must stay small while it
/// measures.
constexpr ssize_t kObjectCache = 8 << 20;      // B
constexpr std::size_t kPackWindow = 4 << 20;   // B
constexpr std::size_t kPackMapped = 32 << 20;  // B

/// Repository formats that only affect what is not done here (fetch, check out, prune); open()
/// checks the values of the last two.
constexpr std::array kExtensions{"partialclone",      "worktreeconfig", "preciousobjects",
                                 "relativeworktrees", "objectformat",   "refstorage"};

/// libgit2 must be started once, and shut down for leak checkers.
struct Library {
  Library() {
    git_libgit2_init();
    git_libgit2_opts(GIT_OPT_SET_EXTENSIONS, kExtensions.data(), kExtensions.size());
    git_libgit2_opts(GIT_OPT_SET_CACHE_MAX_SIZE, kObjectCache);
    git_libgit2_opts(GIT_OPT_SET_MWINDOW_SIZE, kPackWindow);
    git_libgit2_opts(GIT_OPT_SET_MWINDOW_MAPPED_LIMIT, kPackMapped);
  }
  ~Library() { git_libgit2_shutdown(); }
};

}  // namespace

void start_libgit2() {
  static const Library library;
}

std::string libgit2_version() {
  int major = 0, minor = 0, patch = 0;
  git_libgit2_version(&major, &minor, &patch);
  return std::to_string(major) + "." + std::to_string(minor) + "." + std::to_string(patch);
}

std::string libgit2_error() {
  const git_error* error = git_error_last();
  return error != nullptr && error->message != nullptr
             ? to_one_line(without_credentials(error->message))
             : "no reason given";
}

void check_git(int status, const std::string& what, const std::string& subject) {
  if (status < 0) {
    throw Error(what, subject + ": " + libgit2_error(),
                "check whether git can read the repository: git fsck");
  }
}

std::string hex(const git_oid& oid) {
  std::array<char, GIT_OID_HEXSZ + 1> text{};
  return git_oid_tostr(text.data(), text.size(), &oid);
}

bool is_full_oid(const std::string& text) {
  return text.size() == GIT_OID_HEXSZ &&
         text.find_first_not_of("0123456789abcdefABCDEF") == std::string::npos;
}

git_oid parse_oid(const std::string& text) {
  git_oid oid{};
  if (!is_full_oid(text) || git_oid_fromstr(&oid, text.c_str()) != 0) {
    throw Error("not a full object id", text);
  }
  return oid;
}

}  // namespace perf
