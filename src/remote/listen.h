#pragma once

#include <string>

#include "base/file_descriptor.h"

namespace plumb::remote {

/// A socket that connections come to.
struct Listener {
  FileDescriptor socket;
  std::string address;  ///< as bound: "127.0.0.1:40123", "[::1]:40123"
};

/// `text`: "ADDRESS:PORT" or "[ADDRESS]:PORT", the address a number or a name, the port 0 for any that is free. Throws
/// UserError if that cannot be listened to, or is not loopback and `has_token` is false.
Listener open_listener(const std::string& text, bool has_token);

/// The next connection, ready to use and never blocking, with who it is from; closed if there is none.
Listener accept_connection(const Listener& listener);

}  // namespace plumb::remote
