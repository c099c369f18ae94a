/* Leaks, each in a child that asks and says how many there are. */
#define _GNU_SOURCE
#include <pthread.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cases.h"
static char* kept;
static __thread char* kept_by_thread;

__attribute__((noinline)) static void use_some_stack(void) {
  volatile char filled[8192];
  size_t i;
  for (i = 0; i < sizeof filled; ++i) filled[i] = 0;
}

static int leaks_after(void (*make)(void)) {
  int status = 0;
  pid_t child = fork();
  CHECK(child >= 0);
  if (child == 0) {
    make();
    use_some_stack();
    __plumb_entry_returned();
    plumb_check_leaks();
    _exit((int)told);
  }
  CHECK(waitpid(child, &status, 0) == child && WIFEXITED(status));
  return WEXITSTATUS(status);
}

static void lose_one(void) {
  kept = malloc(100);
  kept = NULL;
}
static void lose_list(void) {
  char** list = malloc(64);
  list[3] = malloc(10);
  kept = (char*)list;
  kept = NULL;
}
static void lose_many(void) {
  int i;
  for (i = 0; i < 1000; ++i) kept = malloc(16);
  kept = NULL;
}
/* What the C library's allocator knows of is behind it. */
static void lose_at_top(void) {
  size_t size;
  for (size = 8; size < 200; size += 8) {
    char* behind;
    kept = malloc(size);
    behind = malloc(2000);
    free(behind);
  }
  kept = NULL;
}
static void lose_large(void) {
  kept = malloc(1000000);
  kept = NULL;
}
static void lose_cycle(void) {
  void** first = malloc(64);
  *first = first;
}
static void lose_grown(void) {
  size_t room = 8;
  FILE* file = tmpfile();
  kept = malloc(room);
  fputs("more than eight characters\n", file);
  rewind(file);
  CHECK(getline(&kept, &room, file) > 8);
  fclose(file);
  kept = NULL;
}

void leaks(void) {
  CHECK(leaks_after(lose_one) == 1);
  CHECK(leaks_after(lose_list) == 2);
  CHECK(leaks_after(lose_many) == 1); /* one a place */
  CHECK(leaks_after(lose_at_top) == 1);
  CHECK(leaks_after(lose_cycle) == 1);
  CHECK(leaks_after(lose_grown) == 1);
  if (sizeof(void*) == 8) CHECK(leaks_after(lose_large) == 1);
}

static void keep_global(void) { kept = malloc(100); }
static void keep_inside(void) { kept = (char*)malloc(100) + 99; }
/* Where the C library's allocator has its own data on the next chunk, too, with 32 or with 64 bits. */
static void keep_end(void) {
  char** first = malloc(24);
  char** second = malloc(sizeof(char*) * 8);
  char** third = malloc(100000);
  kept = (char*)first + 24;
  first[1] = (char*)second + sizeof(char*) * 8;
  second[3] = (char*)third + 100000;
}
static void keep_list(void) {
  int i;
  for (i = 0; i < 10000; ++i) {
    char** next = malloc(24);
    *next = kept;
    kept = (char*)next;
  }
}
static void keep_empty(void) { kept = malloc(0); }
static void keep_in_large(void) {
  char** large = malloc(5000000);
  large[300000] = malloc(10);
  kept = (char*)large + 4000000;
}
static void keep_by_thread(void) { kept_by_thread = malloc(10); }
static void keep_by_key(void) {
  pthread_key_t key;
  pthread_key_create(&key, NULL);
  pthread_setspecific(key, malloc(10));
}
static void keep_in_mapping(void) {
  char** pages = mmap(NULL, 1 << 28, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  CHECK(pages != MAP_FAILED);
  pages[(1 << 26) / sizeof(char*)] = malloc(10);
}
static void keep_by_library(void) {
  char* text = malloc(20);
  strcpy(text, "PLUMB_CASE=yes");
  putenv(text);
  CHECK(fopen("/dev/null", "r") != NULL && strdup("of the library") != NULL);
}
static void keep_nothing(void) { free(malloc(10)); }

/* With exit() in the middle of the program the stack counts. */
static int leaks_on_stack(int is_kept) {
  char* volatile on_stack = malloc(10);
  volatile uintptr_t hidden = ~(uintptr_t)on_stack;
  int status = 0;
  pid_t child;
  if (!is_kept) on_stack = NULL;
  child = fork();
  if (child == 0) {
    use_some_stack();
    plumb_check_leaks();
    CHECK(told == 0 || last.a == 0);
    _exit((int)told);
  }
  CHECK(waitpid(child, &status, 0) == child && WIFEXITED(status));
  free((void*)~hidden);
  return WEXITSTATUS(status);
}

static int leaks_in_frame(void) {
  static const struct plumb_variable variable[] = {{32, 8, 1}};
  static const struct plumb_frame frame = {64, 1, variable};
  char* memory = __plumb_enter_frame(&frame);
  int status = 0;
  pid_t child;
  *(char**)(memory + 32) = malloc(10);
  child = fork();
  if (child == 0) {
    plumb_check_leaks();
    _exit((int)told);
  }
  CHECK(waitpid(child, &status, 0) == child && WIFEXITED(status));
  free(*(char**)(memory + 32));
  __plumb_leave_frame(&frame, memory);
  return WEXITSTATUS(status);
}

void no_leaks(void) {
  static void (*const kept_ways[])(void) = {keep_global,     keep_inside,     keep_end,       keep_list,
                                            keep_empty,      keep_in_large,   keep_by_thread, keep_by_key,
                                            keep_in_mapping, keep_by_library, keep_nothing};
  size_t i;
  for (i = 0; i < sizeof kept_ways / sizeof kept_ways[0]; ++i) CHECK(leaks_after(kept_ways[i]) == 0);
  CHECK(leaks_on_stack(1) == 0);
  CHECK(leaks_on_stack(0) == 1);
  CHECK(leaks_in_frame() == 0);
}

static void* wait_forever(void* unused) {
  (void)unused;
  for (;;) pause();
}
static void* just_end(void* unused) { return unused; }

static void lose_beside_thread(void) {
  pthread_t thread;
  CHECK(pthread_create(&thread, NULL, wait_forever, NULL) == 0);
  lose_one();
}
static void lose_after_thread(void) {
  pthread_t thread;
  CHECK(pthread_create(&thread, NULL, just_end, NULL) == 0 && pthread_join(thread, NULL) == 0);
  lose_one();
}
static void* ask_here(void* unused) {
  lose_one();
  plumb_check_leaks();
  CHECK(told == 0);
  _exit(0);
  return unused;
}
static void ask_in_thread(void) {
  pthread_t thread;
  CHECK(pthread_create(&thread, NULL, ask_here, NULL) == 0 && pthread_join(thread, NULL) == 0);
}

void no_verdict(void) {
  CHECK(leaks_after(lose_beside_thread) == 0);
  CHECK(leaks_after(lose_after_thread) == 1);
  CHECK(leaks_after(ask_in_thread) == 0);
}
