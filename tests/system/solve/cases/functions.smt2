; purpose: Functions with parameters are expanded, lets bind in parallel, sorts take parameters.
; backends: native z3 cvc5 portfolio
; expect: sat
; expect: ((x #x6)
; expect:  ((twice x) #xc))
; expect: unsat
(set-logic QF_BV)
(define-sort Same (X) X)
(declare-const x (Same (_ BitVec 4)))
(define-fun twice ((a (_ BitVec 4))) (_ BitVec 4) (bvadd a a))
(define-fun less ((a (_ BitVec 4)) (b (_ BitVec 4))) Bool (bvult a b))
(assert (let ((x (twice x)) (y x)) (and (= x #xc) (less y #x8))))
(check-sat)
(get-value (x (twice x)))
(assert (less x #b0001))
(check-sat)
