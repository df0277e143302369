#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "schema/warning.h"

namespace perf {

/// A revision checked out and built, or the reason why that failed.
struct Checkout {
  std::filesystem::path directory;  ///< where commands run
  std::string failure;        ///< "does not build (exit status 2)"; empty when it can be measured
  std::filesystem::path log;  ///< the build's output, kept
  std::shared_ptr<const void> hold{};  ///< keeps other runs out of the folder while it lives
  bool interrupted = false;            ///< a signal caused the failure, not the revision
  bool starved = false;                ///< the machine caused it: no memory, space or network
  std::vector<std::string> excerpt{};  ///< the lines of the log that show the reason
  std::string built{};                 ///< what ran: "the build `make`"; empty: nothing
  std::string remedy{};                ///< what to do about the failure; may be empty
  std::vector<Warning> warnings{};     ///< of problems that do not prevent measuring
  /// The working trees of its repository: code there is not the revision's.
  std::vector<std::filesystem::path> working_trees{};
  std::filesystem::path harness{};  ///< the folder of files outside the revision that it may read
  /// Contains the list of the build's files and the traces; empty: the folder of `directory`.
  std::filesystem::path entry{};
  /// Not a build, but a folder or file of the user's, which differs from the other side's and is
  /// never changed; empty: `directory`, which is a build.
  std::filesystem::path root{};
};

/// The folder with what is kept of a side beside its files.
inline std::filesystem::path entry_of(const Checkout& checkout) {
  return checkout.entry.empty() ? checkout.directory.parent_path() : checkout.entry;
}

/// Whether it cannot be measured, and no interruption is the reason.
inline bool failed(const Checkout& checkout) {
  return !checkout.failure.empty() && !checkout.interrupted;
}

/// Both sides of a plan. The same revision with the same build shares one folder.
struct Checkouts {
  Checkout base, head;
};

/// The warnings of head, and of base where it is another build.
std::vector<Warning> warnings_of(const Checkouts& checkouts);

/// The line of the log that shows why it failed, and the log's path, on one line.
std::string why_failed(const Checkout& checkout);

/// The failure, why_failed and the remedy, on one line.
std::string failure_line(const Checkout& checkout);

/// A failure of a side ("head") for a report, on several lines: what failed, the excerpt of the
/// log, the remedy, the log's path.
std::string failure_lines(const std::string& side, const Checkout& checkout);

}  // namespace perf
