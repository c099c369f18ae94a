// purpose: what is read behind the end of a memory of five words is any value, and a write there changes nothing.
// expect: within holds
// expect: outside violated
// replay: no, what lies outside of a memory cannot be forced in a simulator
module outside (input clk, input [2:0] address, input [3:0] data, input write);
  reg [3:0] memory [0:4];
  integer i;
  initial for (i = 0; i < 5; i = i + 1) memory[i] = 0;
  always @(posedge clk) if (write) memory[address] <= data & 4'd7;
  wire [3:0] word = memory[address];
  always @(posedge clk) begin
    if (address <= 4) within: assert (!word[3]);
    outside: assert (!word[3]);
  end
endmodule
