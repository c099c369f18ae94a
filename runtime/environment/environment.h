/*
 * The symbolic environment inside the program under test. These files are compiled to bitcode, linked into the program
 * and instrumented with it; a function __plumb_env_NAME stands in for the C library's NAME wherever the program uses
 * it. The C library does the real work on real files; what is here lays the shadows of a file's input bytes over what
 * was read, and takes those decisions that hang on input (is there another byte?) in code that the engine sees.
 *
 * Plain C11 with freestanding headers only, so that a build for the other word size needs no system headers; no call of
 * a function that has a model, but under its real name, which reaches the C library.
 */
#ifndef PLUMB_ENVIRONMENT_H
#define PLUMB_ENVIRONMENT_H

#include <stddef.h>
#include <stdint.h>

typedef intptr_t plumb_signed_size; /* ssize_t, off_t */

/* The head of glibc's FILE, which its headers show to programs too. */
struct plumb_stream {
  int flags;
  unsigned char* read_at;
  unsigned char* read_end;
  unsigned char* read_base;
};

/* A symbolic file, or standard input. Sizes are decided by branches on `missing`: a file has `capacity` bytes without
   the missing ones, none if more are missing. What is decided is kept as bounds, so that nothing is decided twice. */
struct plumb_env_file {
  const char* name;       /* null: standard input */
  unsigned char* content; /* capacity bytes, all of them inputs */
  uint32_t capacity;
  uint32_t missing; /* an input */
  uint32_t at_least;
  uint32_t at_most;
  int is_changed; /* the program may have written to it: its bytes are no inputs any more */
};

#define PLUMB_ENV_FILES 27u
extern struct plumb_env_file plumb_env_files[PLUMB_ENV_FILES];
extern uint32_t plumb_env_file_count;

/* --- runtime/concolic/host_environment.c: runs without instrumentation, takes and gives concrete values --- */

/* Makes a file of the working directory, or standard input if there is no name. */
void __plumb_host_make_file(uint32_t index, const char* name, const unsigned char* content, uint32_t capacity,
                            uint32_t missing);
/* Which symbolic file the descriptor is open on; -1 if on none. */
int __plumb_host_file_of(int descriptor);
int __plumb_host_file_of_stream(const struct plumb_stream* stream);
int __plumb_host_file_of_status(const void* status);
int __plumb_host_file_of_status64(const void* status);
int __plumb_host_file_of_statx(const void* status);
int64_t __plumb_host_position(int descriptor);

/* What a stream has in its buffer after it was filled. */
struct plumb_filled {
  int file; /* or -1 */
  unsigned char* memory;
  int64_t offset; /* of the memory's first byte in the file */
  uint32_t size;
  uint32_t room;         /* bytes that were asked for */
  int is_byte_in_memory; /* the byte that was read is the one before read_at */
};
void __plumb_host_look(struct plumb_stream* stream, struct plumb_filled* filled);
int __plumb_host_unget(int byte, struct plumb_stream* stream);
/* __uflow() */
int __plumb_host_fill(struct plumb_stream* stream, struct plumb_filled* filled);
/* Memory where bytes of a file were read to gets their shadows, as far as the values are the same. */
void __plumb_host_overlay(const void* memory, const unsigned char* content, size_t size);
/* Data went on without its meaning. */
void __plumb_host_lost(void);
/* The flags of open() or the mode of fopen() allow writing. */
int __plumb_host_writes(int flags);
int __plumb_host_writes_mode(const char* mode);
/* A mapping of this kind writes through to its file. */
int __plumb_host_shares_writes(int protection, int flags);
void __plumb_host_set_errno(int error);
/* A mapping or the like, to be found by addresses that lead into it. */
void __plumb_host_add_object(const void* memory, size_t size);
void __plumb_host_forget_object(const void* memory, size_t size);

/* --- Among the models --- */

/* Is there a byte at this position of the file? */
int plumb_env_has(struct plumb_env_file* file, uint32_t position);
/* After `got` of `wanted` bytes were read from `offset`: decides what that says about the size, and gives the memory
   the shadows of the file's bytes. */
void plumb_env_read(int index, int64_t offset, const void* memory, uint32_t got, uint64_t wanted);
/* Decides the size. */
void plumb_env_settle(int index);
/* A name that is known without input where it names a symbolic file; otherwise the name itself. */
const char* plumb_env_resolve(const char* name);
/* The file is opened so that the program can write to it. */
void plumb_env_changes(int index);
/* The next way in which a call can fail: does it happen? */
int plumb_env_fails(void);

enum { PLUMB_EIO = 5, PLUMB_ENOENT = 2, PLUMB_ENOSPC = 28 };

#endif
