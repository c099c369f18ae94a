#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "remote/session.h"
#include "runtime/link/wire.h"

namespace plumb::remote {

/// What a session may believe, by a reader that shares the parsers of single messages with it and nothing else: it
/// keeps all that was said since the last challenge, finds the frames in it that are right in themselves, and looks for
/// a conversation among them.
class SessionModel {
 public:
  explicit SessionModel(const SessionOptions& options) : options_(options) {}

  void say(ByteView bytes) { put_bytes(said_, bytes); }
  void challenge(const Nonce& nonce) {
    nonce_ = nonce;
    forget();
  }
  void order() {
    ++runs_;
    put_frames();
    run_frames_.clear();
  }
  void end() {
    nonce_.reset();
    forget();
  }

  /// A greeting and a proof of this challenge were said.
  bool has_proved() {
    put_frames();
    if (!nonce_) return false;
    for (const Said& proof : frames_) {
      if (proof.kind != PLUMB_WIRE_PROOF || proof.number != 1) continue;
      const auto parsed = parse_proof(proof.payload);
      if (!parsed) continue;
      for (const Bytes& greeting : greetings_)
        if (is_same(parsed->mac, target_proof(options_.token, *nonce_, greeting))) return true;
    }
    return false;
  }

  /// What is wrong with an answer; else nothing.
  std::string judge(const RunAnswer& answer) {
    put_frames();
    if (answer.end.run != runs_ || runs_ == 0) return "an answer for a run that was not ordered";
    std::vector<std::uint32_t> words;
    std::vector<std::uint32_t> edges;
    std::uint64_t next = 0;
    bool has_ended = false;
    for (const Said& frame : run_frames_) {
      if (has_ended) break;
      if (frame.kind == PLUMB_WIRE_EVENTS) {
        const auto events = parse_events(frame.payload);
        if (!events || events->run != runs_) return "an answer although events were wrong";
        words.insert(words.end(), events->words.begin(), events->words.end());
      } else if (frame.kind == PLUMB_WIRE_COVERAGE) {
        const auto coverage = parse_coverage(frame.payload);
        if (!coverage || coverage->run != runs_) return "an answer although coverage was wrong";
        for (const std::uint32_t distance : coverage->distances) {
          const std::uint64_t edge = next + distance;
          if (edge >= options_.edges) return "an answer with an edge that there is not";
          edges.push_back(static_cast<std::uint32_t>(edge));
          next = edge + 1;
        }
      } else if (frame.kind == PLUMB_WIRE_END) {
        const auto end = parse_end(frame.payload);
        if (!end || end->run != runs_) return "an answer although the end was wrong";
        if (end->words != words.size() || end->edges != edges.size()) return "an answer although sums were wrong";
        has_ended = true;
      }
    }
    if (!has_ended) return "an answer without an end";
    covered_.resize(options_.edges);
    for (const std::uint32_t edge : edges) covered_[edge] ^= 1U;
    if (answer.coverage != covered_) return "an answer with another coverage";
    const bool is_cut = words.size() > options_.stream_words;
    words.resize(std::min<std::size_t>(words.size(), options_.stream_words));
    if (answer.words != words || answer.is_cut != is_cut) return "an answer with other words";
    return {};
  }

 private:
  struct Said {
    std::uint8_t kind = 0;
    std::uint16_t number = 0;
    Bytes payload;
  };

  /// Greetings stay: the challenge answers one.
  void forget() {
    put_frames();
    frames_.clear();
    run_frames_.clear();
    covered_.clear();
    runs_ = 0;
  }

  /// Every frame that is right in itself, wherever it begins; what may be the beginning of one stays.
  void put_frames() {
    std::size_t done = 0;
    for (std::size_t at = 0; at < said_.size();) {
      if (said_[at] != PLUMB_WIRE_SYNC_0) {
        ++at;
        continue;
      }
      FrameReader reader(PLUMB_WIRE_PAYLOAD, false);
      ByteView rest = ByteView(said_).subspan(at);
      const auto frame = reader.next(rest);
      if (!frame) {
        ++at;
        continue;
      }
      Said said{frame->kind, frame->number, {frame->payload.begin(), frame->payload.end()}};
      if (said.kind == PLUMB_WIRE_HELLO) greetings_.push_back(said.payload);
      at += frame_size(said.payload.size());
      done = at;
      frames_.push_back(said);
      run_frames_.push_back(std::move(said));
    }
    said_.erase(said_.begin(), said_.begin() + static_cast<std::ptrdiff_t>(done));
  }

  SessionOptions options_;
  Bytes said_;
  std::optional<Nonce> nonce_;
  std::vector<Bytes> greetings_;
  std::vector<Said> frames_;
  std::vector<Said> run_frames_;
  std::vector<std::uint8_t> covered_;
  std::uint32_t runs_ = 0;
};

}  // namespace plumb::remote
