#include "result/xml_text.h"

#include <gtest/gtest.h>

namespace plumb::result {
namespace {

TEST(XmlText, EscapesItsSignsAndKeepsLetters) { EXPECT_EQ(xml_text("<a & \"ä\">"), "&lt;a &amp; &quot;ä&quot;&gt;"); }

TEST(XmlText, WhatXmlHasNoPlaceForIsReplaced) {
  EXPECT_EQ(xml_text(std::string("a\0b\nc\x7f", 6)), "a b c ");
  EXPECT_EQ(xml_text("\xff"), "\xef\xbf\xbd");
  EXPECT_EQ(xml_text("\xef\xbf\xbfx\xef\xbf\xbe"), " x ");
}

}  // namespace
}  // namespace plumb::result
