#include <gtest/gtest.h>

#include <random>

#include "collector/trace/program.h"

namespace perf {
namespace {

/// Writes the texts between ' as strace -xx does: '/a' is "\x2f\x61", <'/a'> is <\x2f\x61>.
std::string log_of(const std::string& text) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string log;
  bool is_text = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    const bool is_bare = (!is_text && i > 0 && text[i - 1] == '<') ||
                         (is_text && i + 1 < text.size() && text[i + 1] == '>');
    if (c == '\'') {
      is_text = !is_text;
      log += is_bare ? "" : "\"";
    } else if (is_text) {
      log += "\\x";
      log += kDigits[static_cast<unsigned char>(c) >> 4];
      log += kDigits[static_cast<unsigned char>(c) & 15];
    } else {
      log += c;
    }
  }
  return log;
}

Trace trace_of(const std::string& text) {
  return read_trace(log_of(text), "/t");
}

using Asks = std::map<std::string, unsigned>;
using Texts = std::vector<std::string>;

TEST(ReadTrace, RecordsHowAPathWasAskedFor) {
  const Trace trace = trace_of(
      "1 execve('/t/p', ['p'], 0x7 /* 9 vars */) = 0\n"
      "1 openat(AT_FDCWD<'/t'>, 'a', O_RDONLY) = 3<'/t/a'>\n"
      "1 close(3<'/t/a'>) = 0\n"
      "1 access('b', R_OK) = -1 ENOENT (No such file or directory)\n"
      "1 openat(AT_FDCWD<'/t'>, 'd', O_RDONLY|O_DIRECTORY) = 3<'/t/d'>\n"
      "1 getdents64(3<'/t/d'>, 0x5 /* 3 entries */, 32768) = 80\n"
      "1 close(3<'/t/d'>) = 0\n");
  EXPECT_EQ(
      trace.asked,
      (Asks{
          {"/t/p", kLoaded}, {"/t/a", kOpened}, {"/t/b", kQueried}, {"/t/d", kOpened | kListed}}));
  EXPECT_EQ(trace.executed.size(), 1u);
  EXPECT_EQ(trace.doubts, Texts());
}

TEST(ReadTrace, RecordsWhatAProgramLearnsOfItsPath) {
  const Trace trace = trace_of(
      "1 execve('v1/p', ['v1/p', '--all', 'data/x'], 0x7 /* 9 vars */) = 0\n"
      "1 getcwd('/t', 4096) = 3\n"
      "1 readlink('/proc/self/exe', '/u/v1/p', 4096) = 7\n"
      "1 readlink('/t/link', '/t/other', 4096) = 8\n"
      "1 openat(AT_FDCWD<'/t'>, '/proc/self/maps', O_RDONLY) = 3<'/proc/1/maps'>\n");
  EXPECT_EQ(trace.learned, (std::set<std::pair<std::string, std::string>>{{"/t/v1/p", "v1/p"},
                                                                          {"/t/v1/p", "data/x"},
                                                                          {"/t/v1/p", "/t"},
                                                                          {"/t/v1/p", "/u/v1/p"},
                                                                          {"/t/v1/p", "/t/v1/p"}}));
}

// Else two sides of which nothing could be read would have asked for the same.
TEST(ReadTrace, DoubtsAnEmptyLog) {
  EXPECT_EQ(read_trace("", "/t").doubts, Texts{"strace wrote nothing that could be read"});
}

TEST(ReadTrace, RecognizesTheLoaderByItsCalls) {
  // The kernel starts the loader, which makes the first calls; later ones come from elsewhere.
  const std::string begin =
      "1 [00a1] execve('/bin/sh', ['sh'], 0x7 /* 1 var */) = 0\n"
      "1 [00f1] access('/etc/ld.so.preload', R_OK) = -1 ENOENT (No such file)\n"
      "1 [00f2] openat(AT_FDCWD<'/t'>, '/etc/ld.so.cache', O_RDONLY) = -1 ENOENT (No such file)\n";
  const std::string call = "] openat(AT_FDCWD<'/t'>, 'l', O_RDONLY|O_CLOEXEC) = 3<'/t/l'>\n",
                    open = "1 [00f2" + call;
  const std::string map =
      "1 mmap(NULL, 9, PROT_READ|PROT_EXEC, MAP_PRIVATE|MAP_DENYWRITE, 3<'/t/l'>, 0) = 0x7f\n";
  const std::string close = "1 close(3<'/t/l'>) = 0\n";
  const auto how = [&](const std::string& text) { return trace_of(begin + text).asked.at("/t/l"); };
  EXPECT_EQ(how(open + map + close), kLoaded);
  EXPECT_EQ(how("1 [00b1" + call + map + close), kOpened) << "the program opened it";
  EXPECT_EQ(how("1 [????" + call + map + close), kOpened);
  EXPECT_EQ(trace_of("1 [00f2" + call + map + close).asked.at("/t/l"), kOpened) << "no loader";
  EXPECT_EQ(how("1 [f0] execve('/t/none', ['n'], 0x7 /* 1 var */) = 0\n" + open + map + close),
            kOpened)
      << "a program without a loader";
  EXPECT_EQ(how("1 [f0] execve('/bin/sh', ['n'], 0x7 /* 1 var */) = 0\n"
                "1 [7000f1] access('/x', R_OK) = -1 ENOENT (No such file)\n" +
                open + map + close),
            kOpened)
      << "too far from the loader's first call";
  EXPECT_EQ(how(open + close), kOpened);
  EXPECT_EQ(how(open + map), kOpened) << "nobody closed it";
  EXPECT_EQ(how(open + map + "1 dup(3<'/t/l'>) = 4<'/t/l'>\n" + close), kOpened);
  EXPECT_EQ(how(open + map + close + open + close), kLoaded | kOpened);
  EXPECT_EQ(
      how(open + "1 mmap(NULL, 9, PROT_READ, MAP_SHARED, 3<'/t/l'>, 0) = 0x7f\n" + map + close),
      kOpened);
}

TEST(ReadTrace, JoinsInterruptedCalls) {
  const Trace trace = trace_of(
      "1 vfork( <unfinished ...>\n"
      "2 chdir('in') = 0\n"
      "2 openat(AT_FDCWD<'/t/in'>, 'a', O_RDONLY <unfinished ...>\n"
      "1 <... vfork resumed>) = 2\n"
      "1 stat('b', 0x7) = 0\n"
      "2 <... openat resumed>) = 3<'/t/in/a'>\n"
      "2 stat('c', 0x7 <unfinished ...>\n"
      "2 +++ killed by SIGKILL +++\n");
  EXPECT_EQ(
      trace.asked,
      (Asks{{"/t/in", kQueried}, {"/t/in/a", kOpened}, {"/t/b", kQueried}, {"/t/in/c", kQueried}}));
  EXPECT_EQ(trace.doubts, Texts());
}

TEST(ReadTrace, FollowsThreadsThatChangeTheSharedFolder) {
  const Trace trace = trace_of(
      "1 clone3({flags=CLONE_VM|CLONE_FS|CLONE_FILES, exit_signal=0}, 88) = 2\n"
      "1 fork() = 3\n"
      "2 chdir('in') = 0\n"
      "1 stat('a', 0x7) = 0\n"
      "3 stat('a', 0x7) = 0\n");
  EXPECT_EQ(trace.asked, (Asks{{"/t/in", kQueried}, {"/t/in/a", kQueried}, {"/t/a", kQueried}}));
}

TEST(ReadTrace, FollowsAThreadThatExecutesAProgram) {
  const Trace trace = trace_of(
      "1 clone3({flags=CLONE_VM|CLONE_FS|CLONE_FILES, exit_signal=0}, 88) = 2\n"
      "2 execve('p', ['p'], 0x7 /* 9 vars */ <pid changed to 1 ...>\n"
      "2 +++ superseded by execve in pid 1 +++\n"
      "1 <... execve resumed>) = 0\n");
  EXPECT_EQ(trace.asked, (Asks{{"/t/p", kLoaded}}));
  EXPECT_EQ(trace.doubts, Texts());
}

TEST(ReadTrace, FollowsLinksThatProcessesMade) {
  const Trace trace = trace_of(
      "1 symlink('../t/a', '/o/l') = 0\n"
      "1 symlinkat('b', 3<'/t/d'>, 'm') = 0\n"
      "1 stat('/o/l', 0x7) = 0\n"
      "1 execve('/t/d/m', ['m'], 0x7 /* 1 var */) = 0\n");
  EXPECT_EQ(trace.asked, (Asks{{"/o/l", kQueried},
                               {"/o/../t/a", kQueried},
                               {"/t/d/m", kQueried | kLoaded},
                               {"/t/d/b", kLoaded}}));
  EXPECT_EQ(trace.made, (std::set<std::string>{"/o/l", "/t/d/m"}));
}

TEST(ReadTrace, TakesForCachesWhatWasLookedForAndMade) {
  const Trace trace = trace_of(
      "1 stat('/t/cache', 0x7) = -1 ENOENT (No such file or directory)\n"
      "1 openat(AT_FDCWD<'/t'>, 'cache', O_WRONLY|O_CREAT|O_TRUNC, 0666) = 3<'/t/cache'>\n"
      "1 openat(AT_FDCWD<'/t'>, 'output', O_WRONLY|O_CREAT|O_TRUNC, 0666) = 4<'/t/output'>\n"
      "1 stat('/t/absent', 0x7) = -1 ENOENT (No such file or directory)\n");
  EXPECT_EQ(trace.caches, std::set<std::string>{"/t/cache"});
  EXPECT_EQ(trace.made, (std::set<std::string>{"/t/cache", "/t/output"}));
}

TEST(ReadTrace, DoubtsWhatNoFileShows) {
  const std::vector<std::pair<std::string, std::size_t>> doubts{
      {"connect(3<'x'>, {sa_family=AF_UNIX, sun_path='/s'}, 110) = 0", 1},
      {"connect(3<'x'>, {sa_family=AF_UNIX, sun_path='/s'}, 110) = -1 ENOENT (No such file)", 0},
      {"connect(3<'x'>, {sa_family=AF_INET}, 16) = -1 EINPROGRESS (Operation now in progress)", 1},
      {"io_uring_setup(8, 0x7) = -1 EPERM (Operation not permitted)", 1},
      {"open_by_handle_at(3<'/t'>, 0x7, O_RDONLY) = -1 EPERM (Operation not permitted)", 0},
      {"open_by_handle_at(3<'/t'>, 0x7, O_RDONLY) = 4<'/t/a'>", 1},
      {"ptrace(PTRACE_TRACEME) = -1 EPERM (Operation not permitted)", 1},
      {"seccomp(SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_NEW_LISTENER, {len=4}) = 3", 1},
      {"seccomp(SECCOMP_GET_ACTION_AVAIL, 0, [SECCOMP_RET_LOG]) = 0", 0},
      {"prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, {len=4}) = 0", 1},
      {"prctl(PR_SET_NAME, 'x') = 0", 0},
      {"prctl(PR_GET_SECCOMP) = 2 (SECCOMP_MODE_FILTER)", 1},
      {"prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) = 1", 1},
      {"openat(AT_FDCWD<'/t'>, '/proc/self/status', O_RDONLY) = 3<'/proc/1/status'>", 1},
      {"openat(AT_FDCWD<'/t'>, 'link', O_RDONLY) = 3<'/proc/1/task/1/wchan'>", 1},
      {"openat(AT_FDCWD<'/t'>, '/proc/self/maps', O_RDONLY) = 3<'/proc/1/maps'>", 0},
      {"openat(AT_FDCWD<'/t'>, '/proc/1/stat', O_RDONLY) = 3<'/proc/1/stat'>", 0},
      {"openat(AT_FDCWD<'/t'>, '/proc/7/comm', O_RDONLY) = 3<'/proc/7/comm'>", 1},
      {"readlink('/proc/7/exe', 'strace', 9) = 6", 1},
      {"shmat(7, NULL, 0) = 0x7f", 1},
      {"getxattr('a', 'user.x', 'one', 16) = 3", 1},
      {"getxattr('a', 'user.x', 0x7, 16) = -1 ENODATA (No data available)", 0},
      {"getxattr('a', 'security.selinux', 'one', 16) = 3", 0},
      {"clone(child_stack=NULL, flags=CLONE_UNTRACED|SIGCHLD) = 2", 1},
      {"stat('/proc/self/cwd/a', 0x7) = 0", 1},
      {"stat('/proc/self/status', 0x7) = 0", 0},
      {"stat('/dev/fd/3', 0x7) = 0", 0},
      {"execve('/proc/self/fd/3', ['p'], 0x7) = 0", 1},
      {"rename('a', 'b') = 0", 1},
      {"what is this", 1},
  };
  for (const auto& [line, count] : doubts) {
    EXPECT_EQ(trace_of("1 " + line + "\n").doubts.size(), count) << line;
  }
}

TEST(ReadTrace, ExpectsLibnumaToReadTheStateOfItsProcessTwice) {
  const std::string load =
      "1 openat(AT_FDCWD<'/t'>, '/lib/libnuma.so.1', O_RDONLY) = 3<'/lib/libnuma.so.1'>\n";
  const std::string ask =
      "1 openat(AT_FDCWD<'/t'>, '/proc/self/status', O_RDONLY) = 3<'/proc/1/status'>\n";
  const std::string other =
      "1 openat(AT_FDCWD<'/t'>, '/proc/self/wchan', O_RDONLY) = 3<'/proc/1/wchan'>\n";
  const std::string program = "1 execve('/t/p', ['p'], 0x7) = 0\n";
  EXPECT_EQ(trace_of(load + ask + ask).doubts.size(), 0u);
  EXPECT_EQ(trace_of(load + ask + ask + ask).doubts.size(), 1u);
  EXPECT_EQ(trace_of(ask + load + ask + ask).doubts.size(), 1u);
  EXPECT_EQ(trace_of(load + other).doubts.size(), 1u);
  EXPECT_EQ(trace_of(load + program + ask).doubts.size(), 1u);
}

TEST(ReadTrace, DoubtsFilesThatAnotherProcessWrites) {
  const std::string make = "1 openat(AT_FDCWD<'/t'>, 'a', O_WRONLY|O_CREAT|O_TRUNC) = 3<'/t/a'>\n";
  const std::string close = "1 close(3<'/t/a'>) = 0\n";
  const auto size = [](const std::string& bytes) {
    return "1 newfstatat(AT_FDCWD<'/t'>, 'a', {st_mode=S_IFREG|0644, st_size=" + bytes +
           ", ...}, 0) = 0\n";
  };
  const std::string grows = size("0") + size("5");
  const std::vector<std::pair<std::string, std::size_t>> logs{
      {make + close + grows, 1},
      {make + close + size("5") + size("5"), 0},
      {make + grows, 0},  // it is still open
      {make + "1 dup2(3<'/t/a'>, 1<'/o'>) = 1<'/t/a'>\n" + close + grows, 0},
      {make + "1 dup2(3<'/t/a'>, 1<'/o'>) = 1<'/t/a'>\n" + close +
           "1 dup2(9<'/o'>, 1<'/t/a'>) = 1<'/o'>\n" + grows,
       1},
      {make + "1 dup2(9<'/o'>, 3<'/t/a'>) = 3<'/o'>\n1 dup2(10<'/t/a'>, 3<'/o'>) = 3<'/t/a'>\n" +
           grows,
       0},
      {make + "1 fork() = 2\n" + close + grows, 0},
      {make + "1 fork() = 2\n" + close + "2 +++ exited with 0 +++\n" + grows, 1},
      {make + "1 mmap(NULL, 9, PROT_WRITE, MAP_SHARED, 3<'/t/a'>, 0) = 0x7f\n" + close + grows, 0},
      {make + close + size("0") + make + close + size("5"), 0},
      {make + close + size("0") + "1 rename('b', 'a') = 0\n" + size("5"), 1},  // of b
      {"1 mknodat(AT_FDCWD<'/t'>, 'f', S_IFIFO|0644) = 0\n"
       "1 openat(AT_FDCWD<'/t'>, 'f', O_RDONLY) = 3<'/t/f'>\n",
       1},
      {"1 mknodat(AT_FDCWD<'/t'>, 'f', S_IFIFO|0644) = 0\n"
       "2 openat(AT_FDCWD<'/t'>, 'f', O_WRONLY) = 3<'/t/f'>\n"
       "1 openat(AT_FDCWD<'/t'>, 'f', O_RDONLY) = 3<'/t/f'>\n",
       0},
      {"1 access('g', R_OK) = -1 ENOENT (No such file)\n1 access('g', R_OK) = 0\n", 1},
      {"1 access('g', R_OK) = -1 ENOENT (No such file)\n1 mkdir('g', 0777) = 0\n"
       "1 access('g', R_OK) = 0\n",
       0},
  };
  for (const auto& [log, count] : logs) {
    EXPECT_EQ(trace_of(log).doubts.size(), count) << log;
  }
}

TEST(ReadTrace, ToleratesDamagedLogs) {
  const std::string whole = log_of(
      "1 execve('/t/p', ['p'], 0x7 /* 9 vars */) = 0\n"
      "1 vfork( <unfinished ...>\n"
      "2 openat(AT_FDCWD<'/t/in'>, 'a', O_RDONLY|O_CREAT <unfinished ...>\n"
      "1 <... vfork resumed>) = 2\n"
      "2 <... openat resumed>) = 3<'/t/in/a'>\n"
      "2 openat2(3<'/t'>, 'x', {flags=O_RDONLY, resolve=0}, 24) = 4<'/t/x'>\n"
      "2 mmap(NULL, 9, PROT_READ|PROT_EXEC, MAP_PRIVATE|MAP_DENYWRITE, 3<'/t/l'>, 0) = 0x7f\n"
      "1 symlinkat('b', 3<'/t/d'>, 'm') = 0\n"
      "1 linkat(AT_FDCWD<'/t'>, 'a', 3<'/t'>, 'b', 0) = 0\n"
      "1 execveat(3<'/t/p'>, '', ['p'], 0x7, AT_EMPTY_PATH) = 0\n"
      "1 getxattr('a', 'user.x', 'one', 16) = 3\n"
      "1 rename('a', 'b') = 0\n1 dup(3) = 4\n1 close(3) = 0\n1 fchdir(4<'/t'>) = 0\n");
  std::mt19937 random(7);
  for (int i = 0; i < 5000; ++i) {
    std::string log = whole;
    for (int changes = static_cast<int>(random() % 8); changes > 0; --changes) {
      const std::size_t at = random() % log.size();
      if (random() % 2 == 0) {
        log.erase(at, random() % 20);
      } else {
        log[at] = "(),<>\"\\x =\n\0{["[random() % 14];
      }
    }
    read_trace(log, "/t");
  }
}

}  // namespace
}  // namespace perf
