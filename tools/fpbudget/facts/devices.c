/* devices.c - accelerators: what they compute at the most, and what they hold
 * SPDX-License-Identifier: MIT */

#include "facts/devices.h"

/* Dense figures: data sheets that count structured sparsity show twice as much, as the HGX table
 * does, of which these are half. Columns as in devices.h: fp32, tf32, bf16 and fp16, fp8, fp4. */
static const device_row devices[] = {
    { "h100",
      "NVIDIA H100 SXM",
      { "67", "494.7", "989.4", "1978.9", NULL },
      "80",
      "3350",
      "NVIDIA specification" },
    { "h200",
      "NVIDIA H200 SXM",
      { "67", "494.7", "989", "1979", NULL },
      "141",
      "4800",
      "NVIDIA specification" },
    { "b200",
      "NVIDIA B200, of an HGX",
      { "75", "1100", "2250", "4500", "9000" },
      "180",
      "7700",
      "NVIDIA HGX table, / 2" },
    { "gb200",
      "NVIDIA GB200, one GPU",
      { "80", "1250", "2500", "5000", "10000" },
      "186",
      "8000",
      "NVIDIA specification" },
    { "mi300x",
      "AMD Instinct MI300X",
      { "163.4", "653.7", "1307.4", "2614.9", NULL },
      "192",
      "5300",
      "AMD specification" },
    { "tpu-v4",
      "Google TPU v4",
      { NULL, NULL, "275", NULL, NULL },
      "32",
      "1200",
      "Google specification" },
    { "tpu-v5p",
      "Google TPU v5p",
      { NULL, NULL, "459", NULL, NULL },
      "95",
      "2765",
      "Google specification" },
    { "tpu-v6e",
      "Google TPU v6e",
      { NULL, NULL, "918", NULL, NULL },
      "32",
      "1600",
      "Google specification" },
    { "trainium",
      "AWS Trainium",
      { NULL, NULL, "190", NULL, NULL },
      "32",
      NULL,
      "public roofline notes" },
    { "trn2",
      "AWS Trainium2",
      { NULL, NULL, "667", NULL, NULL },
      "96",
      NULL,
      "public roofline notes" },
};
const row_table device_table =
    ROW_TABLE("device", devices, " Any other is described by --peak and --memory.");

static const compute_row computes[] = {
    { "fp32", NULL, PEAK_FP32 }, { "tf32", NULL, PEAK_TF32 }, { "bf16", NULL, PEAK_HALF },
    { "fp16", NULL, PEAK_HALF }, { "fp8", NULL, PEAK_FP8 },   { "fp4", NULL, PEAK_FP4 },
};
const row_table compute_table = ROW_TABLE("format of products", computes, "");
