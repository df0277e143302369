// A program that asks for files in all the ways that a workload may: way_actor WORD [ONE [TWO]].
#include <cstdio>

#include "tests/collector/trace/ways.h"

int main(int count, char** arguments) {
  if (count < 2) {
    std::fputs("usage: way_actor WORD [ONE [TWO]]\n", stderr);
    return 2;
  }
  return perf::test::go_a_way(arguments[1], count > 2 ? arguments[2] : arguments[0],
                              count > 3 ? arguments[3] : "");
}
