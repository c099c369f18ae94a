/* Dekker's algorithm without end. */
byte wants[2], turn, inside;

active [2] proctype thread() {
  do
  :: wants[_pid] = 1;
     do
     :: wants[1 - _pid] == 0 -> break
     :: else ->
        if
        :: turn != _pid ->
           wants[_pid] = 0;
           turn == _pid;
           wants[_pid] = 1
        :: else
        fi
     od;
     inside++;
     assert(inside == 1);
     inside--;
     turn = 1 - _pid;
     wants[_pid] = 0
  od
}
