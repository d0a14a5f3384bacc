// A certificate authority made at the start, and certificates that a careful client trusts or refuses.
#pragma once

#include <string>

namespace runai_simulator {

struct Identity {
  std::string certificate;  // PEM
  std::string key;
};

struct Certificates {
  std::string authority;  // PEM, what a client trusts
  Identity good;          // for localhost and 127.0.0.1
  Identity expired;
  Identity wrong_host;
  Identity self_signed;
};

// Throws if OpenSSL refuses.
Certificates make_certificates();

}  // namespace runai_simulator
