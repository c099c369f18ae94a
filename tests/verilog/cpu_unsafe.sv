// purpose: the CPU jumps back too far after a decrement, so that the sum starts again; it stops with 1.
// expect: stops_right violated
// expect: never_lost holds
// expect: alu.no_carry holds
module adder (input clk, input [3:0] a, input [3:0] b, input use_it, output [3:0] sum);
  wire [4:0] wide = a + b;
  assign sum = wide[3:0];
  always @* if (use_it) no_carry: assert (!wide[4]);
endmodule

module cpu (input clk, input stall, output reg halted, output [3:0] result);
  localparam LOADI = 0, STORE = 1, ADD = 2, DECJ = 3, HALT = 4;
  reg [2:0] pc = 0;
  reg [3:0] acc = 0;
  reg [3:0] registers [0:1];
  reg [7:0] rom [0:7];  // opcode, register, number
  initial begin
    rom[0] = {3'd0, 1'd0, 4'd3};  // acc = 3
    rom[1] = {3'd1, 1'd1, 4'd0};  // r1 = acc
    rom[2] = {3'd0, 1'd0, 4'd0};  // acc = 0
    rom[3] = {3'd2, 1'd1, 4'd0};  // acc += r1
    rom[4] = {3'd3, 1'd1, 4'd2};  // if (--r1) goto 2
    rom[5] = {3'd4, 1'd0, 4'd0};  // halt
    rom[6] = {3'd4, 1'd0, 4'd0};
    rom[7] = {3'd4, 1'd0, 4'd0};
    halted = 0;
  end
  wire [7:0] instruction = rom[pc];
  wire [2:0] opcode = instruction[7:5];
  wire index = instruction[4];
  wire [3:0] number = instruction[3:0];
  wire [3:0] operand = registers[index];
  wire [3:0] sum;
  adder alu (.clk(clk), .a(acc), .b(operand), .use_it(opcode == ADD && !halted), .sum(sum));
  assign result = acc;
  always @(posedge clk) if (!stall && !halted) begin
    pc <= pc + 1;
    case (opcode)
      LOADI: acc <= number;
      STORE: registers[index] <= acc;
      ADD: acc <= sum;
      DECJ: begin
        registers[index] <= operand - 1;
        if (operand != 1) pc <= number[2:0];
      end
      default: begin halted <= 1; pc <= pc; end
    endcase
  end
  always @(posedge clk) begin
    if (halted) stops_right: assert (result == 6);
    never_lost: assert (pc <= 5);
  end
endmodule
