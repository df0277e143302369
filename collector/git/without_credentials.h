#pragma once

#include <string>
#include <string_view>

namespace perf {

/// A text, such as a URL or what git says, without what its URLs have ahead of an @: names,
/// passwords and tokens. The bare name of ssh://git@host stays, and so does git@host:path.
std::string without_credentials(std::string_view text);

}  // namespace perf
