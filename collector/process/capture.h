#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>

#include "schema/files/descriptor.h"

namespace perf {

/// B of one process's output that a log takes (64 MiB); the rest is dropped.
inline constexpr std::size_t kLogLimit = 1 << 26;

/// A file that a process's output is appended to, never through a symbolic link.
class OutputLog {
 public:
  /// Opens or creates the file; an empty path is a log without a file. Throws Error.
  explicit OutputLog(const std::filesystem::path& file,
                     std::function<void(std::string_view)> on_output = {});

  /// Calls `on_output`, if there is one, and writes to the file.
  void append(const char* data, std::size_t size);

 private:
  std::function<void(std::string_view)> on_output_;
  Descriptor file_;
  std::size_t left_ = kLogLimit;
};

/// Which part of a stream is kept in memory.
enum class Keep { first, last };

/// A pipe that a child writes to, and the part of its output that is kept in memory.
class Capture {
 public:
  /// Throws Error where no pipe can be created.
  Capture(Keep keep, std::size_t limit);

  int write_end() const { return write_end_.number(); }
  /// To be called once the child has its copy, or the end of the stream never comes.
  void close_write_end() { write_end_.reset(); }
  /// -1 once every writer has closed it.
  int read_end() const { return read_end_.number(); }
  /// Takes what is there now, without waiting; at most about a pipe's capacity at a time.
  void drain(OutputLog& log);
  /// What was kept, made valid UTF-8.
  std::string text() const;

 private:
  void keep(const char* data, std::size_t size);

  Keep keep_;
  std::size_t limit_;
  std::string kept_;
  Descriptor read_end_, write_end_;
};

/// Makes the file that takes a child's standard output in place of our pipe; none where the path is
/// empty. Throws Error.
Descriptor make_stdout_file(const std::filesystem::path& file);

}  // namespace perf
