#include <gtest/gtest.h>

#include <map>
#include <set>

#include "base/file.h"
#include "concolic/search/search.h"
#include "instrument/build_subject.h"
#include "replay/confirmer.h"

namespace plumb::concolic {

using instrument::build_subject;
using replay::Confirmation;
using replay::Confirmer;
namespace {

/// A program from its text to confirmed defects, as `plumb test` goes.
class FoundDefectsTest : public testing::Test {
 protected:
  void find(std::string_view text) {
    write_file(directory_.path() / "p.c", text);
    frontend::LoadOptions load;
    load.files = {(directory_.path() / "p.c").string()};
    const Subject subject = build_subject(load, directory_.path(), {});
    const SearchReport report = search(subject, {}, {}, Budget{}.with_timeout(std::chrono::seconds(20)));
    replay::Builds builds(load, directory_.path());
    Confirmer confirmer(builds);
    for (const FoundError& error : report.errors) {
      const Confirmation found = confirmer.confirm(subject, error, {});
      const std::string key = found.defect.kind + " " + std::to_string(found.defect.place.line);
      if (!found.is_confirmed) {
        unconfirmed_.insert(key + ": " + found.reason);
        continue;
      }
      confirmed_[key] = found.defect;
      for (const result::Defect& other : found.others)
        confirmed_[other.kind + " " + std::to_string(other.place.line)] = other;
    }
  }
  std::set<std::string> keys() const {
    std::set<std::string> all;
    for (const auto& [key, defect] : confirmed_) all.insert(key);
    return all;
  }

  TemporaryDirectory directory_;
  std::map<std::string, result::Defect> confirmed_;
  std::set<std::string> unconfirmed_;
};

TEST_F(FoundDefectsTest, HaveTheKindAndPlaceThatTheSourceHas) {
  find(R"(#include <stdlib.h>
#include <string.h>
int __VERIFIER_nondet_int(void);
unsigned char __VERIFIER_nondet_uchar(void);
static int table[10];
static int read_at(const int* p, int i) {
  return p[i];
}
static int* dangling(void) {
  int local = 1;
  int* volatile p = &local;
  return p;
}
int main(void) {
  int* heap = malloc(20);
  char text[4];
  unsigned i = __VERIFIER_nondet_uchar();
  int result = 0;
  if (heap == 0) return 0;
  memset(heap, 0, 20);
  switch (__VERIFIER_nondet_int()) {
    case 1: result = table[i]; break;
    case 2: result = read_at(heap, (int)(i & 7)); break;
    case 3: free(heap); break;
    case 4: heap = malloc(4); break;
    case 5: result = *dangling(); break;
    case 6: if (i == 77) strcpy(text, "1234"); break;
    case 7: result = *(int*)(unsigned long)(i == 9 ? 0 : heap); break;
    case 8: free(heap + (i == 3)); heap = 0; break;
    case 9: result = 5 / (int)(i - 30); break;
  }
  free(heap);
  return 0 * result;
}
)");
  EXPECT_EQ(keys(), (std::set<std::string>{"array-out-of-bounds 22", "pointer-out-of-bounds 7", "double-free 32",
                                           "leak 15", "use-after-return 26", "array-pointer-out-of-bounds 27",
                                           "null-dereference 28", "invalid-free 29", "division-by-zero 30"}));
  EXPECT_EQ(unconfirmed_, std::set<std::string>{});
}

TEST_F(FoundDefectsTest, AreNoneInAProgramWithoutAny) {
  find(R"(#include <stdlib.h>
#include <string.h>
int __VERIFIER_nondet_int(void);
unsigned char __VERIFIER_nondet_uchar(void);
struct node { struct node* next; unsigned char value[3]; };
static int table[10];
int main(void) {
  unsigned i = __VERIFIER_nondet_uchar(), n = __VERIFIER_nondet_uchar() % 5;
  struct node* list = 0;
  for (unsigned k = 0; k < n; ++k) {
    struct node* made = malloc(sizeof *made);
    if (made == 0) break;
    made->next = list;
    made->value[k % 3] = (unsigned char)k;
    list = made;
  }
  int result = i < 10 ? table[i] : 0;
  char* text = malloc(i + 1);
  if (text != 0) {
    memset(text, 'x', i);
    text[i] = 0;
    result += strlen(text) == i;
    free(text);
  }
  while (list != 0) {
    struct node* next = list->next;
    free(list);
    list = next;
  }
  return 0 * result;
}
)");
  EXPECT_EQ(keys(), std::set<std::string>{});
  EXPECT_EQ(unconfirmed_, std::set<std::string>{});
}

}  // namespace
}  // namespace plumb::concolic
