; purpose: The portfolio falls back on Z3 for other theories.
; arguments: --backend portfolio
; needs: z3
; expect: sat
; expect: ((x 7))
(set-logic QF_LIA)
(declare-const x Int)
(assert (= (+ x 1) 8))
(check-sat)
(get-value (x))
