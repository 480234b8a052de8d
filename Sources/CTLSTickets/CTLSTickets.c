// There is only the header; a target has to have a source.
#include "CTLSTickets.h"
