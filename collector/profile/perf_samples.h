#pragma once

#include <string_view>

#include "schema/profile.h"

namespace perf {

/// Adds up what `perf script --no-demangle -F ip,sym,dso` prints, a sample a line:
///
///         55cd41a6e16f _ZN5model4stepEv (/home/me/bin/bench)
///
/// Lines of another shape are no samples. The names are a stranger's; they are taken as they are,
/// made valid UTF-8 on the way in (see captured_text.h).
Profile read_samples(std::string_view text);

}  // namespace perf
