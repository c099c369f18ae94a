// purpose: registers of two clocks: what one writes the other sees at its own edges, so that two copies may differ.
// expect: same violated
// expect: range holds
// note: clocks change as they like
module two (input clk_a, input clk_b, input [1:0] data);
  reg [1:0] a = 0, b = 0;
  always @(posedge clk_a) a <= data;
  always @(posedge clk_b) b <= a;
  always @* begin
    same: assert (a == b);
    range: assert (a <= 3);
  end
endmodule
