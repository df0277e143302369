#include "tests/schema/store/wrong_payload.h"

#include <zstd.h>

#include "schema/store/connection.h"
#include "schema/store/internal.h"

namespace perf::test {

std::string unpacked_store(const std::string& bytes) {
  std::string image(ZSTD_getFrameContentSize(bytes.data(), bytes.size()), '\0');
  ZSTD_decompress(image.data(), image.size(), bytes.data(), bytes.size());
  return image;
}

std::string packed_store(const std::string& image) {
  std::string bytes(ZSTD_compressBound(image.size()), '\0');
  bytes.resize(ZSTD_compress(bytes.data(), bytes.size(), image.data(), image.size(), 1));
  return bytes;
}

std::string packed_again(const std::string& bytes) {
  return packed_store(unpacked_store(bytes));
}

Payload changed_payload(const Payload& payload, const std::string& change, bool renamed,
                        const std::string& id) {
  store::Connection connection("payload", unpacked_store(payload.bytes));
  connection.execute("PRAGMA ignore_check_constraints = ON; PRAGMA foreign_keys = OFF; " + change);
  const std::string of = id.empty() ? id_of_payload(payload.name) : id;
  const std::string name = renamed ? of + "-" + store::content_digest(connection) : payload.name;
  return {name, payload.month, packed_store(connection.image())};
}

Payload changed_image(const Payload& payload, const std::function<void(std::string&)>& change) {
  std::string image = unpacked_store(payload.bytes);
  change(image);
  return {payload.name, payload.month, packed_store(image)};
}

}  // namespace perf::test
