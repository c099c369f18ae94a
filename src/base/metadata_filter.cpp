// Filters do not see paths, so that the calls are refused wherever the file is.
#include "base/metadata_filter.h"

#include <sys/prctl.h>

#include <array>

#include "base/call_filter.h"

namespace plumb {

namespace {

/// chmod fchmod fchmodat fchmodat2 chown fchown lchown fchownat utime utimes futimesat utimensat, setting and removing
/// extended attributes, and io_uring_setup, by which all of them can be had.
constexpr std::array<std::uint32_t, 21> kCalls64 = {90,  91,  268, 452, 92,  93,  94,  260, 132, 235, 261,
                                                    280, 188, 189, 190, 197, 198, 199, 463, 466, 425};
constexpr std::array<std::uint32_t, 25> kCalls32 = {15,  94,  306, 452, 182, 95,  16,  298, 30,  271, 299, 320, 412,
                                                    212, 207, 198, 226, 227, 228, 235, 236, 237, 463, 466, 425};

constexpr CallFilter make_filter() {
  CallFilter filter;
  const auto refuse = [&] { filter.give(CallFilter::kRefuse); };
  filter.load_architecture();
  filter.if_equal(AUDIT_ARCH_X86_64, [&] {
    filter.load_number();
    filter.if_at_least(CallFilter::kX32, refuse);
    for (const std::uint32_t call : kCalls64) filter.if_equal(call, refuse);
    filter.give(CallFilter::kAllow);
  });
  filter.if_equal(AUDIT_ARCH_I386, [&] {
    filter.load_number();
    for (const std::uint32_t call : kCalls32) filter.if_equal(call, refuse);
    filter.give(CallFilter::kAllow);
  });
  refuse();
  return filter;
}

}  // namespace

bool refuse_metadata_changes() noexcept {
  static constexpr CallFilter kFilter = make_filter();
  const sock_fprog program{kFilter.size(), const_cast<sock_filter*>(kFilter.data())};
  return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program, 0, 0) == 0;
}

}  // namespace plumb
