; purpose: Any solver command takes a script of another theory.
; arguments: --backend cvc5
; needs: cvc5
; expect: unsat
(set-logic QF_LIA)
(declare-const x Int)
(assert (< x x))
(check-sat)
