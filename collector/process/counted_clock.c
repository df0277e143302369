/* Preloaded into programs whose instructions are counted: a clock that goes on by as much at every
 * reading, and by nothing in between, so that what a program prints of its times has the same
 * digits in every run, and takes the same instructions to print. It starts in the past (the epoch
 * for clocks that count from the start of the machine), so that no deadline taken from it is ever
 * waited for. */
#define _GNU_SOURCE
#include <stddef.h>
#include <stdint.h>
#include <sys/time.h>
#include <time.h>

enum { kNanosecondsPerReading = 100000, kNanosecondsPerSecond = 1000000000 };
enum { kRealStart = 1000000000 }; /* s: 2001-09-09 */

static int64_t readings;

static struct timespec read_clock(time_t start) {
  int64_t nanoseconds = __atomic_add_fetch(&readings, 1, __ATOMIC_RELAXED) * kNanosecondsPerReading;
  struct timespec now;
  now.tv_sec = start + (time_t)(nanoseconds / kNanosecondsPerSecond);
  now.tv_nsec = (long)(nanoseconds % kNanosecondsPerSecond);
  return now;
}

__attribute__((visibility("default"))) int clock_gettime(clockid_t clock_id, struct timespec* now) {
  const int is_real = clock_id == CLOCK_REALTIME || clock_id == CLOCK_REALTIME_COARSE;
  *now = read_clock(is_real ? kRealStart : 0);
  return 0;
}

__attribute__((visibility("default"))) int timespec_get(struct timespec* now, int base) {
  *now = read_clock(kRealStart);
  return base;
}

__attribute__((visibility("default"))) int gettimeofday(struct timeval* restrict now,
                                                        void* restrict zone) {
  const struct timespec read = read_clock(kRealStart);
  (void)zone;
  now->tv_sec = read.tv_sec;
  now->tv_usec = read.tv_nsec / 1000;
  return 0;
}

__attribute__((visibility("default"))) time_t time(time_t* now) {
  const struct timespec read = read_clock(kRealStart);
  if (now != NULL) {
    *now = read.tv_sec;
  }
  return read.tv_sec;
}

__attribute__((visibility("default"))) clock_t clock(void) {
  const struct timespec read = read_clock(0);
  return (clock_t)(read.tv_sec * CLOCKS_PER_SEC + read.tv_nsec / 1000);
}
