#include "reporter/html/document.h"

#include <gtest/gtest.h>

#include <string>

namespace perf::reporter::html {
namespace {

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST(HtmlProse, DressesByTone) {
  EXPECT_EQ(html_prose({words("a "), strong("b"), name("c"), data("d"), number("4 ms"), dim("e")}),
            "a <strong>b</strong><code dir=\"auto\">c</code><bdi dir=\"auto\">d</bdi>"
            "<span class=\"number\">4 ms</span><span class=\"dim\">e</span>");
  EXPECT_EQ(html_prose({{Tone::bad, "x"}}), "<strong class=\"bad\">x</strong>");
}

TEST(HtmlProse, EscapesEveryTone) {
  for (const Tone tone : {Tone::plain, Tone::strong, Tone::good, Tone::bad, Tone::warn, Tone::dim,
                          Tone::number, Tone::name, Tone::data, Tone::command}) {
    const std::string html = html_prose({{tone, "<b a=\"'\">&\u202E"}});
    EXPECT_TRUE(has(html, "&lt;b a=&quot;&#39;&quot;&gt;&amp;&lt;U+202E&gt;")) << html;
  }
}

TEST(HtmlProse, HasTheFullTextOfShortenedNames) {
  const std::string whole(150, 'x');
  const std::string html = html_prose({name(whole)});
  EXPECT_TRUE(has(html, "title=\"" + whole + "\""));
  EXPECT_FALSE(has(html, ">" + whole));
  EXPECT_LT(html_prose({name(std::string(10240, 'x'))}).size(), 2500U);
}

Document example() {
  Document document;
  document.mood = Mood::bad;
  document.headline = {{words("It is slower")}, {words("and larger")}};
  Section section;
  section.title = "Numbers";
  section.table.columns = {{"name"}, {"value", Align::right}};
  section.table.rows = {{{{name("a")}, {number("1")}}, {name("a")}, {{words("first remark")}}},
                        {{{name("b")}, {number("2")}}}};
  section.lines = {{words("a line")}};
  document.sections.push_back(section);
  Section again;
  again.title = "How to reproduce";
  again.folded = true;
  again.commands = {"perf-compare a b && <x>"};
  document.sections.push_back(again);
  return document;
}

TEST(HtmlDocument, ShowsTheMoodBySignAndWord) {
  const std::string html = headline_html(example());
  EXPECT_TRUE(has(html, "class=\"verdict bad\""));
  EXPECT_TRUE(has(html, "role=\"img\" aria-label=\"bad\">\u2717<"));
  EXPECT_TRUE(has(html, "<h1>It is slower</h1>"));
  EXPECT_TRUE(has(html, "<p>and larger</p>"));
}

TEST(HtmlDocument, HasTablesWithHeadsAlignmentAndRemarks) {
  const std::string html = document_body(example());
  EXPECT_TRUE(has(html, "<h2>Numbers</h2>"));
  EXPECT_TRUE(has(html, "<th scope=\"col\">name</th><th scope=\"col\" class=\"right\">value</th>"));
  EXPECT_TRUE(has(html,
                  "<tbody><tr><th scope=\"row\"><code dir=\"auto\">a</code></th>"
                  "<td class=\"right\"><span class=\"number\">1</span></td></tr>"
                  "<tr class=\"remarks\"><td colspan=\"2\"><ul><li>first remark</li></ul></td></tr>"
                  "</tbody>"));
  EXPECT_TRUE(has(html, "<p>a line</p>"));
}

TEST(HtmlDocument, FoldsWithoutScriptsAndKeepsCommandsWhole) {
  const std::string html = document_body(example());
  EXPECT_TRUE(has(html, "<details><summary>How to reproduce</summary>"));
  EXPECT_TRUE(has(html, "<pre>perf-compare a b &amp;&amp; &lt;x&gt;</pre>"));
}

TEST(HtmlDocument, HasTheVerdictAsTitle) {
  EXPECT_EQ(page_title(example()), "It is slower - perf-compare");
  EXPECT_EQ(page_title({}), "- perf-compare");
}

TEST(HtmlTable, PlacesValuesLinksAndPictures) {
  const Table table = example().sections[0].table;
  TableDress dress;
  dress.attributes = {{"class", "sortable"}, {"data-filter", "<rows>"}};
  dress.picture_before = "value";
  dress.picture_head = "<i>scale</i>";
  dress.rows = {{{{"data-state", "\"bad\""}}, "#w1", {{"value", 1.25}}, "<i>p</i>"},
                {{}, {}, {{"value", 1.0 / 0.0}}, {}}};
  const std::string html = html_table(table, dress);
  EXPECT_TRUE(has(html, "<table class=\"sortable\" data-filter=\"&lt;rows&gt;\">"));
  EXPECT_TRUE(has(html, "name</th><th scope=\"col\" class=\"drawn\"><i>scale</i></th>"));
  EXPECT_TRUE(has(html, "<tbody data-state=\"&quot;bad&quot;\">"));
  EXPECT_TRUE(has(html,
                  "<a href=\"#w1\"><code dir=\"auto\">a</code></a></th>"
                  "<td class=\"drawn\"><i>p</i></td><td data-value=\"1.25\" class=\"right\">"));
  EXPECT_TRUE(has(html, "data-value=\"1e999\"")) << "JavaScript reads it as infinity";
  EXPECT_TRUE(has(html, "<td colspan=\"3\">"));
}

}  // namespace
}  // namespace perf::reporter::html
