#include "program/platform.h"

#include <gtest/gtest.h>

namespace plumb::program {
namespace {

TEST(Platform, IsKnownByTheFirstPartOfATriple) {
  const Platform x86_64 = platform_of("x86_64-pc-linux-gnu");
  EXPECT_EQ(x86_64.machine, Machine::X86_64);
  EXPECT_TRUE(x86_64.is_x86() && x86_64.traps_on_quotients);
  EXPECT_EQ(x86_64.variadic_list_size, 24U);
  EXPECT_EQ(platform_of("").machine, Machine::X86_64);
  EXPECT_EQ(platform_of("i686-pc-linux-gnu").variadic_list_size, 4U);
  EXPECT_EQ(platform_of("aarch64-linux-gnu").variadic_list_size, 32U);
  EXPECT_EQ(platform_of("armv7a-none-eabi").machine, Machine::Arm);
  EXPECT_TRUE(platform_of("thumbebv7").is_big_endian);
  EXPECT_TRUE(platform_of("s390x-linux-gnu").is_big_endian);
  EXPECT_EQ(platform_of("sparc-linux").machine, Machine::Other);
}

TEST(Platform, QuotientsTrapOnX86AndS390xAlone) {
  for (const std::string_view triple : {"x86_64", "i386", "i686", "s390x"})
    EXPECT_TRUE(platform_of(triple).traps_on_quotients) << triple;
  for (const std::string_view triple : {"arm", "thumb", "aarch64", "aarch64_be", "riscv32", "riscv64", "mips"})
    EXPECT_FALSE(platform_of(triple).traps_on_quotients) << triple;
}

TEST(Platform, HasNoListOfArgumentsWhereTheAbiIsAnother) {
  EXPECT_EQ(platform_of("x86_64-linux-gnux32").variadic_list_size, 0U);
  EXPECT_EQ(platform_of("arm64-apple-macosx14").variadic_list_size, 0U);
  EXPECT_EQ(platform_of("x86_64-pc-windows-msvc").variadic_list_size, 0U);
  EXPECT_TRUE(platform_of("x86_64-pc-windows-msvc").variadic_list.empty());
}

TEST(Platform, TakesPointersAndBytesFromTheLayoutOfTheCode) {
  const Platform narrow = platform_of(DataLayout{32, false, ""});
  EXPECT_EQ(narrow.machine, Machine::X86);
  EXPECT_EQ(narrow.variadic_list_size, 4U);
  EXPECT_EQ(platform_of(DataLayout{32, true, "mips-linux"}).pointer_width, 32U);
  EXPECT_TRUE(platform_of(DataLayout{32, true, "mips-linux"}).is_big_endian);
}

TEST(Variadic, ArgumentsStandInSlotsOfAPointerAndLongOnesAreAlignedOnlyWith64Bits) {
  std::uint64_t end = 0;
  EXPECT_EQ(next_variadic(end, 32, 8).offset, 0U);
  const VariadicSlot slot = next_variadic(end, 80, 8);
  EXPECT_EQ(slot.offset, 16U);
  EXPECT_EQ(slot.size, 16U);
  EXPECT_EQ(end, 32U);
  end = 4;
  EXPECT_EQ(next_variadic(end, 80, 4).offset, 4U);
  EXPECT_EQ(end, 16U);
}

TEST(Platform, BeginsEveryListWithAllRegistersUsedUp) {
  for (const Target& target : targets()) {
    EXPECT_EQ(platform_of(target.prefix).machine, target.platform.machine) << target.prefix;
    for (const VariadicWord& word : target.platform.variadic_list)
      EXPECT_LT(word.offset, target.platform.variadic_list_size) << target.prefix;
  }
  EXPECT_EQ(platform_of("x86_64").variadic_list[0].value, kSavedIntegers | std::uint64_t{kSavedRegisters} << 32);
}

TEST(Platform, OnlyS390xLinksItsFramesByAChain) {
  for (const Target& target : targets())
    EXPECT_EQ(target.platform.has_back_chain(), target.prefix == "s390x") << target.prefix;
}

}  // namespace
}  // namespace plumb::program
