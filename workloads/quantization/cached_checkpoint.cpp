#include "workloads/quantization/cached_checkpoint.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <utility>

#include "workloads/program/error.h"
#include "workloads/quantization/checkpoint_tensors.h"
#include "workloads/quantization/tensor_agreement.h"

namespace perf::workloads {

namespace {

namespace fs = std::filesystem;

constexpr char kPartial[] = ".partial-";
constexpr char kAnotherFolder[] = "XDG_CACHE_HOME, as a folder that may be written to";

/// A file that is open as long as the object lives.
class OpenFile {
 public:
  OpenFile(const std::string& path, int flags)
      : file_(open(path.c_str(), flags | O_CLOEXEC | O_NOFOLLOW, 0666)) {}
  ~OpenFile() {
    if (file_ >= 0) {
      close(file_);
    }
  }
  OpenFile(const OpenFile&) = delete;
  OpenFile& operator=(const OpenFile&) = delete;

  bool lock(int how) const {
    int result = 0;
    do {
      result = flock(file_, how);
    } while (result != 0 && errno == EINTR);
    return result == 0;
  }
  bool is_open() const { return file_ >= 0; }
  int release() { return std::exchange(file_, -1); }

 private:
  int file_;
};

// Relative folders are ignored, as the XDG Base Directory Specification has it.
fs::path from_variable(const char* name) {
  const char* value = std::getenv(name);
  const fs::path folder = value == nullptr ? "" : value;
  return folder.is_absolute() ? folder : fs::path();
}

fs::path cache_folder() {
  fs::path cache = from_variable("XDG_CACHE_HOME");
  if (cache.empty() && !from_variable("HOME").empty()) {
    cache = from_variable("HOME") / ".cache";
  }
  if (cache.empty()) {
    throw Error("there is no place for synthetic checkpoints",
                "neither XDG_CACHE_HOME nor HOME names a folder", kAnotherFolder);
  }
  fs::path folder = cache / "perf-compare" / "checkpoints";
  std::error_code failure;
  fs::create_directories(folder, failure);
  if (failure) {
    throw Error("cannot keep synthetic checkpoints", folder.string() + ": " + failure.message(),
                kAnotherFolder);
  }
  return folder;
}

std::string file_name(const SyntheticShape& shape, DType dtype, Container container) {
  return fmt::format("synthetic-{}x{}x{}x{}{}{}-{}.{}", shape.layers, shape.hidden,
                     shape.intermediate, shape.vocabulary, shape.gated ? "-gated" : "",
                     shape.own_output ? "-output" : "", name_of(dtype),
                     container_names()[static_cast<std::size_t>(container)]);
}

std::vector<SafetensorsEntry> entries(const TensorSource& source, DType dtype) {
  std::vector<SafetensorsEntry> all;
  for (const Tensor& tensor : source.tensors()) {
    all.push_back({tensor.name, safetensors_type(dtype), {tensor.rows, tensor.columns}});
  }
  return all;
}

// Of the right size, and what would be written today, by a later version of the program as well.
bool is_whole(const std::string& path, const TensorFileLayout& layout, const TensorSource& source,
              DType dtype) {
  std::error_code unknown;
  if (fs::file_size(path, unknown) != layout.bytes || unknown) {
    return false;
  }
  std::ifstream file(path, std::ios::binary);
  for (const auto& [place, wanted] : layout.around) {
    std::string found(wanted.size(), '\0');
    file.seekg(static_cast<std::streamoff>(place));
    file.read(found.data(), static_cast<std::streamsize>(found.size()));
    if (found != wanted) {
      return false;
    }
  }
  return values_that_differ(CheckpointTensors(path), source, dtype) == 0;
}

template <class T>
void write_as(const TensorSource& source, const TensorFileLayout& layout, TensorWriter& file) {
  constexpr std::size_t kPiece = std::size_t{4} << 20;  // values: enough to keep all threads busy
  std::vector<float> values;
  std::vector<T> narrowed;
  for (std::size_t i = 0; i < source.tensors().size(); ++i) {
    const auto& [rows, columns] = std::pair(source.tensors()[i].rows, source.tensors()[i].columns);
    const std::size_t most = std::max<std::size_t>(1, kPiece / columns);
    for (std::size_t first = 0; first < rows; first += most) {
      const std::size_t count = std::min(most, rows - first) * columns;
      values.resize(std::max(values.size(), count));
      narrowed.resize(values.size());
      source.read(i, first, count / columns, values.data());
#pragma omp parallel for schedule(static)
      for (std::size_t k = 0; k < count; ++k) {
        narrowed[k] = narrow<T>(values[k]);
      }
      file.put(layout.begins[i] + first * columns * sizeof(T), narrowed.data(), count * sizeof(T));
      file.start_writing_back();  // the disk works while the next values are made
    }
  }
}

void write_file(const std::string& path, const TensorFileLayout& layout, const TensorSource& source,
                DType dtype) {
  TensorWriter file(path, layout);
  if (dtype == DType::bf16) {
    write_as<Bf16>(source, layout, file);
  } else if (dtype == DType::fp16) {
    write_as<Fp16>(source, layout, file);
  } else {
    write_as<float>(source, layout, file);
  }
  file.sync();  // else it is written to the disk while the steps run
  file.finish();
}

timespec last_use(const fs::path& path) {
  struct stat status = {};
  return stat(path.c_str(), &status) == 0 ? status.st_atim : timespec{};
}

// Whoever holds the folder's lock is the only writer: every partial file is of a process that was
// killed.
void remove_partials(const fs::path& folder) {
  std::error_code ignored;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
    if (entry.path().filename().string().find(kPartial) != std::string::npos) {
      fs::remove(entry.path(), ignored);
    }
  }
}

// Of the whole files kMostFiles - 1 stay, and those in use.
void make_place(const fs::path& folder) {
  std::vector<std::pair<timespec, fs::path>> whole;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
    const std::string suffix = entry.path().extension();
    if (suffix == ".safetensors" || suffix == ".parquet") {
      whole.emplace_back(last_use(entry.path()), entry.path());
    }
  }
  std::sort(whole.begin(), whole.end(), [](const auto& a, const auto& b) {
    return std::pair(a.first.tv_sec, a.first.tv_nsec) > std::pair(b.first.tv_sec, b.first.tv_nsec);
  });
  for (std::size_t i = CachedCheckpoint::kMostFiles - 1; i < whole.size(); ++i) {
    const OpenFile file(whole[i].second, O_RDONLY);
    std::error_code ignored;
    if (file.is_open() && file.lock(LOCK_EX | LOCK_NB)) {
      fs::remove(whole[i].second, ignored);
    }
  }
}

}  // namespace

CachedCheckpoint::CachedCheckpoint(const SyntheticShape& shape, DType dtype,
                                   const std::vector<PlannedFile>& beside, Container container) {
  const fs::path folder = cache_folder();
  path_ = folder / file_name(shape, dtype, container);
  const SyntheticTensors source(shape, kSeed);
  const TensorFileLayout layout = tensor_file_layout(container, entries(source, dtype),
                                                     {{"format", "perf-workloads synthetic"}});
  const char hint[] = "XDG_CACHE_HOME on a disk with more room, or a smaller model";

  const OpenFile lock(folder / "lock", O_RDWR | O_CREAT);
  if (!lock.is_open() || !lock.lock(LOCK_EX)) {
    throw Error("cannot keep synthetic checkpoints", folder.string() + ": " + std::strerror(errno),
                kAnotherFolder);
  }
  remove_partials(folder);
  was_written_ = !is_whole(path_, layout, source, dtype);
  std::vector<PlannedFile> planned = beside;
  if (was_written_) {
    make_place(folder);
    planned.push_back({path_, layout.bytes});
  }
  require_disk_room(planned, hint);
  if (was_written_) {
    write_file(path_, layout, source, dtype);
  }
  OpenFile file(path_, O_RDONLY);
  if (!file.is_open() || !file.lock(LOCK_SH)) {
    throw Error("cannot open a synthetic checkpoint", path_ + ": " + std::strerror(errno),
                kAnotherFolder);
  }
  // Its last use. The time of its last change stays: others may be reading it.
  file_ = file.release();
  const timespec times[2] = {{0, UTIME_NOW}, {0, UTIME_OMIT}};
  futimens(file_, times);
}

CachedCheckpoint::~CachedCheckpoint() {
  close(file_);
}

}  // namespace perf::workloads
