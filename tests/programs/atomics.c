// purpose: stdatomic operations in one thread: exchange, compare and exchange, fetch and modify, flags, pointers
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>

static atomic_int counter = 5;
static _Atomic(uint8_t) small;
static _Atomic(long long) wide = 1LL << 40;
static atomic_flag flag = ATOMIC_FLAG_INIT;
static int items[4] = {1, 2, 3, 4};
static _Atomic(int *) cursor = items;
struct pair { int a, b; };
static _Atomic(struct pair) pair;

int main(void) {
  printf("%d ", atomic_fetch_add(&counter, 3));
  printf("%d ", atomic_fetch_sub_explicit(&counter, 1, memory_order_relaxed));
  printf("%d ", atomic_exchange(&counter, 40));
  printf("%d\n", atomic_load(&counter));
  int expected = 41;
  int done = atomic_compare_exchange_strong(&counter, &expected, 1);
  printf("%d %d ", done, expected);
  done = atomic_compare_exchange_strong_explicit(&counter, &expected, 7, memory_order_acq_rel, memory_order_acquire);
  printf("%d %d\n", done, atomic_load_explicit(&counter, memory_order_acquire));
  small = 250;
  small += 10;
  ++small;
  printf("%d ", small--);
  printf("%d\n", atomic_fetch_or(&small, 0xf0));
  printf("%d ", atomic_fetch_and(&small, 0x3c));
  printf("%d ", atomic_fetch_xor(&small, 0xff));
  printf("%d\n", small);
  wide *= 3;
  printf("%lld ", atomic_fetch_add(&wide, -1));
  printf("%lld\n", (long long)wide);
  printf("%d ", atomic_flag_test_and_set(&flag));
  printf("%d ", atomic_flag_test_and_set(&flag));
  atomic_flag_clear(&flag);
  printf("%d\n", atomic_flag_test_and_set(&flag));
  int *was = atomic_fetch_add(&cursor, 2);
  printf("%d %d\n", *was, *atomic_load(&cursor));
  atomic_store(&pair, ((struct pair){3, 4}));
  struct pair got = atomic_load(&pair);
  printf("%d %d\n", got.a, got.b);
  int plain = 10;
  __sync_fetch_and_add(&plain, 5);
  printf("%d ", __sync_val_compare_and_swap(&plain, 15, 20));
  printf("%d\n", __atomic_add_fetch(&plain, 2, __ATOMIC_SEQ_CST));
  printf("%d\n", __atomic_fetch_max(&plain, 30, __ATOMIC_SEQ_CST));
  atomic_thread_fence(memory_order_seq_cst);
  return plain;
}
