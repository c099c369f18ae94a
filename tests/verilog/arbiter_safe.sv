// purpose: a round-robin arbiter grants to one at a time, to those alone that ask, and to each that goes on asking within four cycles.
// expect: one_at_most holds
// expect: asked_for holds
// expect: not_idle holds
// expect: fair holds
module arbiter (input clk, input [3:0] request, output [3:0] grant);
  reg [1:0] last = 3;
  wire [1:0] a = last + 1, b = last + 2, c = last + 3;
  assign grant = request[a] ? 4'b1 << a : request[b] ? 4'b1 << b : request[c] ? 4'b1 << c
               : request[last] ? 4'b1 << last : 4'b0;
  reg [2:0] waiting = 0;
  always @(posedge clk) begin
    if (grant[0]) last <= 0;
    if (grant[1]) last <= 1;
    if (grant[2]) last <= 2;
    if (grant[3]) last <= 3;
    waiting <= request[2] && !grant[2] ? waiting + 1 : 0;
  end
  always @* begin
    one_at_most: assert ((grant & (grant - 1)) == 0);
    asked_for: assert ((grant & ~request) == 0);
    not_idle: assert (request == 0 || grant != 0);
    fair: assert (waiting <= 3);
  end
endmodule
