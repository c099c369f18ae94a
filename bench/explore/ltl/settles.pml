/* What is done stays done. */
byte done, work;

active proctype first() {
  if
  :: true ->
    work = 1;
  :: true ->
    work = 2;
  fi;
  done = 1
}

active proctype second() {
  work = 3
}

ltl property { <> [] (done == 1) }
