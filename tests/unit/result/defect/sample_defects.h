#pragma once

#include <fstream>
#include <string>

#include "base/file.h"
#include "result/defect/defect.h"
#include "result/defect/defect_report.h"

namespace plumb::result {

/// A directory with two files of C, and defects that refer to their lines.
class SampleProgram {
 public:
  static constexpr const char* kList =
      "#include <stdlib.h>\n"
      "void clear(int *p) {\n"
      "  free(p);\n"
      "  free(p);  /* plumb: ignore(leak) */\n"
      "}\n"
      "int *make(void) {\n"
      "\treturn malloc(20);\n"
      "}\n";

  SampleProgram() {
    write("list.c", kList);
    write("main file.c", "int a[5];\nint main(void) { char *s = \"h\xc3\xa9h\xc3\xa9\"; a[7] = 1; return *s; }\n");
  }

  const std::filesystem::path& path() const { return directory_.path(); }

  void write(const std::string& name, const std::string& content) const {
    std::filesystem::create_directories((path() / name).parent_path());
    std::ofstream(path() / name) << content;
  }

  /// In clear(), called by main(), through a model.
  static Defect double_free() {
    Defect defect;
    defect.kind = "double-free";
    defect.message = "second free of a heap object of 20 bytes";
    defect.place = {"list.c", 4, 3};
    defect.function = "clear";
    defect.stack = {{"free", {"runtime/models/allocation.c", 31, 2}, true},
                    {"clear", {"list.c", 4, 3}},
                    {"main", {"main file.c", 2, 12}}};
    defect.object = DefectObject{"heap",
                                 "",
                                 20,
                                 {{"malloc", {"runtime/models/allocation.c", 10, 1}, true}, {"make", {"list.c", 7, 9}}},
                                 {{"clear", {"list.c", 3, 3}}, {"main", {"main file.c", 2, 12}}}};
    defect.shown_by = "interpreter";
    defect.test.inputs = {{"n", {7, 0, 0, 0}}};
    defect.file = "out/errors/error-001.json";
    defect.replay_command = "plumb run list.c --input out/errors/error-001.json";
    return defect;
  }

  static Defect bad_index() {
    Defect defect;
    defect.kind = "array-out-of-bounds";
    defect.message = "index 7 of an array of 5 elements";
    defect.place = {"main file.c", 2, 38};  // in bytes; two letters before it have two each
    defect.function = "main";
    defect.stack = {{"main", {"main file.c", 2, 38}}};
    defect.access = DefectAccess{true, 28, 4};
    defect.object = DefectObject{"global", "a", 20, {}, {}};
    defect.shown_by = "native replay: SIGSEGV";
    return defect;
  }

  static Defect leak() {
    Defect defect;
    defect.kind = "leak";
    defect.message = "a heap object of 20 bytes is never freed";
    defect.place = {"list.c", 7, 9};
    defect.function = "make";
    defect.object = DefectObject{"heap", "", 20, {{"make", {"list.c", 7, 9}}}, {}};
    defect.lost_at = {"list.c", 5, 1};
    defect.is_after_another = true;
    defect.shown_by = "checked build";
    return defect;
  }

  DefectReport report(std::span<const Defect> defects) const {
    DefectReport report;
    report.defects = defects;
    report.version = "1.2.3";
    report.arguments = {"test", "list.c", "main file.c"};
    report.program = {"list.c", "main file.c"};
    report.directory = path();
    report.begin = std::chrono::system_clock::from_time_t(1700000000);
    report.end = std::chrono::system_clock::from_time_t(1700000002);
    report.reason = "2 defects found, 4 of 4 branches covered";
    report.exit_code = 10;
    report.notes = {"not checked: overflow"};
    return report;
  }

 private:
  TemporaryDirectory directory_;
};

}  // namespace plumb::result
