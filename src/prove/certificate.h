#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "prove/prove.h"

namespace plumb::prove {

/// What was found when a certificate was checked.
struct Check {
  enum class Outcome : std::uint8_t {
    Confirmed,
    Refused,  ///< it proves nothing: a condition does not hold
    Unknown,  ///< the budget ended
  };
  Outcome outcome = Outcome::Unknown;
  std::string reason;  ///< of the others: which condition, or why there is no answer

  bool is_confirmed() const noexcept { return outcome == Outcome::Confirmed; }
};

/// Proves with our own solver, from the system and the certificate alone, that the bad is never reached:
/// - Invariant: initiation, consecution and safety, a query each;
/// - Induction: the base case up to k - 1 and the inductive case for k; before them initiation and consecution of an
///   invariant, if there is one;
/// - Exhaustion: the bad in steps 0 to k, and that nothing changes into step k; with a split, that each of its cases
///   has come to rest by step k without the bad.
/// Of bads that were proved together all are meant, and the given one must be among them.
/// Throws UserError if the invariant is not a term over the system's states, or if a state of the split is not one.
Check check_certificate(const System& system, std::size_t bad, const Certificate& certificate, const Budget& budget);

/// A certificate as a file: SMT-LIB that other solvers read too, with the system's states declared (those that the
/// invariant has), the invariant defined and all else as set-info.
struct CertificateFile {
  std::string system;    ///< for people: the file that it was made from
  std::string property;  ///< the name of the bad; may be empty
  std::size_t bad = 0;   ///< its position
  std::string engine;
  Certificate certificate;
};
std::string write_certificate(const System& system, const CertificateFile& file);
/// Throws UserError with the place if the text is not a certificate, or if a state that it declares is not one of the
/// system's or has another sort, or if it has another bad in mind. `file` is for messages.
CertificateFile read_certificate(const System& system, std::string_view text, const std::string& file);

}  // namespace plumb::prove
