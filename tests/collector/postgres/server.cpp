#include "tests/collector/postgres/server.h"

#include <fcntl.h>
#include <grp.h>
#include <pwd.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <fstream>
#include <stdexcept>

#include "collector/hub/database/tables.h"
#include "collector/postgres/session.h"
#include "schema/files/content.h"

namespace perf::test {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void lack(const std::string& what) {
  throw std::runtime_error("PostgreSQL is not installed (" + what +
                           "): ci/install_deps.sh --test installs it");
}

/// Where the newest one lies that is installed.
fs::path programs() {
  std::vector<std::pair<int, fs::path>> found;
  std::error_code ignored;
  for (const fs::directory_entry& version :
       fs::directory_iterator("/usr/lib/postgresql", ignored)) {
    if (fs::exists(version.path() / "bin/postgres")) {
      found.emplace_back(std::atoi(version.path().filename().c_str()), version.path() / "bin");
    }
  }
  if (found.empty()) {
    lack("no /usr/lib/postgresql/*/bin/postgres");
  }
  return std::ranges::max(found).second;
}

/// Whom it is run by where the test is root's; else nobody else.
const passwd* other_user() {
  if (geteuid() != 0) {
    return nullptr;
  }
  const passwd* const user = getpwnam("postgres");
  return user != nullptr ? user : (lack("no user postgres"), nullptr);
}

void give_away(const fs::path& file) {
  if (const passwd* const user = other_user();
      user != nullptr && chown(file.c_str(), user->pw_uid, user->pw_gid) != 0) {
    throw std::runtime_error("chown failed");
  }
}

pid_t begin(const std::vector<std::string>& command, const fs::path& log) {
  const passwd* const user = other_user();
  std::vector<char*> arguments;
  for (const std::string& argument : command) {
    arguments.push_back(const_cast<char*>(argument.c_str()));
  }
  arguments.push_back(nullptr);
  const pid_t child = fork();
  if (child == 0) {
    const int out = open(log.c_str(), O_WRONLY | O_CREAT | O_APPEND, 0644);
    dup2(open("/dev/null", O_RDONLY), STDIN_FILENO);
    dup2(out, STDOUT_FILENO);
    dup2(out, STDERR_FILENO);
    if (chdir("/") != 0 ||
        (user != nullptr && (initgroups(user->pw_name, user->pw_gid) != 0 ||
                             setgid(user->pw_gid) != 0 || setuid(user->pw_uid) != 0))) {
      _exit(126);
    }
    prctl(PR_SET_PDEATHSIG, SIGQUIT);
    execv(arguments[0], arguments.data());
    _exit(127);
  }
  return child;
}

/// What libpq takes from the environment of whoever runs the test.
void forget_settings() {
  std::vector<std::string> names;
  for (char** one = environ; *one != nullptr; ++one) {
    if (std::string_view(*one).starts_with("PG")) {
      names.push_back(std::string(*one).substr(0, std::string(*one).find('=')));
    }
  }
  for (const std::string& name : names) {
    unsetenv(name.c_str());
  }
  setenv("PGPASSFILE", "/dev/null/none", 1);
}

int end_of(pid_t child) {
  int status = 0;
  waitpid(child, &status, 0);
  return status;
}

}  // namespace

PostgresServer::PostgresServer() {
  forget_settings();
  programs();  // before anything is made
  // Not in the build folder: the other user may not get there, and a socket's path is short.
  std::string name = "/tmp/perf-postgres-XXXXXX";
  if (mkdtemp(name.data()) == nullptr) {
    throw std::runtime_error("mkdtemp failed");
  }
  folder_ = name;
  try {
    give_away(folder_);
    make_cluster();
    start();
  } catch (const std::exception&) {
    fs::remove_all(folder_);
    throw;
  }
}

void PostgresServer::make_cluster() const {
  const int made =
      end_of(begin({programs() / "initdb", "-D", data(), "-U", "postgres", "-E", "UTF8", "-A",
                    "trust", "--no-locale", "--no-sync", "--no-instructions"},
                   folder_ / "log"));
  if (made != 0) {
    throw std::runtime_error("initdb failed: " + content_of(folder_ / "log"));
  }
  std::ofstream(data() / "postgresql.conf", std::ios::app)
      << "unix_socket_directories = '" << folder_.string()
      << "'\nlisten_addresses = ''\nfsync = off\nshared_buffers = 16MB\nmax_wal_senders = 0\n"
         "wal_level = minimal\nautovacuum = off\n";
  std::ofstream(data() / "pg_hba.conf") << "local all with_password scram-sha-256\n"
                                           "local all all trust\n";
}

PostgresServer::~PostgresServer() {
  stop(SIGQUIT);
  std::error_code ignored;
  fs::remove_all(folder_, ignored);
}

std::string PostgresServer::address(const std::string& database, const std::string& user) const {
  std::string host = folder_.string();
  for (std::size_t at = 0; (at = host.find('/', at)) != std::string::npos;) {
    host.replace(at, 1, "%2F");
  }
  return "postgres://" + user + "@" + host + ":" + std::to_string(port) + "/" + database;
}

std::string PostgresServer::new_database() {
  const std::string name = "db_" + std::to_string(++databases_);
  postgres::Connection(address("postgres"), {})
      .execute("CREATE DATABASE " + name + " STRATEGY file_copy");
  return address(name);
}

void PostgresServer::start() {
  pid_ = begin({programs() / "postgres", "-D", data()}, folder_ / "log");
  try {
    postgres::Session(address("postgres"), [&] { return waitpid(pid_, nullptr, WNOHANG) != 0; },
                      {30, 30})
        .run([](postgres::Connection& connection) { connection.run("SELECT 1"); });
  } catch (const Error& error) {
    throw std::runtime_error("the server does not start: " + content_of(folder_ / "log"));
  }
}

void PostgresServer::stop(int signal) {
  if (pid_ > 0) {
    kill(pid_, signal);
    end_of(pid_);
    pid_ = -1;
  }
}

void PostgresServer::signal(int signal) const {
  kill(pid_, signal);
}

void PostgresServer::write(const fs::path& file, const std::string& text) const {
  std::ofstream(file) << text;
  fs::permissions(file, fs::perms::owner_read | fs::perms::owner_write);
  give_away(file);
}

PostgresServer& shared_server() {
  static PostgresServer server;
  return server;
}

std::string new_postgres_hub() {
  const std::string address = shared_server().new_database();
  postgres::Connection connection(address, {});
  hub::make(connection);
  return address;
}

std::string as_user(const std::string& address, const std::string& user, const std::string& roles) {
  postgres::Connection connection(address, {});
  if (connection.run("SELECT 1 FROM pg_roles WHERE rolname = $1", user).size() == 0) {
    connection.execute("CREATE ROLE " + user + " LOGIN" +
                       (roles.empty() ? "" : " IN ROLE " + roles));
  }
  const std::size_t begin = address.find("://") + 3;
  return address.substr(0, begin) + user + address.substr(address.find('@'));
}

}  // namespace perf::test
