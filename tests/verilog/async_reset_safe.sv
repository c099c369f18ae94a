// purpose: after an asynchronous reset that is low in the first cycle, a one-hot ring stays one-hot; nothing is initialised.
// expect: one_hot holds
module ring (input clk, input rst_n, input step, output reg [3:0] state);
  reg started = 0;
  always @(posedge clk) started <= 1;
  always @(posedge clk or negedge rst_n)
    if (!rst_n) state <= 4'b0001;
    else if (step) state <= {state[2:0], state[3]};
`ifdef FORMAL
  always @* if (!started) assume (!rst_n);
`endif
  always @(posedge clk) if (started) one_hot: assert (state != 0 && (state & (state - 1)) == 0);
endmodule
