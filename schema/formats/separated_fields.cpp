#include "schema/formats/reading.h"

namespace perf::formats {
namespace {

constexpr std::string_view kBetween = " \t\r\v\f";

class FieldReader {
 public:
  explicit FieldReader(std::string_view line) : rest_(line) { skip_blanks(); }

  bool at_end() const { return rest_.empty(); }

  std::string field() {
    std::string read = !rest_.empty() && rest_.front() == '"' ? quoted() : plain();
    skip_blanks();
    return read;
  }

  bool comma() {
    if (rest_.empty() || rest_.front() != ',') {
      return false;
    }
    rest_.remove_prefix(1);
    skip_blanks();
    return true;
  }

 private:
  void skip_blanks() {
    rest_.remove_prefix(std::min(rest_.find_first_not_of(kBetween), rest_.size()));
  }

  std::string plain() {
    std::string read(rest_.substr(0, rest_.find_first_of(std::string(kBetween) + ',')));
    rest_.remove_prefix(read.size());
    return read;
  }

  std::string quoted() {
    std::string read;
    rest_.remove_prefix(1);
    while (!rest_.empty()) {
      const bool quote = rest_.front() == '"';
      if (quote && (rest_.size() == 1 || rest_[1] != '"')) {
        rest_.remove_prefix(1);
        break;
      }
      read += rest_.front();
      rest_.remove_prefix(quote ? 2 : 1);
    }
    return read;
  }

  std::string_view rest_;
};

}  // namespace

std::vector<std::string> separated_fields(std::string_view line) {
  FieldReader reader(line);
  std::vector<std::string> fields;
  if (reader.at_end()) {
    return fields;
  }
  bool more = true;
  while (more) {
    fields.push_back(reader.field());
    more = reader.comma() || !reader.at_end();
  }
  return fields;
}

}  // namespace perf::formats
