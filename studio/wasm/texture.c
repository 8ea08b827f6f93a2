// Textures in KTX2 files at the edge: what one is, and its first level as premultiplied pixels. Called by pictures.js.
#include <stdlib.h>

#include "edge.h"

ZW_EXPORT(uint32_t, zw_texture_look)(const void *bytes, uint32_t size);
ZW_EXPORT(uint32_t, zw_texture_decode)(const void *bytes, uint32_t size, uint8_t *pixels);

static void put_fault(const zo_texture_fault *fault) {
    zw_open('{');
    zw_member_string("rule", fault->rule);
    zw_member_string("text", fault->text);
    zw_member_int("offset", (int64_t)fault->offset);
    zw_close('}');
}

// A zo_status; what it is, or why it is refused, is in the sink.
uint32_t zw_texture_look(const void *bytes, uint32_t size) {
    zo_texture texture;
    zo_texture_fault fault = {0};
    const zo_status status = zo_texture_open(bytes, size, &texture, &fault);
    zw_sink_open();
    if (status != ZO_OK) {
        put_fault(&fault);
        return (uint32_t)status;
    }
    zw_open('{');
    zw_member_int("width", texture.width);
    zw_member_int("height", texture.height);
    zw_member_int("levels", texture.level_count);
    zw_member_string("encoding", texture.encoding);
    zw_member_bool("srgb", texture.srgb);
    zw_member_bool("premultiplied", texture.premultiplied);
    zw_member_bool("hasAlpha", texture.has_alpha);
    zw_close('}');
    return ZO_OK;
}

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
