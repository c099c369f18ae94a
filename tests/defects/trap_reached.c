// purpose: a place that must not be reached, guarded by a trap
// defect: trap line 7
static int kind(int c) {
  switch (c) {
    case 'a': return 1;
    case 'b': return 2;
    default: __builtin_trap();
  }
}

int main(void) {
#ifdef FIXED
  return kind('a') + kind('b') - 3;
#else
  return kind('a') + kind('c');
#endif
}
