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
     "the name of the host has to be in the server's certificate, and that signed by whom "
     "sslrootcert names; sslmode says how much is checked"},
    {"08", "check the host, the port and that the server runs: psql ADDRESS"},
    {"28P01",
     "check the user and the password: PGPASSWORD, or ~/.pgpass, which only its owner may "
     "read"},
    {"28", "check the user, and that pg_hba.conf of the server lets it in from here"},
    {"3D000", "check the database's name, or make it: createdb NAME"},
    {"42501",
     "the owner of the hub grants perf_writer to who pushes and perf_reader to who pulls, and "
     "alone prunes and upgrades"},
    {"3F000", "perf-compare hub init ADDRESS"},
    {"42P01", "perf-compare hub init ADDRESS"},
    {"42883", "perf-compare hub init ADDRESS"},
    {"53100", "make room on the server's disk"},
    {"53300", "let fewer connect at once, or raise max_connections of the server"},
    {"57P", "try again once the server runs: its log says what it does"},
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
  return "the server's log may say more";
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
