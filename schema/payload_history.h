#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "schema/alert.h"
#include "schema/error.h"
#include "schema/payload.h"
#include "schema/recorded_history.h"
#include "schema/revision.h"
#include "schema/run_list.h"

namespace perf {

/// A run of payloads.
struct PayloadRun {
  ListedRun listed{};
  std::vector<std::string> planned{};          ///< workloads, by name
  std::string host{};                          ///< random id; empty: not known
  Environment environment{};                   ///< fingerprint and machine facts
  std::map<std::string, std::string> facts{};  ///< outside the fingerprint
  std::vector<ProgramAt> programs{};           ///< that its workloads ran at its head
};

/// What payloads hold of history, as a store tells it that took them in.
struct PayloadHistory {
  std::vector<std::optional<Error>> refusals;      ///< of each payload; nothing: it was taken
  std::vector<Revision> revisions;                 ///< RecordedValue::commit is an index into them
  std::vector<PayloadRun> runs;                    ///< in the order of the payloads
  std::map<std::string, RecordedHistory> of_size;  ///< what they measured at all revisions
  std::vector<Alert> alerts;
};

/// Checks payloads as Store::take does and reads the sound ones, in a store in memory, as
/// Store::load_recorded does.
PayloadHistory history_of(std::span<const Payload> payloads);

/// What payloads become when they are unpacked, as their frames say; what is refused for that
/// becomes nothing.
std::uintmax_t unpacked_size(std::span<const Payload> payloads);

/// Parameters and facts as a store's columns hold them. Throw Error for a text that is none.
std::string stored_text(const Params& params);
std::string stored_text(const std::map<std::string, std::string>& facts);
Params stored_params(const std::string& text);
std::map<std::string, std::string> stored_facts(const std::string& text);

}  // namespace perf
