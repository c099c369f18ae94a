// Store buffers as a program: total store order is sequential consistency of a program that keeps its stores back
// (Owens, Sarkar and Sewell, "A Better x86 Memory Model: x86-TSO", TPHOLs 2009). When a store leaves its buffer matters
// to nobody before the next load, fence or locked operation, so that is where the oldest stores of any threads may go
// to memory, in any order among threads. So engines, schedules and replays need to know nothing of it.

#include "frontend/memory_model.h"

namespace plumb::frontend {

std::string_view store_buffer_source() {
  static constexpr std::string_view kSource = R"(
typedef unsigned char plumb_byte;
typedef unsigned long long plumb_word;
extern void plumb_atomic_begin(void);
extern void plumb_atomic_end(void);
extern void plumb_host_gap(const char *what);
extern _Bool __VERIFIER_nondet_bool(void);
extern void *malloc(__SIZE_TYPE__ size);
extern void free(void *object);
extern int pthread_create(void *thread, const void *attributes, void *(*run)(void *), void *argument);
extern void pthread_exit(void *result);

enum { kEntries = 8, kThreads = 12 };
struct plumb_entry {
  plumb_byte *at;
  plumb_word value;
  plumb_byte size;
};
struct plumb_buffer {
  struct plumb_entry entries[kEntries];
  plumb_byte count;
};
static struct plumb_buffer b0, b1, b2, b3, b4, b5, b6, b7, b8, b9, b10, b11;
static struct plumb_buffer *const buffers[kThreads] = {&b0, &b1, &b2, &b3, &b4, &b5, &b6, &b7, &b8, &b9, &b10, &b11};
static plumb_byte used;
static _Thread_local plumb_byte number;  /* of the thread's buffer, from 1 */
static _Thread_local plumb_byte depth;   /* of atomic sections: nobody else's stores go to memory meanwhile */

static plumb_word plumb_tso_read(plumb_byte *at, plumb_byte size) {
  switch (size) {
    case 1: return *at;
    case 2: return *(unsigned short *)at;
    case 4: return *(unsigned int *)at;
    default: return *(plumb_word *)at;
  }
}
static void plumb_tso_write(plumb_byte *at, plumb_byte size, plumb_word value) {
  switch (size) {
    case 1: *at = (plumb_byte)value; return;
    case 2: *(unsigned short *)at = (unsigned short)value; return;
    case 4: *(unsigned int *)at = (unsigned int)value; return;
    default: *(plumb_word *)at = value;
  }
}
static void plumb_tso_drain(struct plumb_buffer *of) {
  plumb_tso_write(of->entries[0].at, of->entries[0].size, of->entries[0].value);
  int last = of->count - 1;
  for (int i = 0; i < last; i++) {
    of->entries[i].at = of->entries[i + 1].at;
    of->entries[i].value = of->entries[i + 1].value;
    of->entries[i].size = of->entries[i + 1].size;
  }
  of->entries[last].at = 0;
  of->entries[last].value = 0;
  of->entries[last].size = 0;
  of->count = (plumb_byte)last;
}
/* The threads, a bit each, whose stores could be told from the bytes: they have one there, or one in the place of another
   one of such a thread. The others can wait. */
static unsigned plumb_tso_concerned(plumb_byte *at, plumb_word size) {
  unsigned who = 0;
  for (int t = 0; t < used; t++)
    for (int i = 0; i < buffers[t]->count; i++) {
      struct plumb_entry *e = &buffers[t]->entries[i];
      if ((plumb_word)(e->at - at) < size || (plumb_word)(at - e->at) < e->size) who |= 1u << t;
    }
  unsigned before = 0;
  while (who != before) {
    before = who;
    for (int t = 0; t < used; t++)
      for (int i = 0; i < buffers[t]->count; i++)
        for (int u = 0; u < used; u++)
          for (int k = 0; k < buffers[u]->count && t != u && (who >> u & 1) && !(who >> t & 1); k++) {
            struct plumb_entry *e = &buffers[t]->entries[i], *of = &buffers[u]->entries[k];
            if ((plumb_word)(e->at - of->at) < of->size || (plumb_word)(of->at - e->at) < e->size) who |= 1u << t;
          }
  }
  return who;
}
/* The oldest stores of some threads, this one's as well, go to memory before the bytes are looked at. Stores of this
   thread alone look the same in its buffer. */
static void plumb_tso_let_go(plumb_byte *at, plumb_word size) {
  int went = depth == 0;
  while (went) {
    unsigned who = plumb_tso_concerned(at, size);
    if (number != 0 && who == 1u << (number - 1)) who = 0;
    went = 0;
    for (int t = 0; t < used && !went; t++)
      if ((who >> t & 1) && __VERIFIER_nondet_bool()) {
        plumb_tso_drain(buffers[t]);
        went = 1;
      }
  }
}
static struct plumb_buffer *plumb_tso_own(void) {
  if (number == 0) {
    if (used == kThreads) return 0;
    number = ++used;
  }
  return buffers[number - 1];
}
static void plumb_tso_empty(void) {
  struct plumb_buffer *own = plumb_tso_own();
  while (own && own->count != 0) {
    plumb_tso_let_go(own->entries[0].at, own->entries[0].size);
    if (own->count != 0) plumb_tso_drain(own);
  }
}

plumb_word plumb_tso_load(void *address, plumb_byte size) {
  plumb_byte *at = address;
  plumb_word value = 0;
  plumb_atomic_begin();
  struct plumb_buffer *own = plumb_tso_own();
  plumb_tso_let_go(at, size);
  int i = own ? own->count - 1 : -1;
  while (i >= 0 && (own->entries[i].at + own->entries[i].size <= at || at + size <= own->entries[i].at)) i--;
  if (i >= 0 && own->entries[i].at == at && own->entries[i].size == size) {
    value = own->entries[i].value;
  } else {
    if (i >= 0) {
      plumb_tso_empty();
      plumb_tso_let_go(at, size);
    }
    value = plumb_tso_read(at, size);
  }
  plumb_atomic_end();
  return value;
}
void plumb_tso_store(void *address, plumb_byte size, plumb_word value) {
  plumb_atomic_begin();
  struct plumb_buffer *own = plumb_tso_own();
  if (!own || depth != 0 || own->count == kEntries) {
    if (depth == 0) plumb_host_gap("a store buffer that is full");
    plumb_tso_empty();
    plumb_tso_write(address, size, value);
  } else {
    own->entries[own->count].at = address;
    own->entries[own->count].value = value;
    own->entries[own->count].size = size;
    own->count++;
  }
  plumb_atomic_end();
}
/* All stores of this thread are in memory behind it. */
void plumb_tso_fence(void) {
  plumb_atomic_begin();
  plumb_tso_empty();
  plumb_atomic_end();
}
/* And what follows looks at so many bytes there; at any, if it is none. */
void plumb_tso_look(void *address, plumb_word size) {
  plumb_atomic_begin();
  plumb_tso_empty();
  if (size != 0)
    plumb_tso_let_go(address, size);
  else
    plumb_tso_let_go(0, ~(plumb_word)0);
  plumb_atomic_end();
}
void plumb_tso_enter(void) { depth++; }
void plumb_tso_leave(void) { depth--; }

struct plumb_tso_start {
  void *(*run)(void *);
  void *argument;
  plumb_byte number;  /* by the order of creation, so that states do not depend on who stores first */
};
static void *plumb_tso_thread(void *start) {
  void *(*run)(void *) = ((struct plumb_tso_start *)start)->run;
  void *argument = ((struct plumb_tso_start *)start)->argument;
  number = ((struct plumb_tso_start *)start)->number;
  free(start);
  void *result = run(argument);
  plumb_tso_fence();
  return result;
}
int plumb_tso_create(void *thread, const void *attributes, void *(*run)(void *), void *argument) {
  struct plumb_tso_start *start = malloc(sizeof *start);
  plumb_atomic_begin();
  plumb_tso_empty();
  start->number = used == kThreads ? 0 : ++used;
  plumb_atomic_end();
  start->run = run;
  start->argument = argument;
  return pthread_create(thread, attributes, plumb_tso_thread, start);
}
)";
  return kSource;
}

}  // namespace plumb::frontend
