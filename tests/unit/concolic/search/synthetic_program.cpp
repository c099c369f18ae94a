#include "unit/concolic/search/synthetic_program.h"

#include "program/function_builder.h"

namespace plumb::concolic {

using instrument::Site;
using instrument::SiteKind;

using program::BlockId;
using Kind = Statement::Kind;

namespace {

/// Numbers sites and regions and writes the control flow as a Program whose branches have no condition.
class Finisher {
 public:
  explicit Finisher(SyntheticProgram& program) : program_(program), builder_("main") {}

  void finish() {
    Subject& subject = program_.subject;
    subject = {};
    subject.sites.resize(1);
    condition_ = builder_.undefined(1);
    builder_.select(add_block());
    emit(program_.body);
    if (!builder_.is_terminated()) builder_.return_values({});
    subject.program.functions.push_back(builder_.finish());
    subject.program.entry = 0;
    subject.terminator_sites.push_back(sites_);
  }

 private:
  BlockId add_block() {
    sites_.push_back(0);
    return builder_.add_block();
  }

  SiteId add_site(SiteKind kind) {
    Site site;
    site.kind = kind;
    site.function = 0;
    if (kind == SiteKind::Branch) {
      site.first_edge = program_.subject.edge_count;
      site.edge_count = 2;
      site.is_counted = true;
      program_.subject.edge_count += 2;
    }
    program_.subject.sites.push_back(site);
    return static_cast<SiteId>(program_.subject.sites.size() - 1);
  }

  void branch(SiteId site, BlockId yes, BlockId no) {
    sites_[builder_.selected()] = site;
    builder_.branch(condition_, {yes, {}}, {no, {}});
  }

  void go_on_at(BlockId block) {
    if (!builder_.is_terminated()) builder_.jump({block, {}});
  }

  void emit(Statements& statements) {
    for (Statement& s : statements) emit(s);
  }

  void emit_arm(Statements& statements, BlockId at, BlockId end) {
    builder_.select(at);
    emit(statements);
    go_on_at(end);
  }

  void emit(Statement& s) {
    switch (s.kind) {
      case Kind::If: {
        s.site = add_site(SiteKind::Branch);
        const BlockId yes = add_block(), no = add_block(), end = add_block();
        branch(s.site, yes, no);
        emit_arm(s.first, yes, end);
        emit_arm(s.second, no, end);
        builder_.select(end);
        break;
      }
      case Kind::While: {
        s.site = add_site(SiteKind::Branch);
        const BlockId head = add_block(), body = add_block(), end = add_block();
        builder_.jump({head, {}});
        builder_.select(head);
        branch(s.site, body, end);
        emit_arm(s.first, body, head);
        builder_.select(end);
        break;
      }
      case Kind::Region: {
        s.region = static_cast<std::uint32_t>(program_.subject.regions.size());
        program_.subject.regions.emplace_back();
        emit(s.first);
        s.site = add_site(SiteKind::Branch);
        const BlockId yes = add_block(), no = add_block(), end = add_block();
        program_.subject.regions[s.region].function = 0;
        program_.subject.regions[s.region].destinations = {yes, no};
        branch(s.site, yes, no);
        emit_arm(s.second, yes, end);
        emit_arm(s.third, no, end);
        builder_.select(end);
        break;
      }
      case Kind::Check:
        s.site = add_site(SiteKind::Check);
        break;
      case Kind::Assume:
        s.site = add_site(SiteKind::Assume);
        break;
      case Kind::Access:
        s.site = add_site(SiteKind::Access);
        break;
      case Kind::Error:
        s.site = add_site(SiteKind::Error);
        break;
      default:
        break;
    }
  }

  SyntheticProgram& program_;
  program::FunctionBuilder builder_;
  program::ValueId condition_ = program::kNone;
  std::vector<SiteId> sites_;  ///< by block
};

class Generator {
 public:
  Generator(std::mt19937& random, const RandomShape& shape) : random_(random), shape_(shape) {}

  SyntheticProgram program() {
    SyntheticProgram program;
    program.max_reads = shape_.max_reads;
    program.body.push_back({.kind = Kind::Read, .variable = 0});
    for (Statement& s : statements(3)) program.body.push_back(std::move(s));
    program.finish();
    return program;
  }

 private:
  std::uint32_t below(std::uint32_t n) { return std::uniform_int_distribution<std::uint32_t>(0, n - 1)(random_); }

  Statement condition(Kind kind) {
    Statement s;
    s.kind = kind;
    s.variable = below(4);
    s.constant = static_cast<std::uint8_t>(below(8));
    s.compare = below(2) == 0 ? Statement::Compare::Equal : Statement::Compare::Less;
    return s;
  }

  Statement assignment() {
    Statement s;
    s.kind = below(3) == 0 ? Kind::Xor : below(4) == 0 ? Kind::Set : Kind::Add;
    s.variable = below(4);
    s.other = below(4);
    s.constant = static_cast<std::uint8_t>(below(4));
    return s;
  }

  Statement access() {
    Statement s = condition(Kind::Access);
    s.other = below(4);
    return s;
  }

  Statements region_body(std::uint32_t depth) {
    Statements list;
    const std::uint32_t count = 1 + below(2);
    for (std::uint32_t i = 0; i < count; ++i) {
      if (depth == 0 || (i > 0 && below(2) == 0)) {
        list.push_back(shape_.has_accesses && below(4) == 0 ? access() : assignment());
        continue;
      }
      Statement s = condition(Kind::If);
      s.first = region_body(depth - 1);
      s.second = region_body(depth - 1);
      list.push_back(std::move(s));
    }
    return list;
  }

  Statement statement(std::uint32_t depth) {
    const std::uint32_t choice = below(12);
    if (depth > 0 && choice < 3) {
      Statement s = condition(Kind::If);
      s.first = statements(depth - 1);
      s.second = statements(depth - 1);
      return s;
    }
    if (depth > 0 && choice < 4) {
      Statement s = condition(Kind::While);
      s.first = statements(depth - 1);
      s.trips = 2;
      return s;
    }
    if (depth > 0 && shape_.has_regions && choice < 7) {
      Statement s = condition(Kind::Region);
      s.first = region_body(2);
      s.second = statements(depth - 1);
      s.third = statements(depth - 1);
      return s;
    }
    if (shape_.has_checks && choice == 7) return condition(Kind::Check);
    if (shape_.has_checks && choice == 8 && below(2) == 0) return condition(Kind::Assume);
    if (shape_.has_checks && choice == 9 && below(4) == 0) return {.kind = Kind::Error};
    if (shape_.has_accesses && choice > 9) return access();
    if (choice < 10) return {.kind = Kind::Read, .variable = below(4)};
    return assignment();
  }

  Statements statements(std::uint32_t depth) {
    Statements list;
    const std::uint32_t count = 1 + below(2);
    for (std::uint32_t i = 0; i < count; ++i) list.push_back(statement(depth));
    return list;
  }

  std::mt19937& random_;
  RandomShape shape_;
};

class Interpreter {
 public:
  Interpreter(const SyntheticProgram& program, const std::vector<std::uint8_t>& inputs)
      : program_(program), inputs_(inputs), variables_(program.variables) {
    run_.coverage.resize(program.subject.edge_count);
  }

  ConcreteRun run() {
    execute(program_.body);
    return run_;
  }

 private:
  bool holds(const Statement& s) const {
    const std::uint8_t value = variables_[s.variable];
    return s.compare == Statement::Compare::Equal ? value == s.constant : value < s.constant;
  }
  bool take(const Statement& s) {
    const bool holds_here = holds(s);
    run_.coverage[program_.subject.sites[s.site].first_edge + (holds_here ? 0 : 1)] = 1;
    return holds_here;
  }
  bool end(RunEnd how, SiteId site) {
    run_.end = how;
    run_.error_site = site;
    return false;
  }

  bool execute(const Statements& list) {
    for (const Statement& s : list)
      if (!execute(s)) return false;
    return true;
  }

  bool execute(const Statement& s) {
    switch (s.kind) {
      case Kind::Read: {
        const bool is_given = reads_ < program_.max_reads && reads_ < inputs_.size();
        variables_[s.variable] = is_given ? inputs_[reads_] & program_.mask : 0;
        ++reads_;
        return true;
      }
      case Kind::Add:
        variables_[s.variable] = static_cast<std::uint8_t>(variables_[s.other] + s.constant);
        return true;
      case Kind::Xor:
        variables_[s.variable] ^= variables_[s.other];
        return true;
      case Kind::Set:
        variables_[s.variable] = s.constant;
        return true;
      case Kind::If:
        return execute(take(s) ? s.first : s.second);
      case Kind::While:
        for (std::uint32_t i = 0; i < s.trips && take(s); ++i)
          if (!execute(s.first)) return false;
        return true;
      case Kind::Region:
        return execute(s.first) && execute(take(s) ? s.second : s.third);
      case Kind::Check:
        return holds(s) || end(RunEnd::Error, s.site);
      case Kind::Assume:
        return holds(s) || end(RunEnd::AssumeFailed, 0);
      case Kind::Access:
        if (holds(s)) return true;
        run_.defects.insert(s.site);
        variables_[s.other] = 0;
        return true;
      case Kind::Error:
        return end(RunEnd::Error, s.site);
      case Kind::Pin:
        return true;
    }
    return true;
  }

  const SyntheticProgram& program_;
  const std::vector<std::uint8_t>& inputs_;
  std::vector<std::uint8_t> variables_;
  std::uint32_t reads_ = 0;
  ConcreteRun run_;
};

}  // namespace

void SyntheticProgram::finish() { Finisher(*this).finish(); }

SyntheticProgram random_program(std::mt19937& random, const RandomShape& shape) {
  return Generator(random, shape).program();
}

ConcreteRun run_concretely(const SyntheticProgram& program, const std::vector<std::uint8_t>& inputs) {
  return Interpreter(program, inputs).run();
}

Oracle enumerate_inputs(const SyntheticProgram& program) {
  Oracle oracle;
  oracle.covered.resize(program.subject.edge_count);
  std::vector<std::uint8_t> inputs(program.max_reads);
  while (true) {
    const ConcreteRun run = run_concretely(program, inputs);
    oracle.defects.insert(run.defects.begin(), run.defects.end());
    if (run.end == RunEnd::Error) oracle.errors.insert(run.error_site);
    if (run.end != RunEnd::AssumeFailed)
      for (std::size_t e = 0; e < run.coverage.size(); ++e) oracle.covered[e] |= run.coverage[e];
    std::size_t i = 0;
    while (i < inputs.size() && inputs[i] == program.mask) inputs[i++] = 0;
    if (i == inputs.size()) return oracle;
    ++inputs[i];
  }
}

}  // namespace plumb::concolic
