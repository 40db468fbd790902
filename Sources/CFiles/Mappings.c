#define _GNU_SOURCE
#include "CFiles.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

// A signal handler may take no lock and ask for no memory. So mappings are kept in a list that only
// grows: a mapping that is undone leaves an entry without a start, which the next one takes.
struct mapping {
  _Atomic(const char *) start;
  size_t length;
  char *path;
  dev_t device;
  ino_t inode;
  struct mapping *next;
};

static _Atomic(struct mapping *) mappings;
static _Atomic(struct mapping *) lost;
static atomic_bool is_watching;
static pthread_mutex_t changes = PTHREAD_MUTEX_INITIALIZER;
static int wake[2];
static struct sigaction previous;

// The first shortened file whose mapping is undone already.
static char *remembered_path;
static int64_t remembered_was, remembered_now;

static struct mapping *mapping_at(const char *address) {
  for (struct mapping *one = atomic_load(&mappings); one; one = one->next) {
    const char *start = atomic_load(&one->start);
    if (start && address >= start && address - start < (ptrdiff_t)one->length) return one;
  }
  return NULL;
}

static void on_bus_error(int number, siginfo_t *info, void *context) {
  (void)context;
  // Only faults have an address; a signal that was sent has none.
  struct mapping *found = info->si_code > 0 ? mapping_at(info->si_addr) : NULL;
  if (!found) {
    // Blocked while this runs, and then handled as it would have been without us.
    sigaction(number, &previous, NULL);
    raise(number);
    return;
  }
  struct mapping *none = NULL;
  if (atomic_compare_exchange_strong(&lost, &none, found)) {
    while (write(wake[1], "", 1) < 0 && errno == EINTR) {
    }
  }
  // What this thread would compute from here on is nothing to go by.
  for (;;) pause();
}

int ingot_watch_mappings(void) {
  if (pipe(wake) != 0) return -1;
  for (int end = 0; end < 2; end++) fcntl(wake[end], F_SETFD, FD_CLOEXEC);
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_sigaction = on_bus_error;
  action.sa_flags = SA_SIGINFO;
  sigemptyset(&action.sa_mask);
  if (sigaction(SIGBUS, &action, &previous) != 0) return -1;
  atomic_store(&is_watching, true);
  return 0;
}

void ingot_stop_watching_mappings(void) {
  atomic_store(&is_watching, false);
  sigaction(SIGBUS, &previous, NULL);
}

// Called with the lock held: an entry to be filled.
static struct mapping *free_entry(void) {
  for (struct mapping *one = atomic_load(&mappings); one; one = one->next) {
    if (!atomic_load(&one->start)) return one;
  }
  struct mapping *one = calloc(1, sizeof *one);
  if (!one) return NULL;
  one->next = atomic_load(&mappings);
  atomic_store(&mappings, one);
  return one;
}

void *ingot_note_mapping(const void *start, size_t length, const char *path, int descriptor) {
  struct stat status;
  if (!atomic_load(&is_watching) || fstat(descriptor, &status) != 0) return NULL;
  char *copy = strdup(path);
  if (!copy) return NULL;
  pthread_mutex_lock(&changes);
  struct mapping *one = free_entry();
  if (one) {
    one->length = length;
    one->path = copy;
    one->device = status.st_dev;
    one->inode = status.st_ino;
    // From here on the handler sees it.
    atomic_store(&one->start, (const char *)start);
  }
  pthread_mutex_unlock(&changes);
  if (!one) free(copy);
  return one;
}

// The size of a file that is shorter than its mapping, -1 for others. What was replaced by renaming
// is another file, and its mapping whole.
static int64_t shortened_size(const struct mapping *one) {
  struct stat status;
  if (stat(one->path, &status) != 0) return -1;
  if (status.st_dev != one->device || status.st_ino != one->inode) return -1;
  return (uint64_t)status.st_size < one->length ? (int64_t)status.st_size : -1;
}

void ingot_forget_mapping(void *noted) {
  struct mapping *one = noted;
  if (!one) return;
  pthread_mutex_lock(&changes);
  int64_t now = shortened_size(one);
  char *path = one->path;
  if (now >= 0 && !remembered_path) {
    remembered_path = path;
    remembered_was = (int64_t)one->length;
    remembered_now = now;
    path = NULL;
  }
  one->path = NULL;
  atomic_store(&one->start, NULL);
  pthread_mutex_unlock(&changes);
  free(path);
}

char *ingot_shortened_file(int64_t *was, int64_t *now) {
  if (!atomic_load(&is_watching)) return NULL;
  pthread_mutex_lock(&changes);
  const char *path = remembered_path;
  *was = remembered_was;
  *now = remembered_now;
  for (struct mapping *one = atomic_load(&mappings); one && !path; one = one->next) {
    if (!atomic_load(&one->start)) continue;
    *was = (int64_t)one->length;
    *now = shortened_size(one);
    if (*now >= 0) path = one->path;
  }
  char *copy = path ? strdup(path) : NULL;
  pthread_mutex_unlock(&changes);
  return copy;
}

const char *ingot_wait_for_lost_file(int64_t *was) {
  char byte;
  ssize_t count;
  do {
    count = read(wake[0], &byte, 1);
  } while (count < 0 && errno == EINTR);
  struct mapping *found = atomic_load(&lost);
  if (count != 1 || !found) return NULL;
  *was = (int64_t)found->length;
  return found->path;
}

void ingot_touch(const void *start, size_t length) {
  const volatile char *bytes = start;
  size_t page = (size_t)sysconf(_SC_PAGESIZE);
  for (size_t offset = 0; offset < length; offset += page) (void)bytes[offset];
  if (length > 0) (void)bytes[length - 1];
}
