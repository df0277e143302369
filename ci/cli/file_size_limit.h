#pragma once

namespace perf {

/// From here on a write beyond the limit on the size of files (ulimit -f) fails with EFBIG instead
/// of ending the program.
void outlive_file_size_limit();

/// Whether a write of this program met that limit.
bool met_file_size_limit();

}  // namespace perf
