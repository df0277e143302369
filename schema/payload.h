#pragma once

#include <cstdint>
#include <string>

namespace perf {

/// A run, or the alerts that had news in a month, as they go from store to store: what `export
/// --run` writes, in zstd. It is called "ID-DIGEST" by its run ("alerts" of alerts) and by the
/// digest of what it holds (store/merge/merge.h).
struct Payload {
  std::string name;
  std::string month;  ///< "2026-01", UTC: when the run began; of alerts, that of the news
  std::string bytes;
};

inline constexpr const char* kAlertsPayload = "alerts";

/// No payload has more bytes, and none becomes more when it is unpacked.
inline constexpr std::uintmax_t kLargestPayload = std::uintmax_t{64} << 20U;
inline constexpr std::uintmax_t kLargestUnpacked = std::uintmax_t{512} << 20U;

/// Whether a text may be the id of a run, or the name of a writer: it is safe in paths.
bool is_run_id(const std::string& text);
/// "2026-01".
bool is_month(const std::string& text);
/// The id in the name of a payload; empty where it is none's name.
std::string id_of_payload(const std::string& name);

}  // namespace perf
