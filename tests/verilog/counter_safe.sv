// purpose: a counter that wraps at ten never leaves its range; the reset is synchronous, the start is given.
// expect: in_range holds
// expect: no_jump holds
module counter (input clk, input rst, input enable, output reg [3:0] count);
  reg [3:0] last = 0;
  initial count = 0;
  always @(posedge clk) begin
    last <= count;
    if (rst || (enable && count == 9)) count <= 0;
    else if (enable) count <= count + 1;
  end
  always @(posedge clk) begin
    in_range: assert (count <= 9);
    no_jump: assert (count <= last + 1 || count == 0);
  end
endmodule
