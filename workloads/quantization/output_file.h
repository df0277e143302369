#pragma once

#include <string>

namespace perf::workloads {

/// The file that a streaming run writes: the user's, which is kept, or one in the folder for
/// temporary files (TMPDIR, else /tmp), which is removed when the object goes, as are those that
/// killed runs left there.
class OutputFile {
 public:
  /// `wanted`: the user's; empty: a temporary one. Throws Error where there is no folder for it,
  /// and where another file lies there than an earlier run wrote.
  /// `container`: the suffix of a temporary one.
  OutputFile(const std::string& wanted, const std::string& container);
  ~OutputFile();
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  const std::string& path() const { return path_; }

 private:
  bool is_kept_;
  std::string path_;
};

}  // namespace perf::workloads
