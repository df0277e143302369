#pragma once

#include <string>
#include <string_view>

namespace perf::reporter {

/// Text as the message of a workflow command of GitHub Actions: the visible form for a log, and %
/// as %25. It has no line end, so that a message cannot begin a command of its own.
std::string workflow_message(std::string_view text);

/// The same as a property of a command, such as its title: `:` and `,` too, which would end it.
std::string workflow_property(std::string_view text);

}  // namespace perf::reporter
