// purpose: a counter that should stop at ten goes on where the reset comes in the same cycle; the shortest run has eleven steps.
// expect: in_range violated 11
// expect: counter_unsafe.sv:14 holds
module counter (input clk, input rst, input enable, output reg [3:0] count);
  initial count = 0;
  always @(posedge clk) begin
    if (enable && (count != 10 || rst)) count <= count + 1;
    else if (rst) count <= 0;
  end
  always @(posedge clk) begin
    in_range: assert (count <= 10);
  end
  // Without a label: known by its file and line.
  always @* assert (count + 0 == count);
endmodule
