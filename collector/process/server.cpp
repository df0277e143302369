#include "collector/process/server.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <exception>
#include <utility>

#include "collector/process/captured_text.h"
#include "collector/process/spawner.h"
#include "collector/process/workload_runner.h"
#include "schema/error.h"
#include "schema/text/text_parts.h"

namespace perf {
namespace {

constexpr int kAskAgain = 10;               // ms between two questions whether it is ready
constexpr time_t kAnswerLimit = 1;          // s for one answer
constexpr std::size_t kPrintedKept = 4096;  // B
constexpr std::string_view kPort = "{port}";

std::string with_port(std::string text, const std::string& port) {
  for (std::size_t at = text.find(kPort); at != std::string::npos; at = text.find(kPort, at)) {
    text.replace(at, kPort.size(), port);
  }
  return text;
}

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

/// Of a URL that the config's reader accepts.
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

/// Whether a GET is answered with a status from 200 to 399.
bool answers(const HttpUrl& url) {
  const Descriptor socket = connect_to(url.port);
  const std::string question = "GET " + url.path + " HTTP/1.0\r\nHost: " + url.host + "\r\n\r\n";
  if (!socket || send(socket.number(), question.data(), question.size(), MSG_NOSIGNAL) !=
                     static_cast<ssize_t>(question.size())) {
    return false;
  }
  char answer[16] = {};  // "HTTP/1.1 200 "
  const ssize_t size = recv(socket.number(), answer, sizeof answer - 1, MSG_WAITALL);
  return size > 9 && std::strncmp(answer, "HTTP/1.", 7) == 0 &&
         (answer[9] == '2' || answer[9] == '3');
}

/// Differs where the file was made anew; empty where there is none.
std::string state_of_file(const std::filesystem::path& file) {
  struct stat found {};
  return stat(file.c_str(), &found) != 0
             ? std::string()
             : std::to_string(found.st_ino) + ' ' + std::to_string(found.st_ctim.tv_sec) + ' ' +
                   std::to_string(found.st_ctim.tv_nsec);
}

Descriptor make_event() {
  Descriptor event(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
  if (!event) {
    throw Error("cannot start a server", std::strerror(errno), "raise the limit on open files");
  }
  return event;
}

void set_event(const Descriptor& event) {
  const std::uint64_t one = 1;
  [[maybe_unused]] const ssize_t written = write(event.number(), &one, sizeof one);
}

bool is_set(const Descriptor& event, int timeout) {
  pollfd polled{event.number(), POLLIN, 0};
  return poll(&polled, 1, timeout) > 0;
}

std::string seconds_text(double seconds) {
  return to_text(Param(seconds)) + " s";
}

}  // namespace

RunProcess make_run_beside(std::function<bool()> interrupted) {
  return [interrupted = std::move(interrupted)](const ProcessRequest& request) {
    Spawner own;
    own.set_interrupted(interrupted);
    return own.run(request);
  };
}

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

Workload with_port(Workload workload, int port) {
  if (!workload.serve) {
    return workload;
  }
  const std::string number = std::to_string(port);
  for (std::vector<std::string>* words :
       {&workload.command, &workload.prepare, &workload.serve->command}) {
    for (std::string& word : *words) {
      word = with_port(std::move(word), number);
    }
  }
  for (auto& [name, value] : workload.env) {
    value = with_port(std::move(value), number);
  }
  for (auto& [name, value] : workload.params) {
    if (std::string* text = std::get_if<std::string>(&value)) {
      *text = with_port(std::move(*text), number);
    }
  }
  workload.serve->ready = with_port(std::move(workload.serve->ready), number);
  return workload;
}

int port_of(const Server& server) {
  return server.ready_by == ReadyBy::tcp    ? parsed<int>(server.ready).value_or(0)
         : server.ready_by == ReadyBy::http ? read_url(server.ready).port
                                            : 0;
}

RunningServer::RunningServer(const Server& server, ProcessRequest request, RunProcess run_beside)
    : server_(server), stop_(make_event()), ended_(make_event()) {
  if (server_.ready_by == ReadyBy::file) {
    file_ = request.directory / server_.ready;
    file_before_ = state_of_file(file_);
  }
  const int port = port_of(server_);
  if (port != 0 && connect_to(port)) {
    failure_ = "port " + std::to_string(port) + " is in use by another process";
    set_event(ended_);
    return;
  }
  request.command = server_.command;
  request.stop = stop_.number();
  request.timeout = 0;
  request.adds_memory = true;
  request.on_output = [this](std::string_view piece) { take_output(piece); };
  thread_ = std::thread([this, request = std::move(request), run = std::move(run_beside)] {
    try {
      process_ = run(request);
    } catch (const Error& error) {
      process_.spawn_error = error.what;
    }
    set_event(ended_);
  });
}

RunningServer::~RunningServer() {
  stop();
}

void RunningServer::take_output(std::string_view piece) {
  const std::lock_guard lock(mutex_);
  printed_ += piece;
  has_line_ = has_line_ || (server_.ready_by == ReadyBy::line &&
                            printed_.find(server_.ready) != std::string::npos);
  if (printed_.size() > 2 * kPrintedKept) {
    printed_.erase(0, printed_.size() - kPrintedKept);
  }
}

bool RunningServer::is_ready() const {
  switch (server_.ready_by) {
    case ReadyBy::tcp:
      return static_cast<bool>(connect_to(port_of(server_)));
    case ReadyBy::http:
      return answers(read_url(server_.ready));
    case ReadyBy::file: {
      const std::string state = state_of_file(file_);
      return !state.empty() && state != file_before_;
    }
    case ReadyBy::line:
      break;
  }
  const std::lock_guard lock(mutex_);
  return has_line_;
}

bool RunningServer::await() {
  const double deadline = monotonic_seconds() + server_.timeout;
  while (!is_set(ended_, 0)) {
    if (is_ready()) {
      return true;
    }
    if (monotonic_seconds() > deadline) {
      failure_ = "not ready after " + seconds_text(server_.timeout);
      return false;
    }
    is_set(ended_, kAskAgain);
  }
  return false;
}

std::string RunningServer::with_last_words(const std::string& failure) {
  const std::lock_guard lock(mutex_);
  const std::string words = last_words(printed_);
  return failure + (words.empty() ? "" : "; last lines: " + words);
}

std::string RunningServer::stop() {
  if (!thread_.joinable()) {
    return failure_;
  }
  const bool has_ended = is_set(ended_, 0);
  set_event(stop_);
  thread_.join();
  if (has_ended) {
    ProcessResult silent = process_;
    silent.stderr_text.clear();
    const std::string why = failure_of(silent, 0);
    failure_ = "ended before it was stopped: " + (why.empty() ? "exit status 0" : why);
  }
  failure_ = failure_.empty() ? failure_ : with_last_words(failure_);
  return failure_;
}

}  // namespace perf
