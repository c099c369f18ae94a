// qsort and bsearch. As in glibc, sorting merges and so is stable, and the comparison function is called on the same
// pairs in the same order.

#include "host.h"
#include "text.h"

typedef int compare_t(const void* a, const void* b, void* context);

struct sorting {
  size_t size;  // of an element
  compare_t* compare;
  void* context;
  char* scratch;
};

static void merge_sort(const struct sorting* sorting, char* base, size_t count) {
  if (count <= 1) return;
  size_t size = sorting->size;
  size_t left_count = count / 2;
  size_t right_count = count - left_count;
  char* left = base;
  char* right = base + left_count * size;
  merge_sort(sorting, left, left_count);
  merge_sort(sorting, right, right_count);
  char* to = sorting->scratch;
  while (left_count > 0 && right_count > 0) {
    if (sorting->compare(left, right, sorting->context) <= 0) {
      memcpy(to, left, size);
      left += size;
      --left_count;
    } else {
      memcpy(to, right, size);
      right += size;
      --right_count;
    }
    to += size;
  }
  // What is left of the right half stands where it belongs.
  memcpy(to, left, left_count * size);
  memcpy(base, sorting->scratch, (count - right_count) * size);
}

// Without memory for merging: stable too, by exchanging neighbours.
static void insertion_sort(const struct sorting* sorting, char* base, size_t count) {
  size_t size = sorting->size;
  for (size_t i = 1; i < count; ++i) {
    for (size_t j = i; j > 0; --j) {
      char* element = base + j * size;
      if (sorting->compare(element - size, element, sorting->context) <= 0) break;
      for (size_t k = 0; k < size; ++k) {
        char byte = element[k];
        element[k] = element[k - size];
        element[k - size] = byte;
      }
    }
  }
}

void qsort_r(void* base, size_t count, size_t size, compare_t* compare, void* context) {
  if (count <= 1 || size == 0) return;
  struct sorting sorting = {size, compare, context, malloc(count * size)};
  if (sorting.scratch == NULL) {
    insertion_sort(&sorting, base, count);
    return;
  }
  merge_sort(&sorting, base, count);
  free(sorting.scratch);
}

struct plain {
  int (*compare)(const void* a, const void* b);
};

static int compare_plain(const void* a, const void* b, void* context) {
  return ((const struct plain*)context)->compare(a, b);
}

void qsort(void* base, size_t count, size_t size, int (*compare)(const void*, const void*)) {
  struct plain plain = {compare};
  qsort_r(base, count, size, compare_plain, &plain);
}

void* bsearch(const void* key, const void* base, size_t count, size_t size, int (*compare)(const void*, const void*)) {
  size_t low = 0;
  size_t high = count;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    const char* element = (const char*)base + middle * size;
    int order = compare(key, element);
    if (order == 0) return (void*)element;
    if (order < 0) {
      high = middle;
    } else {
      low = middle + 1;
    }
  }
  return NULL;
}

void* lfind(const void* key, const void* base, size_t* count, size_t size, int (*compare)(const void*, const void*)) {
  for (size_t i = 0; i < *count; ++i) {
    const char* element = (const char*)base + i * size;
    if (compare(key, element) == 0) return (void*)element;
  }
  return NULL;
}
