// Textures, public: the checks of <zoetrope/texture.h>, then src/image.
#include <zoetrope/texture.h>

#include "image/image.h"
#include "image/ktx2.h"

static zo_status tell(zo_texture_fault found, zo_texture_fault *fault) {
    if (fault) { *fault = found; }
    return found.status;
}

zo_status zo_texture_open(const void *bytes, size_t size, zo_texture *texture, zo_texture_fault *fault) {
    ZO_ASSERT(bytes != NULL || size == 0);
    ZO_ASSERT(texture != NULL);
    return tell(zi_ktx2_open(bytes, size, texture), fault);
}

zo_texture_pair zo_texture_pair_at(const zo_texture *texture, uint32_t index) {
    ZO_ASSERT(texture != NULL && index < texture->pair_count);
    return zi_ktx2_pair(texture, index);
}

size_t zo_texture_scratch(const zo_texture *texture, uint32_t level) {
    ZO_ASSERT(texture != NULL && level < texture->level_count);
    return zi_ktx2_scratch(texture, level);
}

zo_status zo_texture_decode(const zo_texture *texture, uint32_t level, const zo_texture_decoder *decoder,
                            zo_image *image, zo_texture_fault *fault) {
    static const zo_texture_decoder plain = {0};
    ZO_ASSERT(texture != NULL && level < texture->level_count);
    ZO_ASSERT(image != NULL && zi_image_check(image));
    ZO_ASSERT(image->width == texture->levels[level].width && image->height == texture->levels[level].height);
    return tell(zi_ktx2_decode(texture, level, decoder ? decoder : &plain, image), fault);
}

zo_status zo_texture_write(const zo_texture_file *file, zo_write_fn write, void *context) {
    ZO_ASSERT(file != NULL && write != NULL && file->levels != NULL && file->level_count >= 1);
    ZO_ASSERT(file->scheme != ZO_SCHEME_BASIS && (file->scheme == ZO_SCHEME_NONE || file->deflate != NULL));
    ZO_ASSERT(file->pairs != NULL || file->pair_count == 0);
    for (uint32_t i = 0; i < file->level_count; i++) { ZO_ASSERT(zi_image_check(&file->levels[i])); }
    return zi_ktx2_write(file, write, context);
}

void zo_texture_halve(const zo_image *from, zo_image *to) {
    ZO_ASSERT(from != NULL && to != NULL && zi_image_check(from) && zi_image_check(to));
    ZO_ASSERT(from->width > 0 && from->height > 0);
    ZO_ASSERT(to->width == zi_level_side(from->width, 1) && to->height == zi_level_side(from->height, 1));
    zi_halve(from, to);
}
