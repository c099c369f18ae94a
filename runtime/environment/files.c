/* Sizes of symbolic files, decided as late as possible, and the shadows of what is read from them. */
#include "environment.h"

extern uint32_t plumb_env_failing_count;
extern uint32_t* plumb_env_failing;
static uint32_t failure_number;

int plumb_env_has(struct plumb_env_file* file, uint32_t position) {
  if (position < file->at_least) return 1;
  if (position >= file->at_most) return 0;
  if (file->missing < file->capacity - position) {
    file->at_least = position + 1;
    return 1;
  }
  file->at_most = position;
  return 0;
}

/* Halving, so that any other size is one decision away from some run and no path is long. */
static void settle(struct plumb_env_file* file) {
  while (file->at_least < file->at_most) plumb_env_has(file, file->at_least + (file->at_most - file->at_least) / 2);
}

void plumb_env_settle(int index) {
  if (index < 0) return;
  if (plumb_env_files[index].is_changed)
    __plumb_host_lost();
  else
    settle(&plumb_env_files[index]);
}

void plumb_env_read(int index, int64_t offset, const void* memory, uint32_t got, uint64_t wanted) {
  struct plumb_env_file* file = &plumb_env_files[index];
  if (file->is_changed) {
    __plumb_host_lost();
    return;
  }
  if (got < wanted && offset < file->capacity)
    settle(file);
  else if (got != 0)
    plumb_env_has(file, (uint32_t)offset + got - 1);
  if (got != 0 && offset >= 0 && offset + got <= file->capacity)
    __plumb_host_overlay(memory, file->content + offset, got);
}

static int is_same(const char* a, const char* b) {
  while (*b != 0) {
    if (*a != *b) return 0;
    ++a;
    ++b;
  }
  return *a == 0;
}

const char* plumb_env_resolve(const char* name) {
  uint32_t i;
  if (name == 0) return name;
  for (i = 0; i < plumb_env_file_count; ++i)
    if (plumb_env_files[i].name != 0 && is_same(name, plumb_env_files[i].name)) return plumb_env_files[i].name;
  return name;
}

void plumb_env_changes(int index) {
  if (index >= 0) plumb_env_files[index].is_changed = 1;
}

int plumb_env_fails(void) {
  uint32_t i;
  ++failure_number;
  for (i = 0; i < plumb_env_failing_count; ++i)
    if (plumb_env_failing[i] == failure_number) return 1;
  return 0;
}
