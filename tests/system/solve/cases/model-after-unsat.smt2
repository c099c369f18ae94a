; purpose: Asking for a model that does not exist is answered, and the run goes on.
; backends: native z3 cvc5 portfolio
; expect: unsat
; expect: (error "get-model: no model, the answer was unsat")
; expect: "still here"
(assert false)
(check-sat)
(get-model)
(echo "still here")
