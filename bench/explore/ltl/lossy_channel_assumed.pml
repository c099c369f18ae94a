/* If it is not lost again and again, it arrives. */
byte sent, got, lost;

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
      got = 0;
    :: true ->
      lost = 1;
      lost = 0;
    fi;
    sent = 0;
  od
}

ltl property { (<> [] (lost == 0)) -> (<> (got == 1)) }
