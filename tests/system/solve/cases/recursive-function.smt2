; purpose: Without another solver a check that may depend on an ignored function is unknown.
; backends: native
; exit: 20
; expect: unsupported
; expect: unsupported
; expect: unknown
(set-logic QF_BV)
(define-fun-rec f ((x (_ BitVec 4))) (_ BitVec 4) (ite (= x #x0) #x0 (f (bvsub x #x1))))
(assert (not (= (f #x3) #x0)))
(check-sat)
