; purpose: Scopes open and close with their declarations, several at once.
; backends: native z3 cvc5 portfolio
; expect: unsat
; expect: sat
; expect: sat
(set-logic QF_BV)
(declare-const p Bool)
(assert p)
(push 2)
(declare-const x (_ BitVec 4))
(assert (and (= x #x1) (not p)))
(check-sat)
(pop 1)
(pop 1)
(check-sat)
(push 1)
(declare-const x Bool)
(assert x)
(check-sat)
