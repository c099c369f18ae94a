; purpose: reset and reset-assertions start over; nothing after exit is read.
; backends: native z3 cvc5 portfolio
; expect: unsat
; expect: sat
; expect: sat
(declare-const p Bool)
(assert (and p (not p)))
(check-sat)
(reset-assertions)
(declare-const p (_ BitVec 3))
(assert (= p #b101))
(check-sat)
(reset)
(declare-const p Bool)
(assert p)
(check-sat)
(exit)
)))) not read
