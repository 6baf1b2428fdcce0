/* A CUDA driver without a GPU: it says yes to everything, and writes each launch to the file that FAKE_CUDA_LOG names.
 *
 * FAKE_CUDA_WORDS: how many parameters of a launch to read, as 64-bit words (the caller's are that wide).
 * Also what cuTile Python asks the driver for before it looks at arguments. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef int status;
typedef void *handle;

static __thread int current = -1;

status cuInit(unsigned flags) { return flags != 0; }
status cuDriverGetVersion(int *version) { *version = 13000; return 0; }
status cuDeviceGetCount(int *count) { *count = 2; return 0; }
status cuDeviceGet(int *device, int ordinal) { *device = ordinal; return 0; }
status cuDeviceGetAttribute(int *value, int attribute, int device) { (void)device; *value = attribute == 75 ? 9 : 0; return 0; }
status cuDevicePrimaryCtxRetain(handle *context, int device) { *context = (handle)(intptr_t)(100 + device); return 0; }
status cuCtxGetDevice(int *device) { *device = current; return current < 0 ? 201 : 0; }
status cuCtxPushCurrent_v2(handle context) { current = (int)(intptr_t)context - 100; return 0; }
status cuCtxPopCurrent_v2(handle *context) { *context = NULL; current = -1; return 0; }
status cuCtxGetCurrent(handle *context) { *context = (handle)1; return 0; }
status cuLibraryLoadData(handle *library, const void *code, int *a, handle *b, unsigned c, int *d, handle *e, unsigned f) {
    (void)a; (void)b; (void)c; (void)d; (void)e; (void)f;
    *library = (handle)code;
    return memcmp(code, "\177ELF", 4) == 0 ? 0 : 200;
}
status cuLibraryGetKernel(handle *kernel, handle library, const char *name) { (void)library; *kernel = strdup(name); return 0; }
status cuKernelGetFunction(handle *function, handle kernel) { *function = kernel; return 0; }
status cuMemAllocAsync(uint64_t *address, size_t bytes, handle stream) { (void)stream; *address = (uint64_t)(uintptr_t)malloc(bytes); return 0; }
status cuMemFreeAsync(uint64_t address, handle stream) { (void)stream; free((void *)(uintptr_t)address); return 0; }
status cuMemcpyHtoDAsync_v2(uint64_t to, const void *from, size_t bytes, handle stream) {
    (void)stream;
    memcpy((void *)(uintptr_t)to, from, bytes);
    return 0;
}
status cuStreamIsCapturing(handle stream, int *capturing) { (void)stream; *capturing = 0; return 0; }
status cuGetErrorName(status error, const char **text) { (void)error; *text = "FAKE_ERROR"; return 0; }
status cuGetErrorString(status error, const char **text) { (void)error; *text = "a fake error"; return 0; }

status cuLaunchKernel(handle kernel, unsigned x, unsigned y, unsigned z, unsigned bx, unsigned by, unsigned bz, unsigned shared,
                      handle stream, handle *parameters, handle *extra) {
    const char *path = getenv("FAKE_CUDA_LOG"), *words = getenv("FAKE_CUDA_WORDS");
    (void)extra;
    if (path == NULL)
        return 0;
    FILE *log = fopen(path, "a");
    fprintf(log, "{\"kernel\": \"%s\", \"grid\": [%u, %u, %u], \"block\": [%u, %u, %u], \"shared\": %u, \"stream\": %llu, "
            "\"device\": %d, \"words\": [", (const char *)kernel, x, y, z, bx, by, bz, shared,
            (unsigned long long)(uintptr_t)stream, current);
    for (int k = 0; words != NULL && k < atoi(words); k++)
        fprintf(log, "%s%llu", k == 0 ? "" : ", ", (unsigned long long)*(uint64_t *)parameters[k]);
    fprintf(log, "]}\n");
    fclose(log);
    return 0;
}

static status yes(void) { return 0; }

status cuGetProcAddress_v2(const char *name, void **function, int version, uint64_t flags, int *found) {
    Dl_info own;
    (void)version; (void)flags;
    dladdr((void *)cuInit, &own);
    handle library = dlopen(own.dli_fname, RTLD_NOW | RTLD_NOLOAD);
    *function = library == NULL ? NULL : dlsym(library, name);
    if (*function == NULL)
        *function = (void *)yes;
    if (found != NULL)
        *found = 0;
    return 0;
}
