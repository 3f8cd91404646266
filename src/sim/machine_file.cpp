// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The one place that knows the library that parses TOML.
#include "base/nearest_name.h"
#include "base/utf8.h"
#include "sim/machine_costs.h"
#include "sim/machines.h"
#include "sim/operation.h"

#define TOML_EXCEPTIONS 0
#define TOML_ENABLE_FORMATTERS 0
#include <algorithm>
#include <cmath>
#include <sstream>
#include <toml++/toml.h>

namespace TEFF_NAMESPACE::sim {

namespace {

using platform::level;

constexpr const char* title_key = "title";
constexpr const char* level_key = "level";
constexpr const char* name_key = "name";
constexpr const char* width_key = "width";
constexpr const char* transfer_key = "transfer";
constexpr const char* shares_key = "shares";
constexpr const char* memory_key = "memory";

struct part_name {
  const char* name;
  level part;
};
constexpr part_name parts[] = {{"core", level::core}, {"cache", level::cache}, {"package", level::package}};

std::string plain(double value) {
  std::ostringstream text;
  text << value;
  return text.str();
}

bool is_control(char each) { return static_cast<unsigned char>(each) < 0x20 || each == 0x7f; }

/// A text of the file as a sentence can have it.
std::string shown(std::string_view text) {
  std::string made = quotable(text);
  std::replace_if(made.begin(), made.end(), is_control, '?');
  return made;
}

/// What a sentence calls a value: a number, name or truth in quotes, anything else by its kind.
std::string text_of(const toml::node& value) {
  if (const auto* const text = value.as_string()) return "'" + shown(text->get()) + "'";
  if (const auto* const number = value.as_integer()) return "'" + std::to_string(number->get()) + "'";
  if (const auto* const number = value.as_floating_point()) return "'" + plain(number->get()) + "'";
  if (const auto* const truth = value.as_boolean()) return truth->get() ? "'true'" : "'false'";
  return value.is_table() ? "a table" : value.is_array() ? "a list" : "a date or time";
}

/// Whether it is a text that can be shown in a line of a list.
bool is_one_line(const toml::node& value) {
  const auto* const text = value.as_string();
  return text != nullptr && !text->get().empty() && std::none_of(text->get().begin(), text->get().end(), is_control);
}

bool is_level_name(const std::string& name) {
  const auto letter = [](char each) { return each >= 'a' && each <= 'z'; };
  const auto allowed = [&](char each) { return letter(each) || (each >= '0' && each <= '9') || each == '_'; };
  return !name.empty() && name.size() <= 30 && letter(name[0]) && std::all_of(name.begin(), name.end(), allowed);
}

std::string whole_numbers(unsigned least, unsigned most) {
  return "whole numbers " + std::to_string(least) + " ... " + std::to_string(most);
}

/// Reads one file. Each step returns false after it has set the sentence.
class file_reader {
 public:
  file_reader(const std::string& file, described_machine& into) : file_(file), machine_(into) {}

  std::string read(std::string_view text) {
    machine_ = {};
    machine_.name = file_;
    const toml::parse_result parsed = toml::parse(text);
    if (!parsed) refuse(parsed.error().source(), std::string(parsed.error().description()));
    else static_cast<void>(read_all(parsed.table()));
    return sentence_;
  }

 private:
  bool refuse(const toml::source_region& at, const std::string& what) {
    sentence_ = "machine file " + quotable(file_) + ":" + std::to_string(std::max(at.begin.line, 1u)) + ": " + what;
    return false;
  }

  bool refuse_value(const toml::node& value, const std::string& key, const std::string& allowed) {
    return refuse(value.source(), "key '" + key + "' cannot be " + text_of(value) + "; allowed: " + allowed);
  }

  bool refuse_contradiction(const toml::table& of, const char* key, const std::string& why) {
    return refuse(of.get(key)->source(), std::string("key '") + key + "' " + why);
  }

  bool read_all(const toml::table& file) {
    std::vector<std::string> keys = {title_key, level_key};
    for (const real_cost& each : real_costs) keys.emplace_back(each.name);
    for (const whole_cost& each : whole_costs) keys.emplace_back(each.name);
    std::vector<std::string> of_caches;
    for (const cache_number& each : cache_numbers) of_caches.emplace_back(each.number.name);
    if (!has_just(file, keys, of_caches) || !read_title(file) || !read_costs(file)) return false;
    const toml::node& levels = *file.get(level_key);
    if (!levels.is_array_of_tables() || levels.as_array()->size() > levels_at_most)
      return refuse(levels.source(),
                    "key 'level' is a table [[level]] for each of 1 to " + std::to_string(levels_at_most) + " levels");
    machine_.costs.levels = static_cast<unsigned>(levels.as_array()->size());
    for (unsigned i = 0; i < machine_.costs.levels; ++i) {
      if (!read_level(*levels.as_array()->get(i)->as_table(), i)) return false;
    }
    return read_caches(file, *levels.as_array());
  }

  /// Whether these keys are there, but for the optional ones, and no others.
  bool has_just(const toml::table& of, std::vector<std::string> keys, const std::vector<std::string>& optional) {
    const auto missing = std::find_if(keys.begin(), keys.end(), [&](const std::string& key) { return of.get(key) == nullptr; });
    const std::string sentence = missing == keys.end() ? "" : "key '" + *missing + "' is missing";
    keys.insert(keys.end(), optional.begin(), optional.end());
    // A key that is missing is often one that is misspelt: then both are said, at the line of that one.
    if (const toml::key* const unknown = unknown_in(of, keys)) {
      const std::string name = unknown_name_sentence("key", shown(unknown->str()), keys);
      return refuse(unknown->source(), name + (sentence.empty() ? "" : "; " + sentence));
    }
    return sentence.empty() || refuse(of.source(), sentence);
  }

  static const toml::key* unknown_in(const toml::table& of, const std::vector<std::string>& keys) {
    for (const auto& [key, value] : of) {
      if (std::find(keys.begin(), keys.end(), key.str()) == keys.end()) return &key;
    }
    return nullptr;
  }

  bool read_title(const toml::table& file) {
    const toml::node& title = *file.get(title_key);
    if (!is_one_line(title)) return refuse_value(title, title_key, "a text in one line");
    machine_.title = title.value_or(std::string());
    return true;
  }

  bool read_costs(const toml::table& file) {
    for (const real_cost& each : real_costs) {
      if (!read_real(file, each)) return false;
    }
    for (const whole_cost& each : whole_costs) {
      if (!read_whole(file, each.name, each.name, each.least, each.most, machine_.costs.*each.member)) return false;
    }
    return true;
  }

  /// Effect: finds the number of a key, and keeps its source under the name. Returns: nullptr if it has none of them.
  const toml::node* number_of(const toml::table& of, const std::string& key, const std::string& name) {
    const toml::node& value = *of.get(key);
    const auto* const pair = value.as_array();
    if (pair == nullptr || pair->size() != 2 || !pair->get(0)->is_number() || !is_one_line(*pair->get(1))) {
      const bool has_number = pair != nullptr && pair->size() == 2 && pair->get(0)->is_number();
      const std::string it = has_number        ? "from " + text_of(*pair->get(1))
                             : pair != nullptr ? "a list of other things"
                                               : text_of(value);
      refuse(value.source(), "key '" + key + "' cannot be " + it + "; allowed: a number and where it is from, as [" +
                                 (value.is_number() ? plain(value.value_or(0.0)) : "2000") + ", \"estimated\"]");
      return nullptr;
    }
    machine_.sources[name] = pair->get(1)->value_or(std::string());
    return pair->get(0);
  }

  bool read_real(const toml::table& of, const real_cost& cost) {
    const toml::node* const number = number_of(of, cost.name, cost.name);
    if (number == nullptr) return false;
    const double value = number->value_or(0.0);
    if (std::isnan(value) || value < cost.least || value > cost.most)
      return refuse_value(*number, cost.name, plain(cost.least) + " ... " + plain(cost.most));
    machine_.costs.*cost.member = value;
    return true;
  }

  bool read_whole(const toml::table& of, const char* key, const std::string& name, unsigned least, unsigned most,
                  unsigned& target) {
    const toml::node* const number = number_of(of, key, name);
    if (number == nullptr) return false;
    const auto* const whole = number->as_integer();
    if (whole == nullptr || whole->get() < least || whole->get() > most)
      return refuse_value(*number, key, whole_numbers(least, most));
    target = static_cast<unsigned>(whole->get());
    return true;
  }

  bool read_level(const toml::table& of, unsigned at) {
    if (!has_just(of, {name_key, width_key, transfer_key}, {shares_key, memory_key}) || !read_name(of)) return false;
    machine_level& made = machine_.costs.level[at];
    const bool last = at + 1 == machine_.costs.levels;
    const std::string& name = machine_.level_names.back();
    return read_whole(of, width_key, name + "_size", 1, places_at_most, made.width) &&
           read_whole(of, transfer_key, last ? "remote_transfer" : "same_" + name + "_transfer", 0, access_cost_at_most,
                      made.transfer) &&
           read_shares(of, made) && fits(of, at);
  }

  bool read_name(const toml::table& of) {
    const auto* const text = of.get(name_key)->as_string();
    if (text == nullptr || !is_level_name(text->get()))
      return refuse_value(*of.get(name_key), name_key, "up to 30 of a-z, 0-9 and _, a letter first");
    auto& names = machine_.level_names;
    if (std::find(names.begin(), names.end(), text->get()) != names.end())
      return refuse_contradiction(of, name_key, "cannot be '" + text->get() + "': another level has this name");
    names.push_back(text->get());
    return true;
  }

  /// One part, or a list of them.
  bool read_shares(const toml::table& of, machine_level& made) {
    made.shares = 0;
    const toml::node* const value = of.get(shares_key);
    if (value == nullptr) return true;
    if (!value->is_array()) return add_part(*value, made);
    for (const toml::node& each : *value->as_array()) {
      if (!add_part(each, made)) return false;
    }
    return true;
  }

  bool add_part(const toml::node& value, machine_level& made) {
    const std::string text = value.value_or(std::string());
    for (const part_name& each : parts) {
      if (text != each.name) continue;
      made.shares |= sharing(each.part);
      return true;
    }
    return refuse_value(value, shares_key, "core, cache, package, or a list of these");
  }

  /// Whether the level goes with those within it.
  bool fits(const toml::table& of, unsigned at) {
    const machine_level& made = machine_.costs.level[at];
    if (at == 0) {
      const unsigned hit = machine_.costs.own_line_hit;
      return made.transfer >= hit || refuse_contradiction(of, transfer_key,
                                                          "cannot be '" + std::to_string(made.transfer) +
                                                              "': a line that the processor itself holds costs " +
                                                              std::to_string(hit) + " (own_line_hit)");
    }
    const machine_level& inner = machine_.costs.level[at - 1];
    const std::string in_level = " of level '" + machine_.level_names[at - 1] + "'";
    if (made.width <= inner.width || made.width % inner.width != 0)
      return refuse_contradiction(of, width_key,
                                  "cannot be '" + std::to_string(made.width) +
                                      "': levels nest from near to far, so it is 2 or more times the " +
                                      std::to_string(inner.width) + in_level);
    if (made.transfer < inner.transfer)
      return refuse_contradiction(of, transfer_key,
                                  "cannot be '" + std::to_string(made.transfer) + "': nearer processors, those" + in_level +
                                      ", cost " + std::to_string(inner.transfer));
    return shares_more_than_inner(of, at);
  }

  bool shares_more_than_inner(const toml::table& of, unsigned at) {
    const unsigned own = machine_.costs.level[at].shares;
    const unsigned nearest = own & ~(own - 1);
    for (unsigned i = 0; i < at && own != 0; ++i) {
      if (machine_.costs.level[i].shares >= nearest)
        return refuse_contradiction(of, shares_key,
                                    "is no wider part than that of level '" + machine_.level_names[i] +
                                        "' within it; from near to far: core, cache, package");
    }
    return true;
  }

  /// What is stated of caches: nothing, or everything that there is.
  bool read_caches(const toml::table& file, const toml::array& levels) {
    const std::string stated = first_of_caches(file, levels);
    if (stated.empty()) return true;
    const bool shared = machine_.costs.shares_cache();
    for (const cache_number& each : cache_numbers) {
      const whole_cost& number = each.number;
      const toml::node* const value = file.get(number.name);
      if (each.of_domain && !shared) {
        if (value == nullptr) continue;
        return refuse(value->source(), std::string("key '") + number.name + "' is there, and no level shares a cache");
      }
      if (value == nullptr) return refuse_missing(file, number.name, stated);
      if (!read_whole(file, number.name, number.name, number.least, number.most, machine_.costs.*number.member)) return false;
    }
    for (unsigned i = 0; i < machine_.costs.levels; ++i) {
      if (!read_memory(*levels.get(i)->as_table(), i, stated)) return false;
    }
    return caches_fit(file, *levels.get(0)->as_table());
  }

  /// Returns: a key that is about caches; empty if there is none.
  static std::string first_of_caches(const toml::table& file, const toml::array& levels) {
    for (const cache_number& each : cache_numbers) {
      if (file.get(each.number.name) != nullptr) return each.number.name;
    }
    for (const toml::node& each : levels) {
      if (each.as_table()->get(memory_key) != nullptr) return memory_key;
    }
    return {};
  }

  bool refuse_missing(const toml::table& of, const std::string& key, const std::string& stated) {
    return refuse(of.source(), "key '" + key + "' is missing, and '" + stated +
                                   "' is there: what is known of caches is stated as a whole or not at all");
  }

  bool read_memory(const toml::table& of, unsigned at, const std::string& stated) {
    if (of.get(memory_key) == nullptr) return refuse_missing(of, memory_key, stated);
    auto& level = machine_.costs.level;
    if (!read_whole(of, memory_key, memory_name(machine_, at), 1, access_cost_at_most, level[at].memory)) return false;
    if (at == 0 || level[at].memory >= level[at - 1].memory) return true;
    return refuse_contradiction(of, memory_key,
                                "cannot be '" + std::to_string(level[at].memory) + "': nearer memory, that of level '" +
                                    machine_.level_names[at - 1] + "', costs " + std::to_string(level[at - 1].memory));
  }

  /// Whether what caches hold and cost goes together.
  bool caches_fit(const toml::table& file, const toml::table& nearest) {
    const machine_description& costs = machine_.costs;
    const auto refuse_than = [&](const toml::table& of, const char* key, unsigned value, const std::string& why, unsigned other) {
      return refuse_contradiction(of, key, "cannot be '" + std::to_string(value) + "': " + why + " " + std::to_string(other));
    };
    const unsigned nearest_memory = costs.level[0].memory;
    if (!costs.shares_cache()) {
      return nearest_memory >= costs.own_line_hit ||
             refuse_than(nearest, memory_key, nearest_memory, "a line that the processor itself holds costs", costs.own_line_hit);
    }
    if (costs.domain_cache_kib < costs.own_cache_kib)
      return refuse_than(file, "domain_cache_kib", costs.domain_cache_kib, "a processor's own cache has", costs.own_cache_kib);
    if (costs.domain_hit < costs.own_line_hit)
      return refuse_than(file, "domain_hit", costs.domain_hit, "a line that the processor itself holds costs",
                         costs.own_line_hit);
    if (nearest_memory < costs.domain_hit)
      return refuse_than(nearest, memory_key, nearest_memory, "a line from the domain's cache costs", costs.domain_hit);
    return costs.domain_next_line <= costs.domain_hit ||
           refuse_than(file, "domain_next_line", costs.domain_next_line, "the first line from there costs", costs.domain_hit);
  }

  const std::string& file_;
  described_machine& machine_;
  std::string sentence_;
};

}  // namespace

std::string read_machine(std::string_view text, const std::string& file, described_machine& into) {
  described_machine made;
  std::string wrong = file_reader(file, made).read(text);
  if (wrong.empty()) into = std::move(made);
  return wrong;
}

}  // namespace TEFF_NAMESPACE::sim
