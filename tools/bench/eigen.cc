/* eigen.cc - the peer that is C++: half and bfloat16 of Eigen, where it is installed
 * SPDX-License-Identifier: MIT */

#include "bench.h"

#if __has_include(<eigen3/Eigen/Core>)

#define EIGEN_NO_IO
#include <eigen3/Eigen/Core>

/* An element at a time. */
template <typename target, typename source>
static bool loop(const contender *, void *to, const void *from, size_t n)
{
    target *out = static_cast<target *>(to);
    const source *in = static_cast<const source *>(from);
    for (size_t i = 0; i < n; i++)
        out[i] = static_cast<target>(in[i]);
    return true;
}

extern "C" const peer eigen_peers[] = {
    { "eigen", "encode_f32", "fp16", loop<Eigen::half, float> },
    { "eigen", "encode_f32", "bf16", loop<Eigen::bfloat16, float> },
    { "eigen", "decode_f32", "fp16", loop<float, Eigen::half> },
    { "eigen", "decode_f32", "bf16", loop<float, Eigen::bfloat16> },
    { nullptr, nullptr, nullptr, nullptr },
};

#else

extern "C" const peer eigen_peers[] = { { nullptr, nullptr, nullptr, nullptr } };

#endif
