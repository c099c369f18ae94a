; purpose: Commands that only talk: echo, options, information, assertions, assignments.
; expect: "say ""hi"""
; expect: unsupported
; expect: false
; expect: (:error-behavior immediate-exit)
; expect: ((or p q)
; expect:  (! (not p) :named n))
; expect: sat
; expect: ((n true))
; expect: success
(echo "say ""hi""")
(set-option :frobnicate 3)
(get-option :produce-unsat-cores)
(get-info :error-behavior)
(set-logic QF_BV)
(declare-const p Bool)
(declare-const q Bool)
(assert (or p   q)) ; spaces are not kept
(assert (! (not p) :named n))
(get-assertions)
(check-sat)
(get-assignment)
(set-option :print-success true)
