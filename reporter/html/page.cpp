#include <string_view>
#include <vector>

#include "reporter/escape/markup.h"
#include "reporter/html/document.h"
#include "reporter/render.h"
#include "reporter/svg/style.h"
#include "schema/text/lists.h"

namespace perf::reporter::html {
namespace {

/// A text of ours that a page carries, and what its policy must know of it.
struct Asset {
  const char* text;
  const char* hash;
};

const std::vector<Asset>& styles() {
  static const std::vector<Asset> list{{svg::kPictureStyle, svg::kPictureStyleHash},
                                       {kPageStyle, kPageStyleHash},
                                       {kHistoryStyle, kHistoryStyleHash}};
  return list;
}

const std::vector<Asset>& scripts() {
  static const std::vector<Asset> list{{kPageScript, kPageScriptHash},
                                       {kListScript, kListScriptHash},
                                       {kHistoryScript, kHistoryScriptHash}};
  return list;
}

std::string elements(std::string_view tag, const std::vector<Asset>& assets) {
  return perf::joined(assets, "",
                      [&](const Asset& asset) { return element(tag, {}, asset.text) + "\n"; });
}

std::string hashes(const std::vector<Asset>& assets) {
  return perf::joined(
      assets, "", [](const Asset& asset) { return std::string(" 'sha256-") + asset.hash + "'"; });
}

/// Nothing is loaded, nothing is sent, and no script runs but ours, whatever a body let slip in.
/// The empty icon keeps a browser from asking a server for one.
std::string policy() {
  return "default-src 'none'; img-src data:; style-src" + hashes(styles()) + "; script-src" +
         hashes(scripts()) + "; base-uri 'none'; form-action 'none'";
}

}  // namespace

std::string page(const std::string& title, const std::string& body) {
  return "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
         "<meta http-equiv=\"Content-Security-Policy\" content=\"" +
         policy() +
         "\">\n"
         "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
         "<meta name=\"color-scheme\" content=\"light dark\">\n"
         "<meta name=\"generator\" content=\"perf-compare\">\n"
         "<link rel=\"icon\" href=\"data:,\">\n<title>" +
         xml_text(title) + "</title>\n" + elements("style", styles()) +
         "</head>\n<body>\n<main>\n" + body + "</main>\n" + elements("script", scripts()) +
         "</body>\n</html>\n";
}

}  // namespace perf::reporter::html

namespace perf {

std::string render_html(const reporter::Document& document) {
  using namespace reporter::html;
  return page(page_title(document), document_body(document));
}

}  // namespace perf
