#pragma once

#include <functional>
#include <string>

#include "schema/payload.h"

namespace perf::test {

/// The pages in a payload's bytes, and a frame of such.
std::string unpacked_store(const std::string& bytes);
std::string packed_store(const std::string& image);

/// The same store in another frame.
std::string packed_again(const std::string& bytes);

/// A payload with its store changed by SQL, the rules switched off, under the name that it has then
/// (of the run `id`, where one is given), or keeps.
Payload changed_payload(const Payload& payload, const std::string& change, bool renamed,
                        const std::string& id = {});

/// One whose pages are changed, under its name.
Payload changed_image(const Payload& payload, const std::function<void(std::string&)>& change);

}  // namespace perf::test
