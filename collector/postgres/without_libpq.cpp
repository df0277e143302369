// Used in builds without libpq.

#include <cstdlib>

#include "collector/postgres/address.h"
#include "collector/postgres/connection.h"

namespace perf::postgres {

struct Rows::Impl {};
struct Connection::Impl {};

Connection::Connection(const std::string& address, std::function<bool()>) {
  throw Error("this perf-compare was built without libpq, which PostgreSQL hubs need",
              shown(address),
              "install the Debian package, build where libpq-dev is installed, or use a git: or "
              "dir: hub");
}

Connection::~Connection() = default;

std::string libpq_version() {
  return {};
}

// Never called: there are no connections.
std::size_t Rows::size() const {
  std::abort();
}
std::int64_t Rows::affected() const {
  std::abort();
}
bool Rows::is_null(std::size_t, std::size_t) const {
  std::abort();
}
std::string Rows::text(std::size_t, std::size_t) const {
  std::abort();
}
std::int64_t Rows::integer(std::size_t, std::size_t) const {
  std::abort();
}
double Rows::real(std::size_t, std::size_t) const {
  std::abort();
}
Rows Connection::run_with(const std::string&, const std::vector<Parameter>&) {
  std::abort();
}
std::string_view Rows::view(std::size_t, std::size_t) const {
  std::abort();
}
Rows Connection::run_binary(const std::string&, const std::vector<Parameter>&) {
  std::abort();
}
void Connection::execute(const std::string&) {
  std::abort();
}
std::optional<std::string> Connection::bytes(const std::string&, const std::vector<Parameter>&) {
  std::abort();
}
void Connection::copy_in(const std::string&, std::string_view) {
  std::abort();
}
const std::string& Connection::place() const {
  std::abort();
}

}  // namespace perf::postgres
