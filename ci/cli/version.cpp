#include "ci/cli/version.h"

#include <gnu/libc-version.h>

#include <array>
#include <system_error>

#include "ci/cli/manual/manual.h"
#include "collector/git/repository.h"
#include "collector/postgres/connection.h"
#include "schema/store/store.h"

namespace perf {
namespace {

constexpr std::size_t kTextColumn = 14;

#ifdef PERF_COMPARE_STATIC
constexpr const char* kLinked = ", linked statically";
constexpr const char* kLeftOut =
    "lookups of users and hosts, transports of git, libraries at run time (perf-compare uses none)";
#else
constexpr const char* kLinked = "";
constexpr const char* kLeftOut = "";
#endif

/// A file beside the program, and the effect if it is missing.
struct Helper {
  const char* file;
  const char* loss;
};
constexpr std::array<Helper, 4> kHelpers{{
    {"perf-device", "GPUs are not seen"},
    {"perf-supervisor", "peak_rss of small programs is too high"},
    {"libperf_counted_clock.so", "counts of --count vary with the clock"},
    {"libperf_plant_allocation.so", "selftest cannot plant an allocation"},
}};

std::string line(const char* term, const std::string& text) {
  return definition(term, text, kTextColumn);
}

std::string left_out(bool has_libpq) {
  std::string text = kLeftOut;
  if (!has_libpq) {
    text += text.empty() ? "hubs in PostgreSQL" : ", hubs in PostgreSQL";
  }
  return text.empty() ? "nothing" : text;
}

}  // namespace

std::string render_version(const CommandTree& tree) {
  return tree.program + " " + tree.version + "\n";
}

std::string render_verbose_version(const CommandTree& tree, const std::filesystem::path& program) {
  const std::string commit = PERF_COMPARE_COMMIT;
  const std::string libpq = postgres::libpq_version();
  std::string text = render_version(tree);
  text += line("commit", commit.empty() ? "unknown (not built by ci/perf-compare)" : commit);
  text += line("compiler", std::string(PERF_COMPARE_COMPILER) + kLinked);
  text += line("libraries", std::string("glibc ") + gnu_get_libc_version() + ", SQLite " +
                                store::sqlite_version() + ", libgit2 " + libgit2_version() + ", " +
                                (libpq.empty() ? "" : "libpq " + libpq + ", ") +
                                PERF_COMPARE_COMPILED_IN);
  text += line("left out", left_out(!libpq.empty()));
  const std::filesystem::path folder = program.parent_path() / "../lib/perf-compare";
  for (const Helper& helper : kHelpers) {
    std::error_code error;
    const std::filesystem::path file = (folder / helper.file).lexically_normal();
    if (!std::filesystem::exists(file, error)) {
      text += line("missing", file.string() + ": " + helper.loss);
    }
  }
  return text;
}

}  // namespace perf
