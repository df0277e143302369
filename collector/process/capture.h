#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <string>

namespace perf {

/// A log takes at most this much of one process's output, in bytes (64 MiB); the
/// rest is thrown away.
inline constexpr std::size_t kLogLimit = 1 << 26;

/// A file that a process's output is appended to, never through a symbolic link.
class OutputLog {
 public:
  /// Opens or creates the file; an empty path is a log that takes nothing. Throws Error.
  explicit OutputLog(const std::filesystem::path& file);
  ~OutputLog();
  OutputLog(const OutputLog&) = delete;
  OutputLog& operator=(const OutputLog&) = delete;

  void append(const char* data, std::size_t size);

 private:
  int file_ = -1;
  std::size_t left_ = kLogLimit;
};

/// Which part of a stream is worth its memory.
enum class Keep { first, last };

/// One end of a pipe that a child writes to, and what is kept of it in memory.
class Capture {
 public:
  /// Throws Error when no pipe can be made.
  Capture(Keep keep, std::size_t limit);
  ~Capture();
  Capture(const Capture&) = delete;
  Capture& operator=(const Capture&) = delete;

  int write_end() const { return write_end_; }
  /// To be called once the child has its copy, or the end of the stream never comes.
  void close_write_end();
  /// -1 once every writer has closed it.
  int read_end() const { return read_end_; }
  /// Takes what is there now, without waiting; at most about a pipe's capacity at a time.
  void drain(OutputLog& log);
  /// What was kept, made valid UTF-8.
  std::string text() const;

 private:
  void keep(const char* data, std::size_t size);

  Keep keep_;
  std::size_t limit_;
  std::string kept_;
  int read_end_ = -1;
  int write_end_ = -1;
};

/// The file that takes a child's standard output in place of our pipe.
class StdoutFile {
 public:
  /// Makes the file; an empty path is none. Throws Error.
  explicit StdoutFile(const std::filesystem::path& file);
  ~StdoutFile();
  StdoutFile(const StdoutFile&) = delete;
  StdoutFile& operator=(const StdoutFile&) = delete;

  int or_else(int pipe) const { return file_ >= 0 ? file_ : pipe; }

 private:
  int file_ = -1;
};

}  // namespace perf
