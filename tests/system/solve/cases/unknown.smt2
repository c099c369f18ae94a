; purpose: A check that runs out of time is unknown, has a reason, and makes exit code 20.
; arguments: --timeout 300ms
; exit: 20
; expect: unknown
; expect: (:reason-unknown "out of time")
; expect: (error "get-value: no model, the answer was unknown")
(set-logic QF_BV)
(declare-const a (_ BitVec 96))
(declare-const b (_ BitVec 96))
(assert (and (bvugt a (_ bv1 96)) (bvugt b (_ bv1 96))))
(assert (not (bvumulo a b)))
(assert (= (bvmul a b) (_ bv9912209032882918604340732869 96)))
(check-sat)
(get-info :reason-unknown)
(get-value (a))
