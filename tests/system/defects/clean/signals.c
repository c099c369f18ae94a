// purpose: handlers on a stack of their own, with variables behind pointers
#define _GNU_SOURCE
#include <plumb/plumb.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
static volatile sig_atomic_t hits;
static char *alt;
static void on(int s) {
  char buf[64];
  char *p = buf;
  memset(p, s, sizeof buf);
  hits += p[63] == s;
}
int main(void) {
  int n = plumb_symbolic_uchar("n") % 3;
  stack_t st = {0};
  alt = malloc(65536);
  st.ss_sp = alt;
  st.ss_size = 65536;
  sigaltstack(&st, NULL);
  struct sigaction a = {0};
  a.sa_handler = on;
  a.sa_flags = SA_ONSTACK;
  sigaction(SIGUSR1, &a, NULL);
  for (int i = 0; i < n; ++i) raise(SIGUSR1);
  return hits == n ? 0 : 1;
}
