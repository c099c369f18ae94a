// Sorts numbers by quicksort, heap sort and insertion sort of what is nearly sorted.
#include <stdio.h>
#include <stdlib.h>

#include "overhead.h"

static unsigned state = 12345;
static int next_number(void) {
  state = state * 1103515245u + 12345u;
  return (int)(state >> 8 & 0xffffff);
}

static void swap(int* a, int* b) {
  int kept = *a;
  *a = *b;
  *b = kept;
}

static void quick_sort(int* numbers, long count) {
  while (count > 12) {
    int pivot = numbers[count / 2];
    long i = 0, j = count - 1;
    for (;;) {
      while (numbers[i] < pivot) ++i;
      while (numbers[j] > pivot) --j;
      if (i >= j) break;
      swap(&numbers[i++], &numbers[j--]);
    }
    quick_sort(numbers, i);
    numbers += i;
    count -= i;
  }
  for (long i = 1; i < count; ++i) {
    int moved = numbers[i];
    long j = i;
    for (; j > 0 && numbers[j - 1] > moved; --j) numbers[j] = numbers[j - 1];
    numbers[j] = moved;
  }
}

static void sift(int* heap, long root, long count) {
  for (;;) {
    long child = 2 * root + 1;
    if (child >= count) return;
    if (child + 1 < count && heap[child] < heap[child + 1]) ++child;
    if (heap[root] >= heap[child]) return;
    swap(&heap[root], &heap[child]);
    root = child;
  }
}

static void heap_sort(int* numbers, long count) {
  for (long i = count / 2; i-- > 0;) sift(numbers, i, count);
  for (long i = count - 1; i > 0; --i) {
    swap(&numbers[0], &numbers[i]);
    sift(numbers, 0, i);
  }
}

int main(int argc, char** argv) {
  long count = argc > 1 ? atol(argv[1]) : 1900000;
  int* numbers = malloc((size_t)count * sizeof *numbers);
  unsigned sum = 0;
  for (int round = 0; round < 2; ++round) {
    for (long i = 0; i < count; ++i) numbers[i] = next_number();
    if (round == 0) {
      quick_sort(numbers, count);
    } else {
      heap_sort(numbers, count);
    }
    for (long i = 0; i < count; ++i) sum = sum * 31 + (unsigned)numbers[i];
  }
  free(numbers);
  printf("%u\n", sum);
  tell_seconds();
  return 0;
}
