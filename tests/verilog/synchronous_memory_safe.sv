// purpose: a memory with a registered read port gives what was written last, one cycle later, and the old word on a collision.
// expect: reads_back holds
module memory (input clk, input [1:0] write_address, input [1:0] read_address, input write, input [3:0] data, output reg [3:0] word);
  reg [3:0] cells [0:3];
  always @(posedge clk) begin
    if (write) cells[write_address] <= data;
    word <= cells[read_address];
  end
  reg [1:0] last_address = 0;
  reg [3:0] last_data = 0, expected = 0;
  reg is_written = 0, is_known = 0;
  always @(posedge clk) begin
    if (write) begin last_address <= write_address; last_data <= data; is_written <= 1; end
    is_known <= is_written && read_address == last_address;
    expected <= last_data;
  end
  always @(posedge clk) if (is_known) reads_back: assert (word == expected);
endmodule
