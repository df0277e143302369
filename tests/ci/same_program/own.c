// A program that reads its own file in one of several ways, or does nothing: `own [WAY]`.

#define _GNU_SOURCE
#include <fcntl.h>
#include <string.h>
#include <sys/auxv.h>
#include <unistd.h>

#ifndef VALUE
#define VALUE 0
#endif
const volatile long value = VALUE;

#ifdef EXTRA  // a section that nothing loads
__asm__(".section .extra,\"\",@progbits\n.ascii \"" EXTRA "\"\n.text");
#endif

static void drain(int file) {
  char buffer[65536];
  while (file >= 0 && read(file, buffer, sizeof buffer) > 0) {
  }
}

int main(int count, char** words) {
  const char* way = count > 1 ? words[1] : "";
  if (strcmp(way, "proc") == 0) {
    drain(open("/proc/self/exe", O_RDONLY));
  } else if (strcmp(way, "argv") == 0) {
    drain(open(words[0], O_RDONLY));
  } else if (strcmp(way, "auxv") == 0) {
    drain(open((const char*)getauxval(AT_EXECFN), O_RDONLY));
  }
  return value == -1;
}
