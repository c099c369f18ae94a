#include <fmt/format.h>

#include "lower_text.h"

namespace plumb::frontend {
namespace {

using program::GlobalObject;
using program::HaltReason;
using program::kNoSignedWrap;
using program::Relocation;
using Lines = std::vector<std::string>;

std::size_t count(const Program& program, const std::string& name, Kind kind) {
  return of_kind(function(program, name), kind).size();
}

TEST(Lowering, PhiNodesBecomeBlockArgumentsOfEveryEdge) {
  const Program program = lower_text(R"(
define i32 @f(i32 %n) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %old = phi i32 [ 7, %entry ], [ %i, %loop ]
  %next = add nsw i32 %i, 1
  %done = icmp eq i32 %next, %n
  br i1 %done, label %out, label %loop
out:
  %last = phi i32 [ %old, %loop ]
  ret i32 %last
})");
  const Function& f = function(program, "f");
  ASSERT_EQ(f.blocks.size(), 3U);
  EXPECT_EQ(f.blocks[1].arguments.size(), 2U);
  const auto back = f.successors(1)[1];
  EXPECT_EQ(back.target, 1U);
  EXPECT_EQ(f.arguments_of(back)[1], f.blocks[1].arguments[0]);
  EXPECT_EQ(f.instructions_of(1)[0].flags, kNoSignedWrap);
}

TEST(Lowering, MemoryOfOddTypesIsWholeBytes) {
  const Program program = lower_text(R"(
define void @f(ptr %p, i7 %a, <12 x i1> %v, x86_fp80 %l, {i8, i32} %s, <2 x ptr> %q) {
  store i7 %a, ptr %p
  store <12 x i1> %v, ptr %p
  store x86_fp80 %l, ptr %p
  store {i8, i32} %s, ptr %p
  store <2 x ptr> %q, ptr %p
  %b = load i1, ptr %p
  ret void
})");
  const Function& f = function(program, "f");
  std::vector<std::uint32_t> widths;
  for (const Instruction* store : of_kind(f, Kind::Store)) widths.push_back(f.values[f.operands_of(*store)[1]].width);
  EXPECT_EQ(widths, (std::vector<std::uint32_t>{8, 16, 80, 8, 32, 64, 64}));
  EXPECT_EQ(f.values[of_kind(f, Kind::Load).at(0)->first_result].width, 8U);
}

TEST(Lowering, AddressesFoldTheirConstantPartsIntoOneOffset) {
  const Program program = lower_text(R"(
%S = type { i32, [3 x %T] }
%T = type { i8, i64 }
@g = global [4 x %S] zeroinitializer
define ptr @f(ptr %p, i32 %i) {
  %a = getelementptr [4 x %S], ptr %p, i64 1, i64 2, i32 1, i32 %i, i32 1
  ret ptr %a
}
define ptr @constant() {
  %a = getelementptr [4 x %S], ptr @g, i64 0, i64 1, i32 1, i64 2, i32 1
  ret ptr %a
})",
                                     {.check_indices = false});
  // %S has 56 bytes, %T 16; the array of %T starts at 8, its long at 8.
  EXPECT_EQ(body(program, "f"), (Lines{"%A:64 = sign-extend %i", "%B:64 = mul %A, 16:64", "%C:64 = add %p, %B",
                                       "%a:64 = add %C, 352:64", "return %a"}));
  EXPECT_EQ(body(program, "constant"), (Lines{"return @g+104"}));
}

TEST(Lowering, IndicesOfArraysOfKnownSizeAreChecked) {
  const Program program = lower_text(R"(
%S = type { [4 x i32], [4 x i32] }
declare void @use(ptr)
define i32 @accessed(ptr %p, i64 %i) {
  %a = getelementptr [10 x i32], ptr %p, i64 0, i64 %i
  %v = load i32, ptr %a
  ret i32 %v
}
define void @escapes(ptr %p, i64 %i) {
  %a = getelementptr [10 x i32], ptr %p, i64 0, i64 %i
  call void @use(ptr %a)
  ret void
}
define i32 @stepped(ptr %p, i64 %i) {
  %a = getelementptr [10 x i32], ptr %p, i64 0, i64 %i
  %b = getelementptr i32, ptr %a, i64 -1
  %v = load i32, ptr %b
  ret i32 %v
}
define i32 @pointer(ptr %p, i64 %i) {
  %a = getelementptr i32, ptr %p, i64 %i
  %v = load i32, ptr %a
  ret i32 %v
}
define i32 @first_field(ptr %p, i64 %i) {
  %f = getelementptr %S, ptr %p, i32 0, i32 0
  %a = getelementptr [4 x i32], ptr %f, i64 0, i64 %i
  %v = load i32, ptr %a
  ret i32 %v
}
define i32 @last_field(ptr %p, i64 %i) {
  %f = getelementptr %S, ptr %p, i32 0, i32 1
  %a = getelementptr [4 x i32], ptr %f, i64 0, i64 %i
  %v = load i32, ptr %a
  ret i32 %v
}
define i32 @last_field_at_once(ptr %p, i64 %i) {
  %a = getelementptr %S, ptr %p, i64 0, i32 1, i64 %i
  %v = load i32, ptr %a
  ret i32 %v
}
define i32 @known(ptr %p) {
  %a = getelementptr [10 x i32], ptr %p, i64 0, i64 9
  %v = load i32, ptr %a
  ret i32 %v
}
define i32 @beyond(ptr %p) {
  %a = getelementptr [10 x i32], ptr %p, i64 0, i64 10
  %v = load i32, ptr %a
  ret i32 %v
})");
  const auto limit = [&](const char* name) -> std::uint64_t {
    const Function& f = function(program, name);
    const auto checks = of_kind(f, Kind::CheckIndex);
    return checks.empty() ? 0 : f.constant(f.operands_of(*checks.at(0))[1]).to_uint64();
  };
  EXPECT_EQ(limit("accessed"), 10U);
  EXPECT_EQ(limit("escapes"), 11U);
  EXPECT_EQ(limit("stepped"), 11U);
  EXPECT_EQ(limit("pointer"), 0U);
  EXPECT_EQ(limit("first_field"), 4U);
  EXPECT_EQ(limit("last_field"), 0U);
  EXPECT_EQ(limit("last_field_at_once"), 0U);
  EXPECT_EQ(limit("known"), 0U);
  EXPECT_EQ(limit("beyond"), 10U);
}

TEST(Lowering, AssemblyHaltsWhereItStandsAndTheRestStays) {
  const Program program = lower_text(R"(
define i32 @f(i1 %c) {
entry:
  call void asm sideeffect "", "~{memory}"()
  %x = call i32 asm "", "=r,0"(i32 5)
  br i1 %c, label %special, label %out
special:
  %id = call i32 asm sideeffect "cpuid", "={ax}"()
  br label %only
only:
  br label %out
out:
  %r = phi i32 [ %x, %entry ], [ %id, %only ]
  ret i32 %r
})");
  const Function& f = function(program, "f");
  EXPECT_EQ(f.blocks.size(), 3U);  // what only the assembly leads to is gone
  const auto halts = of_kind(f, Kind::Halt);
  ASSERT_EQ(halts.size(), 1U);
  EXPECT_EQ(halts[0]->halt_reason(), HaltReason::Unsupported);
  EXPECT_EQ(program.messages.at(halts[0]->parameter), "inline assembly 'cpuid'");
  EXPECT_EQ(body(program, "f").back(), "return %r");
}

TEST(Lowering, CallsOfTheEnvironmentAreIntrinsicsUnlessTheProgramDefinesThem) {
  const Program program = lower_text(R"(
declare i32 @__VERIFIER_nondet_uint()
declare i32 @malloc(i32)
define ptr @calloc(i64 %n, i64 %m) {
  ret ptr null
}
define void @reach_error() {
  ret void
}
define i32 @main() {
  %x = call i32 @__VERIFIER_nondet_uint()
  %p = call i32 @malloc(i32 %x)
  %q = call ptr @calloc(i64 1, i64 2)
  call void @reach_error()
  ret i32 %p
})");
  EXPECT_EQ(body(program, "main"),
            (Lines{"%x:32 = nondet \"unsigned int\"", "%A:64 = sign-extend %x", "%B:64 = malloc %A",
                   "%p:32 = extract[31:0] %B", "%q:64 = call @calloc 1:64, 2:64", "error", "halt: unreachable"}));
  EXPECT_FALSE(program.find_function("malloc"));
  EXPECT_EQ(program.entry, program.find_function("main"));
}

TEST(Lowering, LibraryFunctionsWhoseAddressIsTakenHaveABody) {
  const Program program = lower_text(R"(
declare void @free(ptr)
declare double @sin(double)
@table = global [2 x ptr] [ptr @free, ptr @sin]
)");
  EXPECT_EQ(body(program, "free"), (Lines{"free %A", "return"}));
  EXPECT_EQ(body(program, "sin"), (Lines{"%A:64 = sin %B", "return %A"}));
  EXPECT_TRUE(program.globals[0].relocations[0].is_function);
}

TEST(Lowering, CallsWithoutPrototypeAreFittedToTheFunction) {
  const Program program = lower_text(R"(
define i32 @callee(i32 %a, i64 %b) {
  ret i32 %a
}
define i64 @caller(i8 %x) {
  %r = call i64 @callee(i8 %x, i64 7, i64 8)
  ret i64 %r
})");
  EXPECT_EQ(body(program, "caller"),
            (Lines{"%A:32 = zero-extend %x", "%B:32 = call @callee %A, 7:64", "%r:64 = zero-extend %B", "return %r"}));
}

TEST(Lowering, CallsWithTooFewArgumentsAreCheckedLikeThoseThroughPointers) {
  const Program program = lower_text(R"(
define i32 @callee(i32 %a, i64 %b) {
  ret i32 %a
}
define i32 @caller(i32 %x) {
  %r = call i32 @callee(i32 %x)
  ret i32 %r
})");
  EXPECT_EQ(body(program, "caller"), (Lines{"%r:32 = call-indirect @callee, %x", "return %r"}));
}

TEST(Lowering, StructuresByValueAreCopiedOrCutIntoPieces) {
  const char* text = R"(
%S = type { i64, i32, i16 }
declare void @fixed(ptr byval(%S))
declare void @variadic(i32, ...)
define void @f(ptr %s) {
  call void @fixed(ptr byval(%S) %s)
  call void (i32, ...) @variadic(i32 1, double 2.0, <2 x float> <float 1.0, float 0.0>, ptr byval(%S) align 8 %s)
  ret void
})";
  const Program program = lower_text(text);
  const Function& f = function(program, "f");
  EXPECT_EQ(count(program, "f", Kind::Allocate), 1U);
  EXPECT_EQ(count(program, "f", Kind::CopyMemory), 1U);
  const auto widths = [](const Function& g) {
    std::vector<std::uint32_t> found;
    for (const ValueId v : g.operands_of(*of_kind(g, Kind::Call).at(1))) found.push_back(g.values[v].width);
    return found;
  };
  EXPECT_EQ(widths(f), (std::vector<std::uint32_t>{32, 64, 64, 64, 64}));
  const Program narrow = lower_text(text, {}, kLayout32);
  EXPECT_EQ(widths(function(narrow, "f")), (std::vector<std::uint32_t>{32, 64, 64, 32, 32, 32, 32}));
}

TEST(Lowering, AtomicUpdatesAreOneUninterruptedStep) {
  const Program program = lower_text(R"(
define i32 @f(ptr %p) {
  %old = atomicrmw add ptr %p, i32 2 seq_cst
  ret i32 %old
}
define i1 @g(ptr %p) {
  %pair = cmpxchg ptr %p, i8 1, i8 2 seq_cst seq_cst
  %ok = extractvalue { i8, i1 } %pair, 1
  ret i1 %ok
})");
  EXPECT_EQ(body(program, "f"), (Lines{"atomic-begin", "%old:32 = load.atomic %p", "%A:32 = add %old, 2:32",
                                       "store.atomic %p, %A", "atomic-end", "return %old"}));
  EXPECT_EQ(body(program, "g").at(3), "%A:8 = ite %pair.1, 2:8, %pair.0");
}

TEST(Lowering, ComputedJumpsSwitchOverTheAddressesOfBlocks) {
  const Program program = lower_text(R"(
@labels = constant [2 x ptr] [ptr blockaddress(@f, %a), ptr blockaddress(@f, %b)]
define i32 @f(i64 %i) {
entry:
  %p = getelementptr [2 x ptr], ptr @labels, i64 0, i64 %i
  %t = load ptr, ptr %p
  indirectbr ptr %t, [label %a, label %b]
a:
  ret i32 1
b:
  ret i32 2
})");
  const Function& f = function(program, "f");
  const Instruction& jump = *of_kind(f, Kind::Switch).at(0);
  const auto operands = f.operands_of(jump);
  for (const std::size_t i : {0U, 1U}) {
    EXPECT_EQ(f.constant(operands[i + 1]).to_uint64(), program.globals[0].bytes.at(i * 8));
    const Instruction& result = f.terminator(f.edges_of(jump)[i + 1].target);
    EXPECT_EQ(f.constant(f.operands_of(result)[0]).to_uint64(), i + 1);
  }
}

TEST(Lowering, GlobalsHaveTheBytesAndPointersOfTheirInitialisers) {
  const Program program = lower_text(R"(
%S = type { i8, i32, ptr, i64 }
@text = private constant [4 x i8] c"abc\00"
@s = thread_local global %S { i8 1, i32 -2, ptr getelementptr (i8, ptr @text, i64 2), i64 ptrtoint (ptr @f to i64) }
@other = external global i32
@zero = common global [100 x i32] zeroinitializer
@same = alias [4 x i8], ptr @text
@pointer = global ptr @same
declare void @f()
)");
  const GlobalObject& s = program.globals[1];
  EXPECT_EQ(s.size, 24U);
  EXPECT_TRUE(s.is_thread_local);
  EXPECT_EQ(s.bytes, (std::vector<std::uint8_t>{1, 0, 0, 0, 0xfe, 0xff, 0xff, 0xff}));
  ASSERT_EQ(s.relocations.size(), 2U);
  EXPECT_EQ(s.relocations[0].offset, 8U);
  EXPECT_EQ(s.relocations[0].addend, 2);
  EXPECT_TRUE(s.relocations[1].is_function);
  EXPECT_EQ(program.globals[0].bytes, (std::vector<std::uint8_t>{'a', 'b', 'c'}));
  EXPECT_TRUE(program.globals[2].is_external);
  EXPECT_EQ(program.globals[3].size, 400U);
  EXPECT_EQ(program.globals[4].relocations.at(0).index, 0U);
}

TEST(Lowering, WeakSymbolsThatNothingDefinesAreNull) {
  const Program program = lower_text(R"(
@a = extern_weak global i32
declare extern_weak void @f()
declare extern_weak ptr @malloc(i64)
@table = global [3 x ptr] [ptr @a, ptr @f, ptr @malloc]
)");
  const std::vector<Relocation>& relocations = program.globals[1].relocations;
  ASSERT_EQ(relocations.size(), 1U);  // the environment has malloc
  EXPECT_EQ(relocations[0].offset, 16U);
}

TEST(Lowering, TablesOfRelativeAddressesHoldTheAddressesThemselves) {
  const Program program = lower_text(R"(
@x = constant [2 x i8] c"x\00"
@y = constant [2 x i8] c"y\00"
@table = private constant [2 x i32] [
  i32 trunc (i64 sub (i64 ptrtoint (ptr @x to i64), i64 ptrtoint (ptr @table to i64)) to i32),
  i32 trunc (i64 sub (i64 ptrtoint (ptr @y to i64), i64 ptrtoint (ptr @table to i64)) to i32)]
declare ptr @llvm.load.relative.i64(ptr, i64)
define ptr @f(i64 %i) {
  %shift = shl i64 %i, 2
  %p = call ptr @llvm.load.relative.i64(ptr @table, i64 %shift)
  ret ptr %p
})");
  const GlobalObject& table = program.globals[2];
  EXPECT_EQ(table.size, 16U);
  ASSERT_EQ(table.relocations.size(), 2U);
  EXPECT_EQ(table.relocations[1].offset, 8U);
  EXPECT_EQ(table.relocations[1].index, 1U);
  EXPECT_EQ(body(program, "f"), (Lines{"%shift:64 = shl %i, 2:64", "%A:64 = mul %shift, 2:64", "%B:64 = add @table, %A",
                                       "%p:64 = load %B", "return %p"}));
}

TEST(Lowering, AnInitialiserThatCannotBeSaidIsRefusedByName) {
  const std::string text =
      "@a = global i32 0\n@b = global i32 0\n@d = global i64 sub (i64 ptrtoint (ptr @a to i64), "
      "i64 ptrtoint (ptr @b to i64))\n";
  try {
    lower_text(text);
    FAIL() << "the distance of two objects is not known";
  } catch (const Unsupported& error) {
    EXPECT_NE(error.message().find("'d'"), std::string::npos);
  }
}

TEST(Lowering, ConstructorsRunByPriorityAndDestructorsTheOtherWayRound) {
  const Program program = lower_text(R"(
@llvm.global_ctors = appending global [3 x { i32, ptr, ptr }] [
  { i32, ptr, ptr } { i32 65535, ptr @a, ptr null }, { i32, ptr, ptr } { i32 101, ptr @b, ptr null },
  { i32, ptr, ptr } { i32 65535, ptr @c, ptr null }]
@llvm.global_dtors = appending global [2 x { i32, ptr, ptr }] [
  { i32, ptr, ptr } { i32 101, ptr @a, ptr null }, { i32, ptr, ptr } { i32 65535, ptr @b, ptr null }]
define internal void @a() {
  ret void
}
define internal void @b() {
  ret void
}
define internal void @c() {
  ret void
})");
  EXPECT_EQ(program.constructors, (std::vector<FunctionId>{1, 0, 2}));
  EXPECT_EQ(program.destructors, (std::vector<FunctionId>{1, 0}));
  EXPECT_TRUE(program.globals.empty());
}

TEST(Lowering, PlacesAndNamesAreThoseOfTheSource) {
  const Program program = lower_text(R"(
define i32 @f(i32 %0) !dbg !4 {
  #dbg_value(i32 %0, !7, !DIExpression(), !9)
  %2 = add i32 %0, 1, !dbg !10
    #dbg_value(i32 %2, !8, !DIExpression(), !9)
  ret i32 %2, !dbg !10
}
!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2}
!0 = distinct !DICompileUnit(language: DW_LANG_C11, file: !1, emissionKind: FullDebug)
!1 = !DIFile(filename: "a.c", directory: "/src")
!2 = !{i32 2, !"Debug Info Version", i32 3}
!3 = !DIBasicType(name: "int", size: 32, encoding: DW_ATE_signed)
!4 = distinct !DISubprogram(name: "f", file: !1, line: 3, type: !5, unit: !0, spFlags: DISPFlagDefinition, retainedNodes: !6)
!5 = !DISubroutineType(types: !6)
!6 = !{}
!7 = !DILocalVariable(name: "count", arg: 1, scope: !4, file: !1, line: 3, type: !3)
!8 = !DILocalVariable(name: "next", scope: !4, file: !1, line: 4, type: !3)
!9 = !DILocation(line: 3, column: 1, scope: !4)
!10 = !DILocation(line: 4, column: 7, scope: !4)
)");
  EXPECT_EQ(program.files, Lines{"a.c"});
  EXPECT_EQ(function(program, "f").location.line, 3U);
  EXPECT_EQ(function(program, "f").instructions[0].location, (Location{0, 4, 7}));
  EXPECT_EQ(body(program, "f"), (Lines{"%next:32 = add %count, 1:32", "return %next"}));
}

TEST(Lowering, ExceptionsAreRefusedWhereTheyAreThrown) {
  const Program program = lower_text(R"(
declare void @__cxa_throw(ptr, ptr, ptr)
declare i32 @__gxx_personality_v0(...)
declare void @work()
define void @f() personality ptr @__gxx_personality_v0 {
  invoke void @work() to label %done unwind label %pad
done:
  call void @__cxa_throw(ptr null, ptr null, ptr null)
  unreachable
pad:
  %e = landingpad { ptr, i32 } cleanup
  resume { ptr, i32 } %e
})");
  EXPECT_EQ(body(program, "f"),
            (Lines{"call @work", "jump b1.done", "halt: unsupported: C++ exceptions (__cxa_throw)"}));
  EXPECT_FALSE(program.find_function("__gxx_personality_v0"));
}

std::string text_of(const Program& program) {
  std::ostringstream text;
  program::print(text, program);
  return text.str();
}

TEST(Lowering, VariadicArgumentsAreTakenFromTheSlotsThatCallersGiveThem) {
  const std::string text = "define x86_fp80 @main(ptr %list) { %x = va_arg ptr %list, x86_fp80\nret x86_fp80 %x }\n";
  const std::string wide = text_of(lower_text(text));
  EXPECT_NE(wide.find(" = and "), std::string::npos) << wide;
  EXPECT_NE(wide.find("16"), std::string::npos) << wide;
  const std::string narrow = text_of(lower_text(text, {}, kLayout32));
  EXPECT_EQ(narrow.find(" = and "), std::string::npos) << narrow;
  EXPECT_NE(narrow.find("12"), std::string::npos) << narrow;
}

TEST(Lowering, VariadicArgumentsOfAnUnknownListAreNotGuessed) {
  for (const char* triple : {"x86_64-pc-windows-msvc", "x86_64-linux-gnux32", "aarch64-linux-gnu"}) {
    const std::string layout = fmt::format("target datalayout = \"e-p:64:64\"\ntarget triple = \"{}\"\n", triple);
    const std::string lowered = text_of(
        lower_text("define i32 @main(ptr %list) { %x = va_arg ptr %list, i32\nret i32 %x }\n", {}, layout.c_str()));
    EXPECT_NE(lowered.find(fmt::format("va_arg on {}", triple)), std::string::npos) << lowered;
  }
}

}  // namespace
}  // namespace plumb::frontend
