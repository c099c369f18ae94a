; purpose: An unknown command is answered with unsupported, and no later answer rests on ignoring it.
; backends: native portfolio
; exit: 20
; expect: sat
; expect: unsupported
; expect: unknown
; expect: (:reason-unknown "the unknown command 'frobnicate' at line 13 was not followed")
; expect: unsat
(set-logic QF_BV)
(declare-const x Bool)
(assert x)
(check-sat)
(frobnicate (not x))
(check-sat)
(get-info :reason-unknown)
(reset)
(assert false)
(check-sat)
