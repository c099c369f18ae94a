#pragma once

#include <string>
#include <vector>

namespace plumb::energy {

struct ExampleFile {
  std::string name;
  std::string content;
};

/// A scenario of five days by the hour, with its demand and price curves: three loads, three providers. The curves are
/// made, not measured: the shape of a working day with a morning and an evening peak, scaled by day and by load, with
/// noise of a fixed seed, and prices that rise with the demand of all. The content is the same on every machine.
std::vector<ExampleFile> five_days_example();

}  // namespace plumb::energy
