#include "cli/check_jobs.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "base/error.h"

namespace plumb::cli {
namespace {

bool is_task(const std::string& file) {
  const std::string suffix = std::filesystem::path(file).extension().string();
  return suffix == ".yml" || suffix == ".yaml";
}

/// What a task has been read to ask for, by property file.
struct Expectation {
  std::vector<check::Specification> specifications;
  const check::Task::Property* property;
};

std::vector<Expectation> expectations(const check::Task& task, std::vector<std::string>& notes,
                                      std::optional<Unsupported>& refused) {
  std::vector<Expectation> all;
  for (const check::Task::Property& property : task.properties) {
    try {
      all.push_back({check::read_property_file(property.file), &property});
    } catch (const Unsupported& error) {
      notes.push_back(fmt::format("not checked: {}: {}", property.file.string(), error.message()));
      if (!refused) refused = error;
    }
  }
  return all;
}

CheckJob job_of(const check::Specification& specification, const Expectation& expectation) {
  CheckJob job{specification};
  // A verdict is on all that a file asks for.
  if (expectation.specifications.size() == 1) {
    job.expected = expectation.property->expected;
    job.subproperty = expectation.property->subproperty;
  }
  return job;
}

void plan_task(CheckPlan& plan, const std::vector<std::string>& properties) {
  if (plan.files.size() > 1)
    throw UserError("a task is checked alone", "leave out the other files: the task names those that it is about");
  const check::Task task = check::read_task(plan.files.front());
  plan.files.clear();
  for (const std::filesystem::path& input : task.inputs) plan.files.push_back(input.string());
  plan.word_size = task.word_size;
  std::vector<std::string> left_out;
  std::optional<Unsupported> refused;
  const std::vector<Expectation> known = expectations(task, left_out, refused);
  for (const std::string& property : properties)
    for (const check::Specification& wanted : check::parse_specification(property)) {
      CheckJob job{wanted};
      for (const Expectation& each : known)
        for (const check::Specification& specification : each.specifications)
          if (specification.kind == wanted.kind && specification.checks == wanted.checks && !job.expected)
            job = job_of(wanted, each);
      plan.jobs.push_back(std::move(job));
    }
  if (!properties.empty()) return;
  for (const Expectation& each : known)
    for (const check::Specification& specification : each.specifications)
      plan.jobs.push_back(job_of(specification, each));
  plan.notes.insert(plan.notes.end(), left_out.begin(), left_out.end());
  if (plan.jobs.empty() && refused) throw Unsupported(*refused);
}

}  // namespace

CheckPlan plan_check(const std::vector<std::string>& files, const std::vector<std::string>& properties) {
  CheckPlan plan{files};
  if (std::ranges::any_of(files, is_task)) {
    plan_task(plan, properties);
  } else {
    for (const std::string& property : properties)
      for (const check::Specification& specification : check::parse_specification(property))
        plan.jobs.push_back({specification});
  }
  plan.is_asked = !plan.jobs.empty();
  if (!plan.is_asked) plan.jobs.push_back({check::assertions()});
  return plan;
}

}  // namespace plumb::cli
