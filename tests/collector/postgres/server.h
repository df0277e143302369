#pragma once

#include <sys/types.h>

#include <filesystem>
#include <string>
#include <vector>

namespace perf::test {

/// A PostgreSQL server of its own, in a folder of its own, reached by a socket that lies there: no
/// port. As root it is run by the user postgres, because it refuses to be run by root. Throws
/// std::runtime_error where PostgreSQL is not installed. It ends with the object, or the test.
class PostgresServer {
 public:
  PostgresServer();
  ~PostgresServer();
  PostgresServer(const PostgresServer&) = delete;
  PostgresServer& operator=(const PostgresServer&) = delete;

  const std::filesystem::path& folder() const { return folder_; }
  std::filesystem::path data() const { return folder_ / "data"; }
  int port = 5432;  ///< of the socket's name
  /// The address of a database there, as one of its users; everybody but with_password is trusted.
  std::string address(const std::string& database, const std::string& user = "postgres") const;
  /// A new, empty database.
  std::string new_database();

  /// Starts it, and returns once it answers. The constructor did.
  void start();
  /// SIGQUIT ends it at once, as a crash does; its processes are gone when this returns.
  void stop(int signal);
  /// To its first process.
  void signal(int signal) const;
  /// Makes a file of the server's own there, which others may not read: a key.
  void write(const std::filesystem::path& file, const std::string& text) const;

 private:
  void make_cluster() const;

  std::filesystem::path folder_;
  pid_t pid_ = -1;
  int databases_ = 0;
};

/// One for all tests of a binary, which begin with a new_database() each.
PostgresServer& shared_server();

/// The address of a new hub there, as its owner.
std::string new_postgres_hub();
/// The same address as another user, who has these roles alone: "perf_writer, perf_reader".
std::string as_user(const std::string& address, const std::string& user, const std::string& roles);

}  // namespace perf::test
