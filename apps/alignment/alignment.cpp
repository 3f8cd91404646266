// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "apps/alignment/alignment.h"

#include "apps/alignment/pairwise.h"
#include "apps/alignment/proteins.h"
#include "apps/in_tasks.h"
#include "apps/input_file.h"
#include "apps/size_text.h"

namespace TEFF_NAMESPACE::apps {

namespace {

constexpr std::uint64_t length_at_most = 20'000;
/// In which a cell of the table is computed: three comparisons, four additions and a look at the scores, each after the other.
constexpr std::uint64_t cycles_per_cell = 8;

class alignment final : public in_tasks<alignment> {
 public:
  static constexpr const char* name = "alignment";
  static constexpr const char* compared = "what the pairs score";
  static constexpr bool tasks_vary = false;

  std::string choose_size(const std::string& text) override {
    for (const char* key : {"n=", "length="}) {
      if (text.starts_with(key) || text.find(std::string(",") + key) != std::string::npos) made_only_ = key;
    }
    return parse_size(
        text, alignment_sizes(),
        {{{"n", &n_, 2, sequences_at_most, " (n=2000 already has 2 million pairs)"}, {"length", &length_, 2, length_at_most, ""}},
         {{"by", &by_, {"single", "for"}}}});
  }

  std::string size() const override {
    const std::string who = "by=" + by_;
    if (from_file_) return "n=" + std::to_string(n_) + "," + who;
    return "n=" + std::to_string(n_) + ",length=" + std::to_string(length_) + "," + who;
  }

  bool reads_input() const override { return true; }
  std::string read_input(const std::string& path, const std::string& format) override {
    if (!format.empty() && format != "fasta") return unknown_name("format", format, {"fasta"});
    if (!made_only_.empty())
      return "'" + made_only_ + "' is for input that is made, and '" + path + "' is read; beside it, --size takes by=";
    std::string bytes;
    if (std::string wrong = read_bytes(path, bytes); !wrong.empty()) return wrong;
    sequences_.clear();
    if (std::string wrong = parse_fasta(bytes, sequences_); !wrong.empty()) return "'" + path + "': " + wrong;
    if (sequences_.size() < 2) return "'" + path + "' has one sequence; allowed: 2 and more";
    n_ = sequences_.size();
    from_file_ = true;
    forget_input();
    return {};
  }

  void make(std::uint64_t seed) {
    if (!from_file_) sequences_ = make_proteins(n_, length_, seed);
  }
  void clear(unsigned) { results_.assign(n_ * n_, {}); }
  void touch_all() const {
    for (const protein& each : sequences_) writes(each.data(), each.size());
    writes(results_.data(), results_.size());
  }
  std::uint64_t result() const { return fingerprint(results_.data(), results_.size() * sizeof results_[0]); }

  template <class Run>
  void solve(Run& run) {
    typename Run::group pairs;
    const auto put_row = [this, &pairs](Run& own, std::size_t one) {
      for (std::size_t other = one + 1; other < n_; ++other) {
        pairs.put(own, [this, one, other](Run& task) {
          task.reads(sequences_[one].data(), sequences_[one].size());
          task.reads(sequences_[other].data(), sequences_[other].size());
          task.writes(&results_[one * n_ + other]);
          pairwise scratch;
          results_[one * n_ + other] = scratch.align(sequences_[one], sequences_[other]);
          task.work(scratch.cells() * cycles_per_cell);
        });
      }
    };
    if (by_ == "for") {
      run.loop(n_, put_row);
    } else {
      for (std::size_t one = 0; one < n_; ++one) put_row(run, one);
    }
    pairs.wait(run);
  }

 private:
  std::uint64_t n_ = 20, length_ = 200;
  std::string by_ = "single";
  bool from_file_ = false;
  std::string made_only_;  ///< a key of --size that makes no sense beside an input file
  std::vector<protein> sequences_;
  declared_vector<alignment_result> results_;
};

}  // namespace

std::vector<named_size> alignment_sizes() {
  return {{"tiny", "n=8,length=24,by=single"},
          {"small", "n=20,length=200,by=single"},
          {"medium", "n=50,length=400,by=single"},
          {"paper", "n=100,length=648,by=single"}};
}

std::unique_ptr<workload> make_alignment() { return std::make_unique<alignment>(); }

}  // namespace TEFF_NAMESPACE::apps
