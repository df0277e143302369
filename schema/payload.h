#pragma once

#include <cstdint>
#include <string>

namespace perf {

/// A run, or the alerts with news in a month, on its way from store to store: what `export --run`
/// writes, in zstd. Its name is "ID-DIGEST", of its run's id ("alerts" for alerts) and the digest
/// of its content (content_digest of the store).
struct Payload {
  std::string name;
  std::string month;  ///< "2026-01", UTC: when the run began; of alerts, that of the news
  std::string bytes;
};

inline constexpr const char* kAlertsPayload = "alerts";

/// Limits of a payload, packed and unpacked.
inline constexpr std::uintmax_t kLargestPayload = std::uintmax_t{64} << 20U;
inline constexpr std::uintmax_t kLargestUnpacked = std::uintmax_t{512} << 20U;

/// Whether a text is a valid id of a run, or name of a writer: it is safe in paths.
bool is_run_id(const std::string& text);
/// "2026-01".
bool is_month(const std::string& text);
/// The id in the name of a payload; empty for any other text.
std::string id_of_payload(const std::string& name);

}  // namespace perf
