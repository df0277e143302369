#include "workloads/inference/prompt_tokens.h"

#include <fmt/format.h>

#include <charconv>
#include <fstream>
#include <iterator>
#include <string>

#include "workloads/program/error.h"

namespace perf::workloads {

namespace {

constexpr std::size_t kMostPromptTokens = 65536;            // as of `prompt`
constexpr std::size_t kMostBytes = 16 * kMostPromptTokens;  // seven digits, and what lies between

std::string text_of_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::string text(kMostBytes + 1, '\0');
  file.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<std::size_t>(file.gcount()));
  if (text.empty() || text.size() > kMostBytes) {
    throw Error("no list of tokens",
                path + (text.empty() ? ": cannot be read, or is empty" : ": more than 1 MiB"),
                "a file of whole numbers, such as 9707 11 1879");
  }
  return text;
}

// Without the brackets of a list in JSON.
std::string without_brackets(std::string text) {
  constexpr char kSpace[] = " \t\r\n";
  const std::size_t first = text.find_first_not_of(kSpace), last = text.find_last_not_of(kSpace);
  if (first != std::string::npos && last > first && text[first] == '[' && text[last] == ']') {
    text[first] = text[last] = ' ';
  }
  return text;
}

}  // namespace

Parameter prompt_tokens_parameter() {
  return text("prompt-tokens", "", nullptr,
              "a file of token numbers, in place of random ones; their number is the prompt's");
}

std::vector<int> prompt_tokens(const Settings& settings, std::size_t vocabulary) {
  const std::string& path = settings.text("prompt-tokens");
  if (path.empty()) {
    return {};
  }
  if (settings.given("prompt")) {
    throw Error("the length of the prompt is that of the file",
                fmt::format("--prompt-tokens {} --prompt {}", path, settings.text("prompt")),
                "one of the two");
  }
  const std::string text = without_brackets(text_of_file(path));
  std::vector<int> tokens;
  const char *at = text.data(), *end = at + text.size();
  const auto refuse = [&](const std::string& why, const std::string& hint) {
    throw Error("no list of tokens", fmt::format("{}, byte {}: {}", path, at - text.data(), why),
                hint);
  };
  bool wants_number = true;  // at the beginning, and after a comma
  for (bool apart = true; at < end;) {
    if (*at == ' ' || *at == '\t' || *at == '\r' || *at == '\n') {
      apart = true;
      ++at;
      continue;
    }
    if (*at == ',' && !wants_number) {
      wants_number = apart = true;
      ++at;
      continue;
    }
    int token = -1;
    const auto [next, error] = std::from_chars(at, end, token);
    if (error != std::errc() || !apart || token < 0) {
      refuse("no token's number", "whole numbers with spaces, lines or commas between them");
    }
    if (static_cast<std::size_t>(token) >= vocabulary) {
      refuse(fmt::format("{} is outside the vocabulary of {}", token, vocabulary),
             "the tokenizer that belongs to the model");
    }
    if (tokens.size() == kMostPromptTokens) {
      refuse(fmt::format("more than {} tokens", kMostPromptTokens), "a shorter prompt");
    }
    tokens.push_back(token);
    wants_number = apart = false;
    at = next;
  }
  if (wants_number) {
    refuse("a number is missing", "whole numbers with spaces, lines or commas between them");
  }
  return tokens;
}

std::size_t prompt_length(const Settings& settings, const std::vector<int>& tokens) {
  return tokens.empty() ? static_cast<std::size_t>(settings.integer("prompt")) : tokens.size();
}

void describe_prompt(const std::vector<int>& tokens, perf_compare::StepEmitter& out) {
  if (!tokens.empty()) {
    out.environment("prompt", tokens.size());
  }
}

}  // namespace perf::workloads
