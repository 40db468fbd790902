#include "CFiles.h"

#include <sys/resource.h>

int64_t ingot_address_space_limit(void) {
  struct rlimit limit;
  if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return -1;
  return limit.rlim_cur > INT64_MAX ? -1 : (int64_t)limit.rlim_cur;
}
