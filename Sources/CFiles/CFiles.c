#define _GNU_SOURCE
#include "CFiles.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/ioctl.h>

#if defined(__APPLE__)

#include <unistd.h>

int ingot_rename_exchanging(const char *one, const char *other) {
  return renamex_np(one, other, RENAME_SWAP);
}

int ingot_rename_to_new_name(const char *from, const char *to) {
  return renamex_np(from, to, RENAME_EXCL);
}

int ingot_synchronize_file_system(int descriptor) {
  (void)descriptor;
  sync();
  return 0;
}

#else

#include <sys/syscall.h>
#include <unistd.h>

// The system call itself: not every C library has a function for it.
static int rename_with(const char *from, const char *to, unsigned int flags) {
  return (int)syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, flags);
}

int ingot_rename_exchanging(const char *one, const char *other) {
  return rename_with(one, other, 1u << 1);  // RENAME_EXCHANGE
}

int ingot_rename_to_new_name(const char *from, const char *to) {
  return rename_with(from, to, 1u << 0);  // RENAME_NOREPLACE
}

int ingot_synchronize_file_system(int descriptor) { return syncfs(descriptor); }

#endif

int ingot_terminal_columns(int descriptor) {
  struct winsize size = {0};
  return ioctl(descriptor, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}
