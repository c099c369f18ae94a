/* Lamport's bakery for three processes, each of which enters twice. */
#define N 3
#define ROUNDS 2
byte choosing[N], number[N], inside;

active [N] proctype thread() {
  byte round, most, other, seen;
  do
  :: round < ROUNDS ->
     choosing[_pid] = 1;
     d_step { most = 0; other = 0 };
     do
     :: other < N ->
        seen = number[other];
        d_step {
          if
          :: seen > most -> most = seen
          :: else
          fi;
          seen = 0;
          other++
        }
     :: else -> break
     od;
     atomic { most++; other = 0 };
     number[_pid] = most;
     choosing[_pid] = 0;
     do
     :: other < N && other == _pid -> other++
     :: other < N && other != _pid ->
        choosing[other] == 0;
        number[other] == 0 || number[other] > most || (number[other] == most && other > _pid);
        other++
     :: other == N -> break
     od;
     inside++;
     assert(inside == 1);
     inside--;
     number[_pid] = 0;
     round++
  :: else -> break
  od
}
