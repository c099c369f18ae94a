/* Five dining philosophers without end; the last one takes the forks in the other order. */
#define N 5
bool taken[N];

active [N] proctype philosopher() {
  byte first, second;
  d_step {
    if
    :: _pid == N - 1 -> first = 0; second = N - 1
    :: else -> first = _pid; second = _pid + 1
    fi
  }
  do
  :: atomic { !taken[first] -> taken[first] = true };
     atomic { !taken[second] -> taken[second] = true };
     taken[second] = false;
     taken[first] = false
  od
}
