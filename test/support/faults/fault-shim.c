// Faults of the disk, put between a program and the C library (LD_PRELOAD), for files whose path contains SHIM_MATCH and
// not SHIM_SKIP:
//
//   SHIM_CONTROL  a file that is read at each call; while it holds lines, they are in force:
//                   <fsync|write|truncate|open|unlink|rename|link|realpath|read> errno <number>     the call fails
//                   <fsync|write|truncate|open|unlink|rename|link|realpath|read> sleep <ms>         the call takes longer
//                   read errno <number> after <calls>                          so many reads go well before
//                   <open|read> hang 0                                         the call returns once the line is gone
//   SHIM_MOUNTS   a file that is read in place of /proc/self/mountinfo
//   SHIM_LOG      a file that takes down every write, truncation, sync, renaming and removal, and what goes to standard output
//   SHIM_KILL_AT  the process kills itself (SIGKILL) in place of its n-th write, truncation, sync or removal
//   SHIM_LIE      syncs return at once and do nothing
//   SHIM_FOLDER   the folder of those files: a sync of it is taken down as well, and makes removals last
//
// A record of the log: type (W T S U R A; R: data is the new path), one byte 0, length of the path (2 bytes), length of the data (4), offset (8), all
// little endian; then path and data. One process writes one log.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

#define PATH_MAX_HERE 1024

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static long ops_seen = 0;
static long reads_seen = 0;
static int log_file = -1;

#define REAL(result, name, ...)                                  \
  static result (*real)(__VA_ARGS__) = NULL;                     \
  if (!real) real = (result(*)(__VA_ARGS__))dlsym(RTLD_NEXT, name)

static int is_ours(const char *path) {
  const char *match = getenv("SHIM_MATCH");
  const char *skip = getenv("SHIM_SKIP");
  return match && path && strstr(path, match) && !(skip && strstr(path, skip));
}

/* The path behind a descriptor; 0 when it is none of ours. */
static int path_of(int fd, char *path) {
  char link[64];
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  ssize_t length = syscall(SYS_readlinkat, AT_FDCWD, link, path, PATH_MAX_HERE - 1);
  path[length < 0 ? 0 : length] = 0;
  return is_ours(path);
}

static int fails(const char *op);

/* Wait until the rule that made the call hang is gone. */
static int hung(const char *op) {
  struct timespec pause = {0, 20 * 1000000L};
  nanosleep(&pause, NULL);
  return fails(op);
}

/* Apply the rules in force. 1: the call fails, errno is set. */
static int fails(const char *op) {
  const char *control = getenv("SHIM_CONTROL");
  if (!control) return 0;
  int fd = syscall(SYS_openat, AT_FDCWD, control, O_RDONLY | O_CLOEXEC);
  if (fd < 0) {
    reads_seen = 0;
    return 0;
  }
  char text[1024];
  ssize_t length = syscall(SYS_read, fd, text, sizeof text - 1);
  syscall(SYS_close, fd);
  if (length <= 0) return 0;
  text[length] = 0;
  char *rest = NULL;
  for (char *line = strtok_r(text, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
    char name[16], action[16];
    int number, after = 0;
    if (sscanf(line, "%15s %15s %d after %d", name, action, &number, &after) < 3 || strcmp(name, op) != 0) continue;
    if (after > 0 && __sync_fetch_and_add(&reads_seen, 1) < after) continue;
    if (strcmp(action, "errno") == 0) {
      errno = number;
      return 1;
    }
    if (strcmp(action, "hang") == 0) return hung(op);
    struct timespec pause = {number / 1000, (number % 1000) * 1000000L};
    nanosleep(&pause, NULL);
  }
  return 0;
}

/* Count an operation that changes the disk; the one that SHIM_KILL_AT names is never done. */
static void count(void) {
  const char *at = getenv("SHIM_KILL_AT");
  if (at && __sync_add_and_fetch(&ops_seen, 1) == atol(at)) syscall(SYS_kill, syscall(SYS_getpid), SIGKILL);
}

static void take_down(char type, const char *path, uint64_t offset, const void *data, uint32_t length) {
  const char *name = getenv("SHIM_LOG");
  if (!name) return;
  pthread_mutex_lock(&lock);
  if (log_file < 0) log_file = syscall(SYS_openat, AT_FDCWD, name, O_CREAT | O_WRONLY | O_APPEND | O_CLOEXEC, 0600);
  uint16_t path_length = strlen(path);
  char head[16] = {type, 0};
  memcpy(head + 2, &path_length, 2);
  memcpy(head + 4, &length, 4);
  memcpy(head + 8, &offset, 8);
  syscall(SYS_write, log_file, head, sizeof head);
  syscall(SYS_write, log_file, path, path_length);
  if (length) syscall(SYS_write, log_file, data, length);
  pthread_mutex_unlock(&lock);
}

static ssize_t written(int fd, const void *data, size_t length, off64_t offset, int has_offset) {
  static ssize_t (*real_pwrite)(int, const void *, size_t, off64_t) = NULL;
  static ssize_t (*real_write)(int, const void *, size_t) = NULL;
  if (!real_pwrite) real_pwrite = dlsym(RTLD_NEXT, "pwrite64");
  if (!real_write) real_write = dlsym(RTLD_NEXT, "write");
  char path[PATH_MAX_HERE];
  if (!has_offset && fd == 1) take_down('A', "", 0, data, length);
  if (fd <= 2 || !path_of(fd, path)) {
    return has_offset ? real_pwrite(fd, data, length, offset) : real_write(fd, data, length);
  }
  count();
  if (fails("write")) return -1;
  if (!has_offset) offset = lseek64(fd, 0, SEEK_CUR);
  ssize_t done = has_offset ? real_pwrite(fd, data, length, offset) : real_write(fd, data, length);
  if (done > 0) take_down('W', path, offset, data, done);
  return done;
}

ssize_t write(int fd, const void *data, size_t length) { return written(fd, data, length, 0, 0); }
ssize_t pwrite(int fd, const void *data, size_t length, off_t offset) { return written(fd, data, length, offset, 1); }
ssize_t pwrite64(int fd, const void *data, size_t length, off64_t offset) {
  return written(fd, data, length, offset, 1);
}

static ssize_t read_from(int fd, void *data, size_t length, off64_t offset) {
  static ssize_t (*real)(int, void *, size_t, off64_t) = NULL;
  if (!real) real = dlsym(RTLD_NEXT, "pread64");
  char path[PATH_MAX_HERE];
  if (fd > 2 && path_of(fd, path) && fails("read")) return -1;
  return real(fd, data, length, offset);
}

ssize_t pread(int fd, void *data, size_t length, off_t offset) { return read_from(fd, data, length, offset); }
ssize_t pread64(int fd, void *data, size_t length, off64_t offset) { return read_from(fd, data, length, offset); }

static int truncated(int fd, off64_t length) {
  static int (*real)(int, off64_t) = NULL;
  if (!real) real = dlsym(RTLD_NEXT, "ftruncate64");
  char path[PATH_MAX_HERE];
  if (!path_of(fd, path)) return real(fd, length);
  count();
  if (fails("truncate")) return -1;
  int result = real(fd, length);
  if (result == 0) take_down('T', path, length, NULL, 0);
  return result;
}

int ftruncate(int fd, off_t length) { return truncated(fd, length); }
int ftruncate64(int fd, off64_t length) { return truncated(fd, length); }

static int synced(int fd, int (*real)(int)) {
  char path[PATH_MAX_HERE];
  const char *folder = getenv("SHIM_FOLDER");
  if (!path_of(fd, path) && !(folder && strcmp(path, folder) == 0)) return real(fd);
  count();
  if (fails("fsync")) return -1;
  if (getenv("SHIM_LIE")) return 0;
  int result = real(fd);
  if (result == 0) take_down('S', path, 0, NULL, 0);
  return result;
}

int fsync(int fd) {
  REAL(int, "fsync", int);
  return synced(fd, real);
}

int fdatasync(int fd) {
  REAL(int, "fdatasync", int);
  return synced(fd, real);
}

int unlink(const char *path) {
  REAL(int, "unlink", const char *);
  if (!is_ours(path)) return real(path);
  count();
  if (fails("unlink")) return -1;
  int result = real(path);
  if (result == 0) take_down('U', path, 0, NULL, 0);
  return result;
}

int rename(const char *from, const char *to) {
  REAL(int, "rename", const char *, const char *);
  if (!is_ours(from) && !is_ours(to)) return real(from, to);
  count();
  if (fails("rename")) return -1;
  int result = real(from, to);
  if (result == 0) take_down('R', from, 0, to, strlen(to));
  return result;
}

int link(const char *from, const char *to) {
  REAL(int, "link", const char *, const char *);
  if (is_ours(from) && fails("link")) return -1;
  return real(from, to);
}

char *realpath(const char *path, char *resolved) {
  REAL(char *, "realpath", const char *, char *);
  if (is_ours(path) && fails("realpath")) return NULL;
  return real(path, resolved);
}

static int opened(const char *name, const char *path, int flags, mode_t mode) {
  int (*real)(const char *, int, ...) = (int (*)(const char *, int, ...))dlsym(RTLD_NEXT, name);
  const char *mounts = getenv("SHIM_MOUNTS");
  if (mounts && strcmp(path, "/proc/self/mountinfo") == 0) path = mounts;
  if (is_ours(path) && fails("open")) return -1;
  int fd = real(path, flags, mode);
  if (fd >= 0 && (flags & O_TRUNC) && is_ours(path)) take_down('T', path, 0, NULL, 0);
  return fd;
}

static mode_t mode_of(int flags, va_list more) { return flags & (O_CREAT | O_TMPFILE) ? va_arg(more, mode_t) : 0; }

int open(const char *path, int flags, ...) {
  va_list more;
  va_start(more, flags);
  mode_t mode = mode_of(flags, more);
  va_end(more);
  return opened("open", path, flags, mode);
}

int open64(const char *path, int flags, ...) {
  va_list more;
  va_start(more, flags);
  mode_t mode = mode_of(flags, more);
  va_end(more);
  return opened("open64", path, flags, mode);
}
