/* A message may be lost for ever. */
byte sent, got;

active proctype first() {
  do
  :: true ->
    do
    :: sent == 0 -> break
    :: else
    od;
    sent = 1;
  od
}

active proctype second() {
  do
  :: true ->
    do
    :: sent == 1 -> break
    :: else
    od;
    if
    :: true ->
      got = 1;
    :: true ->
      got = 0;
    fi;
    sent = 0;
  od
}

ltl property { [] (sent == 1 -> <> (got == 1)) }
