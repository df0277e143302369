#include <sys/socket.h>

#include <cstring>

#include "collector/process/supervisor.h"

namespace perf::wire {

std::string pack(const std::string& directory, const std::vector<std::string>& arguments,
                 const std::vector<std::string>& environment) {
  std::string body = directory;
  body += '\0';
  for (const std::vector<std::string>* texts : {&arguments, &environment}) {
    for (const std::string& text : *texts) {
      body += text;
      body += '\0';
    }
  }
  return body;
}

bool send_all(int socket, const void* data, std::size_t size) {
  const char* next = static_cast<const char*>(data);
  while (size > 0) {
    const ssize_t sent = retried([&] { return send(socket, next, size, MSG_NOSIGNAL); });
    if (sent <= 0) {
      return false;
    }
    next += sent;
    size -= static_cast<std::size_t>(sent);
  }
  return true;
}

bool send_run(int socket, const Header& header, int out, int err) {
  const int descriptors[2] = {out, err};
  alignas(cmsghdr) char control[CMSG_SPACE(sizeof descriptors)] = {};
  Header copy = header;
  iovec data{&copy, sizeof copy};
  msghdr message{};
  message.msg_iov = &data;
  message.msg_iovlen = 1;
  message.msg_control = control;
  message.msg_controllen = sizeof control;
  cmsghdr* ancillary = CMSG_FIRSTHDR(&message);
  ancillary->cmsg_level = SOL_SOCKET;
  ancillary->cmsg_type = SCM_RIGHTS;
  ancillary->cmsg_len = CMSG_LEN(sizeof descriptors);
  std::memcpy(CMSG_DATA(ancillary), descriptors, sizeof descriptors);
  const ssize_t sent = retried([&] { return sendmsg(socket, &message, MSG_NOSIGNAL); });
  if (sent <= 0) {
    return false;
  }
  const auto done = static_cast<std::size_t>(sent);
  return send_all(socket, reinterpret_cast<const char*>(&copy) + done, sizeof copy - done);
}

bool receive_all(int socket, void* data, std::size_t size) {
  char* next = static_cast<char*>(data);
  while (size > 0) {
    const ssize_t got = retried([&] { return read(socket, next, size); });
    if (got <= 0) {
      return false;
    }
    next += got;
    size -= static_cast<std::size_t>(got);
  }
  return true;
}

bool receive_header(int socket, Header& header, Descriptor& out, Descriptor& err) {
  int descriptors[2] = {-1, -1};
  alignas(cmsghdr) char control[CMSG_SPACE(sizeof descriptors)] = {};
  iovec data{&header, sizeof header};
  msghdr message{};
  message.msg_iov = &data;
  message.msg_iovlen = 1;
  message.msg_control = control;
  message.msg_controllen = sizeof control;
  const ssize_t got = retried([&] { return recvmsg(socket, &message, MSG_CMSG_CLOEXEC); });
  if (got <= 0) {
    return false;
  }
  for (cmsghdr* ancillary = CMSG_FIRSTHDR(&message); ancillary != nullptr;
       ancillary = CMSG_NXTHDR(&message, ancillary)) {
    if (ancillary->cmsg_level == SOL_SOCKET && ancillary->cmsg_type == SCM_RIGHTS &&
        ancillary->cmsg_len == CMSG_LEN(sizeof descriptors)) {
      std::memcpy(descriptors, CMSG_DATA(ancillary), sizeof descriptors);
      out = Descriptor(descriptors[0]);
      err = Descriptor(descriptors[1]);
    }
  }
  const auto done = static_cast<std::size_t>(got);
  return receive_all(socket, reinterpret_cast<char*>(&header) + done, sizeof header - done);
}

}  // namespace perf::wire
