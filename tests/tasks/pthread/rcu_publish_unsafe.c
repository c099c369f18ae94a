// A new version is filled and then published; readers see the old or the new one; it is published before it is filled.
// Fails with: 406580
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

struct version {
  int first, second;
};
struct version old_version = {1, 1}, new_version;
_Atomic(struct version *) current = &old_version;

void *reader(void *unused) {
  (void)unused;
  for (int k = 0; k < 2; k++) {
    struct version *seen = current;
    assert(seen->first == seen->second && seen->first > 0);
  }
  return NULL;
}

void *writer(void *unused) {
  (void)unused;
  current = &new_version;
  new_version.first = 2;
  new_version.second = 2;
  return NULL;
}

int main(void) {
  pthread_t t0, t1, t2;
  pthread_create(&t0, NULL, reader, NULL);
  pthread_create(&t1, NULL, reader, NULL);
  pthread_create(&t2, NULL, writer, NULL);
  pthread_join(t0, NULL);
  pthread_join(t1, NULL);
  pthread_join(t2, NULL);
  return 0;
}
