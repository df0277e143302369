#include "collector/postgres/connection.h"

#include <array>
#include <charconv>
#include <string_view>

namespace perf::postgres {
namespace {

struct Advice {
  std::string_view states;  ///< prefixes
  const char* text;
};

constexpr std::array<Advice, 12> kAdvice{{
    {"08001",
     "use the host name in the server's certificate, and the certificate's issuer as sslrootcert; "
     "sslmode sets how much is checked, across a network at least require"},
    {"08", "check the host, the port and that the server runs: psql ADDRESS"},
    {"28P01",
     "check the user and the password: PGPASSWORD, or ~/.pgpass, which only its owner may "
     "read"},
    {"28", "check the user, and that the server's pg_hba.conf allows it from this host"},
    {"3D000", "check the database's name, or create it: createdb NAME"},
    {"42501",
     "let the hub's owner grant perf_writer to users who push and perf_reader to users who pull; "
     "only the owner prunes and upgrades"},
    {"3F000", "perf-compare hub init ADDRESS"},
    {"42P01", "perf-compare hub init ADDRESS"},
    {"42883", "perf-compare hub init ADDRESS"},
    {"53100", "free space on the server's disk"},
    {"53300", "use fewer connections at once, or raise max_connections of the server"},
    {"57P", "try again once the server runs; see its log"},
}};

}  // namespace

Parameter::Parameter(double number) : type(701) {
  std::array<char, 32> digits;
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), number);
  value.emplace(digits.data(), end.ptr);
}

bool is_busy(const Refused& refused) {
  return refused.state == "53300" || refused.state.starts_with("57P0");
}

bool is_passing(const Refused& refused) {
  return is_busy(refused) || (refused.state.starts_with("08") && refused.state != "08001") ||
         refused.state == "40001" || refused.state == "40P01";
}

std::string advice(const std::string& state) {
  for (const Advice& one : kAdvice) {
    if (state.starts_with(one.states)) {
      return one.text;
    }
  }
  return "see the server's log";
}

Transaction::Transaction(Connection& connection) : connection_(connection) {
  connection_.execute("BEGIN");
}

Transaction::~Transaction() {
  if (open_) {
    try {
      connection_.execute("ROLLBACK");
    } catch (const Error&) {  // the server rolls back when the connection is lost
    }
  }
}

void Transaction::commit() {
  open_ = false;
  connection_.execute("COMMIT");
}

}  // namespace perf::postgres
