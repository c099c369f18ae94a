// purpose: a latch follows its input while it is open and keeps the value afterwards.
// expect: follows holds
// expect: same violated
// note: latches
module latch (input enable, input [1:0] data, output reg [1:0] q);
  always @* if (enable) q = data;
  always @* begin
    follows: assert (!enable || q == data);
    same: assert (q == data);
  end
endmodule
