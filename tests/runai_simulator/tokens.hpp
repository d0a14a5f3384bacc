// Bearer tokens: who gets one, and whether one is good.
#pragma once

#include <optional>
#include <string>

#include "tests/runai_simulator/http.hpp"
#include "tests/runai_simulator/settings.hpp"
#include "tests/runai_simulator/tenant.hpp"
#include "tests/runai_simulator/text.hpp"

namespace runai_simulator {

// POST /api/v1/token, whose keys are read without regard to case, and POST /api/v2/token, a form.
Answer token_v1(const HttpRequest& request, Tenant& tenant, const Settings& settings, Random& random, Milliseconds now);
Answer token_v2(const HttpRequest& request, Tenant& tenant, const Settings& settings, Random& random, Milliseconds now);

// The token of the request; empty if there is none.
std::string bearer_of(const HttpRequest& request);

// All that there are.
void revoke_tokens(Tenant& tenant);

// Why the request is refused: 401 for a token that is missing, unknown or expired, 403 for a client without permission.
std::optional<Answer> refusal(const HttpRequest& request, const Tenant& tenant, Milliseconds now);

}  // namespace runai_simulator
