// Random programs do the same in their original and in every mix of the two versions of their regions.
#include <gtest/gtest.h>
#include <llvm/Support/raw_ostream.h>

#include <numeric>

#include "unit/instrument/regions/region_cloner_fixture.h"
#include "unit/instrument/regions/region_cloner_program.h"

namespace plumb::instrument::test {
namespace {

std::uint64_t noted = 0;
extern "C" void note(std::uint32_t value) { noted = noted * 31 + value; }

std::vector<std::pair<std::string, void*>> symbols() {
  auto found = runtime_symbols();
  found.emplace_back("note", reinterpret_cast<void*>(&note));
  return found;
}

using Tested = std::uint64_t(std::uint32_t, std::uint32_t, std::uint32_t);

struct Observed {
  std::uint64_t result = 0;
  std::uint64_t memory = 0;
  std::uint64_t notes = 0;
  friend bool operator==(const Observed&, const Observed&) = default;
};

/// A file of functions as code.
class Code {
 public:
  Code(const llvm::Module& module, unsigned functions) : native_(module, symbols()) {
    for (unsigned i = 0; i < functions; ++i) tested_.push_back(native_.find<Tested>("f" + std::to_string(i)));
    reset_ = native_.find<void()>("reset");
    digest_ = native_.find<std::uint64_t()>("digest");
  }
  Observed run(unsigned function, std::uint32_t a, std::uint32_t b, std::uint32_t c) const {
    noted = 0;
    reset_();
    Observed seen;
    seen.result = tested_[function](a, b, c);
    seen.memory = digest_();
    seen.notes = noted;
    return seen;
  }

 private:
  Native native_;
  std::vector<Tested*> tested_;
  void (*reset_)();
  std::uint64_t (*digest_)();
};

constexpr unsigned kFunctions = 120;

class RegionClonerRandom : public testing::TestWithParam<unsigned> {};

std::string described(const llvm::Value& value) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  value.print(stream);
  return text;
}

/// A value of the plain version reaches a destination only as a live-out of the plan.
void expect_listed(const PlainRegion& region) {
  const llvm::DenseSet<const llvm::BasicBlock*> plain(region.blocks.begin(), region.blocks.end());
  for (const RegionExit& exit : region.exits) {
    for (const llvm::PHINode& phi : exit.block->getSingleSuccessor()->phis()) {
      const auto* value = llvm::dyn_cast<llvm::Instruction>(phi.getIncomingValueForBlock(exit.block));
      if (value == nullptr || !plain.contains(value->getParent())) continue;
      EXPECT_TRUE(llvm::any_of(exit.outs, [&](const auto& out) { return out.first == &phi; })) << described(phi) << "\n"
                                                                                               << described(*value);
    }
  }
}

/// Only the governor leads into the plain version, only exits lead out.
void expect_closed(const PlainRegion& region) {
  llvm::DenseSet<const llvm::BasicBlock*> plain(region.blocks.begin(), region.blocks.end());
  EXPECT_EQ(region.blocks.front()->getSinglePredecessor(), region.choice->getParent());
  EXPECT_EQ(region.choice->getSuccessor(0), region.blocks.front());
  for (const llvm::BasicBlock* block : region.blocks)
    for (const llvm::BasicBlock* from : llvm::predecessors(block))
      EXPECT_TRUE(from == region.choice->getParent() || plain.contains(from));
  for (const RegionExit& exit : region.exits) {
    EXPECT_TRUE(plain.contains(exit.block->getSinglePredecessor()));
    EXPECT_FALSE(plain.contains(exit.block->getSingleSuccessor()));
    plain.insert(exit.block);
  }
  for (const llvm::BasicBlock* block : region.blocks)
    for (const llvm::BasicBlock* to : llvm::successors(block)) EXPECT_TRUE(plain.contains(to));
}

TEST_P(RegionClonerRandom, ProgramsDoTheSameWhateverTheChoices) {
  const std::string source = ProgramGenerator(GetParam()).file(kFunctions);
  PreparedModule prepared = prepare_text(compile_c(source));
  const std::size_t planned = plan_all(prepared.subject.program).size();
  EXPECT_EQ(prepared.subject.regions.size(), planned);
  ASSERT_GT(planned, kFunctions);
  ASSERT_EQ(problems(*prepared.module), "");
  const Code before(*prepared.module, kFunctions);
  std::vector<PlainRegion> regions = clone_regions(prepared);
  ASSERT_EQ(problems(*prepared.module), "");
  for (const PlainRegion& region : regions) {
    expect_listed(region);
    expect_closed(region);
  }
  ask_host(prepared, regions);
  ASSERT_EQ(problems(*prepared.module), "");
  const Code after(*prepared.module, kFunctions);

  std::mt19937 random(GetParam());
  choices().visits.assign(regions.size(), 0);
  for (unsigned f = 0; f < kFunctions; ++f) {
    for (unsigned run = 0; run < 60; ++run) {
      const std::uint32_t a = static_cast<std::uint32_t>(random() >> (random() % 32));
      const std::uint32_t b = static_cast<std::uint32_t>(random() >> (random() % 32));
      const std::uint32_t c = static_cast<std::uint32_t>(random() >> (random() % 32));
      const Observed expected = before.run(f, a, b, c);
      for (const Choices::Way way :
           {Choices::Way::Path, Choices::Way::Plain, Choices::Way::Random, Choices::Way::Random}) {
        choices().way = way;
        ASSERT_EQ(expected, after.run(f, a, b, c)) << "f" << f << "(" << a << ", " << b << ", " << c << ") in\n"
                                                   << source;
      }
    }
  }
  const auto visited = std::ranges::count_if(choices().visits, [](std::uint32_t visits) { return visits > 0; });
  EXPECT_GT(static_cast<std::size_t>(visited), regions.size() / 2);
}

INSTANTIATE_TEST_SUITE_P(Seeds, RegionClonerRandom, testing::Values(1u, 2u, 3u), testing::PrintToStringParamName());

}  // namespace
}  // namespace plumb::instrument::test
