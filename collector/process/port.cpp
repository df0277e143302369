#include "collector/process/port.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>
#include <string_view>
#include <utility>
#include <vector>

#include "collector/process/supervisor.h"
#include "schema/error.h"
#include "schema/files/descriptor.h"
#include "schema/text/text_parts.h"

namespace perf {
namespace {

constexpr time_t kAnswerLimit = 1;  // s for one answer
constexpr const char* kProc = "/proc";

/// A connection to a port of this machine; none, with errno, where nothing listens.
Descriptor connect_to(int port) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<std::uint16_t>(port));
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  sockaddr_in6 address6{};
  address6.sin6_family = AF_INET6;
  address6.sin6_port = address.sin_port;
  address6.sin6_addr = in6addr_loopback;
  const std::pair<const sockaddr*, socklen_t> addresses[] = {
      {reinterpret_cast<const sockaddr*>(&address), sizeof address},
      {reinterpret_cast<const sockaddr*>(&address6), sizeof address6}};
  for (const auto& [where, size] : addresses) {
    Descriptor socket(::socket(where->sa_family, SOCK_STREAM | SOCK_CLOEXEC, 0));
    const timeval limit{kAnswerLimit, 0};
    setsockopt(socket.number(), SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof limit);
    setsockopt(socket.number(), SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
    if (socket && connect(socket.number(), where, size) == 0) {
      return socket;
    }
  }
  return Descriptor();
}

struct HttpUrl {
  std::string host, path;  ///< host: with its port
  int port = 80;
};

HttpUrl read_url(const std::string& url) {
  constexpr std::string_view kScheme = "http://";
  HttpUrl read;
  const std::string rest = url.substr(std::min(kScheme.size(), url.size()));
  const std::size_t slash = std::min(rest.find('/'), rest.size());
  read.host = rest.substr(0, slash);
  read.path = slash < rest.size() ? rest.substr(slash) : "/";
  const std::size_t colon = read.host.rfind(':');
  if (colon != std::string::npos && !read.host.ends_with(']')) {
    read.port = parsed<int>(read.host.substr(colon + 1)).value_or(0);
  }
  return read;
}

/// The sockets that listen at a port, as links of /proc/PID/fd: "socket:[4711]".
std::set<std::string> listening_at(int port) {
  std::set<std::string> sockets;
  for (const char* table : {"/proc/self/net/tcp", "/proc/self/net/tcp6"}) {
    std::ifstream lines(table);
    for (std::string line; std::getline(lines, line);) {
      // sl local_address rem_address st tx:rx tr:when retransmits uid timeout inode
      std::istringstream fields(line);
      std::string local, state, skipped, inode;
      fields >> skipped >> local >> skipped >> state >> skipped >> skipped >> skipped >> skipped >>
          skipped >> inode;
      constexpr int kHexadecimal = 16;
      const std::size_t colon = local.rfind(':');
      if (state == "0A" && colon != std::string::npos &&
          std::strtol(local.c_str() + colon + 1, nullptr, kHexadecimal) == port) {
        sockets.insert("socket:[" + inode + "]");
      }
    }
  }
  return sockets;
}

bool has_one_open(const Kin& process, const std::set<std::string>& sockets) {
  std::error_code error;
  const std::filesystem::path folder =
      std::filesystem::path(kProc) / std::to_string(process.pid) / "fd";
  for (std::filesystem::directory_iterator file(folder, error), end; !error && file != end;
       file.increment(error)) {
    std::error_code closed;
    if (sockets.contains(std::filesystem::read_symlink(file->path(), closed).string())) {
      return true;
    }
  }
  return false;
}

}  // namespace

int free_port() {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  const Descriptor socket(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  if (!socket || bind(socket.number(), reinterpret_cast<const sockaddr*>(&address), size) != 0 ||
      getsockname(socket.number(), reinterpret_cast<sockaddr*>(&address), &size) != 0) {
    throw Error("no free TCP port for a server", std::strerror(errno));
  }
  return ntohs(address.sin_port);
}

bool accepts(int port) {
  return static_cast<bool>(connect_to(port));
}

int port_of_url(const std::string& url) {
  return read_url(url).port;
}

bool answers(const std::string& url) {
  const HttpUrl parts = read_url(url);
  const Descriptor socket = connect_to(parts.port);
  const std::string question =
      "GET " + parts.path + " HTTP/1.0\r\nHost: " + parts.host + "\r\n\r\n";
  if (!socket || send(socket.number(), question.data(), question.size(), MSG_NOSIGNAL) !=
                     static_cast<ssize_t>(question.size())) {
    return false;
  }
  char answer[16] = {};  // "HTTP/1.1 200 "
  const ssize_t size = recv(socket.number(), answer, sizeof answer - 1, MSG_WAITALL);
  return size > 9 && std::strncmp(answer, "HTTP/1.", 7) == 0 &&
         (answer[9] == '2' || answer[9] == '3');
}

unsigned long long boot_ticks() {
  timespec now{};
  clock_gettime(CLOCK_BOOTTIME, &now);
  const double seconds = static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
  return static_cast<unsigned long long>(seconds * static_cast<double>(sysconf(_SC_CLK_TCK)));
}

bool is_held_by_other(int port, unsigned long long since) {
  const std::set<std::string> sockets = listening_at(port);
  const auto holds = [&](const Kin& process) { return has_one_open(process, sockets); };
  if (sockets.empty() || std::ranges::any_of(find_descendants(kProc), holds)) {
    return false;
  }
  return std::ranges::any_of(find_processes(kProc), [&](const Kin& process) {
    return process.start < since && holds(process);
  });
}

}  // namespace perf
