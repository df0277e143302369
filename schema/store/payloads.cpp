#include <zstd.h>

#include <algorithm>
#include <cstddef>
#include <future>
#include <iterator>
#include <memory>
#include <span>
#include <utility>

#include "schema/payload_history.h"
#include "schema/store/internal.h"

namespace perf {

using store::Connection;

namespace {

constexpr int kLevel = 19;  ///< of zstd: slow, and a run is small

std::string packed(const std::string& image) {
  std::string bytes(ZSTD_compressBound(image.size()), '\0');
  const std::unique_ptr<ZSTD_CCtx, std::size_t (*)(ZSTD_CCtx*)> context(ZSTD_createCCtx(),
                                                                        ZSTD_freeCCtx);
  ZSTD_CCtx_setParameter(context.get(), ZSTD_c_compressionLevel, kLevel);
  ZSTD_CCtx_setParameter(context.get(), ZSTD_c_checksumFlag, 1);
  const std::size_t size =
      ZSTD_compress2(context.get(), bytes.data(), bytes.size(), image.data(), image.size());
  if (ZSTD_isError(size) != 0) {
    throw Error("cannot compress a run", ZSTD_getErrorName(size), "close other programs");
  }
  bytes.resize(size);
  return bytes;
}

[[noreturn]] void refuse(const std::string& name, const std::string& why) {
  throw Error("payload refused: " + why, name,
              "find out who put it there: perf-compare did not write it");
}

/// One frame that says how large it becomes, and becomes just that.
std::string unpacked(const Payload& payload) {
  const std::string& bytes = payload.bytes;
  if (bytes.size() > kLargestPayload) {
    refuse(payload.name, "it is too large");
  }
  const unsigned long long size = ZSTD_getFrameContentSize(bytes.data(), bytes.size());
  if (size == ZSTD_CONTENTSIZE_UNKNOWN || size == ZSTD_CONTENTSIZE_ERROR) {
    refuse(payload.name, "it is not a zstd frame with its size");
  }
  if (size > kLargestUnpacked) {
    refuse(payload.name, "it would unpack to " + std::to_string(size) + " bytes");
  }
  std::string image(size, '\0');
  const std::size_t got = ZSTD_decompress(image.data(), image.size(), bytes.data(), bytes.size());
  if (ZSTD_isError(got) != 0 || got != size) {
    refuse(payload.name, "it is damaged");
  }
  return image;
}

void require_header(const std::string& name, const std::string& image) {
  store::HeaderBytes bytes{};
  if (image.size() < bytes.size()) {
    refuse(name, "it is not an SQLite database");
  }
  std::copy_n(image.begin(), bytes.size(), bytes.begin());
  const store::FileHeader header = store::read_header(bytes);
  if (!header.sqlite || header.application_id != store::kApplicationId) {
    refuse(name, "it is not a perf-compare store");
  }
  store::refuse_version(name, header.user_version, store::migrations());
}

/// A store of what its name says, and nothing else, in today's version.
std::string checked_image(const Payload& payload) {
  const std::string image = unpacked(payload);
  require_header(payload.name, image);
  Connection source(payload.name, image);
  source.execute("PRAGMA cell_size_check = ON");
  store::require_ours(source, store::identity_of(source));
  store::migrate_in_memory(source, store::migrations());
  const std::string id = id_of_payload(payload.name);
  const auto runs = source.values<std::string>("SELECT id FROM run");
  if (runs != (id == kAlertsPayload ? std::vector<std::string>() : std::vector{id})) {
    refuse(payload.name, "it contains other runs than its name");
  }
  const std::string foreign = id == kAlertsPayload ? "" : "(SELECT count(*) FROM alert) + ";
  if (source.count("SELECT " + foreign +
                   "(SELECT count(*) FROM pin_event) + (SELECT count(*) FROM payload)") != 0) {
    refuse(payload.name, "it contains more than its name");
  }
  if (const std::string digest = store::content_digest(source); payload.name != id + "-" + digest) {
    refuse(payload.name, "its content has the digest " + digest);
  }
  return source.image();
}

/// Gathers a payload that is sound in a store in memory.
void gather(Connection& gathered, const Payload& payload, const std::string& image) {
  const store::AtEnd detach(gathered, "DETACH DATABASE other");
  gathered.attach_image("other", image);
  store::require_sound_rows(gathered, payload.name);
  store::merge_attached(gathered, payload.name);
}

/// What nobody would take is not given away.
Payload pack(Connection& part, const std::string& id, std::string month) {
  const std::string image = part.image();
  Payload payload{id + "-" + store::content_digest(part), std::move(month), {}};
  if (image.size() <= kLargestUnpacked) {
    payload.bytes = packed(image);
  }
  if (payload.bytes.empty() || payload.bytes.size() > kLargestPayload) {
    throw Error("the run is too large for a hub", id,
                "merge the stores instead: perf-compare merge");
  }
  return payload;
}

void insert_payloads(Connection& connection, const std::string& hub,
                     const std::vector<std::string>& names) {
  for (const std::string& name : names) {
    connection.run("INSERT INTO payload (hub, name) VALUES (?1, ?2) ON CONFLICT DO NOTHING", hub,
                   name);
  }
}

TakenPayloads take_all(Connection& own, const std::string& hub, std::span<const Payload> payloads);

TakenPayloads take_halves(Connection& own, const std::string& hub,
                          std::span<const Payload> payloads) {
  TakenPayloads result = take_all(own, hub, payloads.first(payloads.size() / 2));
  return result += take_all(own, hub, payloads.subspan(payloads.size() / 2));
}

/// They are gathered in memory and taken in one transaction, because each waits for the disk. Where
/// they would take too much of it, or one of them contradicts a run that is here, halves of them
/// are tried, down to that one.
TakenPayloads take_all(Connection& own, const std::string& hub, std::span<const Payload> payloads) {
  if (payloads.size() > 1 && unpacked_size(payloads) > kLargestUnpacked) {
    return take_halves(own, hub, payloads);
  }
  TakenPayloads result;
  Connection gathered;
  std::vector<std::string> names;
  const auto refusals = store::gather_sound(gathered, payloads);
  for (std::size_t i = 0; i < payloads.size(); ++i) {
    if (refusals[i]) {
      result.refused.push_back(*refusals[i]);
    } else {
      names.push_back(payloads[i].name);
    }
  }
  const store::AtEnd detach(own, "DETACH DATABASE other");
  own.attach_image("other", gathered.image());
  try {
    result.merged = store::merge_attached(own, payloads.front().name,
                                          [&] { insert_payloads(own, hub, names); });
  } catch (const store::OtherRun& error) {
    if (payloads.size() == 1) {
      return {{}, {Error(error.what, payloads.front().name, error.hint)}};
    }
    own.execute("DETACH DATABASE other");
    return take_halves(own, hub, payloads);
  }
  return result;
}

}  // namespace

std::uintmax_t unpacked_size(std::span<const Payload> payloads) {
  std::uintmax_t sum = 0;
  for (const Payload& payload : payloads) {
    const auto size = ZSTD_getFrameContentSize(payload.bytes.data(), payload.bytes.size());
    sum += size > kLargestUnpacked ? 0 : size;
  }
  return sum;
}

std::vector<std::optional<Error>> store::gather_sound(Connection& gathered,
                                                      std::span<const Payload> payloads) {
  store::make_store(gathered, store::migrations());
  std::vector<std::optional<Error>> refusals(payloads.size());
  // To check one takes as long as to gather one: the next is checked meanwhile.
  const auto check = [](const Payload& payload) {
    return std::async(std::launch::async, [&payload] { return checked_image(payload); });
  };
  std::future<std::string> checked;
  for (std::size_t i = 0; i < payloads.size(); ++i) {
    std::future<std::string> now = i == 0 ? check(payloads[i]) : std::move(checked);
    if (i + 1 < payloads.size()) {
      checked = check(payloads[i + 1]);
    }
    try {
      gather(gathered, payloads[i], now.get());
    } catch (const Error& error) {
      refusals[i] = Error(error.what, payloads[i].name, error.hint);
    }
  }
  return refusals;
}

TakenPayloads& TakenPayloads::operator+=(const TakenPayloads& more) {
  merged.runs += more.merged.runs;
  merged.known += more.merged.known;
  merged.continued += more.merged.continued;
  merged.alerts += more.merged.alerts;
  std::ranges::copy(more.refused, std::back_inserter(refused));
  return *this;
}

Payload Store::payload_of_run(const std::string& run_id) const {
  Connection part;
  store::copy_run(*connection_, run_id, part);
  return pack(part, run_id,
              part.value<std::string>("SELECT substr(started_at, 1, 7) FROM run").value());
}

Payload Store::payload_of_alerts(const std::string& month) const {
  Connection part;
  store::copy_alerts(*connection_, month, part);
  return pack(part, kAlertsPayload, month);
}

std::vector<std::string> Store::finished_runs() const {
  return connection_->values<std::string>(
      "SELECT id FROM run WHERE key IN (SELECT run FROM report UNION SELECT run FROM imported "
      "UNION SELECT run FROM ratchet_end UNION "
      // A search's visits have no reports of their own: they are finished with its last comparison.
      "SELECT visit.run FROM bisection_run AS visit JOIN bisection_run AS last ON "
      "last.bisection = visit.bisection AND last.role = 'last' JOIN report ON report.run = "
      "last.run "
      "WHERE visit.role = 'visit') ORDER BY key");
}

std::vector<std::string> Store::months_of_alerts() const {
  return connection_->values<std::string>(
      "SELECT DISTINCT substr(at, 1, 7) FROM alert_event ORDER BY 1");
}

std::set<std::string> Store::payloads_in(const std::string& hub) const {
  const auto names =
      connection_->values<std::string>("SELECT name FROM payload WHERE hub = ?1", hub);
  return {names.begin(), names.end()};
}

void Store::remember_payloads(const std::string& hub, const std::vector<std::string>& names) {
  store::WriteTransaction transaction(*connection_);
  insert_payloads(*connection_, hub, names);
  transaction.commit();
}

TakenPayloads Store::take(const std::string& hub, const std::vector<Payload>& payloads) {
  return payloads.empty() ? TakenPayloads() : take_all(*connection_, hub, payloads);
}

}  // namespace perf
