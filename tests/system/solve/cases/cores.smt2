; purpose: An unsat core names assertions, unsat assumptions are shown as written.
; expect: unsat
; expect: (low high)
; expect: unsat
; expect: ((not q))
(set-option :produce-unsat-cores true)
(set-logic QF_BV)
(declare-const x (_ BitVec 16))
(declare-const q Bool)
(assert (! (bvult x #x0010) :named low))
(assert (! q :named other))
(push 1)
(assert (! (bvugt x #x0010) :named high))
(check-sat)
(get-unsat-core)
(pop 1)
(check-sat-assuming ((bvult x #x0020) (not q)))
(get-unsat-assumptions)
