#pragma once

#include <filesystem>
#include <string>

namespace perf {

/// Refuses a folder to write to whose path goes through a link that lies in a repository's working
/// tree and leads out of it: whoever may push can bring such a link under any name. Where nothing
/// is there yet, nothing is refused. `subject`: what was asked for. Throws UsageError.
void refuse_links_out(const std::filesystem::path& folder, const std::string& subject);

}  // namespace perf
