/*
 * The memory that is shared with the program (protocol.h). Parts begin at multiples of 64 KiB, the largest page that
 * boards have, since the program maps two of them over tables of its own.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "target.h"

#define LARGEST_PAGE 65536u

#if !defined(MFD_CLOEXEC)
#define MFD_CLOEXEC 1u
#define MFD_ALLOW_SEALING 2u
#endif
#if !defined(F_ADD_SEALS)
#define F_ADD_SEALS 1033
#define F_SEAL_SEAL 1
#define F_SEAL_SHRINK 2
#define F_SEAL_GROW 4
#endif

static int make_nameless_file(const char* directory) {
  char path[LONGEST_PATH];
  int descriptor;
  if (directory == 0 || strlen(directory) + sizeof "/plumb-XXXXXX" > sizeof path) return -1;
  snprintf(path, sizeof path, "%s/plumb-XXXXXX", directory);
  descriptor = mkostemp(path, O_CLOEXEC);
  if (descriptor >= 0) unlink(path);
  return descriptor;
}

/* In memory if the kernel can do that. */
static int make_file(void) {
  int descriptor = -1;
#if defined(SYS_memfd_create)
  descriptor = (int)syscall(SYS_memfd_create, "plumb", MFD_CLOEXEC | MFD_ALLOW_SEALING);
#endif
  if (descriptor < 0) descriptor = make_nameless_file("/dev/shm");
  if (descriptor < 0) descriptor = make_nameless_file(getenv("TMPDIR"));
  if (descriptor < 0) descriptor = make_nameless_file("/tmp");
  return descriptor;
}

static uint64_t end_of_segment;

static uint32_t place(uint64_t size, uint32_t* rounded) {
  uint64_t start = end_of_segment;
  uint64_t room = ((size != 0 ? size : 1) + LARGEST_PAGE - 1) / LARGEST_PAGE * LARGEST_PAGE;
  end_of_segment += room;
  if (rounded != 0) *rounded = (uint32_t)room;
  return (uint32_t)start;
}

/* Gives 0 if it is too large. */
static int lay_out(struct plumb_shared* layout, uint32_t edges, uint32_t regions, uint32_t stream_words,
                   uint32_t inputs) {
  memset(layout, 0, sizeof *layout);
  layout->magic = PLUMB_MAGIC;
  layout->version = PLUMB_PROTOCOL_VERSION;
  end_of_segment = LARGEST_PAGE;
  layout->coverage_offset = place(edges, &layout->coverage_size);
  layout->modes_offset = place(regions, &layout->modes_size);
  layout->inputs_offset = place(inputs, &layout->inputs_capacity);
  layout->stream_offset = place((uint64_t)4 * stream_words, 0);
  layout->stream_capacity = stream_words;
  layout->segment_size = (uint32_t)end_of_segment;
  return end_of_segment <= UINT32_MAX && end_of_segment <= SIZE_MAX / 2;
}

int make_segment(struct segment* segment, uint32_t edges, uint32_t regions, uint32_t stream_words, uint32_t inputs) {
  struct plumb_shared layout;
  void* memory;
  int descriptor;
  if (!lay_out(&layout, edges, regions, stream_words, inputs)) return 0;
  descriptor = make_file();
  if (descriptor < 0) return 0;
  memory = MAP_FAILED;
  if (ftruncate(descriptor, (off_t)layout.segment_size) == 0) {
    /* So that no access of ours can fault; files that are no memory have no seals. */
    fcntl(descriptor, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL);
    memory = mmap(0, layout.segment_size, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
  }
  if (memory == MAP_FAILED) {
    close(descriptor);
    return 0;
  }
  if (segment->memory != 0) {
    munmap(segment->memory, segment->layout.segment_size);
    close(segment->descriptor);
  }
  segment->layout = layout;
  segment->memory = memory;
  segment->descriptor = descriptor;
  return 1;
}
