#include <algorithm>
#include <set>
#include <utility>

#include "collector/hub/database/points.h"
#include "collector/hub/database/rows.h"
#include "schema/error.h"
#include "schema/text/lists.h"
#include "schema/text/utf8.h"

namespace perf::hub {
namespace {

using postgres::Connection;
using postgres::Refused;
using postgres::Rows;

constexpr int kPayloadsAtOnce = 250;
constexpr std::int64_t kBytesAtOnce = std::int64_t{64} << 20U;

constexpr const char* kKeys = "SELECT writer, month, name, encode(sha256, 'hex') ";
constexpr const char* kInOrder =
    " ORDER BY writer COLLATE \"C\", month COLLATE \"C\", name COLLATE \"C\", sha256";

std::vector<PayloadKey> keys_in(const Rows& rows) {
  std::vector<PayloadKey> keys;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    keys.push_back({rows.text(i, 0), rows.text(i, 1), rows.text(i, 2), rows.text(i, 3)});
  }
  return keys;
}

/// The next payloads to index, as many as are indexed at once; at least one, if there is one.
std::vector<PayloadKey> next_keys(Connection& connection) {
  return keys_in(connection.run(
      std::string(kKeys) + "FROM (SELECT *, sum(octet_length(bytes)) OVER (" + kInOrder +
          ") AS bytes_so_far, row_number() OVER (" + kInOrder +
          ") AS n FROM perf_compare.payload AS p WHERE NOT EXISTS (SELECT 1 FROM "
          "perf_compare.indexed AS i WHERE i.month = p.month AND i.name = p.name AND i.sha256 = "
          "p.sha256)) AS next WHERE n = 1 OR (n <= $1 AND bytes_so_far <= $2)" +
          kInOrder,
      kPayloadsAtOnce, kBytesAtOnce));
}

/// Indexed payloads of the same runs.
std::vector<PayloadKey> keys_before(Connection& connection, const std::vector<PayloadKey>& keys) {
  std::set<std::string> ids;
  for (const PayloadKey& key : keys) {
    ids.insert(id_of_payload(key.name));
  }
  std::vector<PayloadKey> before;
  for (const std::string& id : ids) {
    if (id == kAlertsPayload ||
        connection.run("SELECT 1 FROM perf_compare.run WHERE id = $1", id).size() == 0) {
      continue;
    }
    std::ranges::move(
        keys_in(connection.run(
            std::string(kKeys) +
                "FROM perf_compare.payload JOIN perf_compare.indexed USING (month, name, sha256) "
                "WHERE refused IS NULL AND left(name, -33) = $1" +
                kInOrder,
            id)),
        std::back_inserter(before));
  }
  return before;
}

/// Messages about a payload may contain parts of it.
std::string readable(std::string_view why) {
  constexpr std::size_t kLongest = 1000;
  std::string text;
  while (!why.empty() && text.size() < kLongest) {
    const Character next = take_character(why);
    text += next.code == 0 || next.code == kReplacement ? kReplacementText : next.bytes;
  }
  return text;
}

void remember(Connection& connection, const PayloadKey& key,
              const std::optional<std::string>& refused) {
  connection.run(
      "INSERT INTO perf_compare.indexed (month, name, sha256, refused) VALUES ($1, $2, "
      "decode($3, 'hex'), $4) ON CONFLICT (month, name, sha256) DO UPDATE SET refused = "
      "excluded.refused",
      key.month, key.name, key.sha256, refused);
}

class Indexer {
 public:
  explicit Indexer(Connection& connection) : connection_(connection) {}

  void take(const std::vector<PayloadKey>& keys) {
    std::vector<PayloadKey> all = keys_before(connection_, keys);
    const std::size_t before = all.size();
    std::ranges::copy(keys, std::back_inserter(all));
    const std::vector<Payload> payloads = payloads_of(all);
    if (keys.size() > 1 && unpacked_size(payloads) > kLargestUnpacked) {
      take_halves(keys);
      return;
    }
    const PayloadHistory history = history_of(payloads);
    connection_.execute("SAVEPOINT batch");
    try {
      forget(history.runs);
      write_points(connection_, history, all);
    } catch (const Refused& refused) {
      if (!is_of_the_data(refused)) {
        throw;
      }
      connection_.execute("ROLLBACK TO batch");
      refuse_one_of(keys, refused);
      return;
    }
    connection_.execute("RELEASE batch");
    for (std::size_t i = before; i < all.size(); ++i) {
      finish(all[i], history.refusals[i]);
    }
    result.runs += static_cast<std::int64_t>(history.runs.size());
  }

  Indexed result{};

 private:
  /// Values that SQLite accepts but PostgreSQL cannot store or index.
  static bool is_of_the_data(const Refused& refused) {
    return refused.state.starts_with("22") || refused.state.starts_with("23") ||
           refused.state.starts_with("54");
  }

  /// Runs with a second payload are derived again, from all their payloads.
  void forget(const std::vector<PayloadRun>& runs) {
    const std::string ids =
        names_array(mapped(runs, [](const PayloadRun& run) { return run.listed.id; }));
    constexpr const char* kAreThese = "id = ANY ($1::text[])";
    if (connection_.run(std::string("SELECT 1 FROM perf_compare.run WHERE ") + kAreThese, ids)
            .size() != 0) {
      forget_runs(connection_, kAreThese, {ids});
    }
  }

  std::vector<Payload> payloads_of(const std::vector<PayloadKey>& keys) {
    return mapped(keys, [this](const PayloadKey& key) {
      return Payload{
          key.name, key.month,
          connection_
              .bytes("SELECT bytes FROM perf_compare.payload WHERE month = $1 AND name = $2 AND "
                     "sha256 = decode($3, 'hex')",
                     {key.month, key.name, key.sha256})
              .value_or("")};
    });
  }

  void take_halves(const std::vector<PayloadKey>& keys) {
    const auto middle = keys.begin() + static_cast<std::ptrdiff_t>(keys.size() / 2);
    take({keys.begin(), middle});
    take({middle, keys.end()});
  }

  void refuse_one_of(const std::vector<PayloadKey>& keys, const Refused& refused) {
    if (keys.size() > 1) {
      take_halves(keys);
    } else {
      finish(keys.front(),
             Error("the payload was rejected: " + refused.what, keys.front().name,
                   "perf-compare did not write it in this form: find out who put it there"));
    }
  }

  void finish(const PayloadKey& key, const std::optional<Error>& refused) {
    remember(connection_, key, refused ? std::optional(readable(refused->what)) : std::nullopt);
    if (refused) {
      result.refused.push_back(*refused);
    } else {
      ++result.payloads;
    }
  }

  Connection& connection_;
};

/// One indexer at a time; released with the transaction.
void wait_for_indexers(Connection& connection) {
  connection.execute("SET LOCAL search_path = pg_catalog");
  connection.run("SELECT pg_advisory_xact_lock(hashtext('perf_compare index'))");
}

/// Removes rows that only removed runs referred to.
void forget_unused(Connection& connection) {
  connection.execute(
      "DELETE FROM perf_compare.revision AS v WHERE NOT EXISTS (SELECT 1 FROM perf_compare.run AS "
      "r WHERE r.head = v.key) AND NOT EXISTS (SELECT 1 FROM perf_compare.run AS r WHERE r.base = "
      "v.key) AND NOT EXISTS (SELECT 1 FROM perf_compare.origin AS o WHERE o.revision = v.key); "
      "DELETE FROM perf_compare.facts AS f WHERE NOT EXISTS (SELECT 1 FROM perf_compare.run AS r "
      "WHERE r.machine = f.key) AND NOT EXISTS (SELECT 1 FROM perf_compare.run AS r WHERE r.facts "
      "= f.key) AND NOT EXISTS (SELECT 1 FROM perf_compare.origin AS o WHERE o.facts = f.key); "
      "DELETE FROM perf_compare.series AS s WHERE NOT EXISTS (SELECT 1 FROM perf_compare.tile AS t "
      "WHERE t.series = s.key) AND NOT EXISTS (SELECT 1 FROM perf_compare.tail AS t WHERE t.series "
      "= s.key)");
}

}  // namespace

Indexed& Indexed::operator+=(Indexed more) {
  payloads += more.payloads;
  runs += more.runs;
  std::ranges::move(more.refused, std::back_inserter(refused));
  return *this;
}

Indexed index_new(Connection& connection, const std::function<bool()>& interrupted) {
  Indexed all;
  for (bool more = true; more && !(interrupted && interrupted());) {
    postgres::Transaction transaction(connection);
    wait_for_indexers(connection);
    const std::vector<PayloadKey> keys = next_keys(connection);
    more = !keys.empty();
    if (more) {
      Indexer indexer(connection);
      indexer.take(keys);
      transaction.commit();
      all += std::move(indexer.result);
    }
  }
  return all;
}

/// In one transaction, because a trend that sees half of it would end alerts.
Indexed index_again(Connection& connection, const std::function<bool()>& interrupted) {
  postgres::Transaction transaction(connection);
  wait_for_indexers(connection);
  forget_runs(connection,
              "EXISTS (SELECT 1 FROM perf_compare.payload AS p WHERE p.month = run.month AND "
              "p.name = run.name)",
              {});
  connection.execute(
      "DELETE FROM perf_compare.indexed AS i USING perf_compare.payload AS p WHERE i.month = "
      "p.month AND i.name = p.name AND i.sha256 = p.sha256");
  Indexer indexer(connection);
  for (;;) {
    if (interrupted && interrupted()) {
      return {};
    }
    const std::vector<PayloadKey> keys = next_keys(connection);
    if (keys.empty()) {
      break;
    }
    indexer.take(keys);
  }
  forget_unused(connection);
  transaction.commit();
  return std::move(indexer.result);
}

}  // namespace perf::hub
