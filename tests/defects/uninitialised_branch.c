// purpose: a variable is set on one way only
// checks: default,uninitialised
// defect: uninitialised-read line 14
int main(int argc, char **argv) {
  (void)argv;
#ifdef FIXED
  int found = 0;
#else
  int found;
#endif
  for (int i = 1; i < argc; ++i) {
    found = argv[i][0] == '-';
  }
  if (found) {
    return 1;
  }
  return 0;
}
