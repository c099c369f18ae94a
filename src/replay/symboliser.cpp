#include "replay/symboliser.h"

#include <llvm/DebugInfo/Symbolize/Symbolize.h>

#include <algorithm>

namespace plumb::replay {
namespace {

using llvm::symbolize::LLVMSymbolizer;
using result::StackFrame;

LLVMSymbolizer::Options symboliser_options() {
  LLVMSymbolizer::Options options;
  // As the debug information of the bitcode has them, which is what a Program has.
  options.PathStyle = llvm::symbolize::FileLineInfoKind::RelativeFilePath;
  options.Demangle = false;
  return options;
}

/// Models are compiled with paths from our root.
bool is_model(std::string_view file) {
  return file.starts_with("runtime/models/") || file.starts_with("runtime/environment/");
}

StackFrame frame_of(const llvm::DILineInfo& info) {
  StackFrame frame;
  if (info.FunctionName != llvm::DILineInfo::BadString) frame.function = info.FunctionName;
  if (info.FileName == llvm::DILineInfo::BadString || info.Line == 0) return frame;
  frame.place = {info.FileName, info.Line, info.Column};
  frame.is_model = is_model(info.FileName);
  return frame;
}

bool has_place(const StackFrame& frame) { return !frame.place.file.empty(); }

}  // namespace

struct Symboliser::State {
  std::string executable;
  LLVMSymbolizer symboliser{symboliser_options()};
};

Symboliser::Symboliser(std::filesystem::path executable) : state_(std::make_unique<State>()) {
  state_->executable = executable.string();
}

Symboliser::~Symboliser() = default;

std::vector<StackFrame> Symboliser::calls(std::span<const std::uint64_t> return_addresses) {
  std::vector<StackFrame> frames;
  for (const std::uint64_t address : return_addresses) {
    if (address == 0) {
      frames.push_back({"(library)", {}, false});
      continue;
    }
    // The call ends where it returns to, which may be another line already.
    llvm::Expected<llvm::DIInliningInfo> info = state_->symboliser.symbolizeInlinedCode(
        state_->executable, {address - 1, llvm::object::SectionedAddress::UndefSection});
    if (!info) {
      llvm::consumeError(info.takeError());
      frames.push_back({"?", {}, false});
      continue;
    }
    for (std::uint32_t i = 0; i < info->getNumberOfFrames(); ++i) frames.push_back(frame_of(info->getFrame(i)));
  }
  const auto first = std::ranges::find_if(frames, has_place);
  if (first == frames.end()) return frames;
  frames.erase(frames.begin(), first);
  while (!has_place(frames.back())) frames.pop_back();
  return frames;
}

std::string Symboliser::variable(std::uint64_t address) {
  llvm::Expected<llvm::DIGlobal> found =
      state_->symboliser.symbolizeData(state_->executable, {address, llvm::object::SectionedAddress::UndefSection});
  if (!found) {
    llvm::consumeError(found.takeError());
    return {};
  }
  return found->Name == llvm::DILineInfo::BadString ? std::string() : found->Name;
}

}  // namespace plumb::replay
