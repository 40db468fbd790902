#ifndef INGOT_CFILES_H
#define INGOT_CFILES_H

#include <stddef.h>
#include <stdint.h>

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

// Files that are mapped, so that a program can say which one another program shortened.

/// From now on mappings are noted, and reading past the new end of a noted file wakes
/// `ingot_wait_for_lost_file` instead of ending the process. Gives 0, or -1 with `errno`.
int ingot_watch_mappings(void);

/// Lets bus errors do again what they did before.
void ingot_stop_watching_mappings(void);

/// Notes a mapping of an open file; gives NULL when nobody watches.
void *_Nullable ingot_note_mapping(
    const void *start, size_t length, const char *path, int descriptor);

/// Forgets a mapping before it is undone, and remembers whether its file was shortened.
void ingot_forget_mapping(void *_Nullable noted);

/// A file that is shorter than it was when it was mapped: its path, to be freed, and both sizes.
/// NULL when there is none.
char *_Nullable ingot_shortened_file(int64_t *was, int64_t *now);

/// Sleeps until a thread reads what a noted file does not have any more; that thread then sleeps
/// for ever. Gives the path, which is not to be freed, and the size that the file had.
const char *_Nullable ingot_wait_for_lost_file(int64_t *was);

/// Reads a byte of every page, so that what is missing is noticed here.
void ingot_touch(const void *start, size_t length);

// Terminals.

/// Columns of a terminal; 0 where that is not known, or the descriptor is none.
int ingot_terminal_columns(int descriptor);

// Memory.

/// Bytes of addresses that this process may use at most; -1 without a limit.
int64_t ingot_address_space_limit(void);

/// Has blocks of at least so many bytes given back to the system as soon as they are freed, where the
/// C library would keep them.
void ingot_give_back_blocks_of(int bytes);

/// Gives memory that was freed, but that the C library keeps, back to the system.
void ingot_give_back_free_memory(void);

#pragma clang assume_nonnull end

#ifdef __cplusplus
}
#endif

#endif
