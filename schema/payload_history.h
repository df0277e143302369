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

/// The history in payloads, as a store that has taken them reads it.
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

/// The size of payloads when unpacked, by their frames; 0 for refused ones.
std::uintmax_t unpacked_size(std::span<const Payload> payloads);

/// Parameters and facts as in a store's columns. Throw Error for other texts.
std::string stored_text(const Params& params);
std::string stored_text(const std::map<std::string, std::string>& facts);
Params stored_params(const std::string& text);
std::map<std::string, std::string> stored_facts(const std::string& text);

}  // namespace perf
