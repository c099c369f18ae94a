// purpose: a child process that ends early leaves what its parent holds; the parent gives it back
#include <plumb/plumb.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void) {
  int* shared = malloc(sizeof *shared);
  if (shared == NULL) return 1;
  *shared = plumb_symbolic_int("code");
  if (*shared == 3) {
    pid_t child = fork();
    if (child == 0) {
      *shared = 4;
      _exit(*shared);
    }
    int status = 0;
    if (child > 0) waitpid(child, &status, 0);
  }
  int code = *shared > 5;
  free(shared);
  return code;
}
