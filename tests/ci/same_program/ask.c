// Reads, stats and executes files in one of many ways: `ask WAY FILE [MORE]`. The workloads of
// same_program_test.cpp are made of it. Exits with 0 also where there is nothing to read.

#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <pthread.h>
#include <spawn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/ipc.h>
#include <sys/mman.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <unistd.h>

static const char* own_name;

static void drain(int file) {
  char buffer[65536];
  while (file >= 0 && read(file, buffer, sizeof buffer) > 0) {
  }
}

static void read_file(const char* path) {
  drain(open(path, O_RDONLY));
}

static void* read_in_thread(void* path) {
  read_file(path);
  return NULL;
}

static void wait_for(pid_t child) {
  if (child > 0) {
    waitpid(child, NULL, 0);
  }
}

static void become_reader(const char* path) {
  execl("/proc/self/exe", own_name, "read", path, (char*)NULL);
  _exit(1);
}

// -- how a file is named

static void by_folder(const char* folder, const char* name) {
  const int at = open(folder, O_RDONLY | O_DIRECTORY);
  drain(openat(at, name, O_RDONLY));
}

static void by_fchdir(const char* folder, const char* name) {
  if (fchdir(open(folder, O_RDONLY | O_DIRECTORY)) == 0) {
    read_file(name);
  }
}

static void by_descriptor_of_folder(const char* folder, const char* name) {
  char path[4096];
  struct stat found;
  snprintf(path, sizeof path, "/dev/fd/%d/%s", open(folder, O_PATH), name);
  stat(path, &found);
}

/// By a name of `MORE` times "./", beside which the rest is short.
static void by_long_name(const char* path, const char* times) {
  char name[4096] = "";
  for (int i = atoi(times); i > 0; --i) {
    strcat(name, "./");
  }
  read_file(strcat(name, path));
}

static void by_handle(const char* path) {
  struct {
    struct file_handle head;
    char bytes[MAX_HANDLE_SZ];
  } handle;
  int mount = 0;
  handle.head.handle_bytes = MAX_HANDLE_SZ;
  if (name_to_handle_at(AT_FDCWD, path, &handle.head, &mount, 0) == 0) {
    const int file = open_by_handle_at(open(".", O_RDONLY), &handle.head, O_RDONLY);
    drain(file);
    exit(file < 0);
  }
  exit(1);
}

/// The 32-bit way into the kernel, which a 64-bit program may take.
static void by_old_gate(const char* path) {
#ifdef __x86_64__
  char* const low =
      mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_32BIT, -1, 0);
  long result = 5;  // open
  strcpy(low, path);
  __asm__ volatile("int $0x80"
                   : "+a"(result)
                   : "b"((uint32_t)(uintptr_t)low), "c"(0), "d"(0)
                   : "memory", "r8", "r9", "r10", "r11");
  drain((int)result);
  exit(result < 0);
#else
  read_file(path);
#endif
}

static void by_mapping(const char* path, int protection, int flags) {
  const int file = open(path, O_RDONLY);
  struct stat found;
  if (file >= 0 && fstat(file, &found) == 0) {
    const volatile char* bytes = mmap(NULL, (size_t)found.st_size, protection, flags, file, 0);
    close(file);
    (void)bytes[found.st_size - 1];
  }
}

// -- who reads it

static void by_thread(const char* path) {
  pthread_t thread;
  pthread_create(&thread, NULL, read_in_thread, (void*)path);
  pthread_join(thread, NULL);
}

static void by_vfork(const char* path) {
  const pid_t child = vfork();
  if (child == 0) {
    become_reader(path);
  }
  wait_for(child);
}

static void by_grandchild(const char* path) {
  const pid_t child = fork();
  if (child == 0) {
    const pid_t grandchild = fork();
    if (grandchild == 0) {
      read_file(path);
      _exit(0);
    }
    wait_for(grandchild);
    _exit(0);
  }
  wait_for(child);
}

/// A daemon: nobody waits for it but by the pipe that it holds open.
static void by_daemon(const char* path) {
  int ends[2];
  char end;
  if (pipe(ends) != 0) {
    return;
  }
  const pid_t child = fork();
  if (child == 0) {
    setsid();
    if (fork() == 0) {
      close(ends[0]);
      read_file(path);
    }
    _exit(0);
  }
  wait_for(child);
  close(ends[1]);
  while (read(ends[0], &end, 1) > 0) {
  }
}

static void by_spawned(const char* path) {
  extern char** environ;
  char* arguments[] = {(char*)own_name, "read", (char*)path, NULL};
  pid_t child = 0;
  if (posix_spawn(&child, "/proc/self/exe", NULL, NULL, arguments, environ) == 0) {
    wait_for(child);
  }
}

/// A descriptor that outlives exec: the new program reads what the old one opened.
static void by_heir(const char* path) {
  char number[16];
  snprintf(number, sizeof number, "%d", open(path, O_RDONLY));
  execl("/proc/self/exe", own_name, "descriptor", number, (char*)NULL);
}

// -- what is executed

static void execute_opened(const char* path, int by_name) {
  char name[64];
  char* arguments[] = {(char*)path, NULL};
  char* variables[] = {NULL};
  const int file = open(path, O_PATH);
  if (by_name) {
    snprintf(name, sizeof name, "/proc/self/fd/%d", file);
    execve(name, arguments, variables);
  } else {
    fexecve(file, arguments, variables);
  }
  exit(1);
}

static void load(const char* library) {
  void* const loaded = dlopen(library, RTLD_NOW);
  if (loaded == NULL) {
    fprintf(stderr, "%s\n", dlerror());
    exit(1);
  }
}

// -- what is asked of a file beside its content

static void built_file_at(const char* path) {
  struct stat found;
  stat(path, &found);
}

static void list(const char* folder) {
  DIR* const names = opendir(folder);
  while (names != NULL && readdir(names) != NULL) {
  }
}

static void set_attribute(const char* path, const char* value) {
  exit(setxattr(path, "user.flag", value, strlen(value), 0) != 0);
}

static void read_attribute(const char* path) {
  char value[64];
  exit(getxattr(path, "user.flag", value, sizeof value) < 0);
}

// -- what no file tells

static void connect_to_socket(const char* path) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  strncpy(address.sun_path, path, sizeof address.sun_path - 1);
  if (connect(socket(AF_UNIX, SOCK_STREAM, 0), (struct sockaddr*)&address, sizeof address) != 0) {
    exit(1);
  }
}

static void connect_to_port(const char* port) {
  struct sockaddr_in address = {.sin_family = AF_INET,
                                .sin_port = htons((uint16_t)atoi(port)),
                                .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  if (connect(socket(AF_INET, SOCK_STREAM, 0), (struct sockaddr*)&address, sizeof address) != 0) {
    exit(1);
  }
}

static void set_up_ring(void) {
  char parameters[256] = {0};
  syscall(SYS_io_uring_setup, 1, parameters);
}

static void attach_shared(const char* id) {
  exit(shmat(atoi(id), NULL, SHM_RDONLY) == (void*)-1);
}

int main(int count, char** words) {
  own_name = words[0];
  const char* way = words[1];
  const char* path = count > 2 ? words[2] : "";
  const char* more = count > 3 ? words[3] : "";
#define WAY(name, call)         \
  if (strcmp(way, name) == 0) { \
    call;                       \
    return 0;                   \
  }
  WAY("read", read_file(path))
  WAY("descriptor", drain(atoi(path)))
  WAY("openat", by_folder(path, more))
  WAY("fchdir", by_fchdir(path, more))
  WAY("stat-descriptor", by_descriptor_of_folder(path, more))
  WAY("long", by_long_name(path, more))
  WAY("handle", by_handle(path))
  WAY("old-gate", by_old_gate(path))
  WAY("map", by_mapping(path, PROT_READ, MAP_SHARED))
  WAY("map-as-loader", by_mapping(path, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_DENYWRITE))
  WAY("thread", by_thread(path))
  WAY("vfork", by_vfork(path))
  WAY("grandchild", by_grandchild(path))
  WAY("daemon", by_daemon(path))
  WAY("spawn", by_spawned(path))
  WAY("heir", by_heir(path))
  WAY("exec-opened", execute_opened(path, 0))
  WAY("exec-descriptor", execute_opened(path, 1))
  WAY("load", load(path))
  WAY("stat", built_file_at(path))
  WAY("access", access(path, R_OK))
  WAY("list", list(path))
  WAY("set-attribute", set_attribute(path, more))
  WAY("attribute", read_attribute(path))
  WAY("socket", connect_to_socket(path))
  WAY("port", connect_to_port(path))
  WAY("ring", set_up_ring())
  WAY("attach", attach_shared(path))
  return 2;
}
