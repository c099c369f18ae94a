/* Peterson's filter for three processes, without end. */
#define N 3
byte level[N], last[N], inside;

active [N] proctype thread() {
  byte at, other;
  do
  :: at = 1;
     do
     :: at < N ->
        level[_pid] = at;
        last[at] = _pid;
        other = 0;
        do
        :: other == N -> break
        :: other < N && other == _pid -> other++
        :: other < N && other != _pid ->
           if
           :: level[other] < at -> other++
           :: else ->
              if
              :: last[at] != _pid -> break
              :: else -> other = 0
              fi
           fi
        od;
        at++
     :: else -> break
     od;
     inside++;
     assert(inside == 1);
     inside--;
     level[_pid] = 0
  od
}
