// purpose: a FIFO of four words keeps the order of what is written and never counts more than it holds; memory as an array.
// expect: no_overflow holds
// expect: counts_agree holds
// expect: keeps_data holds
module fifo (input clk, input rst, input write, input read, input [3:0] data_in, output [3:0] data_out,
             output full, output empty);
  reg [3:0] memory [0:3];
  reg [1:0] head = 0, tail = 0;
  reg [2:0] count = 0;
  assign full = count == 4;
  assign empty = count == 0;
  assign data_out = memory[tail];
  wire do_write = write && !full;
  wire do_read = read && !empty;
  always @(posedge clk) begin
    if (rst) begin
      head <= 0; tail <= 0; count <= 0;
    end else begin
      if (do_write) begin memory[head] <= data_in; head <= head + 1; end
      if (do_read) tail <= tail + 1;
      count <= count + do_write - do_read;
    end
  end

  // One word is followed on its way through: it was written with so many words in front of it.
  reg tracked = 0;
  reg [2:0] in_front = 0;
  reg [3:0] expected = 0;
  reg [1:0] place = 0;
  always @(posedge clk) begin
    if (rst) tracked <= 0;
    else if (tracked) begin
      if (do_read) begin
        if (in_front == 0) tracked <= 0;
        in_front <= in_front - 1;
      end
    end else if (do_write) begin
      tracked <= 1; expected <= data_in; in_front <= count - do_read; place <= head;
    end
  end
  always @(posedge clk) begin
    no_overflow: assert (count <= 4);
    counts_agree: assert (count[1:0] == head - tail);
    if (tracked && in_front == 0) keeps_data: assert (data_out == expected);
  end
endmodule
