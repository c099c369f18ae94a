// purpose: an assertion in a module that is used twice is two properties, and assumptions about inputs hold everywhere.
// expect: instances_safe.sv:10 holds
// expect: instances_safe.sv:10#2 holds
// expect: below holds
module stage (input clk, input [3:0] in, output reg [3:0] out);
  initial out = 0;
  always @(posedge clk) out <= in;
  always @(posedge clk)
    // Both stages.
    assert (out <= 7);
endmodule
module top (input clk, input [3:0] data, output [3:0] result);
  wire [3:0] middle;
  stage first (clk, data, middle);
  stage second (clk, middle, result);
`ifdef FORMAL
  always @* assume (data <= 7);
`endif
  always @(posedge clk) below: assert (result != 12);
endmodule
