#pragma once

#include <string>
#include <string_view>

namespace perf::reporter {

/// Text for a text node or a quoted attribute of XML and of HTML: everything visible, then &, <, >
/// and both quotes as entities. Never within a script or a style.
std::string xml_text(std::string_view text);

/// Text as the value of a label in OpenMetrics, between its quotes: everything visible, and a
/// backslash before each backslash and quote.
std::string label_text(std::string_view text);

/// JSON text for within <script type="application/json">: the same value, without a character that
/// could end the script, open a comment in it or stay unseen.
std::string script_json(std::string_view json);

/// Text as the message of a workflow command of GitHub Actions: the visible form for a log, and %
/// as %25. It has no line end, so that a message cannot begin a command of its own.
std::string workflow_message(std::string_view text);

/// The same as a property of a command, such as its title: `:` and `,` too, which would end it.
std::string workflow_property(std::string_view text);

}  // namespace perf::reporter
