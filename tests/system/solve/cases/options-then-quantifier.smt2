; purpose: What was answered before the first check does not keep a script from being handed over.
; arguments: --backend z3
; needs: z3
; expect: hello
; expect: sat
(echo "hello")
(set-logic BV)
(assert (exists ((x (_ BitVec 8))) (= x #x01)))
(check-sat)
