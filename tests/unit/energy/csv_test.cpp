#include "energy/csv.h"

#include <gtest/gtest.h>

#include "base/error.h"

namespace plumb::energy {
namespace {

std::string error_of(std::string_view text, std::string_view column = "a") {
  try {
    static_cast<void>(CsvTable(text, "t.csv").column(column));
  } catch (const UserError& error) {
    return error.what();
  }
  return "no error";
}

TEST(Csv, ReadsColumnsByName) {
  const CsvTable table("hour,a,b\n0,1.5,2\n1,2.5e1,0\n", "t.csv");
  EXPECT_EQ(table.rows(), 2U);
  EXPECT_EQ(table.column("a"), (std::vector<double>{1.5, 25}));
  EXPECT_EQ(table.column("b"), (std::vector<double>{2, 0}));
}

TEST(Csv, ToleratesWhatSpreadsheetsWrite) {
  const CsvTable table("\xEF\xBB\xBF# made by hand\r\n\"a\" , \"b, \"\"c\"\"\"\r\n\r\n 1 ,\"2\"\r\n3,4", "t.csv");
  EXPECT_EQ(table.names(), (std::vector<std::string>{"a", "b, \"c\""}));
  EXPECT_EQ(table.column("a"), (std::vector<double>{1, 3}));
  EXPECT_EQ(table.column("b, \"c\""), (std::vector<double>{2, 4}));
}

TEST(Csv, NamesThePlaceOfEveryMistake) {
  EXPECT_EQ(error_of(""), "t.csv: error: expected a first line with the names of the columns");
  EXPECT_EQ(error_of("# nothing\n\n"), "t.csv: error: expected a first line with the names of the columns");
  EXPECT_EQ(error_of("a,,b\n"), "t.csv:1:3: error: expected the name of a column");
  EXPECT_EQ(error_of("a,b,a\n"), "t.csv:1:5: error: a second column is named 'a'");
  EXPECT_EQ(error_of("a,b\n1,2\n3\n"), "t.csv:3:1: error: expected 2 fields as in the first line, but there are 1");
  EXPECT_EQ(error_of("a,b\n1,2,3\n"), "t.csv:2:5: error: expected 2 fields as in the first line, but there are 3");
  EXPECT_EQ(error_of("b,a\n# two\n1, x2\n"), "t.csv:3:4: error: expected a number in column 'a', but found 'x2'");
  EXPECT_EQ(error_of("b,a\n1,\n"), "t.csv:2:3: error: expected a number in column 'a', but found ''");
  EXPECT_EQ(error_of("a\n1e999\n"), "t.csv:2:1: error: expected a number in column 'a', but found '1e999'");
  EXPECT_EQ(error_of("a\n12;\n"), "t.csv:2:1: error: expected a number in column 'a', but found '12;'");
  for (const std::string bad : {"-1", "nan", "inf"})
    EXPECT_EQ(error_of("a\n" + bad + "\n"),
              "t.csv:2:1: error: expected a finite number that is not negative in column 'a', but found '" + bad + "'");
  EXPECT_EQ(error_of("\"a\n1\n"), "t.csv:1:1: error: expected a closing quote on the same line");
  EXPECT_EQ(error_of("\"a\"b,c\n"), "t.csv:1:4: error: expected a comma after the quoted field");
}

TEST(Csv, SuggestsTheNearestColumn) {
  EXPECT_EQ(error_of("harbour,mills\n1,2\n", "harbor"),
            "t.csv: error: there is no column 'harbor'\n  hint: did you mean 'harbour'?");
  EXPECT_EQ(error_of("harbour,mills\n1,2\n", "price"),
            "t.csv: error: there is no column 'price'\n  hint: there are the columns harbour and mills");
}

}  // namespace
}  // namespace plumb::energy
