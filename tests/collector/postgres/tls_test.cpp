// TLS is libpq's: a server that is another one than its certificate says is refused.

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>

#include "collector/postgres/connection.h"
#include "schema/files/content.h"
#include "tests/collector/git/scratch.h"
#include "tests/collector/postgres/server.h"
#include "tests/contains.h"
#include "tests/thrown_by.h"

namespace perf::postgres {
namespace {

int free_port() {
  const int listening = socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof(address);
  EXPECT_EQ(bind(listening, reinterpret_cast<sockaddr*>(&address), size), 0);
  getsockname(listening, reinterpret_cast<sockaddr*>(&address), &size);
  close(listening);
  return ntohs(address.sin_port);
}

TEST(PostgresTls, RefusesAServerWithAnotherNamesCertificate) {
  const test::Scratch scratch;
  const std::string folder = scratch.path().string();
  // A certificate of localhost, signed by an authority that nobody else knows; another authority.
  const std::string make =
      "cd '" + folder +
      "' && exec 2>log && for ca in ca other; do openssl req -x509 -newkey rsa:2048 -nodes -days 2 "
      "-keyout $ca.key -out $ca.crt -subj /CN=$ca; done && openssl req -newkey rsa:2048 -nodes "
      "-keyout server.key -out server.csr -subj /CN=localhost && openssl x509 -req -in server.csr "
      "-CA ca.crt -CAkey ca.key -CAcreateserial -days 2 -out server.crt";
  ASSERT_EQ(std::system(make.c_str()), 0) << content_of(scratch.path() / "log");
  test::PostgresServer server;
  server.stop(SIGQUIT);
  const int port = server.port = free_port();
  for (const char* file : {"server.crt", "server.key"}) {
    server.write(server.data() / file, content_of(scratch.path() / file));
  }
  server.write(server.data() / "pg_hba.conf",
               "local all all trust\nhostssl all all 127.0.0.1/32 trust\n");
  server.write(server.data() / "postgresql.auto.conf",
               "ssl = on\nlisten_addresses = '127.0.0.1'\nport = " + std::to_string(port) + "\n");
  server.start();
  const std::string end = ":" + std::to_string(port) +
                          "/postgres?hostaddr=127.0.0.1&sslmode=verify-full&sslrootcert=" + folder;
  Connection right("postgres://postgres@localhost" + end + "/ca.crt", {});
  EXPECT_TRUE(right.run("SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()").flag(0, 0));
  for (const std::string& wrong : {"postgres://postgres:hunter2@hub.example" + end + "/ca.crt",
                                   "postgres://postgres:hunter2@localhost" + end + "/other.crt",
                                   "postgres://postgres:hunter2@localhost" + end + "/none.crt"}) {
    SCOPED_TRACE(wrong);
    const auto refused = thrown_by<Refused>([&] { Connection(wrong, {}); });
    EXPECT_EQ(refused.state, "08001") << refused.what;
    EXPECT_FALSE(is_passing(refused));
    EXPECT_TRUE(contains(refused.what, "certificate"));
    EXPECT_TRUE(contains(refused.hint, "sslrootcert"));
    EXPECT_FALSE(contains(refused.what, "hunter2"));
  }
}

}  // namespace
}  // namespace perf::postgres
