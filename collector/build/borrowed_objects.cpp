#include "collector/build/borrowed_objects.h"

#include <string>
#include <system_error>

#include "collector/process/whole_file.h"
#include "schema/error.h"
#include "schema/files/copy_over.h"

namespace perf {
namespace {

/// A line of objects/info/alternates is quoted where it could be misread (gitrepository-layout(5)).
std::string alternate_line(const std::string& folder) {
  if (folder.find_first_of("\n\"\\") == std::string::npos) {
    return folder;
  }
  std::string quoted = "\"";
  for (const char letter : folder) {
    if (letter == '"' || letter == '\\') {
      quoted += '\\';
    }
    quoted += letter == '\n' ? "\\n" : std::string(1, letter);
  }
  return quoted + '"';
}

[[noreturn]] void cannot_write_borrowed(const std::filesystem::path& file,
                                        const std::error_code& why) {
  throw Error("cannot write to the build cache", file.string() + ": " + why.message(),
              "is the disk full?");
}

}  // namespace

void borrow_objects(const std::filesystem::path& from, const std::filesystem::path& to) {
  const std::filesystem::path alternates = to / "objects" / "info" / "alternates";
  std::error_code error;
  std::filesystem::create_directories(alternates.parent_path(), error);
  const std::string line = alternate_line((from / "objects").string()) + '\n';
  if (const std::error_code failed =
          write_whole_file(alternates, alternates.string() + ".new", line, 0666)) {
    cannot_write_borrowed(alternates, failed);
  }
  // A clone that is not shallow, or no longer, has none.
  error = copy_over(from / "shallow", to / "shallow");
  if (error && error != std::errc::no_such_file_or_directory) {
    throw Error(
        "what the clone lacks cannot be told to the build cache",
        (from / "shallow").string() + " to " + (to / "shallow").string() + ": " + error.message(),
        "check the disk, and that it is not full");
  }
}

}  // namespace perf
