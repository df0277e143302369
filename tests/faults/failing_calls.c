// A library to preload: lets the Nth write, fsync, open, ... of one program fail, and counts them.
// The processes that the program forks count with it, what they execute does not.
//
//   FAILING_PROGRAM   the program's file name
//   FAILING_STATE     a file of sizeof(struct State) zeros: counts, and what failed
//   FAILING_CALL      the kind of call, as in kKinds; none: only counts
//   FAILING_NTH       which of that kind, from 1
//   FAILING_ERRNO     its errno; 0: a write or a read takes half of what it is given, and says so
//   FAILING_ON        1: so do all after it
//   FAILING_FILE      only of files with such a name are calls counted, and fail
//   FAILING_ROOM      instead: bytes that may be written to files, then ENOSPC, as on a full disk
//   FAILING_HIDE      instead: a folder, such as /proc, in which nothing can be opened
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#include "tests/faults/failing_state.h"

static struct State* state;  // none: this process is not meant
static int failing_kind = -1;
static unsigned long long failing_nth, failing_room;
static int failing_errno, failing_on, has_room;
static const char *hidden, *only;

static const char* text_of(const char* name) {
  const char* text = getenv(name);
  return text != NULL ? text : "";
}

__attribute__((constructor)) static void begin(void) {
  if (strcmp(program_invocation_short_name, text_of("FAILING_PROGRAM")) != 0) {
    return;
  }
  const int file = open(text_of("FAILING_STATE"), O_RDWR | O_CLOEXEC);
  if (file < 0) {
    return;
  }
  void* place = mmap(NULL, sizeof(struct State), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  close(file);
  if (place == MAP_FAILED) {
    return;
  }
  for (int kind = 0; kind < kKindCount; ++kind) {
    if (strcmp(kKinds[kind], text_of("FAILING_CALL")) == 0) {
      failing_kind = kind;
    }
  }
  failing_nth = strtoull(text_of("FAILING_NTH"), NULL, 10);
  failing_errno = atoi(text_of("FAILING_ERRNO"));
  failing_on = atoi(text_of("FAILING_ON"));
  failing_room = strtoull(text_of("FAILING_ROOM"), NULL, 10);
  has_room = getenv("FAILING_ROOM") != NULL;
  hidden = getenv("FAILING_HIDE");
  only = getenv("FAILING_FILE");
  state = place;
}

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

static void note(const char* path) {
  if (__atomic_fetch_add(&state->failed, 1, __ATOMIC_SEQ_CST) == 0 && path != NULL) {
    strncpy(state->path, path, sizeof state->path - 1);
  }
}

/// Counts a call; whether it is one that fails, with errno set then.
static int fails(enum Kind kind, const char* path) {
  if (state == NULL || (only != NULL && strstr(path, only) == NULL)) {
    return 0;
  }
  const unsigned long long number = __atomic_add_fetch(&state->counts[kind], 1, __ATOMIC_SEQ_CST);
  if ((int)kind != failing_kind || number < failing_nth || (number > failing_nth && !failing_on)) {
    return 0;
  }
  note(path);
  errno = failing_errno;
  return 1;
}

/// The same of a descriptor.
static int fails_at(enum Kind kind, int file) {
  char link[64], path[PATH_MAX] = "";
  if (state == NULL) {
    return 0;
  }
  const int before = errno;
  snprintf(link, sizeof link, "/proc/self/fd/%d", file);
  const ssize_t length = readlink(link, path, sizeof path - 1);
  path[length > 0 ? length : 0] = '\0';
  errno = before;
  return fails(kind, path);
}

static int is_file(int file) {
  struct stat status;
  return state != NULL && fstat(file, &status) == 0 && S_ISREG(status.st_mode);
}

/// How much of a write goes through; -1: none of it, with errno set.
static ssize_t let_through(int file, size_t size) {
  if (!is_file(file))  // pipes and sockets know no such errors
  {
    return (ssize_t)size;
  }
  if (fails_at(kWrite, file)) {
    return failing_errno == 0 ? (ssize_t)(size + 1) / 2 : -1;
  }
  const unsigned long long before = __atomic_fetch_add(&state->bytes, size, __ATOMIC_SEQ_CST);
  if (!has_room || before + size <= failing_room) {
    return (ssize_t)size;
  }
  note("");
  errno = ENOSPC;
  return before >= failing_room ? -1 : (ssize_t)(failing_room - before);
}

static int is_hidden(const char* path) {
  if (state == NULL || hidden == NULL || strncmp(path, hidden, strlen(hidden)) != 0) {
    return 0;
  }
  note(path);
  errno = ENOENT;
  return 1;
}

// ---- writing

ssize_t write(int file, const void* data, size_t size) {
  const ssize_t some = let_through(file, size);
  return some < 0 ? -1 : REAL(write)(file, data, (size_t)some);
}

ssize_t pwrite(int file, const void* data, size_t size, off_t at) {
  const ssize_t some = let_through(file, size);
  return some < 0 ? -1 : REAL(pwrite)(file, data, (size_t)some, at);
}

ssize_t pwrite64(int file, const void* data, size_t size, off64_t at) {
  const ssize_t some = let_through(file, size);
  return some < 0 ? -1 : REAL(pwrite64)(file, data, (size_t)some, at);
}

ssize_t writev(int file, const struct iovec* parts, int count) {
  if (count < 1) {
    return REAL(writev)(file, parts, count);
  }
  size_t size = 0;
  for (int i = 0; i < count; ++i) {
    size += parts[i].iov_len;
  }
  const ssize_t some = let_through(file, size);
  if (some < 0 || (size_t)some == size) {
    return some < 0 ? -1 : REAL(writev)(file, parts, count);
  }
  const size_t first = parts[0].iov_len;
  return REAL(write)(file, parts[0].iov_base, first < (size_t)some ? first : (size_t)some);
}

ssize_t sendfile(int out, int in, off_t* at, size_t size) {
  const ssize_t some = let_through(out, size);
  return some < 0 ? -1 : REAL(sendfile)(out, in, at, (size_t)some);
}

// Inside the C library its streams write by a name of its own.
int fflush(FILE* stream) {
  if (stream == stdout && failing_errno != 0 && is_file(STDOUT_FILENO) &&
      fails_at(kWrite, STDOUT_FILENO)) {
    return EOF;
  }
  return REAL(fflush)(stream);
}

int fsync(int file) {
  return fails_at(kSync, file) ? -1 : REAL(fsync)(file);
}

int fdatasync(int file) {
  return fails_at(kSync, file) ? -1 : REAL(fdatasync)(file);
}

int ftruncate(int file, off_t size) {
  return fails_at(kTruncate, file) ? -1 : REAL(ftruncate)(file, size);
}

int ftruncate64(int file, off64_t size) {
  return fails_at(kTruncate, file) ? -1 : REAL(ftruncate64)(file, size);
}

/// As on a network file system: what was written is lost, and the descriptor gone.
int close(int file) {
  const int writes = is_file(file) && (fcntl(file, F_GETFL) & O_ACCMODE) != O_RDONLY;
  const int fail = writes && fails_at(kClose, file);
  const int result = REAL(close)(file);
  if (fail) {
    errno = failing_errno;
  }
  return fail ? -1 : result;
}

// ---- reading

/// How much of a read is asked for; -1: it fails, with errno set.
static ssize_t ask_for(int file, size_t size) {
  if (!is_file(file) || !fails_at(kRead, file)) {
    return (ssize_t)size;
  }
  return failing_errno == 0 ? (ssize_t)(size + 1) / 2 : -1;
}

ssize_t read(int file, void* data, size_t size) {
  const ssize_t some = ask_for(file, size);
  return some < 0 ? -1 : REAL(read)(file, data, (size_t)some);
}

ssize_t pread(int file, void* data, size_t size, off_t at) {
  const ssize_t some = ask_for(file, size);
  return some < 0 ? -1 : REAL(pread)(file, data, (size_t)some, at);
}

ssize_t pread64(int file, void* data, size_t size, off64_t at) {
  const ssize_t some = ask_for(file, size);
  return some < 0 ? -1 : REAL(pread64)(file, data, (size_t)some, at);
}

ssize_t readv(int file, const struct iovec* parts, int count) {
  const ssize_t some = ask_for(file, 1);
  return some < 0 ? -1 : REAL(readv)(file, parts, count);
}

// ---- opening

/// /dev/null may be opened to write, but no disk is too full for it.
static enum Kind kind_of(const char* path, int writes) {
  return writes && strncmp(path, "/dev/", 5) != 0 ? kCreate : kOpen;
}

static int writes(int flags) {
  return (flags & O_ACCMODE) != O_RDONLY || (flags & O_CREAT) != 0;
}

static mode_t mode_of(int flags, va_list rest) {
  return (flags & (O_CREAT | __O_TMPFILE)) != 0 ? va_arg(rest, mode_t) : 0;
}

#define OPENS(name)                                                   \
  int name(const char* path, int flags, ...) {                        \
    va_list rest;                                                     \
    va_start(rest, flags);                                            \
    const mode_t mode = mode_of(flags, rest);                         \
    va_end(rest);                                                     \
    if (is_hidden(path) || fails(kind_of(path, writes(flags)), path)) \
      return -1;                                                      \
    return REAL(name)(path, flags, mode);                             \
  }
OPENS(open)
OPENS(open64)

#define OPENS_AT(name)                                                \
  int name(int folder, const char* path, int flags, ...) {            \
    va_list rest;                                                     \
    va_start(rest, flags);                                            \
    const mode_t mode = mode_of(flags, rest);                         \
    va_end(rest);                                                     \
    if (is_hidden(path) || fails(kind_of(path, writes(flags)), path)) \
      return -1;                                                      \
    return REAL(name)(folder, path, flags, mode);                     \
  }
OPENS_AT(openat)
OPENS_AT(openat64)

#define OPENS_STREAM(name)                                                                   \
  FILE* name(const char* path, const char* mode) {                                           \
    const enum Kind kind = kind_of(path, strcmp(mode, "r") != 0 && strcmp(mode, "rb") != 0); \
    return is_hidden(path) || fails(kind, path) ? NULL : REAL(name)(path, mode);             \
  }
OPENS_STREAM(fopen)
OPENS_STREAM(fopen64)

DIR* opendir(const char* path) {
  return is_hidden(path) || fails(kOpen, path) ? NULL : REAL(opendir)(path);
}

// ---- names

int rename(const char* from, const char* to) {
  return fails(kRename, to) ? -1 : REAL(rename)(from, to);
}

int renameat(int from_folder, const char* from, int to_folder, const char* to) {
  return fails(kRename, to) ? -1 : REAL(renameat)(from_folder, from, to_folder, to);
}

int renameat2(int from_folder, const char* from, int to_folder, const char* to,
              unsigned int flags) {
  return fails(kRename, to) ? -1 : REAL(renameat2)(from_folder, from, to_folder, to, flags);
}

int mkdir(const char* path, mode_t mode) {
  return fails(kMkdir, path) ? -1 : REAL(mkdir)(path, mode);
}

char* mkdtemp(char* path) {
  return fails(kMkdir, path) ? NULL : REAL(mkdtemp)(path);
}

int unlink(const char* path) {
  return fails(kUnlink, path) ? -1 : REAL(unlink)(path);
}

int unlinkat(int folder, const char* path, int flags) {
  return fails(kUnlink, path) ? -1 : REAL(unlinkat)(folder, path, flags);
}

int rmdir(const char* path) {
  return fails(kUnlink, path) ? -1 : REAL(rmdir)(path);
}

int remove(const char* path) {
  return fails(kUnlink, path) ? -1 : REAL(remove)(path);
}
