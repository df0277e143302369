#include "collector/mapped_file.h"

#include <fcntl.h>
#include <sys/mman.h>

#include "schema/files/content.h"

namespace perf {

MappedFile::MappedFile(const std::filesystem::path& path)
    : file_(open_file(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)) {
  const std::optional<std::uintmax_t> size = regular_size(file_);
  if (!size || *size == 0) {
    is_read_ = size.has_value();
    return;
  }
  void* const at = mmap(nullptr, *size, PROT_READ, MAP_PRIVATE, file_.number(), 0);
  if (at != MAP_FAILED) {
    bytes_ = {static_cast<const char*>(at), static_cast<std::size_t>(*size)};
    is_read_ = true;
  }
}

MappedFile::~MappedFile() {
  if (!bytes_.empty()) {
    munmap(const_cast<char*>(bytes_.data()), bytes_.size());
  }
}

}  // namespace perf
