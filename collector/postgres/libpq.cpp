#include <libpq-fe.h>
#include <poll.h>

#include <cerrno>
#include <charconv>
#include <cstring>
#include <sstream>

#include "collector/postgres/address.h"
#include "collector/postgres/connection.h"
#include "collector/process/process.h"
#include "schema/text/text_parts.h"

namespace perf::postgres {

struct Rows::Impl {
  std::unique_ptr<PGresult, void (*)(PGresult*)> result{nullptr, PQclear};
};

struct Connection::Impl {
  std::unique_ptr<PGconn, void (*)(PGconn*)> connection{nullptr, PQfinish};
  std::function<bool()> interrupted{};
  std::string place{};

  PGconn* get() const { return connection.get(); }
};

namespace {

constexpr int kLookAround = 100;         ///< ms between checks for a signal
constexpr double kConnectPatience = 10;  ///< s, unless connect_timeout is set
constexpr const char* kLost = "08006";
constexpr const char* kNoTrust = "08001";  ///< TLS: permanent
constexpr const char* kPassword = "28P01";

using Result = std::unique_ptr<PGresult, void (*)(PGresult*)>;
using Parsed = std::unique_ptr<PQconninfoOption, void (*)(PQconninfoOption*)>;

/// Removes the passwords that the connection uses, from any source, from messages.
std::string without_passwords(std::string text, PGconn* connection) {
  const Parsed options(PQconninfo(connection), PQconninfoFree);
  for (const PQconninfoOption* one = options.get(); one != nullptr && one->keyword != nullptr;
       ++one) {
    const bool secret = one->dispchar != nullptr && one->dispchar[0] == '*';
    const std::string value = secret && one->val != nullptr ? one->val : "";
    for (std::size_t at = 0; !value.empty() && (at = text.find(value, at)) != std::string::npos;
         at += 3) {
      text.replace(at, value.size(), "***");
    }
  }
  return text;
}

std::string option(PGconn* connection, const std::string& name) {
  const Parsed options(PQconninfo(connection), PQconninfoFree);
  for (const PQconninfoOption* one = options.get(); one != nullptr && one->keyword != nullptr;
       ++one) {
    if (name == one->keyword && one->val != nullptr) {
      return one->val;
    }
  }
  return {};
}

/// libpq shows the SQLSTATE of a refused connection only in the verbose text: "FATAL: 53300: sorry,
/// too many clients already". Removes it from the text; the last one counts.
std::string take_state(std::string& text) {
  constexpr std::size_t kDigits = 5;
  std::string state = kLost;
  for (std::size_t at = text.find(":  "); at != std::string::npos; at = text.find(":  ", at + 1)) {
    const std::string word = text.substr(at + 3, kDigits);
    if (word.size() == kDigits && text.compare(at + 3 + kDigits, 2, ": ") == 0 &&
        word.find_first_not_of("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ") == std::string::npos) {
      state = word;
      text.erase(at + 3, kDigits + 2);
    }
  }
  return state;
}

/// The first line for each server in libpq's message.
std::string said_of_connection(std::string_view text) {
  std::string kept;
  while (!text.empty()) {
    const std::string_view line = take_line(text);
    if (!line.empty() && line[0] != '\t' && !line.starts_with("LOCATION:")) {
      kept.append(kept.empty() ? "" : "; ").append(line);
    }
  }
  return kept;
}

[[noreturn]] void refuse_connection(const Connection::Impl& impl) {
  std::string text = without_passwords(PQerrorMessage(impl.get()), impl.get());
  std::string state = take_state(text);
  if (PQconnectionNeedsPassword(impl.get()) != 0) {
    state = kPassword;
  } else if (text.find("certificate") != std::string::npos ||
             text.find("does not support SSL") != std::string::npos) {
    state = kNoTrust;
  }
  throw Refused(state, "cannot reach the hub: " + said_of_connection(text), impl.place,
                advice(state));
}

[[noreturn]] void lose(const Connection::Impl& impl, const std::string& why) {
  throw Refused(kLost, "lost the connection to the hub: " + why, impl.place, advice(kLost));
}

/// Waits until data can be read or written.
void wait_for(const Connection::Impl& impl, short events, double until = 0) {
  for (;;) {
    if (impl.interrupted && impl.interrupted()) {
      throw Error("interrupted while waiting for the hub", impl.place);
    }
    pollfd socket{PQsocket(impl.get()), events, 0};
    if (socket.fd < 0) {
      lose(impl, "it is closed");
    }
    const int ready = poll(&socket, 1, kLookAround);
    if (ready > 0) {
      return;
    }
    if (ready < 0 && errno != EINTR) {
      lose(impl, std::strerror(errno));
    }
    if (until != 0 && monotonic_seconds() > until) {
      lose(impl, "no answer in time");
    }
  }
}

void ignore_notice(void*, const PGresult*) {}

/// Whether the server is on this machine: reached by a socket, or by the loopback interface.
bool is_local(PGconn* connection) {
  const std::string address = option(connection, "hostaddr");
  std::istringstream hosts(address.empty() ? option(connection, "host") : address);
  for (std::string host; std::getline(hosts, host, ',');) {
    if (!host.empty() && host[0] != '/' && host[0] != '@' && host != "localhost" && host != "::1" &&
        !host.starts_with("127.")) {
      return false;
    }
  }
  return true;
}

/// `sslmode`: instead of that of the address, unless it is null.
void start(Connection::Impl& impl, const std::string& address, const char* sslmode) {
  const char* const ssl = sslmode == nullptr ? nullptr : "sslmode";
  const char* const names[] = {"fallback_application_name",
                               "client_encoding",
                               "tcp_user_timeout",
                               "keepalives_idle",
                               "dbname",
                               ssl,
                               nullptr};
  const char* const values[] = {"perf-compare",  "UTF8",  "60000", "60",
                                address.c_str(), sslmode, nullptr};
  impl.connection.reset(PQconnectStartParams(names, values, 1));
  if (impl.get() == nullptr) {
    throw Error("not enough memory for a connection", impl.place, "end other programs");
  }
}

void connect(Connection::Impl& impl, const std::string& address) {
  start(impl, address, nullptr);  // sends nothing yet
  const std::string mode = option(impl.get(), "sslmode");
  if (!is_local(impl.get()) && (mode == "prefer" || mode == "allow")) {
    start(impl, address, "require");  // else the server could ask for the password in clear text
  }
  PQsetErrorVerbosity(impl.get(), PQERRORS_VERBOSE);
  PQsetNoticeReceiver(impl.get(), ignore_notice, nullptr);
  const double patience = std::atof(option(impl.get(), "connect_timeout").c_str());
  const double until = monotonic_seconds() + (patience > 0 ? patience : kConnectPatience);
  PostgresPollingStatusType next =
      PQstatus(impl.get()) == CONNECTION_BAD ? PGRES_POLLING_FAILED : PGRES_POLLING_WRITING;
  while (next != PGRES_POLLING_OK) {
    if (next == PGRES_POLLING_FAILED) {
      refuse_connection(impl);
    }
    wait_for(impl, next == PGRES_POLLING_READING ? POLLIN : POLLOUT, until);
    next = PQconnectPoll(impl.get());
  }
  PQsetnonblocking(impl.get(), 1);
}

/// libpq's message about an invalid URI may contain a part of a password.
void require_parsed(const std::string& address) {
  char* said = nullptr;
  const Parsed parsed(PQconninfoParse(address.c_str(), &said), PQconninfoFree);
  const std::unique_ptr<char, void (*)(void*)> kept(said, PQfreemem);
  if (parsed == nullptr) {
    const std::string why = said == nullptr ? "" : said;
    throw UsageError("invalid address of the hub: " + why.substr(0, why.find(": \"")),
                     shown(address),
                     "write postgres://USER@HOST:PORT/DATABASE?sslmode=verify-full");
  }
}

[[noreturn]] void refuse(const Connection::Impl& impl, const PGresult* result) {
  const auto field = [&](int which) {
    const char* const text = PQresultErrorField(result, which);
    return std::string(text == nullptr ? "" : text);
  };
  const std::string state = field(PG_DIAG_SQLSTATE);
  if (state.empty()) {
    lose(impl, first_line(without_passwords(PQerrorMessage(impl.get()), impl.get())));
  }
  std::string why = field(PG_DIAG_MESSAGE_PRIMARY);
  if (const std::string detail = field(PG_DIAG_MESSAGE_DETAIL); !detail.empty()) {
    why += " (" + detail + ")";
  }
  throw Refused(state, "the hub refused: " + without_passwords(why, impl.get()), impl.place,
                advice(state));
}

void flush(const Connection::Impl& impl) {
  for (int left = PQflush(impl.get()); left != 0; left = PQflush(impl.get())) {
    if (left < 0) {
      break;  // the server's message is read next
    }
    wait_for(impl, POLLIN | POLLOUT);
    PQconsumeInput(impl.get());
  }
}

Result next_result(const Connection::Impl& impl) {
  while (PQisBusy(impl.get()) != 0) {
    wait_for(impl, POLLIN);
    if (PQconsumeInput(impl.get()) == 0) {
      break;
    }
  }
  return {PQgetResult(impl.get()), PQclear};
}

/// Sends the statement and returns the last result; throws the first failure.
Result finish(const Connection::Impl& impl, int begun) {
  if (begun == 0) {
    lose(impl, first_line(without_passwords(PQerrorMessage(impl.get()), impl.get())));
  }
  flush(impl);
  Result last{nullptr, PQclear}, failed{nullptr, PQclear};
  for (Result next = next_result(impl); next != nullptr; next = next_result(impl)) {
    const ExecStatusType status = PQresultStatus(next.get());
    const bool bad = status == PGRES_FATAL_ERROR || status == PGRES_BAD_RESPONSE;
    if (status == PGRES_COPY_IN) {
      return next;
    }
    if (!bad || failed == nullptr) {
      (bad ? failed : last) = std::move(next);
    }
  }
  if (failed != nullptr) {
    refuse(impl, failed.get());
  }
  if (last == nullptr) {
    lose(impl, "no answer");
  }
  return last;
}

Result send(const Connection::Impl& impl, const std::string& sql,
            const std::vector<Parameter>& parameters, bool binary_answer) {
  constexpr unsigned kBytea = 17;
  std::vector<Oid> types;
  std::vector<const char*> values;
  std::vector<int> lengths, formats;
  for (const Parameter& one : parameters) {
    types.push_back(one.type);
    values.push_back(one.value ? one.value->data() : nullptr);
    lengths.push_back(one.value ? static_cast<int>(one.value->size()) : 0);
    formats.push_back(one.type == kBytea || one.type == 25 ? 1 : 0);
  }
  return finish(
      impl,
      PQsendQueryParams(impl.get(), sql.c_str(), static_cast<int>(parameters.size()), types.data(),
                        values.data(), lengths.data(), formats.data(), binary_answer ? 1 : 0));
}

}  // namespace

std::string libpq_version() {
  return std::to_string(PQlibVersion() / 10000) + "." + std::to_string(PQlibVersion() % 10000);
}

std::size_t Rows::size() const {
  return static_cast<std::size_t>(PQntuples(impl_->result.get()));
}

std::int64_t Rows::affected() const {
  return std::atoll(PQcmdTuples(impl_->result.get()));
}

bool Rows::is_null(std::size_t row, std::size_t column) const {
  return PQgetisnull(impl_->result.get(), static_cast<int>(row), static_cast<int>(column)) != 0;
}

std::string_view Rows::view(std::size_t row, std::size_t column) const {
  const int at = static_cast<int>(row), of = static_cast<int>(column);
  return {PQgetvalue(impl_->result.get(), at, of),
          static_cast<std::size_t>(PQgetlength(impl_->result.get(), at, of))};
}

std::string Rows::text(std::size_t row, std::size_t column) const {
  const int at = static_cast<int>(row), of = static_cast<int>(column);
  return {PQgetvalue(impl_->result.get(), at, of),
          static_cast<std::size_t>(PQgetlength(impl_->result.get(), at, of))};
}

std::int64_t Rows::integer(std::size_t row, std::size_t column) const {
  return std::atoll(text(row, column).c_str());
}

double Rows::real(std::size_t row, std::size_t column) const {
  const std::string digits = text(row, column);
  double number = 0;
  std::from_chars(digits.data(), digits.data() + digits.size(), number);
  return number;
}

Connection::Connection(const std::string& address, std::function<bool()> interrupted)
    : impl_(std::make_unique<Impl>()) {
  impl_->place = shown(address);
  impl_->interrupted = std::move(interrupted);
  require_readable(address);
  require_parsed(address);
  connect(*impl_, address);
}

Connection::~Connection() = default;

Rows Connection::run_with(const std::string& sql, const std::vector<Parameter>& parameters) {
  auto rows = std::make_shared<Rows::Impl>();
  rows->result = send(*impl_, sql, parameters, false);
  return Rows(std::move(rows));
}

Rows Connection::run_binary(const std::string& sql, const std::vector<Parameter>& parameters) {
  auto rows = std::make_shared<Rows::Impl>();
  rows->result = send(*impl_, sql, parameters, true);
  return Rows(std::move(rows));
}

void Connection::execute(const std::string& script) {
  finish(*impl_, PQsendQuery(impl_->get(), script.c_str()));
}

std::optional<std::string> Connection::bytes(const std::string& sql,
                                             const std::vector<Parameter>& parameters) {
  const Result result = send(*impl_, sql, parameters, true);
  if (PQntuples(result.get()) == 0 || PQgetisnull(result.get(), 0, 0) != 0) {
    return std::nullopt;
  }
  return std::string(PQgetvalue(result.get(), 0, 0),
                     static_cast<std::size_t>(PQgetlength(result.get(), 0, 0)));
}

void Connection::copy_in(const std::string& sql, std::string_view rows) {
  constexpr std::size_t kPiece = 1U << 20U;
  const Result begun = finish(*impl_, PQsendQuery(impl_->get(), sql.c_str()));
  if (PQresultStatus(begun.get()) != PGRES_COPY_IN) {
    throw Error("not a COPY ... FROM STDIN", sql, "report this as a bug");
  }
  for (; !rows.empty(); rows.remove_prefix(std::min(kPiece, rows.size()))) {
    const int length = static_cast<int>(std::min(kPiece, rows.size()));
    while (PQputCopyData(impl_->get(), rows.data(), length) == 0) {
      flush(*impl_);
    }
    flush(*impl_);
  }
  while (PQputCopyEnd(impl_->get(), nullptr) == 0) {
    flush(*impl_);
  }
  finish(*impl_, 1);
}

const std::string& Connection::place() const {
  return impl_->place;
}

}  // namespace perf::postgres
