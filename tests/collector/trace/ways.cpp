#include "tests/collector/trace/ways.h"

#include <arpa/inet.h>
#include <dirent.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/sched.h>
#include <linux/seccomp.h>
#include <netinet/in.h>
#include <sched.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <thread>
#include <vector>

namespace perf::test {
namespace {

int check(long result) {
  return result < 0 ? (std::perror("way_actor"), 1) : 0;
}

int read_all(int file) {
  char bytes[4096];
  ssize_t got = 0;
  while ((got = read(file, bytes, sizeof bytes)) > 0) {
    if (write(STDOUT_FILENO, bytes, static_cast<std::size_t>(got)) < 0) {
      return 1;
    }
  }
  return check(got);
}

int wait_for(pid_t child) {
  int status = 0;
  return check(waitpid(child, &status, 0)) != 0 || status != 0 ? 1 : 0;
}

/// The arguments of a program without any.
struct Alone {
  explicit Alone(const char* program) : arguments{const_cast<char*>(program), nullptr} {}
  std::vector<char*> arguments;
};

int read_mapped(const char* name, const char*) {
  const int file = open(name, O_RDONLY);
  const void* at = mmap(nullptr, 3, PROT_READ, MAP_PRIVATE, file, 0);
  return at == MAP_FAILED ? 1 : check(write(STDOUT_FILENO, at, 3));
}

int read_by_folder(const char* folder, const char* name) {
  return read_all(openat(open(folder, O_RDONLY | O_DIRECTORY), name, O_RDONLY));
}

int read_in_thread(const char* name, const char*) {
  int result = 1;
  std::thread([&] { result = read_all(open(name, O_RDONLY)); }).join();
  return result;
}

/// In a process that has left its parent, its session and its group.
int read_as_daemon(const char* name, const char*) {
  int ends[2];
  if (pipe(ends) != 0) {
    return 1;
  }
  if (fork() == 0) {
    setsid();
    if (fork() == 0) {
      const int file = open(name, O_RDONLY);
      char byte = '0';
      _exit(read(file, &byte, 1) == 1 && write(ends[1], &byte, 1) == 1 ? 0 : 1);
    }
    _exit(0);
  }
  close(ends[1]);
  char byte = 0;
  return read(ends[0], &byte, 1) == 1 ? 0 : 1;
}

int read_by_handle(const char* name, const char*) {
  alignas(file_handle) char room[sizeof(file_handle) + MAX_HANDLE_SZ] = {};
  auto* const handle = reinterpret_cast<file_handle*>(room);
  handle->handle_bytes = MAX_HANDLE_SZ;
  int mount = 0;
  if (check(name_to_handle_at(AT_FDCWD, name, handle, &mount, 0)) != 0) {
    return 1;
  }
  return read_all(open_by_handle_at(open(".", O_RDONLY), handle, O_RDONLY));
}

int set_up_uring(const char*, const char*) {
  char parameters[256] = {};
  syscall(SYS_io_uring_setup, 4, parameters);
  return 0;
}

int connect_to_unix(const char* place, const char*) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  std::strncpy(address.sun_path, place, sizeof address.sun_path - 1);
  return check(connect(socket(AF_UNIX, SOCK_STREAM, 0), reinterpret_cast<sockaddr*>(&address),
                       sizeof address));
}

int connect_to_port(const char* port, const char*) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<std::uint16_t>(std::atoi(port)));
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  return check(connect(socket(AF_INET, SOCK_STREAM, 0), reinterpret_cast<sockaddr*>(&address),
                       sizeof address));
}

int read_shared_memory(const char* id, const char*) {
  const void* at = shmat(std::atoi(id), nullptr, SHM_RDONLY);
  return at == reinterpret_cast<void*>(-1) ? 1 : check(write(STDOUT_FILENO, at, 3));
}

int run_by_vfork(const char* program, const char*) {
  Alone alone(program);
  const pid_t child = vfork();
  if (child == 0) {
    execv(program, alone.arguments.data());
    _exit(1);
  }
  return wait_for(child);
}

int run_by_spawn(const char* program, const char*) {
  Alone alone(program);
  pid_t child = 0;
  return posix_spawn(&child, program, nullptr, nullptr, alone.arguments.data(), environ) == 0
             ? wait_for(child)
             : 1;
}

int run_by_descriptor(const char* program, const char*) {
  Alone alone(program);
  return check(fexecve(open(program, O_RDONLY | O_CLOEXEC), alone.arguments.data(), environ));
}

int run_by_proc(const char* program, const char*) {
  Alone alone(program);
  const std::string name = "/proc/self/fd/" + std::to_string(open(program, O_PATH));
  return check(execv(name.c_str(), alone.arguments.data()));
}

int run_by_folder(const char* folder, const char* program) {
  Alone alone(program);
  return check(
      syscall(SYS_execveat, open(folder, O_PATH), program, alone.arguments.data(), environ, 0));
}

/// The thread takes the place of the whole process.
int run_in_thread(const char* program, const char*) {
  Alone alone(program);
  std::thread([&] { execv(program, alone.arguments.data()); }).join();
  return 1;
}

int run_loaded(const char* library, const char*) {
  void* const handle = dlopen(library, RTLD_NOW);
  return handle != nullptr && dlsym(handle, "value_of_library") != nullptr ? 0 : 1;
}

/// As the loader does, and then the rest of it is read.
int map_and_read(const char* library, const char*) {
  const int file = open(library, O_RDONLY), other = 100;
  const void* at = mmap(nullptr, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_DENYWRITE, file, 0);
  if (at == MAP_FAILED || dup2(file, other) != other || close(file) != 0) {
    return 1;
  }
  const int result = read_all(other);
  return syscall(SYS_close_range, other, other, 0) == 0 ? result : 1;
}

/// As the loader does, and reads more of it meanwhile.
int read_while_mapped(const char* library, const char*) {
  const int file = open(library, O_RDONLY | O_CLOEXEC);
  const void* at = mmap(nullptr, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_DENYWRITE, file, 0);
  return at == MAP_FAILED || read_all(file) != 0 ? 1 : close(file);
}

int read_end(int file) {
  char bytes[3];
  return lseek(file, -3, SEEK_END) > 0 && read(file, bytes, 3) == 3
             ? check(write(STDOUT_FILENO, bytes, 3))
             : 1;
}

int read_own_end(const char*, const char*) {
  return read_end(open("/proc/self/exe", O_RDONLY));
}
int read_end_of(const char* name, const char*) {
  return read_end(open(name, O_RDONLY));
}

int ask_own_size(const char*, const char*) {
  struct stat found {};
  return check(stat("/proc/self/exe", &found));
}

int list_kinds(const char* folder, const char*) {
  DIR* const all = opendir(folder);
  int kinds = 0;
  while (const dirent* const one = all == nullptr ? nullptr : readdir(all)) {
    kinds += one->d_type;
  }
  return kinds == 0 ? 1 : 0;
}

int ask_attribute(const char* name, const char*) {
  char value[16];
  return check(getxattr(name, "user.perf", value, sizeof value));
}
int set_attribute(const char* name, const char* value) {
  setxattr(name, "user.perf", value, std::strlen(value), 0);
  return 0;
}

/// Gives user 1 these permissions (acl(5), as the kernel's posix_acl_xattr.h has it).
int set_access_list(const char* name, const char* permissions) {
  struct Entry {
    std::uint16_t tag, permissions;
    std::uint32_t id;
  };
  constexpr std::uint32_t kNobody = 0xFFFFFFFF;
  const struct {
    std::uint32_t version = 2;
    Entry entries[5];
  } list{.entries = {{1, 6, kNobody},
                     {2, static_cast<std::uint16_t>(std::atoi(permissions)), 1},
                     {4, 4, kNobody},
                     {16, 6, kNobody},
                     {32, 4, kNobody}}};
  return check(setxattr(name, "system.posix_acl_access", &list, sizeof list, 0));
}

/// A program that behaves otherwise while it is traced.
int ask_whether_traced(const char*, const char*) {
  ptrace(PTRACE_TRACEME, 0, nullptr, nullptr);
  return 0;
}

/// Hands its calls to a listener, which lets them go on: before the tracer sees them.
int filter_calls(const char*, const char*) {
  sock_filter allow{BPF_RET | BPF_K, 0, 0, SECCOMP_RET_ALLOW};
  sock_fprog filter{1, &allow};
  prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
  return syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_NEW_LISTENER, &filter) <
         0;
}

int read_untraced(const char* name, const char*) {
  const long child = syscall(SYS_clone, CLONE_UNTRACED | SIGCHLD, nullptr, nullptr, nullptr, 0);
  if (child == 0) {
    const long file = syscall(SYS_openat, AT_FDCWD, name, O_RDONLY);
    char byte = 0;
    syscall(SYS_read, file, &byte, 1);
    _exit(0);
  }
  return wait_for(static_cast<pid_t>(child));
}

struct Way {
  const char* word;
  int (*go)(const char* one, const char* two);
};

constexpr Way kWays[]{
    {"read-mapped", read_mapped},
    {"read-by-folder", read_by_folder},
    {"read-in-thread", read_in_thread},
    {"read-as-daemon", read_as_daemon},
    {"read-by-handle", read_by_handle},
    {"read-untraced", read_untraced},
    {"read-own-end", read_own_end},
    {"read-end-of", read_end_of},
    {"read-shared-memory", read_shared_memory},
    {"set-up-uring", set_up_uring},
    {"connect-to-unix", connect_to_unix},
    {"connect-to-port", connect_to_port},
    {"run-by-vfork", run_by_vfork},
    {"run-by-spawn", run_by_spawn},
    {"run-by-descriptor", run_by_descriptor},
    {"run-by-proc", run_by_proc},
    {"run-by-folder", run_by_folder},
    {"run-in-thread", run_in_thread},
    {"run-loaded", run_loaded},
    {"map-and-read", map_and_read},
    {"read-while-mapped", read_while_mapped},
    {"filter-calls", filter_calls},
    {"ask-own-size", ask_own_size},
    {"ask-attribute", ask_attribute},
    {"ask-whether-traced", ask_whether_traced},
    {"set-attribute", set_attribute},
    {"set-access-list", set_access_list},
    {"list-kinds", list_kinds},
};

}  // namespace

int go_a_way(const char* word, const char* one, const char* two) {
  for (const Way& way : kWays) {
    if (std::strcmp(way.word, word) == 0) {
      return way.go(one, two);
    }
  }
  std::fprintf(stderr, "way_actor: no way is called %s\n", word);
  return 2;
}

}  // namespace perf::test
