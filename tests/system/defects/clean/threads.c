// purpose: threads with objects on their stacks and in the heap, given from one to the other
#include <plumb/plumb.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

struct job {
  char* text;
  size_t length;
  pthread_mutex_t* lock;
};

static void* work(void* given) {
  struct job* job = given;
  char local[32];
  for (int i = 0; i < 200; ++i) {
    char* copy = malloc(job->length + 1);
    if (copy == NULL) break;
    memcpy(copy, job->text, job->length + 1);
    pthread_mutex_lock(job->lock);
    job->text[0] = (char)('a' + i % 26);
    pthread_mutex_unlock(job->lock);
    strcpy(local, copy);
    free(copy);
  }
  char* result = malloc(2);
  if (result != NULL) result[0] = local[0];
  return result;
}

int main(void) {
  pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
  char text[] = "something to do";
  int count = plumb_symbolic_uchar("count") % 3;
  struct job job = {text, strlen(text), &lock};
  pthread_t threads[2];
  for (int i = 0; i < count; ++i)
    if (pthread_create(&threads[i], NULL, work, &job) != 0) exit(1);
  for (int i = 0; i < count; ++i) {
    void* result;
    pthread_join(threads[i], &result);
    free(result);
  }
  return count;
}
