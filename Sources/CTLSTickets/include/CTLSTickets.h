#include <stddef.h>

// A function of the BoringSSL inside of swift-nio-ssl, which does not offer it: how many session tickets connections
// that are accepted with `context`, an SSL_CTX, are sent. Returns 1.
int CNIOBoringSSL_SSL_CTX_set_num_tickets(void *context, size_t count);
