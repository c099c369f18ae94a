// purpose: a recursion without an end
// defect: stack-overflow line 7
static int depth(int n) {
#ifdef FIXED
  if (n > 100) return 0;
#endif
  return depth(n + 1) + 1;
}

int main(void) { return depth(0) < 0; }
