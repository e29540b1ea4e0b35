/* test_schemes.c - scales of quantised tensors: which belong to which, and what the values are
 * SPDX-License-Identifier: MIT
 *
 * Each way of quantising has a checkpoint of a few elements. Names, types, shapes and senses are
 * those that its producers write; the products were taken by hand. */

#define _XOPEN_SOURCE 700

#include <stdio.h>
#include <string.h>

#include <fpfmt.h>

#include "runner.h"
#include "tensor_files.h"

/* ---- checkpoints ---- */

/* The tensors of a file that is being made. */
typedef struct {
    char header[2000];
    bytes data;
} checkpoint;

/* Its bytes are those of a code, as often as said, or, with width 4, those of the binary32 numbers
 * 2, 3, 4 and so on. */
static void add(checkpoint *to, const char *name, const char *type, const char *shape, size_t width,
                size_t count, unsigned code)
{
    size_t begin = to->data.size, n = strlen(to->header);
    for (size_t i = 0; i < count; i++)
        if (width == 4)
            put_floats(&to->data, &(float){ 2 + (float)i }, 1);
        else
            put_number(&to->data, code, width, false);
    snprintf(to->header + n, sizeof to->header - n,
             "%c\"%s\":{\"dtype\":\"%s\",\"shape\":[%s],\"data_offsets\":[%zu,%zu]}",
             n == 0 ? '{' : ',', name, type, shape, begin, to->data.size);
}

static void end(checkpoint *of, const char *file)
{
    bytes made = { 0 };
    strcat(of->header, "}");
    put_safetensors(&made, of->header, of->data.at, of->data.size);
    write_file(file, &made);
    drop(&made);
    drop(&of->data);
    *of->header = '\0';
}

/* ---- FP8 ---- */

/* Elements of 1, and scales of 2, 3, 4, ...: which scale is whose can be read off. */
static void grids(void)
{
    static const struct {
        const char *shape;
        size_t count;
        const char *scale_shape;
        size_t scales;
        const char *values, *scale_values;
    } rows[] = {
        { "5,130", 650, "1,2", 2, "2 x128 3 x2 2 x128 3 x2 2 x128 3 x2 2 x128 3 x2 2 x128 3 x2",
          "2 3" },
        { "130,3", 390, "2,1", 2, "2 x384 3 x6", "2 3" },
        { "2,2,129", 516, "2,1,2", 4, "2 x128 3 2 x128 3 4 x128 5 4 x128 5", "2 3 4 5" },
        { "3,129", 387, "1,2", 2, "2 x128 3 2 x128 3 2 x128 3", "2 3" },
        { "2,130,1", 260, "2,2,1", 4, "2 x128 3 x2 4 x128 5 x2", "2 3 4 5" },
        { "2,128", 256, "2,2", 4, "2 x64 3 x64 4 x64 5 x64", "2 3 4 5" },
        { "2,256", 512, "2,2", 4, "2 x128 3 x128 4 x128 5 x128", "2 3 4 5" },
        { "3,4", 12, "3,1", 3, "2 x4 3 x4 4 x4", "2 3 4" },
        { "3,4", 12, "3", 3, "2 x4 3 x4 4 x4", "2 3 4" },
        { "2,3,2", 12, "2,3,1", 6, "2 x2 3 x2 4 x2 5 x2 6 x2 7 x2", "2 3 4 5 6 7" },
        { "3,4", 12, "1", 1, "2 x12", "2" },
        { "3,4", 12, "", 1, "2 x12", "2" },
        { "3,4", 12, "1,1", 1, "2 x12", "2" },
        { "4", 4, "", 1, "2 x4", "2" },
        { "", 1, "", 1, "2", "2" },
        { "200", 200, "2", 2, "2 x128 3 x72", "2 3" },
        { "0,4", 0, "1", 1, "", "2" },
    };
    checkpoint made = { .header = "" };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char expected[400];
        add(&made, "l.weight", "F8_E4M3", rows[i].shape, 1, rows[i].count, 0x38);
        add(&made, "l.weight_scale_inv", "F32", rows[i].scale_shape, 4, rows[i].scales, 0);
        end(&made, "a.safetensors");
        snprintf(expected, sizeof expected,
                 "l.weight F8_E4M3 e4m3 [%s] as DeepSeek FP8:%s%s\n"
                 "l.weight_scale_inv F32 fp32 [%s] (scale): %s\n",
                 rows[i].shape, *rows[i].values == '\0' ? "" : " ", rows[i].values,
                 rows[i].scale_shape, rows[i].scale_values);
        tells_runs("a.safetensors", NULL, expected);
    }
}

/* Types of elements and of scales, and the other name of both. */
static void types_of_fp8(void)
{
    static const struct {
        const char *type;
        unsigned one;
        const char *format;
    } elements[] = {
        { "F8_E4M3", 0x38, "e4m3" },
        { "F8_E5M2", 0x3c, "e5m2" },
        { "F8_E4M3FNUZ", 0x40, "e4m3fnuz" },
        { "F8_E5M2FNUZ", 0x40, "e5m2fnuz" },
        { "I8", 1, "int8" },
    };
    static const struct {
        const char *type;
        size_t width;
        unsigned two;
        const char *format;
    } scales[] = { { "F16", 2, 0x4000, "fp16" },
                   { "BF16", 2, 0x4000, "bf16" },
                   { "F8_E8M0", 1, 0x80, "e8m0" },
                   { "F32", 4, 0, "fp32" } };
    checkpoint made = { .header = "" };
    for (size_t i = 0; i < sizeof elements / sizeof elements[0]; i++)
        for (size_t k = 0; k < sizeof scales / sizeof scales[0]; k++) {
            char expected[400];
            add(&made, "weight", elements[i].type, "2,2", 1, 4, elements[i].one);
            add(&made, "weight_scale", scales[k].type, "2,1", scales[k].width, 2, scales[k].two);
            end(&made, "a.safetensors");
            snprintf(expected, sizeof expected,
                     "weight %s %s [2,2] as FP8 with weight_scale: 2 x2 %s x2\n"
                     "weight_scale %s %s [2,1] (scale): %s\n",
                     elements[i].type, elements[i].format, scales[k].width == 4 ? "3" : "2",
                     scales[k].type, scales[k].format, scales[k].width == 4 ? "2 3" : "2 x2");
            if (scales[k].width != 4) { /* all alike: one run */
                char *run = strstr(expected, "2 x2 2 x2");
                memmove(run, "2 x4", 4);
                memmove(run + 4, run + 9, strlen(run + 9) + 1);
            }
            tells_runs("a.safetensors", NULL, expected);
        }
}

/* ---- FP4 ---- */

/* Codes 1 and 2, which are 0.5 and 1, the first in the low bits. */
enum { HALF_AND_ONE = 0x21 };

static void packed(void)
{
    static const struct {
        const char *name, *type, *shape;
        size_t count;
        const char *scales, *scale_type, *scale_shape;
        size_t scale_count;
        unsigned scale;
        const char *whole, *whole_shape; /* a number of binary32, which is 2; NULL: there is none */
        const char *expected;
    } rows[] = {
        /* The scale of the whole divides: 0.5 x 1.5 / 2. */
        { "l.weight_packed", "U8", "1,16", 16, "l.weight_scale", "F8_E4M3", "1,2", 2, 0x3c,
          "l.weight_global_scale", "1", "[1,32] as compressed-tensors NVFP4: 0.375 0.75 0.375" },
        { "l.weight_packed", "U8", "1,16", 16, "l.weight_scale", "U8", "1,1", 1, 0x80, NULL, NULL,
          "[1,32] as compressed-tensors MXFP4: 1 2 1" },
        { "l.weight_packed", "U8", "1,16", 16, "l.weight_scale", "F8_E8M0", "1,1", 1, 0x7d, NULL,
          NULL, "[1,32] as compressed-tensors MXFP4: 0.125 0.25 0.125" },
        { "l.weight", "U8", "2,8", 16, "l.weight_scale", "F8_E4M3", "2,1", 2, 0x3c,
          "l.weight_scale_2", "", "[2,16] as ModelOpt NVFP4: 1.5 3 1.5" },
        { "l.weight", "F4", "2,16", 16, "l.weight_scale", "F8_E4M3", "2,1", 2, 0x3c,
          "l.weight_scale_2", "1", "[2,16] as ModelOpt NVFP4: 1.5 3 1.5" },
        /* A row whose last block is a part. */
        { "l.weight", "U8", "1,9", 9, "l.weight_scale", "F8_E4M3", "1,2", 2, 0x3c,
          "l.weight_scale_2", "", "[1,18] as ModelOpt NVFP4: 1.5 3 1.5" },
        { "l.weight", "U8", "1,16", 16, "l.weight_scale", "U8", "1,1", 1, 0xff, NULL, NULL,
          "[1,32] as ModelOpt MXFP4: nan nan nan" },
        { "l.weight", "U8", "1,16", 16, "l.weight_scale", "U8", "1,1", 1, 0, NULL, NULL,
          "[1,32] as ModelOpt MXFP4: 2.938735877e-39 5.877471754e-39 2.938735877e-39" },
        { "mlp.experts.down_proj_blocks", "U8", "2,1,2,16", 64, "mlp.experts.down_proj_scales",
          "U8", "2,1,2", 4, 0x80, NULL, NULL, "[2,1,64] as gpt-oss MXFP4: 1 2 1" },
        { "block.0.mlp.mlp1_weight.blocks", "U8", "2,1,2,16", 64, "block.0.mlp.mlp1_weight.scales",
          "U8", "2,1,2", 4, 0x80, NULL, NULL, "[2,1,64] as gpt-oss MXFP4: 1 2 1" },
    };
    checkpoint made = { .header = "" };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char expected[400];
        add(&made, rows[i].name, rows[i].type, rows[i].shape, 1, rows[i].count, HALF_AND_ONE);
        add(&made, rows[i].scales, rows[i].scale_type, rows[i].scale_shape, 1, rows[i].scale_count,
            rows[i].scale);
        if (rows[i].whole != NULL)
            add(&made, rows[i].whole, "F32", rows[i].whole_shape, 4, 1, 0);
        end(&made, "a.safetensors");
        snprintf(expected, sizeof expected, "%s %s e2m1 %s", rows[i].name, rows[i].type,
                 rows[i].expected);
        const char *told = told_of("a.safetensors", NULL);
        CHECK(strncmp(told, expected, strlen(expected)) == 0 && strchr(told, '!') == NULL &&
                  strstr(told, " (scale): ") != NULL,
              "row %zu tells\n%snot\n%s", i, told, expected);
    }
}

/* Every block of experts has a scale of its own: 1, 2, 4 and so on. */
static void experts(void)
{
    checkpoint made = { .header = "" };
    add(&made, "e_blocks", "U8", "2,1,2,16", 1, 64, 0x22);
    add(&made, "e_scales", "U8", "2,1,2", 1, 4, 0);
    memcpy(made.data.at + 64, "\x7f\x80\x81\x82", 4);
    end(&made, "a.safetensors");
    tells_runs("a.safetensors", NULL,
               "e_blocks U8 e2m1 [2,1,64] as gpt-oss MXFP4: 1 x32 2 x32 4 x32 8 x32\n"
               "e_scales U8 uint8 [2,1,2] (scale): 127 128 129 130\n");
}

/* Of two numbers none is the scale of the whole. */
static void two_of_the_whole(void)
{
    checkpoint made = { .header = "" };
    add(&made, "l.weight_packed", "U8", "1,8", 1, 8, 0x22);
    add(&made, "l.weight_scale", "F8_E4M3", "1,1", 1, 1, 0x38);
    add(&made, "l.weight_global_scale", "F32", "2", 4, 2, 0);
    end(&made, "a.safetensors");
    tells_runs("a.safetensors", NULL,
               "l.weight_packed U8 uint8 [1,8]: bad\nl.weight_scale F8_E4M3 e4m3 [1,1]: 1\n"
               "l.weight_global_scale F32 fp32 [2]: 2 3\n! a.safetensors: tensor "
               "'l.weight_packed': its shape and that of its scales fit no way of scaling that is "
               "known\n");
}

/* ---- what does not fit ---- */

static void wrong_scales(void)
{
#define NO_WAY                                                                                     \
    "! a.safetensors: tensor 'w.weight': its shape and that of its scales fit no way of "          \
    "scaling that is known\n"
    checkpoint made = { .header = "" };
    add(&made, "w.weight", "F8_E4M3", "2,2", 1, 4, 0x38);
    add(&made, "w.weight_scale", "F32", "3", 4, 3, 0);
    add(&made, "v", "U8", "1", 1, 1, 7);
    end(&made, "a.safetensors");
    tells_runs("a.safetensors", NULL,
               "w.weight F8_E4M3 e4m3 [2,2]: bad\n"
               "w.weight_scale F32 fp32 [3]: 2 3 4\nv U8 uint8 [1]: 7\n" NO_WAY);
    add(&made, "w.weight", "F8_E4M3", "2,2", 1, 4, 0x38);
    add(&made, "w.weight_scale", "F32", "0", 4, 0, 0);
    end(&made, "a.safetensors");
    tells_runs("a.safetensors", NULL,
               "w.weight F8_E4M3 e4m3 [2,2]: bad\n"
               "w.weight_scale F32 fp32 [0]:\n" NO_WAY);
    /* Scales that are not read themselves: the codes alone are not the values. */
    add(&made, "w.weight", "F8_E4M3", "2,2", 1, 4, 0x38);
    add(&made, "w.weight_scale", "F32", "5", 4, 1, 0);
    end(&made, "a.safetensors");
    tells_runs("a.safetensors", NULL,
               "w.weight F8_E4M3 e4m3 [2,2]: bad\nw.weight_scale F32 fp32 [5]: bad\n"
               "! a.safetensors: tensor 'w.weight_scale': it has 4 bytes from byte 145 on, and its "
               "shape takes 20\n"
               "! a.safetensors: tensor 'w.weight': the tensor of its scales is not read\n");
    /* Names that belong together, and types that do not: each stands for itself. Elements need not
     * be called weight. */
    add(&made, "w.weight", "F32", "1", 4, 1, 0);
    add(&made, "w.weight_scale", "F32", "1", 4, 1, 0);
    add(&made, "my_weight", "F8_E4M3", "1", 1, 1, 0x38);
    add(&made, "my_weight_scale", "F32", "1", 4, 1, 0);
    end(&made, "a.safetensors");
    tells_runs("a.safetensors", NULL,
               "w.weight F32 fp32 [1]: 2\nw.weight_scale F32 fp32 [1]: 2\n"
               "my_weight F8_E4M3 e4m3 [1] as FP8 with weight_scale: 2\n"
               "my_weight_scale F32 fp32 [1] (scale): 2\n");
}

/* ---- by hand, and in other files ---- */

static void by_hand(void)
{
    static const struct {
        const char *told, *expected;
    } rows[] = {
        { "a=s", "a F8_E4M3 e4m3 [2,2] as --scale-of: 2 x2 3 x2\ns F32 fp32 [2] (scale): 2 3\n"
                 "p U8 uint8 [1,16]: 33 x16\nt U8 uint8 [1,1]: 128\n" },
        { "a=s,p=t", "a F8_E4M3 e4m3 [2,2] as --scale-of: 2 x2 3 x2\ns F32 fp32 [2] (scale): 2 3\n"
                     "p U8 e2m1 [1,32] as --scale-of: 1 2 1 2 1 2 1 2 1 2 1 2 1 2 1 2 1 2 1 2 1 2 "
                     "1 2 1 2 1 2 1 2 1 2\nt U8 uint8 [1,1] (scale): 128\n" },
        { "a", "! --scale-of takes the names of two tensors, as a.weight=a.scale, not 'a'\n" },
        { "a=", "! --scale-of takes the names of two tensors, as a.weight=a.scale, not 'a='\n" },
        { "=s", "! --scale-of takes the names of two tensors, as a.weight=a.scale, not '=s'\n" },
        { "a=a", "! --scale-of takes the names of two tensors, as a.weight=a.scale, not 'a=a'\n" },
        { "a=x", "! --scale-of takes the names of two tensors, as a.weight=a.scale, not 'a=x'\n" },
        { "a=p", "! --scale-of: the types or shapes of 'a=p' are not those of codes and their "
                 "scales\n" },
        { "s=a", "! --scale-of: the types or shapes of 's=a' are not those of codes and their "
                 "scales\n" },
        { "a=s,a=s", "! --scale-of: the types or shapes of 'a=s' are not those of codes and their "
                     "scales\n" },
    };
    checkpoint made = { .header = "" };
    add(&made, "a", "F8_E4M3", "2,2", 1, 4, 0x38);
    add(&made, "s", "F32", "2", 4, 2, 0);
    add(&made, "p", "U8", "1,16", 1, 16, HALF_AND_ONE);
    add(&made, "t", "U8", "1,1", 1, 1, 0x80);
    end(&made, "a.safetensors");
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        tells_runs("a.safetensors",
                   &(file_reading){ .count = UINT64_MAX, .scale_of = rows[i].told },
                   rows[i].expected);
}

static void other_shards(void)
{
    checkpoint made = { .header = "" };
    remove(file_path("a.safetensors"));
    add(&made, "l.weight", "F8_E4M3", "1,130", 1, 130, 0x38);
    end(&made, "1.safetensors");
    add(&made, "l.weight_scale_inv", "F32", "1,2", 4, 2, 0);
    end(&made, "2.safetensors");
    tells_runs("", NULL,
               "l.weight F8_E4M3 e4m3 [1,130] as DeepSeek FP8: 2 x128 3 x2\n"
               "l.weight_scale_inv F32 fp32 [1,2] (scale): 2 3\n");
    remove(file_path("1.safetensors"));
    remove(file_path("2.safetensors"));
}

int main(void)
{
    static const struct test tests[] = {
        { "scales lie in tiles, over rows, over parts of rows, or over all", grids },
        { "elements of every format of 8 bits have scales of every type", types_of_fp8 },
        { "two codes of e2m1 share a byte, and have the scales of their producers", packed },
        { "blocks of experts follow each other in their rows", experts },
        { "the scale of a whole tensor is one number", two_of_the_whole },
        { "names that fit without shapes are told, and nothing is guessed", wrong_scales },
        { "--scale-of names what belongs together", by_hand },
        { "scales may be in another shard", other_shards },
    };
    begin_files();
    int status = skips_all("a.safetensors")
                     ? 0
                     : run_tests("scales of tensors", tests, sizeof tests / sizeof tests[0]);
    end_files();
    return status;
}
