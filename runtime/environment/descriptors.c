/* Descriptors: which of them are open on a symbolic file the system tells, so copies and other names of one count. */
#include "environment.h"

struct plumb_piece {
  void* memory;
  size_t size;
};

plumb_signed_size read(int descriptor, void* memory, size_t size);
plumb_signed_size pread(int descriptor, void* memory, size_t size, plumb_signed_size offset);
plumb_signed_size pread64(int descriptor, void* memory, size_t size, int64_t offset);
plumb_signed_size readv(int descriptor, const struct plumb_piece* pieces, int count);
plumb_signed_size write(int descriptor, const void* memory, size_t size);
plumb_signed_size lseek(int descriptor, plumb_signed_size offset, int whence);
int64_t lseek64(int descriptor, int64_t offset, int whence);
int close(int descriptor);
void* mmap(void* at, size_t size, int protection, int flags, int descriptor, plumb_signed_size offset);
int munmap(void* at, size_t size);
void* mmap64(void* at, size_t size, int protection, int flags, int descriptor, int64_t offset);

enum { PLUMB_SEEK_END = 2 }; /* those above it need the size too */

static void note_read(int file, int64_t offset, const void* memory, plumb_signed_size got, size_t size) {
  if (file >= 0 && got >= 0) plumb_env_read(file, offset, memory, (uint32_t)got, size);
}

/* A read of more than a byte can come up short: by half. */
static int is_refused(size_t* size) {
  if (plumb_env_fails()) {
    __plumb_host_set_errno(PLUMB_EIO);
    return 1;
  }
  if (plumb_env_fails() && *size > 1) *size = (*size + 1) / 2;
  return 0;
}

plumb_signed_size __plumb_env_read(int descriptor, void* memory, size_t size) {
  int file;
  int64_t offset;
  plumb_signed_size got;
  if (is_refused(&size)) return -1;
  file = __plumb_host_file_of(descriptor);
  offset = file >= 0 ? __plumb_host_position(descriptor) : 0;
  got = read(descriptor, memory, size);
  note_read(file, offset, memory, got, size);
  return got;
}
plumb_signed_size __plumb_env___read_chk(int descriptor, void* memory, size_t size, size_t room) {
  (void)room;
  return __plumb_env_read(descriptor, memory, size);
}

plumb_signed_size __plumb_env_pread64(int descriptor, void* memory, size_t size, int64_t offset) {
  plumb_signed_size got;
  if (is_refused(&size)) return -1;
  got = pread64(descriptor, memory, size, offset);
  note_read(__plumb_host_file_of(descriptor), offset, memory, got, size);
  return got;
}
plumb_signed_size __plumb_env_pread(int descriptor, void* memory, size_t size, plumb_signed_size offset) {
  return __plumb_env_pread64(descriptor, memory, size, offset);
}
plumb_signed_size __plumb_env___pread_chk(int descriptor, void* memory, size_t size, plumb_signed_size offset,
                                          size_t room) {
  (void)room;
  return __plumb_env_pread64(descriptor, memory, size, offset);
}
plumb_signed_size __plumb_env___pread64_chk(int descriptor, void* memory, size_t size, int64_t offset, size_t room) {
  (void)room;
  return __plumb_env_pread64(descriptor, memory, size, offset);
}

plumb_signed_size __plumb_env_readv(int descriptor, const struct plumb_piece* pieces, int count) {
  int file = __plumb_host_file_of(descriptor);
  int64_t offset = file >= 0 ? __plumb_host_position(descriptor) : 0;
  plumb_signed_size got = readv(descriptor, pieces, count);
  plumb_signed_size left = got;
  int i;
  for (i = 0; file >= 0 && left >= 0 && i < count; ++i) {
    plumb_signed_size here = (plumb_signed_size)pieces[i].size < left ? (plumb_signed_size)pieces[i].size : left;
    note_read(file, offset, pieces[i].memory, here, pieces[i].size);
    offset += here;
    left -= here;
    if (left == 0) break;
  }
  return got;
}

/* What is written goes to the system as it is; nobody can read it back with its meaning. */
plumb_signed_size __plumb_env_write(int descriptor, const void* memory, size_t size) {
  if (plumb_env_fails()) {
    __plumb_host_set_errno(PLUMB_ENOSPC);
    return -1;
  }
  if (plumb_env_fails() && size > 1) size = (size + 1) / 2;
  return write(descriptor, memory, size);
}

/* The descriptor is gone all the same, as it is after a real EIO. */
int __plumb_env_close(int descriptor) {
  int result;
  int fails = plumb_env_fails();
  result = close(descriptor);
  if (fails && result == 0) {
    __plumb_host_set_errno(PLUMB_EIO);
    return -1;
  }
  return result;
}

int64_t __plumb_env_lseek64(int descriptor, int64_t offset, int whence) {
  if (whence >= PLUMB_SEEK_END) plumb_env_settle(__plumb_host_file_of(descriptor));
  return lseek64(descriptor, offset, whence);
}
plumb_signed_size __plumb_env_lseek(int descriptor, plumb_signed_size offset, int whence) {
  if (whence >= PLUMB_SEEK_END) plumb_env_settle(__plumb_host_file_of(descriptor));
  return lseek(descriptor, offset, whence);
}

/* A mapping shows the file's bytes, and zeros behind its end. */
void* __plumb_env_mmap64(void* at, size_t size, int protection, int flags, int descriptor, int64_t offset) {
  void* mapping = mmap64(at, size, protection, flags, descriptor, offset);
  int file = descriptor >= 0 && mapping != (void*)-1 ? __plumb_host_file_of(descriptor) : -1;
  uint32_t end;
  if (file < 0) return mapping;
  if (__plumb_host_shares_writes(protection, flags)) plumb_env_changes(file);
  plumb_env_settle(file);
  if (plumb_env_files[file].is_changed || offset < 0 || offset >= plumb_env_files[file].at_most) return mapping;
  end = plumb_env_files[file].at_most - (uint32_t)offset;
  if (end > size) end = (uint32_t)size;
  __plumb_host_add_object(mapping, size);
  __plumb_host_overlay(mapping, plumb_env_files[file].content + offset, end);
  return mapping;
}
void* __plumb_env_mmap(void* at, size_t size, int protection, int flags, int descriptor, plumb_signed_size offset) {
  return __plumb_env_mmap64(at, size, protection, flags, descriptor, offset);
}
int __plumb_env_munmap(void* at, size_t size) {
  int result = munmap(at, size);
  if (result == 0) __plumb_host_forget_object(at, size);
  return result;
}
