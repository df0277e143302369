#pragma once

namespace perf {

/// How values become what is searched: log: y = ln v; linear: y = v / median|v|.
enum class Scale { log, linear };

}  // namespace perf
