#include "frontend/toolchain/link_again.h"

#include <gtest/gtest.h>

#include "base/file.h"
#include "frontend/compile.h"
#include "frontend/toolchain/carried_code.h"
#include "frontend/toolchain/object_file.h"

namespace plumb::frontend {
namespace {

using Texts = std::vector<std::string>;

Texts words(const std::string& text) { return words_for_linking_again(parse_compiler_command(split_command(text))); }

TEST(LinkAgain, LibrariesAndTheirPlacesStay) {
  EXPECT_EQ(words("main.c -L /opt/lib -L/x/../y -l m -lpthread -pthread -O2 -DX -o /out/prog"),
            (Texts{"-L/opt/lib", "-L/y", "-lm", "-lpthread", "-pthread"}));
}

TEST(LinkAgain, OptionsOfTheLinkerThatDecideWhatIsLinkedStay) {
  EXPECT_EQ(words("a.c -Wl,-rpath,/r -Wl,-rpath -Wl,/s -Wl,-O1,--as-needed -Xlinker --wrap=malloc -Wl,-Map,x.map"),
            (Texts{"-Wl,-rpath,/r", "-Wl,-rpath,/s", "-Wl,--as-needed", "-Wl,--wrap=malloc"}));
}

TEST(LinkAgain, PathsFromTheProgramBecomeAbsolute) {
  EXPECT_EQ(words("a.c -Wl,-rpath,$ORIGIN/../lib -o /out/bin/prog"), Texts{"-Wl,-rpath,/out/bin/../lib"});
}

TEST(LinkAgain, FilesThatCarryCodeAreLeftOut) {
  const TemporaryDirectory directory;
  const std::string with = (directory.path() / "with.o").string();
  const std::string without = (directory.path() / "without.o").string();
  const std::string record = unit_record({"/a.c", "/", {}, "BC"});
  write_file(with, with_section(empty_object(64), kCarriedSection, record));
  write_file(without, empty_object(64));
  EXPECT_EQ(words(with + " " + without + " -o prog"), Texts{without});
}

TEST(LinkAgain, PartialLinksAreTold) {
  EXPECT_TRUE(is_partial_link(parse_compiler_command({"-nostdlib", "-r", "a.o", "-o", "b.o"})));
  EXPECT_TRUE(is_partial_link(parse_compiler_command({"-Wl,-r", "a.o", "-o", "b.o"})));
  EXPECT_FALSE(is_partial_link(parse_compiler_command({"-rdynamic", "a.o", "-o", "b"})));
}

}  // namespace
}  // namespace plumb::frontend
