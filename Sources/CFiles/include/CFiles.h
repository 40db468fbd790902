#ifndef INGOT_CFILES_H
#define INGOT_CFILES_H

// Ways of renaming that Swift's view of the C library leaves out. Each gives 0, or -1 with `errno`;
// EINVAL, ENOSYS and ENOTSUP say that the system or the file system does not know the way.

#ifdef __cplusplus
extern "C" {
#endif

#pragma clang assume_nonnull begin

/// Exchanges what two paths name, in one step.
int ingot_rename_exchanging(const char *one, const char *other);

/// Renames, unless something is there under the new name already (EEXIST).
int ingot_rename_to_new_name(const char *from, const char *to);

/// Makes everything durable that was written to the file system of an open file or folder.
int ingot_synchronize_file_system(int descriptor);

#pragma clang assume_nonnull end

#ifdef __cplusplus
}
#endif

#endif
