#include "schema/text/lists.h"

#include <gtest/gtest.h>

#include <array>
#include <map>
#include <string>
#include <vector>

namespace perf {
namespace {

struct Named {
  std::string name;
  int number = 0;
};

TEST(Mapped, AppliesAFunctionInOrder) {
  const std::array<int, 3> numbers{3, 1, 2};
  EXPECT_EQ(mapped(numbers, [](int one) { return one * 10; }), (std::vector{30, 10, 20}));
}

TEST(Mapped, CopiesAMemberOfEach) {
  std::vector<Named> list{{"a", 1}, {"b", 2}};
  const std::vector<std::string> names = mapped(list, &Named::name);
  list[0].name = "changed";
  EXPECT_EQ(names, (std::vector<std::string>{"a", "b"}));
}

TEST(Mapped, KeepsPointersIntoTheList) {
  const std::vector<Named> list{{"a", 1}, {"b", 2}};
  const auto pointers = mapped(list, [](const Named& one) { return &one; });
  EXPECT_EQ(pointers, (std::vector<const Named*>{&list[0], &list[1]}));
}

TEST(Mapped, IsEmptyForAnEmptyList) {
  EXPECT_TRUE(mapped(std::vector<Named>{}, &Named::number).empty());
}

TEST(Joined, PutsSeparatorsBetweenWords) {
  const std::vector<Named> list{{"a", 1}, {"", 2}, {"c", 3}};
  EXPECT_EQ(joined(list, ", ", &Named::name), "a, , c");
  EXPECT_EQ(joined(std::vector<Named>{{"", 1}, {"b", 2}}, "-", &Named::name), "-b");
  EXPECT_EQ(joined(std::vector<Named>{}, ", ", &Named::name), "");
}

TEST(Joined, AppliesAFunction) {
  const std::map<std::string, int> map{{"a", 1}, {"b", 2}};
  EXPECT_EQ(
      joined(map, "", [](const auto& one) { return one.first + std::to_string(one.second) + ";"; }),
      "a1;b2;");
}

}  // namespace
}  // namespace perf
