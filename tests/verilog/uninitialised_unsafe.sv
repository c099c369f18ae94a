// purpose: without a reset a register starts with any value; the counterexample chooses the one that fails.
// expect: small violated 0
// expect: kept holds
module start (input clk, input [4:0] add, output reg [4:0] value);
  reg [4:0] copy = 3;
  always @(posedge clk) begin value <= add; copy <= copy; end
  always @(posedge clk) begin
    small: assert (value != 5'd17);
    kept: assert (copy == 3);
  end
endmodule
