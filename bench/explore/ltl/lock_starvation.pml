/* A mutex may always be taken by the other thread. */
byte in0, in1;
bool m;

active proctype first() {
  do
  :: true ->
    atomic { !m -> m = true };
    in0 = 1;
    in0 = 0;
    m = false;
  od
}

active proctype second() {
  do
  :: true ->
    atomic { !m -> m = true };
    in1 = 1;
    in1 = 0;
    m = false;
  od
}

ltl property { [] <> (in0 == 1) }
