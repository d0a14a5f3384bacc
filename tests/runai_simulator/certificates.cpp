#include "tests/runai_simulator/certificates.hpp"

#include <openssl/bio.h>
#include <openssl/ec.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/rand.h>
#include <openssl/x509v3.h>

#include <memory>
#include <stdexcept>

namespace runai_simulator {
namespace {

template <auto Free>
struct Freed {
  template <class Object>
  void operator()(Object* object) const {
    Free(object);
  }
};
using Key = std::unique_ptr<EVP_PKEY, Freed<EVP_PKEY_free>>;
using Certificate = std::unique_ptr<X509, Freed<X509_free>>;
using Extension = std::unique_ptr<X509_EXTENSION, Freed<X509_EXTENSION_free>>;
using Memory = std::unique_ptr<BIO, Freed<BIO_free_all>>;

void require(bool good) {
  if (!good) throw std::runtime_error("OpenSSL could not make a certificate.");
}

struct Wish {
  std::string common_name;
  std::string hosts;  // as OpenSSL writes subjectAltName; empty for the authority
  long days = 30;     // of its life, from yesterday on; negative: it has ended
};

void add_extension(X509* certificate, X509* issuer, int id, const std::string& value) {
  X509V3_CTX context;
  X509V3_set_ctx(&context, issuer, certificate, nullptr, nullptr, 0);
  const Extension extension(X509V3_EXT_conf_nid(nullptr, &context, id, value.c_str()));
  require(extension && X509_add_ext(certificate, extension.get(), -1) == 1);
}

// Signed by itself if there is no issuer.
Certificate make(const Wish& wish, EVP_PKEY* key, X509* issuer, EVP_PKEY* issuer_key) {
  Certificate certificate(X509_new());
  require(certificate != nullptr);
  long serial = 0;
  RAND_bytes(reinterpret_cast<unsigned char*>(&serial), sizeof serial);
  constexpr long day = 24L * 60 * 60;
  X509_set_version(certificate.get(), X509_VERSION_3);
  ASN1_INTEGER_set(X509_get_serialNumber(certificate.get()), serial & 0x7fffffff);
  X509_gmtime_adj(X509_getm_notBefore(certificate.get()), wish.days < 0 ? 2 * wish.days * day : -day);
  X509_gmtime_adj(X509_getm_notAfter(certificate.get()), wish.days * day);
  X509_set_pubkey(certificate.get(), key);
  auto* name = X509_get_subject_name(certificate.get());
  X509_NAME_add_entry_by_txt(name, "CN", MBSTRING_UTF8,
                             reinterpret_cast<const unsigned char*>(wish.common_name.c_str()), -1, -1, 0);
  auto* signer = issuer == nullptr ? certificate.get() : issuer;
  X509_set_issuer_name(certificate.get(), X509_get_subject_name(signer));
  add_extension(certificate.get(), signer, NID_basic_constraints, wish.hosts.empty() ? "critical,CA:TRUE" : "CA:FALSE");
  add_extension(certificate.get(), signer, NID_subject_key_identifier, "hash");
  if (!wish.hosts.empty()) add_extension(certificate.get(), signer, NID_subject_alt_name, wish.hosts);
  require(X509_sign(certificate.get(), issuer_key, EVP_sha256()) > 0);
  return certificate;
}

std::string text_of(const Memory& memory) {
  char* data = nullptr;
  const auto size = BIO_get_mem_data(memory.get(), &data);
  return {data, static_cast<std::size_t>(size)};
}

std::string pem_of(X509* certificate) {
  const Memory memory(BIO_new(BIO_s_mem()));
  require(PEM_write_bio_X509(memory.get(), certificate) == 1);
  return text_of(memory);
}

std::string pem_of(EVP_PKEY* key) {
  const Memory memory(BIO_new(BIO_s_mem()));
  require(PEM_write_bio_PrivateKey(memory.get(), key, nullptr, nullptr, 0, nullptr, nullptr) == 1);
  return text_of(memory);
}

Key make_key() {
  Key key(EVP_EC_gen("P-256"));
  require(key != nullptr);
  return key;
}

Identity identity(const Wish& wish, X509* issuer, EVP_PKEY* issuer_key) {
  const auto key = make_key();
  const auto certificate = make(wish, key.get(), issuer, issuer_key == nullptr ? key.get() : issuer_key);
  return {pem_of(certificate.get()), pem_of(key.get())};
}

}  // namespace

Certificates make_certificates() {
  const std::string hosts = "DNS:localhost,IP:127.0.0.1";
  const auto key = make_key();
  const auto authority = make({"Authority of a simulated tenant", ""}, key.get(), nullptr, key.get());
  Certificates result;
  result.authority = pem_of(authority.get());
  result.good = identity({"localhost", hosts}, authority.get(), key.get());
  result.expired = identity({"localhost", hosts, -1}, authority.get(), key.get());
  result.wrong_host = identity({"elsewhere.invalid", "DNS:elsewhere.invalid"}, authority.get(), key.get());
  result.self_signed = identity({"localhost", hosts}, nullptr, nullptr);
  return result;
}

}  // namespace runai_simulator
