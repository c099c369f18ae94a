#include "frontend/toolchain/carried_code.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "base/file.h"
#include "base/subprocess.h"
#include "frontend/toolchain/object_file.h"

namespace plumb::frontend {
namespace {

namespace fs = std::filesystem;
using Texts = std::vector<std::string>;

/// Files of one test, and the system's own tools on them.
class CarriedCodeFiles : public testing::Test {
 protected:
  std::string path(const std::string& name) const { return (directory_.path() / name).string(); }

  std::string object(const std::string& name, const std::string& record, std::uint32_t bits = 64) const {
    write_file(path(name), with_section(empty_object(bits), kCarriedSection, record));
    return path(name);
  }

  void run(const Texts& command) const {
    const ProcessResult result = run_process(command, {}, Budget{});
    ASSERT_EQ(result.code, 0) << result.error;
  }

  static std::string unit(const std::string& source) {
    return unit_record({source, "/src", {"-DX=a b"}, "BC" + source});
  }

  static Texts sources(const CarriedCode& code) {
    Texts names;
    for (const CarriedCode::Unit& each : code.units) names.push_back(each.source);
    return names;
  }

  TemporaryDirectory directory_;
};

TEST_F(CarriedCodeFiles, ObjectGivesBackWhatItWasGiven) {
  const std::string bytes("BC\0\n\1", 5);
  const CarriedCode::Unit given{"/src/a.c", "/build dir", {"-x", "c", "-DTEXT=\"a\nb\"", ""}, bytes};
  for (const std::uint32_t bits : {32u, 64u}) {
    const CarriedCode code = read_carried_code(object("a.o", unit_record(given), bits));
    ASSERT_EQ(code.units.size(), 1u);
    EXPECT_EQ(code.units[0].source, given.source);
    EXPECT_EQ(code.units[0].directory, given.directory);
    EXPECT_EQ(code.units[0].words, given.words);
    EXPECT_EQ(code.units[0].bitcode, given.bitcode);
    EXPECT_FALSE(code.components.front().is_linked);
  }
}

TEST_F(CarriedCodeFiles, LinkerJoinsUnitsAndKeepsTheirOrder) {
  run({"ld", "-r", "-o", path("all.o"), object("a.o", unit("/a.c")), object("b.o", native_record({"/b.s", "ELF"})),
       object("c.o", unit("/c.c")), object("link.o", link_record({"-lm", "/x y.o"}, true))});
  const CarriedCode code = read_carried_code(path("all.o"));
  EXPECT_EQ(sources(code), (Texts{"/a.c", "/c.c"}));
  ASSERT_EQ(code.natives.size(), 1u);
  EXPECT_EQ(code.natives[0].object, "ELF");
  EXPECT_EQ(code.link_words, (Texts{"-lm", "/x y.o"}));
  EXPECT_TRUE(code.is_cxx);
}

TEST_F(CarriedCodeFiles, ArchiveCarriesCodeIfAllItsMembersDo) {
  run({"ar", "rcs", path("full.a"), object("a.o", unit("/a.c")), object("b.o", unit("/b.c"))});
  EXPECT_TRUE(carries_code(path("full.a")));
  EXPECT_EQ(sources(read_carried_code(path("full.a"))), (Texts{"/a.c", "/b.c"}));
  write_file(path("plain.o"), empty_object(64));
  run({"ar", "rcs", path("part.a"), path("a.o"), path("plain.o")});
  EXPECT_FALSE(carries_code(path("part.a")));
  EXPECT_FALSE(carries_code(path("plain.o")));
}

TEST_F(CarriedCodeFiles, StripOfGnuBinutilsLeavesIt) {
  object("a.o", unit("/a.c"));
  run({"strip", path("a.o")});
  EXPECT_EQ(sources(read_carried_code(path("a.o"))), Texts{"/a.c"});
}

TEST_F(CarriedCodeFiles, LibraryIsFoundWhereTheDynamicLinkerFindsIt) {
  fs::create_directory(path("lib"));
  run({"ld", "-shared", "-soname", "libx.so.1", "-o", path("lib/libx.so.1"), object("x.o", unit("/x.c"))});
  run({"ld", "-shared", "-rpath", "$ORIGIN/lib", "-o", path("main.so"),
       object("m.o", unit("/m.c") + link_record({path("lib/libx.so.1"), "-lm"}, false)), path("lib/libx.so.1")});
  const CarriedCode code = read_carried_code(path("main.so"));
  EXPECT_EQ(sources(code), (Texts{"/m.c", "/x.c"}));
  ASSERT_EQ(code.components.size(), 2u);
  EXPECT_EQ(code.units[1].component, 1u);
  EXPECT_EQ(code.link_words, Texts{"-lm"}) << "the library's code is part of the program now";
}

TEST_F(CarriedCodeFiles, SettledCodeIsTheSameInAnotherFile) {
  fs::create_directory(path("lib"));
  run({"ld", "-shared", "-soname", "libx.so.1", "-o", path("lib/libx.so.1"), object("x.o", unit("/x.c"))});
  run({"ld", "-shared", "-rpath", "$ORIGIN/lib", "-o", path("main.so"),
       object("m.o", unit("/m.c") + native_record({"/s.s", "ELF"}) + link_record({"-lm"}, true)),
       path("lib/libx.so.1")});
  const CarriedCode code = read_carried_code(path("main.so"));
  ASSERT_EQ(code.components.size(), 2u);
  fs::remove(path("lib/libx.so.1"));
  for (const std::string& file :
       {object("other.o", settled_records(code), 32), object("again.o", settled_records(code))}) {
    const CarriedCode settled = read_carried_code(file);
    EXPECT_EQ(sources(settled), sources(code));
    ASSERT_EQ(settled.components.size(), code.components.size());
    for (std::size_t i = 0; i < code.components.size(); ++i) {
      EXPECT_EQ(settled.components[i].file, code.components[i].file);
      EXPECT_EQ(settled.components[i].is_linked, code.components[i].is_linked);
      EXPECT_EQ(settled.components[i].exported, code.components[i].exported);
      EXPECT_EQ(settled.components[i].imported, code.components[i].imported);
      EXPECT_EQ(settled.units[i].component, i);
    }
    ASSERT_EQ(settled.natives.size(), 1u);
    EXPECT_EQ(settled.natives[0].object, "ELF");
    EXPECT_EQ(settled.link_words, Texts{"-lm"});
    EXPECT_TRUE(settled.is_cxx);
    EXPECT_EQ(settled_records(settled), settled_records(code));
  }
}

TEST_F(CarriedCodeFiles, DamageIsTold) {
  std::string record = unit("/a.c");
  for (const std::size_t at : {std::size_t{0}, std::size_t{9}, std::size_t{20}, record.size() - 1}) {
    std::string damaged = record;
    damaged[at] = static_cast<char>(damaged[at] ^ 0x55);
    EXPECT_THROW(read_carried_code(object("a.o", damaged)), UserError) << at;
  }
  EXPECT_THROW(read_carried_code(object("a.o", record.substr(0, record.size() - 1))), UserError);
  write_file(path("cut.o"), empty_object(64).substr(0, 70));
  EXPECT_THROW(read_carried_code(path("cut.o")), UserError);
}

TEST_F(CarriedCodeFiles, OtherFilesCarryNothing) {
  write_file(path("text"), "#!/bin/sh\n");
  EXPECT_FALSE(is_native(path("text")));
  EXPECT_FALSE(is_native(path("missing")));
  EXPECT_FALSE(is_native(directory_.path()));
  EXPECT_FALSE(carries_code(path("missing")));
  write_file(path("plain.o"), empty_object(32));
  EXPECT_TRUE(read_carried_code(path("plain.o")).units.empty());
}

}  // namespace
}  // namespace plumb::frontend
