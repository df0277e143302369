/* Replaces calls of a static perf-compare that look up users, hosts and libraries: each fails. glibc
 * would load libraries of the machine for them, of any version. libgit2 and SQLite make these calls
 * only for features that perf-compare does not use: setuid programs, servers, extensions. */
#include <errno.h>
#include <netdb.h>
#include <pwd.h>
#include <stddef.h>

int getpwuid_r(uid_t user, struct passwd* entry, char* buffer, size_t size,
               struct passwd** result) {
  (void)user, (void)entry, (void)buffer, (void)size;
  *result = NULL;
  return ENOENT;
}

int getaddrinfo(const char* restrict name, const char* restrict service,
                const struct addrinfo* restrict hints, struct addrinfo** restrict found) {
  (void)name, (void)service, (void)hints;
  *found = NULL;
  return EAI_FAIL;
}

void freeaddrinfo(struct addrinfo* found) {
  (void)found;
}

/* glibc has dlopen in every static program: the linker (--wrap) uses these instead. */
void* __wrap_dlopen(const char* file, int mode);
void* __wrap_dlsym(void* restrict library, const char* restrict name);
int __wrap_dlclose(void* library);
char* __wrap_dlerror(void);

void* __wrap_dlopen(const char* file, int mode) {
  (void)file, (void)mode;
  return NULL;
}

void* __wrap_dlsym(void* restrict library, const char* restrict name) {
  (void)library, (void)name;
  return NULL;
}

int __wrap_dlclose(void* library) {
  (void)library;
  return -1;
}

char* __wrap_dlerror(void) {
  static char message[] = "a static perf-compare cannot load libraries";
  return message;
}
