#include <algorithm>
#include <optional>
#include <utility>

#include "collector/hub/database/rows.h"
#include "collector/hub/database/tables.h"
#include "collector/hub/hub.h"
#include "collector/postgres/session.h"
#include "schema/error.h"
#include "schema/text/fnv.h"
#include "schema/text/lists.h"

namespace perf {
namespace {

using postgres::Bytes;
using postgres::Connection;
using postgres::Parameter;
using postgres::Rows;

constexpr std::int64_t kBytesAtOnce = std::int64_t{8} << 20U;

/// The statement that hubs of every version accept (collector/hub/database/sql). Writers may not
/// read, so the server itself skips payloads that exist.
std::string insert_statement(const std::string& table, std::size_t rows) {
  std::string sql = "INSERT INTO perf_compare." + table + " (writer, month, name, bytes) VALUES ";
  for (std::size_t i = 0; i < rows; ++i) {
    sql += i == 0 ? "(" : ", (";
    for (std::size_t column = 1; column <= 4; ++column) {
      sql += (column == 1 ? "$" : ", $") + std::to_string(4 * i + column);
    }
    sql += ")";
  }
  return sql + " ON CONFLICT DO NOTHING";
}

class PostgresHub : public Hub {
 public:
  PostgresHub(const std::string& address, const HubTools& tools)
      : table_(tools.untrusted ? "untrusted" : "payload"), session_(address, tools.interrupted) {
    session_.run([&](Connection& connection) { about_ = hub::about(connection); });
    session_.close();
  }

  /// Independent of how the address is written.
  std::string key() override {
    return hexadecimal(fnv1a_64("postgres:" + about_.id + ":" + table_));
  }

  HubListing list() override {
    HubListing listing;
    session_.run([&](Connection& connection) {
      const Rows rows = connection.run(
          "SELECT writer, month, name, encode(sha256, 'hex'), octet_length(bytes) FROM "
          "perf_compare.payload "
          "ORDER BY writer, month, name");
      listing = {};
      for (std::size_t i = 0; i < rows.size(); ++i) {
        HubEntry entry{rows.text(i, 0), rows.text(i, 1), rows.text(i, 2), rows.text(i, 3),
                       rows.integer(i, 4)};
        if (is_run_id(entry.writer) && is_month(entry.month) &&
            !id_of_payload(entry.name).empty()) {
          listing.entries.push_back(std::move(entry));
        } else {
          listing.strange.push_back(
              no_payload(entry.writer + "/" + entry.month + "/" + entry.name));
        }
      }
    });
    return listing;
  }

  std::string read(const HubEntry& entry) override {
    std::optional<std::string> bytes = read_some({&entry, 1}).front();
    if (!bytes) {
      throw Error("cannot read the payload", entry.name,
                  "it was just removed, or is too large: pull again");
    }
    return *std::move(bytes);
  }

  /// In one round trip.
  std::vector<std::optional<std::string>> read_some(std::span<const HubEntry> entries) override {
    std::size_t count = 1;
    for (std::int64_t sum = entries[0].bytes; count < entries.size(); ++count) {
      sum += entries[count].bytes;
      if (sum > kBytesAtOnce) {
        break;
      }
    }
    std::vector<std::string> months, names, digests;
    for (const HubEntry& entry : entries.first(count)) {
      months.push_back(entry.month);
      names.push_back(entry.name);
      digests.push_back(entry.place);
    }
    std::vector<std::optional<std::string>> found;
    session_.run([&](Connection& connection) {
      const Rows rows = connection.run_binary(
          "SELECT (k.n - 1)::text, p.bytes FROM unnest($1::text[], $2::text[], $3::text[]) WITH "
          "ORDINALITY AS k (month, name, sha256, n) JOIN perf_compare.payload AS p ON p.month = "
          "k.month AND p.name = k.name AND p.sha256 = decode(k.sha256, 'hex') WHERE "
          "octet_length(p.bytes) <= $4",
          {hub::names_array(months), hub::names_array(names), hub::names_array(digests),
           kLargestPayload});
      found.assign(count, std::nullopt);
      for (std::size_t i = 0; i < rows.size(); ++i) {
        found[std::stoul(rows.text(i, 0))] = rows.text(i, 1);
      }
    });
    return found;
  }

  void put(const std::string& writer, const std::vector<Payload>& payloads) override {
    for (const Payload& payload : payloads) {
      if (payload.bytes.size() > kLargestPayload) {
        throw Error("the payload is too large for a hub", payload.name, "it stays in the store");
      }
    }
    // In one order, so that writers of the same payloads cannot deadlock.
    std::vector<const Payload*> sorted =
        mapped(payloads, [](const Payload& payload) { return &payload; });
    std::ranges::sort(sorted, {}, &Payload::name);
    std::vector<Parameter> values;
    for (const Payload* payload : sorted) {
      values.insert(values.end(), {writer, payload->month, payload->name, Bytes{payload->bytes}});
    }
    session_.run([&](Connection& connection) {
      connection.run_with(insert_statement(table_, payloads.size()), values);
    });
    session_.close();  // others may need it while the next runs are packed
  }

  /// In one transaction, so that readers see all or nothing.
  void drop_before(const std::string& month) override {
    session_.run([&](Connection& connection) {
      postgres::Transaction transaction(connection);
      for (const char* table : {"payload", "untrusted", "indexed"}) {
        connection.run(std::string("DELETE FROM perf_compare.") + table + " WHERE month < $1",
                       month);
      }
      transaction.commit();
    });
  }

 private:
  std::string table_;
  postgres::Session session_;
  hub::About about_{};
};

}  // namespace

std::unique_ptr<Hub> open_postgres_hub(const std::string& address, const HubTools& tools) {
  return std::make_unique<PostgresHub>(address, tools);
}

}  // namespace perf
