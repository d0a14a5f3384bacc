// What a tenant has before a test seeds it otherwise.
#pragma once

namespace runai_simulator::tenant {

inline constexpr auto client_id = "benchmark";
inline constexpr auto client_secret = "secret-of-the-benchmark";
inline constexpr auto cluster_id = "6b0c5c0e-3a57-4d0b-9d55-0f6a2f8f1d11";
inline constexpr auto project_id = "4201";
inline constexpr auto project_name = "bench";
inline constexpr auto node_pool = "default";  // 4 nodes of 8 GPUs

}  // namespace runai_simulator::tenant
