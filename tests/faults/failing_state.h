/* What failing_calls.c shares with the test that preloads it; C and C++. */
#pragma once

/* Opening to read, and to write or make, are told apart: no disk is too full to be read. */
/* clang-format off */
enum Kind { kWrite, kSync, kCreate, kOpen, kRename, kMkdir, kTruncate, kUnlink, kClose, kRead, kKindCount };
/* clang-format on */

static const char* const kKinds[] = {"write", "fsync",    "create", "open",  "rename",
                                     "mkdir", "truncate", "unlink", "close", "read"};

struct State {
  unsigned long long counts[kKindCount]; /* calls of each kind */
  unsigned long long failed;             /* of them made to fail */
  unsigned long long bytes;              /* written to files */
  char path[4096];                       /* of the first that failed */
};
