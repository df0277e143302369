/* Preloaded into programs by `perf-compare selftest`: holds as many bytes of memory, touched, as
 * PERF_COMPARE_PLANT_ALLOCATION says, from before main until the end, in every process of the
 * program. Nothing else is changed; where there is not so much memory, nothing is. */
#include <stdlib.h>
#include <sys/mman.h>

enum { kPage = 4096 };

__attribute__((constructor)) static void plant(void) {
  const char* text = getenv("PERF_COMPARE_PLANT_ALLOCATION");
  size_t size = text != NULL ? strtoull(text, NULL, 10) : 0;
  char* memory;
  size_t at;
  if (size == 0) {
    return;
  }
  memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) {
    return;
  }
  for (at = 0; at < size; at += kPage) {
    ((volatile char*)memory)[at] = 1;
  }
}
