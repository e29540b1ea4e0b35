/* sound_files.c - a small file of each kind that the reader of tensors knows
 * SPDX-License-Identifier: MIT */

#include "sound_files.h"

/* Numbers that count up, as data. */
static void put_count(bytes *to, size_t n)
{
    for (size_t i = 0; i < n; i++)
        put_number(to, i, 1, false);
}

#define NPY(type, order, shape)                                                                    \
    "{'descr': '" type "', 'fortran_order': " order ", 'shape': " shape ", }\n"

static void put_array(bytes *to, unsigned major, const char *header, size_t n)
{
    put_npy(to, major, header, NULL, 0);
    put_count(to, n);
}

static void make_npy(bytes *to)
{
    put_array(to, 1, NPY("<f4", "False", "(3, 4)"), 48);
}

static void make_columns(bytes *to)
{
    put_array(to, 2, NPY(">f2", "True", "(3, 4)"), 24);
}

static void make_coded_npy(bytes *to)
{
    put_array(to, 3, NPY("<V2", "False", "(2, 3, 4)"), 48);
}

static void make_raw(bytes *to)
{
    put_count(to, 40);
}

static void make_archive(bytes *to, unsigned method)
{
    zip_member members[2] = { { .name = "a.npy", .method = method },
                              { .name = "b.npy", .method = method } };
    make_npy(&members[0].data);
    make_columns(&members[1].data);
    put_zip(to, members, 2);
    drop(&members[0].data);
    drop(&members[1].data);
}

static void make_npz(bytes *to)
{
    make_archive(to, ZIP_STORED);
}

static void make_packed_npz(bytes *to)
{
    make_archive(to, ZIP_DEFLATED);
}

static void put_entries(bytes *to, const char *header, size_t n)
{
    put_safetensors(to, header, NULL, 0);
    put_count(to, n);
}

static void make_safetensors(bytes *to)
{
    put_entries(to,
                "{\"__metadata__\":{\"format\":\"pt\"},"
                "\"a\":{\"dtype\":\"F32\",\"shape\":[2,3],\"data_offsets\":[0,24]},"
                "\"b\":{\"dtype\":\"F4\",\"shape\":[2,4],\"data_offsets\":[24,28]},"
                "\"c\":{\"dtype\":\"F6_E2M3\",\"shape\":[4],\"data_offsets\":[28,31]},"
                "\"d\":{\"dtype\":\"BF16\",\"shape\":[],\"data_offsets\":[31,33]}}",
                33);
}

static void make_tiles(bytes *to)
{
    put_entries(to,
                "{\"weight\":{\"dtype\":\"F8_E4M3\",\"shape\":[2,130],\"data_offsets\":[0,260]},"
                "\"weight_scale_inv\":{\"dtype\":\"F32\",\"shape\":[1,2],"
                "\"data_offsets\":[260,268]}}",
                268);
}

static void make_packed_scales(bytes *to)
{
    put_entries(
        to,
        "{\"l.weight_packed\":{\"dtype\":\"U8\",\"shape\":[2,8],\"data_offsets\":[0,16]},"
        "\"l.weight_scale\":{\"dtype\":\"F8_E4M3\",\"shape\":[2,1],\"data_offsets\":[16,18]},"
        "\"l.weight_global_scale\":{\"dtype\":\"F32\",\"shape\":[1],\"data_offsets\":[18,22]},"
        "\"e_blocks\":{\"dtype\":\"U8\",\"shape\":[1,1,2,16],\"data_offsets\":[22,54]},"
        "\"e_scales\":{\"dtype\":\"U8\",\"shape\":[1,1,2],\"data_offsets\":[54,56]}}",
        56);
}

static void make_index(bytes *to)
{
    put_text(to, "{\"metadata\":{\"total_size\":33},\"weight_map\":{\"a\":\"m.safetensors\","
                 "\"b\":\"m.safetensors\",\"c\":\"m.safetensors\",\"d\":\"m.safetensors\"}}");
}

static void put_name(bytes *to, const char *name, bool big_endian)
{
    size_t n = 0;
    while (name[n] != '\0')
        n++;
    put_number(to, n, 8, big_endian);
    put_text(to, name);
}

static void put_info(bytes *to, const char *name, uint64_t rows, uint64_t columns, uint64_t type,
                     uint64_t offset, bool big_endian)
{
    put_name(to, name, big_endian);
    put_number(to, 2, 4, big_endian);
    put_number(to, columns, 8, big_endian);
    put_number(to, rows, 8, big_endian);
    put_number(to, type, 4, big_endian);
    put_number(to, offset, 8, big_endian);
}

static void put_gguf(bytes *to, bool big_endian)
{
    put_text(to, "GGUF");
    put_number(to, 3, 4, big_endian);
    put_number(to, 3, 8, big_endian);
    put_number(to, 3, 8, big_endian);
    put_name(to, "general.alignment", big_endian);
    put_number(to, 4, 4, big_endian);
    put_number(to, 64, 4, big_endian);
    put_name(to, "general.name", big_endian);
    put_number(to, 8, 4, big_endian);
    put_name(to, "a model", big_endian);
    put_name(to, "tokens", big_endian);
    put_number(to, 9, 4, big_endian);
    put_number(to, 8, 4, big_endian);
    put_number(to, 2, 8, big_endian);
    put_name(to, "a", big_endian);
    put_name(to, "b", big_endian);
    put_info(to, "q", 2, 32, 8, 0, big_endian);    /* Q8_0 */
    put_info(to, "m", 1, 32, 39, 128, big_endian); /* MXFP4 */
    put_info(to, "f", 2, 3, 0, 192, big_endian);   /* F32 */
    put_zeros(to, (64 - to->size % 64) % 64);
    put_count(to, 68);
    put_zeros(to, 60);
    put_count(to, 17);
    put_zeros(to, 47);
    put_count(to, 24);
}

static void make_gguf(bytes *to)
{
    put_gguf(to, false);
}

static void make_turned_gguf(bytes *to)
{
    put_gguf(to, true);
}

const sound_file sound_files[] = {
    { "a.npy", make_npy, false },
    { "columns.npy", make_columns, false },
    { "codes.npy", make_coded_npy, true },
    { "codes", make_raw, true },
    { "a.npz", make_npz, false },
    { "packed.npz", make_packed_npz, false },
    { "m.safetensors", make_safetensors, false },
    { "tiles.safetensors", make_tiles, false },
    { "packed.safetensors", make_packed_scales, false },
    { "m.safetensors.index.json", make_index, false },
    { "a.gguf", make_gguf, false },
    { "turned.gguf", make_turned_gguf, false },
};
const size_t sound_file_count = sizeof sound_files / sizeof sound_files[0];
