// openapi.json, as it is part of the program (cmake/EmbedText.cmake).
#ifndef HOST_API_OPENAPI_H
#define HOST_API_OPENAPI_H

#include <stddef.h>

extern const unsigned char api_openapi_bytes[];
extern const size_t api_openapi_size;

#endif
