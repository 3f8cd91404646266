// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "pool/worker_places.h"
#include "pool/settings.h"
#include "sim/sim.h"

#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace TEFF_NAMESPACE::pool {
namespace {

using worker_numbers = std::vector<unsigned>;
using platform::level;

worker_numbers siblings(const worker_places& of, unsigned worker) {
  return {of.siblings(worker).begin(), of.siblings(worker).end()};
}

TEST(worker_places, domains_that_are_named_are_filled_one_after_the_other) {
  const worker_places six(6, {2, 4});
  EXPECT_EQ(six.workers(), 6u);
  EXPECT_EQ(six.domains(), 2u);
  EXPECT_EQ(siblings(six, 1), (worker_numbers{0, 1, 2, 3}));
  EXPECT_EQ(siblings(six, 5), (worker_numbers{4, 5}));
  EXPECT_EQ(six.distance(0, 3), 0u);
  EXPECT_EQ(six.distance(3, 4), 1u);
  EXPECT_EQ(six.common(0, 3), level::cache);
  EXPECT_EQ(six.common(0, 4), level::package);
  EXPECT_EQ(six.common(4, 4), level::core);
}

TEST(worker_places, fewer_workers_than_a_domain_has_are_of_one) {
  const worker_places two(2, {4, 8});
  EXPECT_EQ(two.domains(), 1u);
  EXPECT_EQ(siblings(two, 0), (worker_numbers{0, 1}));
}

TEST(worker_places, without_a_word_are_the_machines_in_turn) {
  const auto& places = platform::machine().places;
  const auto count = static_cast<unsigned>(places.size());
  const worker_places of(count + 1, {});
  for (unsigned worker = 0; worker <= count; ++worker) {
    EXPECT_EQ(of.domain(worker), places[worker % count].part(level::cache));
    for (unsigned other = 0; other <= count; ++other)
      EXPECT_EQ(of.common(worker, other), nearest_common(places[worker % count], places[other % count]));
  }
  EXPECT_EQ(of.common(0, count), level::core) << "two workers of one processor";
}

TEST(worker_places, too_few_places_are_a_fault_of_the_caller) {
  EXPECT_DEATH(worker_places(5, {2, 2}), "ask for at least as many places as workers");
}

TEST(worker_places, domains_may_be_what_shares_a_socket_or_a_node_of_memory) {
  sim::options wanted;
  wanted.processors_at_most = 8;
  wanted.machine.levels = 3;
  wanted.machine.level = {{{2, 75, sim::sharing(level::cache)}, {4, 150, sim::sharing(level::package)}, {1024, 300}}};
  const sim::outcome ended = sim::simulate(wanted, [] {
    using shared = domain_grid::shared;
    const worker_places caches(8, {}), sockets(8, {.by = shared::socket}), nodes(8, {.by = shared::node});
    EXPECT_EQ(caches.domains(), 4u);
    for (const worker_places* each : {&sockets, &nodes}) {
      EXPECT_EQ(each->domains(), 2u);
      EXPECT_EQ(siblings(*each, 6), (worker_numbers{4, 5, 6, 7}));
      EXPECT_EQ(each->distance(0, 3), 0u);
      EXPECT_EQ(each->distance(0, 4), 2u);
    }
  });
  EXPECT_TRUE(ended.ok()) << ended.report;
}

TEST(worker_places, threads_run_in_the_domain_of_their_worker_on_what_is_usable) {
  using shared = domain_grid::shared;
  platform::topology machine;  // two sockets of two caches of two cores
  for (unsigned core = 0; core < 8; ++core) machine.places.push_back({10 + core, {core, core / 2, core / 4}});
  const worker_numbers all{0, 1, 2, 3, 4, 5, 6, 7}, nowhere;
  const auto in_domain = [&](unsigned worker, domain_grid domains, const worker_numbers& usable) {
    return places_of_worker(worker, pinning::domain, domains, usable, machine);
  };
  EXPECT_EQ(in_domain(3, {}, all), (worker_numbers{2, 3}));
  EXPECT_EQ(in_domain(8 + 5, {}, all), (worker_numbers{4, 5})) << "more workers than places: in turn";
  EXPECT_EQ(in_domain(3, {.by = shared::socket}, all), (worker_numbers{0, 1, 2, 3}));
  EXPECT_EQ(in_domain(3, {2, 4}, all), nowhere) << "domains that are not the machine's";
  EXPECT_EQ(in_domain(3, {}, {0, 3, 4}), worker_numbers{3}) << "what the maker of the team may not use";
  EXPECT_EQ(in_domain(3, {}, {0, 4}), nowhere) << "nothing of the domain is left";
  EXPECT_EQ(places_of_worker(3, pinning::processor, {}, all, machine), worker_numbers{3});
  EXPECT_EQ(places_of_worker(3, pinning::processor, {}, worker_numbers{1, 6}, machine), worker_numbers{6});
  EXPECT_EQ(places_of_worker(3, pinning::none, {}, all, machine), nowhere);
  machine.places.resize(2);
  EXPECT_EQ(in_domain(1, {}, {0, 1}), nowhere) << "one domain is the whole machine";
}

TEST(worker_places, what_the_system_does_not_name_is_the_cache_which_is_said) {
  using shared = domain_grid::shared;
  platform::topology machine;
  machine.memory_nodes = {0, 1};
  const domain_grid sockets{.by = shared::socket}, nodes{.by = shared::node}, caches;
  for (const domain_grid& each : {sockets, nodes, caches}) EXPECT_EQ(each.remark(2, machine), "");
  machine.names_packages = false;
  machine.memory_nodes.clear();
  EXPECT_EQ(sockets.remark(2, machine),
            "domains=socket: the system names no sockets; domains are the workers that share a cache of the last level");
  EXPECT_EQ(nodes.remark(2, machine),
            "domains=node: the system names no nodes; domains are the workers that share a cache of the last level");
  EXPECT_EQ(caches.remark(2, machine), "");
}

/// Four processors in two caches and one package, on a system that names neither packages nor nodes.
TEST(worker_places, domains_of_what_the_system_does_not_name_are_those_of_caches) {
  using shared = domain_grid::shared;
  platform::topology machine;
  for (const unsigned each : {0u, 1u, 2u, 3u}) machine.places.push_back({each, {each, each / 2, 0}});
  const worker_numbers all{3, 2, 1, 0};
  const auto domains = [&](shared by) {
    return std::pair(worker_places(4, {.by = by}, machine).domains(), siblings({all, {.by = by}, machine}, 0));
  };
  machine.memory_nodes = {0, 0, 0, 0};
  for (const shared by : {shared::socket, shared::node}) EXPECT_EQ(domains(by), std::pair(1u, worker_numbers{0, 1, 2, 3}));
  machine.names_packages = false;
  machine.memory_nodes.clear();
  for (const shared by : {shared::cache, shared::socket, shared::node})
    EXPECT_EQ(domains(by), std::pair(2u, worker_numbers{0, 1}));
}

TEST(worker_places, more_domains_than_workers_are_remarked_on_with_who_shares_what) {
  EXPECT_EQ((domain_grid{4, 2}).remark(4), "");
  EXPECT_EQ(
      (domain_grid{4, 2}).remark(3),
      "domains=4x2 are more domains than the 3 workers: 0 … 1 share domain 0, 2 is alone in domain 1; the others are empty");
  EXPECT_EQ((domain_grid{.by = domain_grid::shared::socket}).remark(3), "");
  const std::string of_many = (domain_grid{1024, 1}).remark(256);
  EXPECT_NE(of_many.find("7 is alone in domain 7, and so on; the others are empty"), of_many.npos) << of_many;
}

std::string problem_with(const std::string& text, settings& set) {
  constexpr const char* uses[] = {"domains"};
  return apply(set, std::vector<std::string>{text}, uses, "a test");
}

TEST(worker_places, the_setting_has_two_numbers) {
  settings set;
  EXPECT_EQ(problem_with("domains=2x4", set), "");
  EXPECT_EQ(set.domains.domains, 2u);
  EXPECT_EQ(set.domains.workers_each, 4u);
  EXPECT_EQ(problem_with("domains=cache", set), "");
  EXPECT_TRUE(set.domains.is_machines());
  set.domains = {2, 4};
  EXPECT_EQ(problem_with("domains=machine", set), "");
  EXPECT_TRUE(set.domains.is_machines());
}

TEST(worker_places, what_is_no_setting_is_refused_with_the_allowed_values) {
  for (const std::string wrong : {"0x4", "4x", "x4", "4", "2x0", "2x4x8", "-1x4", "2 x4", "1025x1", "1x1025", "", "2X4"}) {
    settings set;
    EXPECT_EQ(problem_with("domains=" + wrong, set),
              "setting domains cannot be '" + wrong + "'; allowed: cache, socket, node, or two numbers from 1 to 1024 as 2x4");
    EXPECT_TRUE(set.domains.is_machines()) << wrong;
  }
}

}  // namespace
}  // namespace TEFF_NAMESPACE::pool
