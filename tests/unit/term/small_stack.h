#pragma once

#include <pthread.h>

#include <functional>

#include "base/error.h"

namespace plumb::term {

#ifdef __SANITIZE_ADDRESS__
inline constexpr std::size_t kSmallStack = 2048 << 10;  // the sanitizer's frames are several times larger
#else
inline constexpr std::size_t kSmallStack = 256 << 10;
#endif

/// Runs `work` in a thread with a stack of kSmallStack bytes: a recursion as deep as a million terms ends the test.
inline void run_on_small_stack(std::function<void()> work) {
  pthread_attr_t attributes;
  pthread_t thread;
  INVARIANT(pthread_attr_init(&attributes) == 0, "thread attributes should be available");
  INVARIANT(pthread_attr_setstacksize(&attributes, kSmallStack) == 0, "the stack size should be accepted");
  const auto run = [](void* argument) -> void* {
    (*static_cast<std::function<void()>*>(argument))();
    return nullptr;
  };
  INVARIANT(pthread_create(&thread, &attributes, run, &work) == 0, "a thread should start");
  pthread_join(thread, nullptr);
  pthread_attr_destroy(&attributes);
}

}  // namespace plumb::term
