// purpose: a register whose clock the design makes itself counts the edges of that clock, not of the outer one.
// expect: few violated
// expect: kept holds
// note: a clock of its own
module gated (input clk, input enable);
  wire gate = clk & enable;
  reg [1:0] count = 0;
  reg off = 0;
  always @(posedge gate) count <= count + 1;
  always @(posedge gate) off <= off & !enable;
  always @* begin
    few: assert (count != 2);
    kept: assert (!off);
  end
endmodule
