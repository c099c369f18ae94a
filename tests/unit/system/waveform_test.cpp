#include "system/waveform.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

#include "base/file.h"
#include "random_system.h"
#include "vcd_parser.h"

namespace plumb::system {
namespace {

System annotated_counter() {
  System system;
  TermStore& s = system.store();
  const Term pc = system.add_state({3, 0}, "main.pc");
  const Term memory = system.add_state({4, 1}, "main.memory");
  const Term big = system.add_state({8, 20}, "big");
  const Term go = system.add_input({1, 0}, "go");
  system.set_init(0, s.zero(3));
  system.set_next(0, s.add(pc, s.zero_extend(go, 3)));
  system.set_init(1, s.constant_array(1, s.zero(4)));
  system.set_next(1, s.store(memory, s.bit(pc, 0), s.zero_extend(pc, 4)));
  system.set_next(2, big);
  system.add_wire(s.add(pc, pc), "twice");
  system.add_wire(pc, "main.pc");
  system.add_bad(s.eq(pc, s.constant(3, 3)), "three");
  system.add_bad(s.eq(pc, s.constant(3, 4)), "");
  system.add_annotation({"main.pc", pc, {{BitVector(3, 0), "start"}, {BitVector(3, 1), "loop"}}});
  system.add_annotation({"main.line", pc, {{BitVector(3, 1), "a[i] = \"x y\\n\";\t// \xc3\xa9"}}});
  return system;
}

Trace going(std::size_t steps) {
  Trace trace;
  for (std::size_t i = 0; i < steps; ++i) trace.steps.push_back({{BitVector(1, 1)}, {}});
  return trace;
}

TEST(Waveform, ShowsWordsElementsPropertiesAndTexts) {
  const Vcd vcd = Vcd::parse(write_vcd(annotated_counter(), going(5), {.top = "top"}));
  EXPECT_EQ(vcd.end, 5U);
  EXPECT_EQ(vcd.at("top.main.pc", 0), "000");
  EXPECT_EQ(vcd.at("top.main.pc", 3), "011");
  EXPECT_EQ(vcd.at("top.twice", 3), "110");
  EXPECT_EQ(vcd.at("top.main.memory[1]", 2), "0001");
  EXPECT_EQ(vcd.at("top.main.memory[0]", 3), "0010");
  EXPECT_EQ(vcd.at("top.bad.three", 2), "0");
  EXPECT_EQ(vcd.at("top.bad.three", 3), "1");
  EXPECT_EQ(vcd.at("top.bad.bad1", 4), "1");
  EXPECT_EQ(vcd.at("top.main.pc_2", 0), "start");
  EXPECT_EQ(vcd.at("top.main.pc_2", 1), "loop");
  EXPECT_EQ(vcd.at("top.main.pc_2", 2), "");
  EXPECT_EQ(vcd.at("top.main.line", 1), "a[i] = \"x y\\n\";\t// \xc3\xa9");
  EXPECT_EQ(vcd.variables.at("top.main.line").type, "string");
  EXPECT_EQ(vcd.comments, (std::vector<std::string>{"big has 2^20 elements and is not shown"}));
  EXPECT_FALSE(vcd.variables.contains("top.main.pc_3"));
}

TEST(Waveform, HasTheValuesOfTheRunInEveryStep) {
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    const System system = RandomSystem(seed).make();
    const Trace trace = random_trace(system, seed, 6);
    const Vcd vcd = Vcd::parse(write_vcd(system, trace));
    const auto run = reference_run(system, trace);
    for (std::size_t k = 0; k < run.size(); ++k) {
      for (std::size_t i = 0; i < system.states().size(); ++i) {
        const std::string name = "system." + system.state_name(i);
        const Sort sort = system.store().sort(system.states()[i].variable);
        if (!sort.is_array()) {
          ASSERT_EQ(vcd.at(name, k), std::get<BitVector>(run[k][i]).to_binary()) << seed;
          continue;
        }
        for (std::uint64_t e = 0; e < std::uint64_t{1} << sort.index_width; ++e)
          ASSERT_EQ(vcd.at(name + "[" + std::to_string(e) + "]", k),
                    std::get<term::ArrayValue>(run[k][i]).at(BitVector(sort.index_width, e)).to_binary());
      }
    }
  }
}

TEST(Waveform, TakesAnyName) {
  for (const char* name : {".", "..", "a.", ".a", "a..b", "a b.c d", "$end", "", "a.b.c"}) {
    System system;
    system.add_input({3, 0}, name);
    system.add_wire(system.store().one(3), name);
    Trace trace;
    trace.steps.resize(2);
    Vcd vcd;
    ASSERT_NO_THROW(vcd = Vcd::parse(write_vcd(system, trace))) << name;
    EXPECT_EQ(vcd.variables.size(), 2U) << name;
  }
}

TEST(Waveform, IsReadByGtkwavesConverters) {
  if (std::system("command -v vcd2fst > /dev/null && command -v fst2vcd > /dev/null") != 0)
    GTEST_SKIP() << "vcd2fst and fst2vcd are not installed";
  const TemporaryDirectory directory;
  const std::string stem = (directory.path() / "wave").string();
  write_file(stem + ".vcd", write_vcd(annotated_counter(), going(5)));
  ASSERT_EQ(std::system(("vcd2fst " + stem + ".vcd " + stem + ".fst > /dev/null").c_str()), 0);
  ASSERT_EQ(std::system(("fst2vcd " + stem + ".fst -o " + stem + "2.vcd").c_str()), 0);
  const std::string back = read_file(stem + "2.vcd");
  EXPECT_NE(back.find("sloop "), std::string::npos);
  EXPECT_NE(back.find("$var string"), std::string::npos);
}

}  // namespace
}  // namespace plumb::system
