// What the manifest of a pet package holds: the list that the reader walks it by and that the JSON Schema is written
// from. The pet and the animations are described by petween_pet_fields.c and petween_pack_fields.c. Tables only:
// nothing here runs.
#include "formats/petween_package.h"

#define FIELDS(table) .fields = table, .field_count = ZB_COUNT(table)
#define BEYOND(table) .beyond = table, .beyond_count = ZB_COUNT(table)

static const zf_name package_word = ZF_NAME("pet-package");
const zf_name zf_pt_mime_types[ZF_PT_MIME_COUNT] = {ZF_NAME("image/png"), ZF_NAME("image/webp"), ZF_NAME("image/jpeg")};
const char *const zf_pt_picture_endings[ZF_PT_MIME_COUNT] = {"png", "webp", "jpeg"};

static const zf_form asset_id_text = {.patterns = {"^[0-9a-f]{16}$", "^[0-9a-f]{16}$"}};
static const zf_form sha256_text = {.patterns = {"^[0-9a-f]{64}$", "^[0-9a-f]{64}$"}};
#define FILE_PATTERN "^assets/[0-9a-f]{16}[.](png|webp|jpeg|jpg)$"
static const zf_form file_text = {.patterns = {FILE_PATTERN, FILE_PATTERN}};

static const zf_field asset_fields[] = {
    [ASSET_ID] = {ZF_NAME("id"), ZF_TEXT, true, ZD_PETWEEN_PACKAGE_ASSET, .forms = {&asset_id_text},
                  .about = "What poses name it by: the first 16 digits of the hash."},
    [ASSET_SHA256] = {ZF_NAME("sha256"), ZF_TEXT, true, ZD_PETWEEN_PACKAGE_ASSET, .forms = {&sha256_text},
                      .about = "The SHA-256 of the file, in lower-case hexadecimal digits."},
    [ASSET_FILE] = {ZF_NAME("file"), ZF_TEXT, false, ZD_PETWEEN_PACKAGE_ASSET, .forms = {&file_text},
                    .about = "The file in the archive."},
    [ASSET_MIME_TYPE] = {ZF_NAME("mimeType"), ZF_TEXT, true, ZD_PETWEEN_PACKAGE_ASSET, .words = zf_pt_mime_types,
                         .word_count = ZF_PT_MIME_COUNT, .about = "What kind of picture it is."},
    [ASSET_WIDTH] = {ZF_NAME("width"), ZF_NUMBER, true, ZD_PETWEEN_PACKAGE_ASSET, .low = 1.0,
                     .high = ZF_PT_PICTURE_SIDE_MAX, .about = "In pixels."},
    [ASSET_HEIGHT] = {ZF_NAME("height"), ZF_NUMBER, true, ZD_PETWEEN_PACKAGE_ASSET, .low = 1.0,
                      .high = ZF_PT_PICTURE_SIDE_MAX, .about = "In pixels."},
    [ASSET_SIZE] = {ZF_NAME("sizeBytes"), ZF_NUMBER, false, ZD_PETWEEN_PACKAGE_ASSET, .low = 1.0,
                    .high = (double)ZF_PT_FILE_SIZE_MAX, .about = "Of the file."},
};

static const zf_beyond asset_beyond[] = {
    {ZD_PETWEEN_PACKAGE_ASSET,
     "width, height and sizeBytes are whole numbers, and file has the id and the ending of the type"},
    {ZD_PETWEEN_PACKAGE_ASSET_ID, "the id is the beginning of the hash"},
    {ZD_PETWEEN_PACKAGE_ASSET_TWICE, "no two rows have the same id"},
};

static const zf_object asset_object = {"asset", "A picture of the package.", ZD_PETWEEN_PACKAGE_ASSET,
                                       FIELDS(asset_fields), BEYOND(asset_beyond)};

static const zf_field package_fields[] = {
    [PACKAGE_FORMAT] = {ZF_NAME("format"), ZF_TEXT, true, ZD_PETWEEN_PACKAGE_FORMAT, .words = &package_word,
                        .word_count = 1, .about = "What this file is."},
    [PACKAGE_VERSION] = {ZF_NAME("version"), ZF_NUMBER, true, ZD_PETWEEN_PACKAGE_VERSION, .low = 1.0, .high = 1.0,
                         .id_above = ZD_PETWEEN_PACKAGE_VERSION_NEWER, .about = "Of the format of packages."},
    [PACKAGE_NAME] = {ZF_NAME("name"), ZF_TEXT, true, ZD_PETWEEN_PACKAGE_NAME, .count_min = 1,
                      .about = "What people call the pet."},
    [PACKAGE_PET] = {ZF_NAME("pet"), ZF_OBJECT, true, ZD_PETWEEN_PACKAGE_PET, .object = &zf_pt_pet_object,
                     .about = "The pet's configuration, or the part of it that is handed on."},
    [PACKAGE_ASSETS] = {ZF_NAME("assets"), ZF_ARRAY, true, ZD_PETWEEN_PACKAGE_ASSETS, .object = &asset_object,
                        .about = "The pictures of the package."},
    [PACKAGE_MOTION_PACK] = {ZF_NAME("motionPack"), ZF_OBJECT, false, ZD_PETWEEN_PACK_OBJECT,
                             .object = &zf_pt_pack_object, .about = "The animations that the pet plays."},
    [PACKAGE_ATTRIBUTION] = {ZF_NAME("attribution"), ZF_OBJECT | ZF_NULL, false, ZD_PETWEEN_PACKAGE_ATTRIBUTION,
                             .object = &zf_pt_attribution_object, .about = "Whom the pet shows and whose work it is."},
    [PACKAGE_PLUGINS] = {ZF_NAME("pluginConfigs"), ZF_OBJECT, false, ZD_PETWEEN_PACKAGE_PLUGINS,
                         .object = &zf_pt_plugins_object, .about = "What companion programs keep with the pet."},
};

static const zf_beyond package_beyond[] = {
    {ZD_PETWEEN_PACKAGE_NAME, "the name has 1 to 120 characters without the white space around it"},
    {ZD_PETWEEN_PACKAGE_PICTURE, "assets has every picture that a pose names"},
    {ZD_PETWEEN_PACKAGE_ANIMATION, "motionPack has every animation that a state names, of the right kind"},
};

const zf_object zf_pt_package_object = {
    "package", "The manifest of a pet with its pictures and animations in one archive.", ZD_PETWEEN_PACKAGE_OBJECT,
    FIELDS(package_fields), BEYOND(package_beyond)};
