#include "collector/build/borrowed_objects.h"

#include <fstream>
#include <string>

#include "schema/error.h"

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

}  // namespace

void borrow_objects(const std::filesystem::path& from, const std::filesystem::path& to) {
  const std::filesystem::path alternates = to / "objects" / "info" / "alternates";
  std::error_code error;
  std::filesystem::create_directories(alternates.parent_path(), error);
  std::ofstream out(alternates, std::ios::binary);
  out << alternate_line((from / "objects").string()) << '\n';
  if (!out.flush()) {
    throw Error("cannot write to the build cache", alternates.string(), "is the disk full?");
  }
  if (std::filesystem::exists(from / "shallow", error)) {
    std::filesystem::copy_file(from / "shallow", to / "shallow", error);
  }
}

}  // namespace perf
