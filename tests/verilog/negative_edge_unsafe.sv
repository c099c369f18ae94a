// purpose: a design that works on falling edges alone has steps that are its cycles, and fields of structs are shown by their struct.
// expect: early violated 5
// expect: legal holds
module falling (input logic clk, input logic go);
  localparam IDLE = 0, BUSY = 1, DONE = 2;
  typedef struct packed { logic [3:0] ticks; logic odd; } time_t;
  logic [1:0] phase = IDLE;
  time_t now;
  initial now = 0;
  always_ff @(negedge clk) begin
    case (phase)
      IDLE: if (go) phase <= BUSY;
      BUSY: phase <= DONE;
      default: phase <= IDLE;
    endcase
    now.ticks <= now.ticks + 1;
    now.odd <= !now.odd;
  end
  always @(negedge clk) begin
    early: assert (now.ticks != 5);
    legal: assert (phase != 3);
  end
endmodule
