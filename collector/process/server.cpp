#include "collector/process/server.h"

#include <poll.h>
#include <sys/eventfd.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include "collector/process/captured_text.h"
#include "collector/process/port.h"
#include "collector/process/workload_runner.h"
#include "schema/error.h"
#include "schema/text/text_parts.h"

namespace perf {
namespace {

constexpr int kAskAgain = 10;               // ms between two questions whether it is ready
constexpr int kPatience = 300;              // ms, for the end of a server to be seen
constexpr std::size_t kPrintedKept = 4096;  // B
constexpr std::string_view kPort = "{port}";

std::string with_port(std::string text, const std::string& port) {
  for (std::size_t at = text.find(kPort); at != std::string::npos; at = text.find(kPort, at)) {
    text.replace(at, kPort.size(), port);
  }
  return text;
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

std::string in_use(int port) {
  return "port " + std::to_string(port) + " is in use by another process";
}

}  // namespace

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
         : server.ready_by == ReadyBy::http ? port_of_url(server.ready)
                                            : 0;
}

RunningServer::RunningServer(const Server& server, ProcessRequest request, RunProcess run_process)
    : server_(server), started_(boot_ticks()), stop_(make_event()), ended_(make_event()) {
  if (server_.ready_by == ReadyBy::file) {
    file_ = request.directory / server_.ready;
    file_before_ = state_of_file(file_);
  }
  if (const int port = port_of(server_); port != 0 && accepts(port)) {
    failure_ = in_use(port);
    set_event(ended_);
    return;
  }
  request.command = server_.command;
  request.stop = stop_.number();
  request.timeout = 0;
  request.adds_memory = true;
  request.beside = true;
  request.on_output = [this](std::string_view piece) { take_output(piece); };
  thread_ = std::thread([this, request = std::move(request), run = std::move(run_process)] {
    try {
      process_ = run(request);
    } catch (const Error& error) {
      process_.spawn_error = error.what;
    }
    set_event(ended_);
  });
}

RunningServer::~RunningServer() {
  stop(false);
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
      return accepts(port_of(server_));
    case ReadyBy::http:
      return answers(server_.ready);
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
      const int port = port_of(server_);
      failure_ = port != 0 && is_held_by_other(port, started_) ? in_use(port) : "";
      return failure_.empty();
    }
    if (monotonic_seconds() > deadline) {
      failure_ = "not ready after " + to_text(Param(server_.timeout)) + " s";
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

std::string RunningServer::stop(bool client_failed) {
  if (!thread_.joinable()) {
    return failure_;
  }
  const bool has_ended = is_set(ended_, client_failed ? kPatience : 0);
  set_event(stop_);
  thread_.join();
  if (has_ended) {
    ProcessResult silent = process_;
    silent.stderr_text.clear();
    const std::string why = failure_of(silent, 0);
    failure_ = "ended before it was stopped: " +
               (why.empty() ? "exit status 0; it must stay in the foreground" : why);
  }
  failure_ = failure_.empty() ? failure_ : with_last_words(failure_);
  return failure_;
}

}  // namespace perf
