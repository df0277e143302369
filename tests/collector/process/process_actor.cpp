// A program that misbehaves as it is told: `process_actor PLAY [ARGUMENT] MARKER`. MARKER is only
// there to be found in /proc/*/cmdline. Everything that stays ends by itself after two minutes, so
// that a failing test leaves nothing behind.
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <string>

#include "evasions.h"

namespace {

using perf::testing::stay_deaf;

/// Forks `count` processes, each of its own session and a fork away from its parent, and returns
/// when all of them have said that they are there.
void breed(int count) {
  int ready[2];
  if (pipe(ready) != 0) {
    std::exit(99);
  }
  for (int i = 0; i < count; ++i) {
    if (fork() == 0) {
      setsid();
      if (fork() == 0) {
        setsid();
        [[maybe_unused]] const ssize_t said = write(ready[1], "x", 1);
        stay_deaf();
      }
      _exit(0);
    }
  }
  for (int i = 0; i < count;) {
    char byte = 0;
    if (read(ready[0], &byte, 1) == 1) {
      ++i;
    }
  }
}

void touch(std::size_t mebibytes) {
  const std::size_t size = mebibytes << 20;
  if (size == 0) {
    return;
  }
  void* memory = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) {
    std::exit(99);
  }
  std::memset(memory, 1, size);
}

/// Forks `count` processes that touch so much each, and ends them once all of them have held it for
/// a while.
void hold(int count, std::size_t mebibytes) {
  int ready[2], over[2];
  if (pipe(ready) != 0 || pipe(over) != 0) {
    std::exit(99);
  }
  char byte = 0;
  for (int i = 0; i < count; ++i) {
    if (fork() == 0) {
      close(over[1]);
      touch(mebibytes);
      [[maybe_unused]] const ssize_t said = write(ready[1], &byte, 1);
      [[maybe_unused]] const ssize_t told = read(over[0], &byte, 1);
      _exit(0);
    }
  }
  for (int i = 0; i < count;) {
    i += read(ready[0], &byte, 1) == 1 ? 1 : 0;
  }
  usleep(500'000);
  close(over[1]);
  while (wait(nullptr) > 0) {
  }
}

double now() {
  timespec time{};
  clock_gettime(CLOCK_MONOTONIC, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

/// Looks at the clock for so long and prints how many seconds passed between two looks that should
/// have been a moment: when it did not run.
void print_gaps(double seconds) {
  constexpr double kMoment = 0.0002;
  double missed = 0, last = now();
  for (const double end = last + seconds; last < end;) {
    const double time = now();
    missed += time - last > kMoment ? time - last : 0;
    last = time;
  }
  std::printf("%.6f", missed);
}

}  // namespace

int main(int argc, char** argv) {
  const std::string play = argc > 1 ? argv[1] : "";
  const int number = argc > 2 ? std::atoi(argv[2]) : 0;
  if (play == "touch") {
    touch(static_cast<std::size_t>(number));
  } else if (play == "touch-apart") {  // four processes that hold so much together
    hold(4, static_cast<std::size_t>(number) / 4);
  } else if (play == "touch-shared") {  // four processes that share it
    touch(static_cast<std::size_t>(number));
    hold(4, 0);
  } else if (play == "hang") {
    stay_deaf();
  } else if (play == "stop") {
    raise(SIGSTOP);
  } else if (play == "escape") {  // leaves a family behind and ends well
    breed(number);
  } else if (play == "escape-and-hang") {
    breed(number);
    stay_deaf();
  } else if (play == "chain") {  // each generation ends only when the next one does
    for (int i = 0; i < number; ++i) {
      if (fork() != 0) {
        stay_deaf();
      }
      setsid();
    }
    std::puts("deep");
    std::fflush(stdout);
    stay_deaf();
  } else if (play == "gaps") {
    print_gaps(number / 1000.0);
  } else if (play == "escaped-gaps") {  // in a session of its own
    if (fork() == 0) {
      setsid();
      print_gaps(number / 1000.0);
      return 0;
    }
    wait(nullptr);
  } else if (play == "session") {
    std::printf("%d %d", getsid(0) == getpid(), getpgrp() == getpid());
  } else if (!perf::testing::evade(play, number)) {
    return 99;
  }
  return 0;
}
