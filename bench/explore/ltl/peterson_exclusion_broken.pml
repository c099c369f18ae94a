/* Peterson's algorithm with the flag raised too late. */
byte want0, want1, turn, in0, in1;

active proctype first() {
  do
  :: true ->
    turn = 1;
    want0 = 1;
    do
    :: want1 == 0 -> break
    :: else ->
      if
      :: turn == 0 -> break
      :: else
      fi
    od;
    in0 = 1;
    in0 = 0;
    want0 = 0;
  od
}

active proctype second() {
  do
  :: true ->
    turn = 0;
    want1 = 1;
    do
    :: want0 == 0 -> break
    :: else ->
      if
      :: turn == 1 -> break
      :: else
      fi
    od;
    in1 = 1;
    in1 = 0;
    want1 = 0;
  od
}

ltl property { [] !(in0 == 1 && in1 == 1) }
