/* Nobody has to choose the other thing. */
byte x;

active proctype first() {
  do
  :: true ->
    if
    :: true ->
      x = 1;
    :: true ->
      x = 2;
    fi;
  od
}

ltl property { [] (x == 1 -> <> (x == 2)) }
