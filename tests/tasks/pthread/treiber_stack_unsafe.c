// Treiber's stack, nodes by number; the top carries a version, which is left out: a node comes back while another thread still trusts its successor (ABA).
// Fails with: 5084702
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

enum { NOBODY = 3 };
atomic_int next[3] = {1, 2, NOBODY};
atomic_int top; /* node, and its version above */
atomic_int has[3];

static int push(int node) {
  int old = top;
  do {
    next[node] = old & 3;
  } while (!atomic_compare_exchange_strong(&top, &old, node | (0) * 4));
  return node;
}

static int pop(void) {
  int old = top;
  while ((old & 3) != NOBODY) {
    const int after = next[old & 3];
    if (atomic_compare_exchange_strong(&top, &old, after | (0) * 4)) return old & 3;
  }
  return NOBODY;
}

static void own(int node) {
  const int before = atomic_fetch_add(&has[node], 1);
  assert(before == 0);
}

void *first(void *unused) {
  (void)unused;
  const int node = pop();
  if (node != NOBODY) own(node);
  const int another = pop();
  if (another != NOBODY) own(another);
  return NULL;
}

void *second(void *unused) {
  (void)unused;
  const int a = pop();
  if (a != NOBODY) own(a);
  const int b = pop();
  if (b != NOBODY) own(b);
  if (a != NOBODY) {
    has[a] = 0;
    push(a);
  }
  return NULL;
}

int main(void) {
  pthread_t t0, t1;
  pthread_create(&t0, NULL, first, NULL);
  pthread_create(&t1, NULL, second, NULL);
  pthread_join(t0, NULL);
  pthread_join(t1, NULL);
  return 0;
}
