// Objects of OpenSSL with their owners.
#pragma once

#include <openssl/ssl.h>

#include <memory>

namespace hone::mesh {

struct OpensslFree {
  void operator()(SSL* object) const { SSL_free(object); }
  void operator()(SSL_CTX* object) const { SSL_CTX_free(object); }
  void operator()(SSL_SESSION* object) const { SSL_SESSION_free(object); }
  void operator()(X509_STORE* object) const { X509_STORE_free(object); }
  void operator()(X509_STORE_CTX* object) const { X509_STORE_CTX_free(object); }
  void operator()(X509_CRL* object) const { X509_CRL_free(object); }
  void operator()(X509* object) const { X509_free(object); }
  void operator()(STACK_OF(X509) * object) const { sk_X509_pop_free(object, X509_free); }
  void operator()(EVP_PKEY* object) const { EVP_PKEY_free(object); }
  void operator()(BIO* object) const { BIO_free(object); }
};

template <class Object>
using Openssl = std::unique_ptr<Object, OpensslFree>;

}  // namespace hone::mesh
