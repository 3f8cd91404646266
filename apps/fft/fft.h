// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The Fourier transform of complex numbers, by recursion. README.md says what it measures.
#pragma once

#include "apps/workload.h"

#include <complex>
#include <memory>
#include <vector>

namespace TEFF_NAMESPACE::apps {

inline constexpr const char* fft_keys =
    "n=1...268435456 (numbers, a power of two), threshold=1...268435456 (most that a task transforms or combines alone)";

std::vector<named_size> fft_sizes();
std::unique_ptr<workload> make_fft();

/// Returns: the transform as the workload computes it, on one worker. Pre: a power of two.
std::vector<std::complex<double>> fourier_transform(const std::vector<std::complex<double>>& input);

}  // namespace TEFF_NAMESPACE::apps
