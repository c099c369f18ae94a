#define _GNU_SOURCE
#include <errno.h>
#include <malloc.h>
#include <pthread.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cases.h"

static int is_inside(ptrdiff_t offset, uint32_t bytes, size_t size) {
  return offset >= 0 && (size_t)offset + bytes <= size;
}

static void check_around(char* object, size_t size) {
  static const uint32_t widths[] = {1, 2, 3, 4, 8, 16, 32};
  ptrdiff_t offset;
  size_t i;
  for (offset = -24; offset < (ptrdiff_t)size + 8; ++offset) {
    if (size > 100 && offset > 40 && offset < (ptrdiff_t)size - 40) continue;
    for (i = 0; i < sizeof widths / sizeof widths[0]; ++i) {
      uint32_t kind = kind_of_access(object + offset, widths[i] | (i % 2 != 0 ? PLUMB_ACCESS_WRITE : 0));
      CHECK(kind == (is_inside(offset, widths[i], size) ? 0 : PLUMB_DEFECT_POINTER));
      if (kind == 0 || offset < -8) continue; /* farther off another object may be nearer */
      CHECK(last.object_kind == PLUMB_OBJECT_HEAP && last.object_size == size);
      CHECK(last.object_base == (uintptr_t)object && last.allocated.depth > 0 && last.freed.depth == 0);
    }
  }
}

void heap_accesses(void) {
  char* before = NULL;
  size_t size;
  for (size = 1; size <= 70; ++size) {
    char* object = malloc(size);
    memset(object, 1, size);
    check_around(object, size);
    free(before);
    before = object;
  }
  for (size = 4090; size < 4100; ++size) check_around(malloc(size), size);
  check_around(malloc(65536), 65536);
  check_around(malloc(3000001), 3000001);
}

void zero_sizes(void) {
  char* object = malloc(0);
  char* other = malloc(0);
  CHECK(object != NULL && other != NULL && object != other);
  CHECK(kind_of_access(object, 1) == PLUMB_DEFECT_POINTER);
  CHECK(last.object_base == (uintptr_t)object && last.object_size == 0);
  CHECK(malloc_usable_size(object) == 0);
  free(object);
  CHECK(told == 1);
  free(object);
  CHECK(told == 2 && last.kind == PLUMB_DEFECT_DOUBLE_FREE);
  object = calloc(0, 8);
  CHECK(object != NULL);
  object = realloc(object, 8);
  CHECK(kind_of_access(object, 8) == 0);
}

void alignments(void) {
  size_t alignment;
  void* object;
  for (alignment = 1; alignment <= 65536; alignment *= 2) {
    object = memalign(alignment, 50);
    CHECK((uintptr_t)object % alignment == 0);
    check_around(object, 50);
    free(object);
    CHECK(kind_of_access(object, 4) == PLUMB_DEFECT_FREED);
    object = aligned_alloc(alignment, 24);
    CHECK((uintptr_t)object % alignment == 0);
    object = realloc(object, 100);
    check_around(object, 100);
  }
  CHECK(posix_memalign(&object, 3, 8) == EINVAL && posix_memalign(&object, 2, 8) == EINVAL);
  CHECK(posix_memalign(&object, 64, 100) == 0 && (uintptr_t)object % 64 == 0);
  check_around(object, 100);
  CHECK((uintptr_t)valloc(5) % 4096 == 0);
  object = pvalloc(5);
  CHECK(malloc_usable_size(object) == 4096);
}

void bad_frees(void) {
  char* object = malloc(100);
  char* large = malloc(1000000);
  char variable[32];
  free(object + 16);
  CHECK(told == 1 && last.kind == PLUMB_DEFECT_BAD_FREE && last.object_base == (uintptr_t)object);
  CHECK(last.address == (uintptr_t)object + 16 && last.object_size == 100);
  free(large + 500000);
  CHECK(told == 2 && last.kind == PLUMB_DEFECT_BAD_FREE && last.object_base == (uintptr_t)large);
  free(variable);
  CHECK(told == 3 && last.kind == PLUMB_DEFECT_BAD_FREE && last.object_kind == PLUMB_OBJECT_NONE);
  free(padded_global);
  CHECK(told == 4 && last.kind == PLUMB_DEFECT_BAD_FREE && last.object_kind == PLUMB_OBJECT_GLOBAL);
  free((void*)(uintptr_t)0x1230);
  CHECK(told == 5 && last.kind == PLUMB_DEFECT_BAD_FREE);
  free((void*)(UINTPTR_MAX - 15));
  CHECK(told == 6 && last.kind == PLUMB_DEFECT_BAD_FREE);
  free(NULL);
  CHECK(told == 6);
  free(object);
  CHECK(told == 6 && kind_of_access(object + 99, 1) == PLUMB_DEFECT_FREED);
  CHECK(last.object_base == (uintptr_t)object && last.allocated.depth > 0 && last.freed.depth > 0);
  CHECK(last.allocated.frames[0] != last.freed.frames[0]);
  free(object);
  CHECK(told == 8 && last.kind == PLUMB_DEFECT_DOUBLE_FREE && last.object_base == (uintptr_t)object);
  CHECK(last.freed.depth > 0 && last.stack.frames[0] != last.freed.frames[0]);
  object = realloc(object, 10);
  CHECK(told == 9 && last.kind == PLUMB_DEFECT_DOUBLE_FREE);
  CHECK(object != NULL && kind_of_access(object, 10) == 0);
  object = realloc(variable, 10);
  CHECK(told == 10 && last.kind == PLUMB_DEFECT_BAD_FREE && object != NULL);
}

void reallocations(void) {
  size_t size = 1;
  size_t i;
  unsigned char* object = realloc(NULL, size);
  object[0] = 1;
  while (size < 300000) {
    unsigned char* old = object;
    size_t grown = size + size / 2 + 1;
    object = realloc(object, grown);
    CHECK(object != old && kind_of_access(old, 1) == PLUMB_DEFECT_FREED);
    for (i = 0; i < size; ++i) CHECK(object[i] == (unsigned char)(i + 1));
    for (; i < grown; ++i) object[i] = (unsigned char)(i + 1);
    size = grown;
    CHECK(malloc_usable_size(object) == size);
  }
  while (size > 1) {
    size /= 3;
    object = realloc(object, size);
    for (i = 0; i < size; ++i) CHECK(object[i] == (unsigned char)(i + 1));
    CHECK(kind_of_access(object + size, 1) == PLUMB_DEFECT_POINTER);
  }
  told = 0;
  object = malloc(40);
  CHECK(realloc(object, 0) == NULL && told == 0);
  CHECK(kind_of_access(object, 1) == PLUMB_DEFECT_FREED);
  object = reallocarray(NULL, 5, 8);
  CHECK(malloc_usable_size(object) == 40);
}

void quarantine(void) {
  char* freed = malloc(100);
  char* large = malloc(100 << 20);
  int i;
  free(freed);
  for (i = 0; i < 10000; ++i) free(malloc(100));
  CHECK(kind_of_access(freed + 50, 4) == PLUMB_DEFECT_FREED);
  /* However large, the last one that was freed is still seen. */
  free(large);
  CHECK(kind_of_access(large + 5000000, 4) == PLUMB_DEFECT_FREED);
}

/* What the quarantine gives back may be anything next, and must be accessible. */
void memory_is_used_again(void) {
  int i;
  for (i = 0; i < 3000; ++i) {
    size_t size = (size_t)(i * 7919 % 300000);
    char* object = malloc(size);
    size_t j;
    CHECK(object != NULL);
    for (j = 0; j + 8 <= size; j += 512) CHECK(*PLUMB_ADDRESSABLE(object + j) == 0);
    CHECK(size == 0 || kind_of_inline_access(object + size - 1, 1) == 0);
    free(object);
  }
  CHECK(told == 0);
}

/* By objects that have mappings of their own, out of the way. */
static void empty_quarantine(void) {
  int i;
  mallopt(M_MMAP_THRESHOLD, 1 << 20);
  for (i = 0; i < 4; ++i) free(malloc(12 << 20));
}

/* Small objects share the allocator's words between them: whichever goes first, a live one keeps its room, and nothing
   stays poisoned when all have gone. */
void shared_room(void) {
  enum { COUNT = 3000 };
  static char* objects[COUNT];
  static size_t sizes[COUNT];
  unsigned state = 1;
  unsigned keep;
  int i;
  for (keep = 0; keep < 4; ++keep) {
    for (i = 0; i < COUNT; ++i) {
      state = state * 1103515245u + 12345u;
      sizes[i] = state >> 16 & (i % 3 == 0 ? 2047 : 63);
      objects[i] = i % 50 == 0 ? memalign(64, sizes[i]) : malloc(sizes[i]);
    }
    for (i = 0; i < COUNT; ++i)
      if ((unsigned)i % 4 != keep) free(objects[i]);
    empty_quarantine();
    for (i = (int)keep; i < COUNT; i += 4) {
      CHECK(__plumb_room(objects[i], 5000) == sizes[i] && kind_of_access(objects[i] - 17, 1) == PLUMB_DEFECT_POINTER);
      CHECK(kind_of_access(objects[i] + sizes[i] + 7, 1) == PLUMB_DEFECT_POINTER);
    }
    for (i = (int)keep; i < COUNT; i += 4) free(objects[i]);
    empty_quarantine();
    for (i = 0; i < COUNT; ++i) CHECK(__plumb_room(objects[i] - 16, sizes[i] + 16) == sizes[i] + 16);
  }
}

void failing_allocations(void) {
  volatile size_t huge = (size_t)-1;
  struct rlimit limit;
  int i;
  errno = 0;
  CHECK(malloc(huge) == NULL && errno == ENOMEM);
  errno = 0;
  CHECK(calloc(huge / 2, 3) == NULL && errno == ENOMEM);
  errno = 0;
  CHECK(reallocarray(NULL, huge / 2, 3) == NULL && errno == ENOMEM);
  CHECK(malloc(huge / 2 - 100) == NULL && memalign(4096, huge - 4096) == NULL);
  CHECK(pvalloc(huge) == NULL && aligned_alloc(huge, 8) == NULL);
  errno = 77;
  free(malloc(10));
  CHECK(errno == 77);
  /* The quarantine is given up before an allocation fails. */
  CHECK(getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY);
  for (i = 0; i < 100; ++i) {
    char* object = malloc(8 << 20);
    CHECK(object != NULL);
    memset(object, 1, 8 << 20);
    free(object);
  }
}

void library_calls(void) {
  size_t room = 16;
  char* line = malloc(room);
  FILE* file = tmpfile();
  char* text = NULL;
  size_t size = 0;
  int i;
  CHECK(file != NULL);
  for (i = 0; i < 1000; ++i) fputc('a' + i % 26, file);
  fputc('\n', file);
  rewind(file);
  CHECK(getline(&line, &room, file) == 1001 && room >= 1002);
  CHECK(kind_of_access(line, 1001) == 0);
  free(line);
  fclose(file);
  file = open_memstream(&text, &size);
  for (i = 0; i < 5000; ++i) fprintf(file, "%d ", i);
  fclose(file);
  CHECK(size > 10000 && kind_of_access(text + size - 1, 1) == 0);
  free(text);
  text = strdup("copied");
  CHECK(kind_of_access(text, 7) == 0 && kind_of_access(text, 8) == PLUMB_DEFECT_POINTER);
  free(text);
  CHECK(told == 1);
}

static char* early_object;
static uintptr_t hidden_early_freed; /* no pointer that the leak search would see */

static void allocate_early(void) {
  char* freed = malloc(40);
  early_object = malloc(40);
  hidden_early_freed = ~(uintptr_t)freed;
  free(freed);
  early_object[39] = 5;
}
/* Before all constructors. */
__attribute__((section(".preinit_array"), used)) static void (*const at_first)(void) = allocate_early;

void early_memory(void) {
  CHECK(early_object[39] == 5);
  check_around(early_object, 40);
  CHECK(kind_of_access((char*)~hidden_early_freed + 39, 1) == PLUMB_DEFECT_FREED && last.freed.depth > 0);
  told = 0;
  early_object = realloc(early_object, 80);
  CHECK(told == 0 && early_object[39] == 5);
  free(early_object);
  CHECK(told == 0 && kind_of_access(early_object, 1) == PLUMB_DEFECT_FREED);
}

static void* work(void* seed) {
  unsigned state = (unsigned)(uintptr_t)seed;
  unsigned char* objects[64] = {NULL};
  size_t sizes[64] = {0};
  int i;
  for (i = 0; i < 20000; ++i) {
    unsigned slot;
    state = state * 1103515245u + 12345u;
    slot = state >> 16 & 63;
    if (objects[slot] != NULL) {
      CHECK(objects[slot][0] == (unsigned char)slot && objects[slot][sizes[slot] - 1] == (unsigned char)slot);
    }
    sizes[slot] = 1 + (state >> 22 & 511);
    if (state >> 8 & 1) {
      free(objects[slot]);
      objects[slot] = malloc(sizes[slot]);
    } else {
      objects[slot] = realloc(objects[slot], sizes[slot]);
    }
    memset(objects[slot], (int)slot, sizes[slot]);
    CHECK(__plumb_room(objects[slot], 1000) == sizes[slot]);
  }
  for (i = 0; i < 64; ++i) free(objects[i]);
  return NULL;
}

void threads(void) {
  pthread_t all[4];
  int i;
  int round;
  for (i = 0; i < 4; ++i) pthread_create(&all[i], NULL, work, (void*)(uintptr_t)(i + 1));
  /* Children get a heap that works, whatever other threads were doing. */
  for (round = 0; round < 20; ++round) {
    int status = 0;
    pid_t child = fork();
    if (child < 0) break; /* the replay's limit */
    if (child == 0) {
      free(malloc(100));
      _exit(0);
    }
    CHECK(waitpid(child, &status, 0) == child && status == 0);
  }
  for (i = 0; i < 4; ++i) pthread_join(all[i], NULL);
  CHECK(told == 0);
}

void forks(void) {
  char* object = malloc(100);
  int status = 0;
  pid_t child = fork();
  if (child == 0) {
    CHECK(kind_of_access(object, 100) == 0 && kind_of_access(object, 101) == PLUMB_DEFECT_POINTER);
    free(object);
    CHECK(kind_of_access(object, 1) == PLUMB_DEFECT_FREED);
    _exit(0);
  }
  CHECK(waitpid(child, &status, 0) == child && status == 0);
  CHECK(kind_of_access(object, 100) == 0);
  free(object);
  CHECK(told == 0);
}
