/* npz.c - archives of arrays of NumPy
 * SPDX-License-Identifier: MIT
 *
 * A .npz is a zip archive whose members are files of .npy. libzip reads it; of what is compressed
 * no more is unpacked than is asked for: an archive that claims to be huge costs nothing. */

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include <zip.h>

#include "kit/memory.h"
#include "kit/say.h"
#include "kit/tensorfile/containers.h"

/* The archive by a descriptor of its own, so that no path is opened twice. */
static zip_t *open_archive(const source *from, const char *path)
{
    zip_error_t why;
    zip_t *made = NULL;
    int copy = dup(fileno(from->file));
    FILE *file = copy < 0 ? NULL : fdopen(copy, "rb");
    zip_error_init(&why);
    zip_source_t *bytes = file == NULL ? NULL : zip_source_filep_create(file, 0, -1, &why);
    if (file == NULL && copy >= 0)
        close(copy);
    else if (file != NULL && bytes == NULL)
        fclose(file);
    if (bytes != NULL)
        made = zip_open_from_source(bytes, ZIP_RDONLY | ZIP_CHECKCONS, &why);
    if (made == NULL) {
        complain("%s: it cannot be read as an archive: %s", quoted(path, strlen(path)),
                 file == NULL ? strerror(errno) : zip_error_strerror(&why));
        if (bytes != NULL)
            zip_source_free(bytes);
    }
    zip_error_fini(&why);
    return made;
}

void close_archive(tensor_file *file)
{
    if (file->archive != NULL)
        zip_discard(file->archive);
    file->archive = NULL;
}

void *open_member(tensor_file *file, const file_tensor *of)
{
    zip_file_t *made = zip_fopen_index(file->archive, of->member, 0);
    if (made == NULL)
        complain_of_tensor(file, of, "%s", zip_strerror(file->archive));
    return made;
}

size_t read_member(void *member, void *bytes, size_t n)
{
    size_t got = 0;
    while (got < n) {
        zip_int64_t some = zip_fread(member, (char *)bytes + got, n - got);
        if (some <= 0)
            break;
        got += (size_t)some;
    }
    return got;
}

/* The library compares the checksum when it meets the end, which is behind the last byte. */
bool close_member(void *member)
{
    char past;
    bool good = zip_fread(member, &past, 1) >= 0;
    return zip_fclose(member) == 0 && good;
}

/* NAME.npy has the tensor NAME. */
static void add_member(tensor_file *file, uint64_t index, const zip_stat_t *about, size_t length,
                       const file_reading *reading)
{
    const char *why = NULL;
    char *name = copy_text(about->name, length - 4);
    file_tensor *made = add_tensor(file, name);
    release(name);
    made->member = index;
    made->compressed = true;
    void *member = open_member(file, made);
    if (member == NULL) {
        made->is_bad = true;
        return;
    }
    if (!read_npy_header(made, read_member, member, reading, &why))
        spoil(file, made, "%s", why);
    else if (about->size < made->offset || about->size - made->offset != made->bytes)
        spoil(file, made,
              "its header and its shape take %llu bytes, and the archive has %llu of it",
              (unsigned long long)(made->offset + made->bytes), (unsigned long long)about->size);
    close_member(member);
}

bool read_npz(tensor_file *file, const source *from, const file_reading *reading)
{
    zip_t *archive = open_archive(from, file->path);
    if (archive == NULL)
        return false;
    file->archive = archive;
    zip_int64_t entries = zip_get_num_entries(archive, 0);
    for (zip_int64_t i = 0; i < entries; i++) {
        zip_stat_t about;
        size_t length;
        if (zip_stat_index(archive, (zip_uint64_t)i, 0, &about) != 0 ||
            (about.valid & (ZIP_STAT_NAME | ZIP_STAT_SIZE)) != (ZIP_STAT_NAME | ZIP_STAT_SIZE))
            continue;
        length = strlen(about.name);
        if (length > 4 && strcmp(about.name + length - 4, ".npy") == 0)
            add_member(file, (uint64_t)i, &about, length, reading);
    }
    if (file->count == 0)
        complain("%s: there are no arrays of NumPy in it", quoted(file->path, strlen(file->path)));
    return file->count > 0;
}
