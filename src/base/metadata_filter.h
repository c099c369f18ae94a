#pragma once

namespace plumb {

/// From now on this process and its children cannot change permissions, owners, times or attributes of any file: the
/// calls fail with EPERM. Makes system calls only; needs PR_SET_NO_NEW_PRIVS. False, with errno, if it cannot be done.
bool refuse_metadata_changes() noexcept;

}  // namespace plumb
