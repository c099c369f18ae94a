// purpose: the order of messages of a secure handshake with resumption, client certificates and a ticket, all kept in variables
#include <assert.h>
#include <plumb/plumb.h>

enum { kHello = 1, kServerHello, kCertificate, kKeyExchange, kCertificateRequest, kDone, kClientCertificate, kClientKey, kVerify, kChangeCipher, kFinished, kTicket, kAlert };

int main(void) {
  int hello = 0, server = 0, certificate = 0, exchange = 0, requested = 0, done = 0, client_certificate = 0, client_key = 0;
  int verified = 0, ciphers = 0, finished = 0, resumed = 0, ticket = 0, error = 0, steps = 0;
  for (;;) {
    unsigned char type = plumb_nondet_uchar(), option = plumb_nondet_uchar();
    if (type == 0) break;
    steps++;
    if (type == kHello) {
      if (hello) error = 1;
      hello = 1;
      if (option & 1) resumed = 1;
    }
    if (type == kServerHello) {
      if (!hello || server) error = 2;
      server = 1;
      if (!(option & 1)) resumed = 0;
    }
    if (type == kCertificate) {
      if (!server || resumed || certificate) error = 3;
      certificate = 1;
    }
    if (type == kKeyExchange) {
      if (!certificate || done) error = 4;
      exchange = 1;
    }
    if (type == kCertificateRequest) {
      if (!certificate || done) error = 5;
      requested = 1;
    }
    if (type == kDone) {
      if (!certificate || (option == 2 && !exchange)) error = 6;
      done = 1;
    }
    if (type == kClientCertificate) {
      if (!requested || !done) error = 7;
      client_certificate = 1;
    }
    if (type == kClientKey) {
      if (!done || (requested && !client_certificate)) error = 8;
      client_key = 1;
    }
    if (type == kVerify) {
      if (!client_key || !client_certificate) error = 9;
      verified = 1;
    }
    if (type == kTicket) {
      if (!server || finished > 1) error = 10;
      ticket = 1;
    }
    if (type == kChangeCipher) {
      if (!client_key && !resumed) error = 11;
      ciphers++;
    }
    if (type == kFinished) {
      if (ciphers <= finished) error = 12;
      finished++;
    }
    if (type == kAlert || type > kAlert) error = 13;
    if (error) return error;
    if (finished == 2) {
      /* a client that was asked for a certificate has to prove that it owns it */
      if (requested && client_certificate && ticket) assert(verified);
      if (resumed) return 20;
      if (verified) return 21;
      return exchange ? 22 : 23;
    }
    if (steps > 30) return 30;
  }
  return 0;
}
