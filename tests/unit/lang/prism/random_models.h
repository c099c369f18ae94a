#pragma once

#include <string>
#include <vector>

#include "unit/chain/random_chain.h"
#include "unit/lang/prism/run.h"

namespace plumb::prism {

/// A random chain with the labels "a", "b" and "c" and one reward structure, that properties can be asked about.
struct RandomModel {
  chain::Chain chain;
  std::vector<chain::StateSet> labels;

  RandomModel(chain::Kind kind, std::uint32_t states, std::uint32_t seed) {
    chain::ChainGenerator generator(seed);
    chain = generator.chain(kind, states);
    for (const char* name : {"a", "b", "c"}) {
      labels.push_back(generator.set(states, 2));
      chain.labels.emplace_back(name, labels.back());
    }
  }

  chain::PropertyResult check(const std::string& property, chain::CheckOptions options = {}) const {
    const char* const kind = chain.kind == chain::Kind::Mdp ? "mdp" : chain.kind == chain::Kind::Ctmc ? "ctmc" : "dtmc";
    // Conditions come from the chain's labels; the text only makes the names known.
    const auto source = parse_model(std::string(kind) +
                                        " module m x:[0..1]; endmodule label \"a\"=true; label \"b\"=true; label "
                                        "\"c\"=true; rewards \"r\" true:1; endrewards",
                                    "random.prism");
    const auto asked = parse_properties(property, "random.props");
    const Instance instance = instantiate(*source, asked.get(), {});
    options.analysis.threads = 1;
    return chain::check(instance.model, chain, instance.properties.at(0), Budget(), options);
  }
  chain::Bounded number(const std::string& property, const chain::CheckOptions& options = {}) const {
    return std::get<chain::Bounded>(check(property, options).value);
  }
};

inline chain::CheckOptions with_method(chain::AnalysisOptions::Method method, double epsilon = 1e-6) {
  chain::CheckOptions options;
  options.analysis.method = method;
  options.analysis.epsilon = epsilon;
  return options;
}

}  // namespace plumb::prism
