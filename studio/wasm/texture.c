// Textures in KTX2 files at the edge: what one is, and its first level as premultiplied pixels. Called by pictures.js.
#include <stdlib.h>

#include "edge.h"

ZW_EXPORT(uint32_t, zw_texture_look)(const void *bytes, uint32_t size);
ZW_EXPORT(uint32_t, zw_texture_width)(void);
ZW_EXPORT(uint32_t, zw_texture_height)(void);
ZW_EXPORT(uint32_t, zw_texture_decode)(const void *bytes, uint32_t size, uint8_t *pixels);

static void put_fault(const zo_texture_fault *fault) {
    zw_open('{');
    zw_member_string("rule", fault->rule);
    zw_member_string("text", fault->text);
    zw_member_int("offset", (int64_t)fault->offset);
    zw_close('}');
}

static zo_size last_sides; // of the texture looked at last

// A zo_status; why it is refused, is in the sink. Its sides are told by the next two: characters have hundreds of
// textures, so no text is made for each of them.
uint32_t zw_texture_look(const void *bytes, uint32_t size) {
    zo_texture texture;
    zo_texture_fault fault = {0};
    const zo_status status = zo_texture_open(bytes, size, &texture, &fault);
    last_sides = (zo_size){texture.width, texture.height};
    if (status != ZO_OK) {
        zw_sink_open();
        put_fault(&fault);
    }
    return (uint32_t)status;
}

uint32_t zw_texture_width(void) { return last_sides.width; }
uint32_t zw_texture_height(void) { return last_sides.height; }

// Into pixels [width * height * 4], of the sides that zw_texture_look has told. A zo_status; why, is in the sink.
uint32_t zw_texture_decode(const void *bytes, uint32_t size, uint8_t *pixels) {
    zo_texture texture;
    zo_texture_fault fault = {0};
    zo_status status = zo_texture_open(bytes, size, &texture, &fault);
    if (status == ZO_OK) {
        zo_image image = {pixels, texture.width, texture.height, (size_t)texture.width * 4};
        const zo_texture_decoder decoder = {.inflate = zw_inflate, .alpha = ZO_TEXTURE_PREMULTIPLIED};
        status = zo_texture_decode(&texture, 0, &decoder, &image, &fault);
    }
    zw_sink_open();
    if (status != ZO_OK) { put_fault(&fault); }
    return (uint32_t)status;
}
