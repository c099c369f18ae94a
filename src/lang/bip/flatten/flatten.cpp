#include "lang/bip/flatten/flatten.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/spelling.h"
#include "lang/bip/flatten/bind.h"
#include "lang/bip/flatten/connect.h"
#include "lang/bip/flatten/instance.h"
#include "lang/bip/syntax/parser.h"

namespace plumb::bip {

namespace {

using flat::Constant;
using flat::Constants;
using flat::Context;

void bind_constants(Context& context) {
  const flat::Scope scope = [&](const Expression& name) { return flat::find_constant(context, {}, name); };
  for (const DataDeclaration& data : context.package.constants) {
    const std::string what = fmt::format("constant '{}'", data.name.text);
    const Constant value = flat::bind_constant(context, *data.init, what, scope);
    context.constants[data.name.text] = value;
    context.model.constants.push_back({data.name.text, value.type, value.value});
  }
}

struct Top {
  const CompoundType* type = nullptr;
  Constants arguments;
};

/// What is wrong with Options::top has no place in the file.
[[noreturn]] void fail_top(const std::string& wanted, const std::string& message, const std::string& hint) {
  throw UserError(fmt::format("in the top component '{}': {}", wanted, message), hint);
}

Top named_top(Context& context, const std::string& wanted) {
  const ComponentDeclaration declaration = parse_top(wanted);
  const CompoundType* type = flat::find_named(context.package.compound_types, declaration.type.text);
  if (!type) {
    const std::vector<std::string> known = flat::names_of(context.package.compound_types);
    const std::string_view near = nearest_name(declaration.type.text, known);
    fail_top(
        wanted, fmt::format("there is no compound type '{}'", declaration.type.text),
        near.empty() ? fmt::format("take one of {}", flat::listed(known)) : fmt::format("did you mean '{}'?", near));
  }
  const std::vector<Parameter>& parameters = type->parameters;
  std::string forms;
  for (const Parameter& parameter : parameters)
    forms += fmt::format("{}{} {}", forms.empty() ? "" : ", ", to_string(parameter.type), parameter.name.text);
  const std::string hint = fmt::format("'{}' takes ({})", type->name.text, forms);
  if (declaration.arguments.size() != parameters.size())
    fail_top(wanted, fmt::format("{} arguments instead of {}", declaration.arguments.size(), parameters.size()), hint);
  for (std::size_t i = 0; i < parameters.size(); ++i)
    if (declaration.arguments[i]->type != parameters[i].type)
      fail_top(wanted,
               fmt::format("the value of parameter '{}' is not of type {}", parameters[i].name.text,
                           to_string(parameters[i].type)),
               hint);
  try {
    return {type, flat::bind_arguments(context, parameters, declaration.arguments, {})};
  } catch (const UserError& error) {
    fail_top(wanted, error.message(), error.hint());
  }
}

const CompoundType& default_top(Context& context) {
  const Package& package = context.package;
  if (package.compound_types.empty())
    context.fail(package.name.place, fmt::format("package '{}' has no compound type", package.name.text),
                 "a compound type says which components there are: `compound type Top() … end`");
  std::set<std::string> contained;
  for (const CompoundType& type : package.compound_types)
    for (const ComponentDeclaration& component : type.components) contained.insert(component.type.text);
  std::vector<const CompoundType*> tops;
  for (const CompoundType& type : package.compound_types)
    if (!contained.contains(type.name.text)) tops.push_back(&type);
  INVARIANT(!tops.empty(), "compound types should not contain themselves");
  if (tops.size() > 1)
    context.warn(tops.back()->name.place,
                 fmt::format("{} compound types are contained in no other: this is about '{}' (--top takes another)",
                             tops.size(), tops.back()->name.text));
  return *tops.back();
}

/// `Top` or `Top(3, true)`
std::string top_text(const CompoundType& type, const Constants& arguments) {
  if (type.parameters.empty()) return type.name.text;
  std::string text;
  for (const Parameter& parameter : type.parameters) {
    const Constant& value = arguments.at(parameter.name.text);
    if (!text.empty()) text += ", ";
    text += value.type == Type::Int ? fmt::format("{}", value.value) : value.value != 0 ? "true" : "false";
  }
  return fmt::format("{}({})", type.name.text, text);
}

Top choose_top(Context& context, const std::string& wanted) {
  if (!wanted.empty()) return named_top(context, wanted);
  const CompoundType& type = default_top(context);
  if (!type.parameters.empty())
    context.fail(type.name.place, fmt::format("the top compound type '{}' has parameters", type.name.text),
                 fmt::format("give arguments with --top '{}(…)', or declare a compound without parameters that "
                             "contains it",
                             type.name.text));
  return {&type, {}};
}

}  // namespace

Model flatten(const Package& package, const Options& options, std::vector<Warning>& warnings) {
  if (options.bits < 2 || options.bits > 62)
    throw UserError(fmt::format("an int of {} bits", options.bits), "--bits takes 2 to 62");
  Model model;
  model.file = package.file;
  model.text = package.text;
  model.name = package.name.text;
  model.bits = options.bits;
  model.initialize_variables = options.initialize_variables;
  Context context{package, model, warnings};
  bind_constants(context);
  Top top = choose_top(context, options.top);
  model.top = top_text(*top.type, top.arguments);
  flat::Compound compound = flat::instantiate(context, *top.type, std::move(top.arguments));
  flat::connect(context, compound);
  return model;
}

}  // namespace plumb::bip
