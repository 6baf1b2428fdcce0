/* A CUDA driver without a GPU: it says yes to everything, and writes each launch to the file that FAKE_CUDA_LOG names.
 *
 * FAKE_CUDA_WORDS: how many parameters of a launch to read, as 64-bit words (the caller's are that wide).
 * FAKE_CUDA_TABLE: the parameter that is a table, the next one counts its rows; and the words of a row: "0:5".
 * FAKE_CUDA_LATE: what is submitted to streams runs in `fake_run`, in the order of each stream, the last stream first.
 * Freed memory is overwritten, never used again.
 * Also what cuTile Python asks the driver for before it looks at arguments. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
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
status cuCtxGetCurrent(handle *context) { *context = current < 0 ? (handle)1 : (handle)(intptr_t)(100 + current); return 0; }
status cuCtxGetId(handle context, uint64_t *id) { *id = (uint64_t)(uintptr_t)context; return 0; }
status cuLibraryLoadData(handle *library, const void *code, int *a, handle *b, unsigned c, int *d, handle *e, unsigned f) {
    (void)a; (void)b; (void)c; (void)d; (void)e; (void)f;
    *library = (handle)code;
    return memcmp(code, "\177ELF", 4) == 0 ? 0 : 200;
}
status cuLibraryGetKernel(handle *kernel, handle library, const char *name) { (void)library; *kernel = strdup(name); return 0; }
status cuKernelGetFunction(handle *function, handle kernel) { *function = kernel; return 0; }

/* What is submitted to a stream. */
enum kind { ALLOCATE, FREE, COPY, LAUNCH, KINDS };
struct work {
    enum kind kind;
    handle stream;
    char *memory; /* to copy to, or to free */
    size_t bytes;
    const void *from; /* for a copy: of what the caller had, or where the caller has it */
    char *text;       /* of a launch */
    uint64_t table, rows;
    int captured;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct work *queue;
static size_t queued;
static int counted[KINDS], capturing;
static handle captured_stream;
static uint64_t renewed[4096];

static size_t size_of(const char *memory) { return ((const size_t *)memory)[-2]; }

static void run_work(const struct work *work) {
    if (work->kind == COPY)
        memcpy(work->memory, work->from, work->bytes);
    if (work->kind == FREE)
        memset(work->memory, 0xdd, size_of(work->memory));
    const char *path = getenv("FAKE_CUDA_LOG"), *shape = getenv("FAKE_CUDA_TABLE");
    if (work->kind != LAUNCH || path == NULL)
        return;
    FILE *log = fopen(path, "a");
    fprintf(log, "%s", work->text);
    size_t words = shape == NULL ? 0 : work->rows * strtoul(strchr(shape, ':') + 1, NULL, 10);
    for (size_t k = 0; k < words; k++)
        fprintf(log, "%s%lld", k == 0 ? ", \"table\": [" : ", ", (long long)((int64_t *)(uintptr_t)work->table)[k]);
    fprintf(log, words == 0 ? "}\n" : "]}\n");
    fclose(log);
}

static status submit(struct work work) {
    pthread_mutex_lock(&lock);
    counted[work.kind]++;
    work.captured = capturing && work.stream == captured_stream;
    if (work.kind == COPY && !work.captured) {
        void *own = malloc(work.bytes);
        work.from = memcpy(own, work.from, work.bytes);
    }
    if (work.captured || getenv("FAKE_CUDA_LATE") != NULL) {
        queue = realloc(queue, (queued + 1) * sizeof *queue);
        queue[queued++] = work;
    } else {
        run_work(&work);
        free(work.text);
        free(work.kind == COPY ? (void *)(uintptr_t)work.from : NULL);
    }
    pthread_mutex_unlock(&lock);
    return 0;
}

/* For tests: run what is waiting; start and end a capture; run what was captured; name a stream anew; count calls. */
static int waiting(const struct work *work) { return work->captured == 0; }

static void run_stream(handle stream) {
    for (size_t k = 0; k < queued; k++)
        if (waiting(&queue[k]) && queue[k].stream == stream) {
            run_work(&queue[k]);
            queue[k].captured = -1;
        }
}

void fake_run(void) {
    for (size_t done = 0; done < queued; done++) {
        size_t last = queued;
        while (last > 0 && !waiting(&queue[last - 1]))
            last--;
        if (last == 0)
            return;
        run_stream(queue[last - 1].stream);
    }
}
void fake_capture(uint64_t stream, int on) { captured_stream = (handle)(uintptr_t)stream; capturing = on; }
void fake_replay(void) {
    for (size_t k = 0; k < queued; k++)
        if (queue[k].captured == 1)
            run_work(&queue[k]);
}
void fake_renew(uint64_t stream) { renewed[stream % 4096]++; }
int fake_count(int kind) { return counted[kind]; }

status cuStreamGetId(handle stream, uint64_t *id) {
    *id = (uint64_t)(uintptr_t)stream + 4096 * renewed[(uintptr_t)stream % 4096];
    return 0;
}
status cuStreamIsCapturing(handle stream, int *answer) { *answer = capturing && stream == captured_stream; return 0; }
status cuMemAllocAsync(uint64_t *address, size_t bytes, handle stream) {
    size_t *memory = malloc(bytes + 2 * sizeof *memory);
    memory[0] = bytes;
    *address = (uint64_t)(uintptr_t)(memory + 2);
    return submit((struct work){.kind = ALLOCATE, .stream = stream});
}
status cuMemFreeAsync(uint64_t address, handle stream) {
    return submit((struct work){.kind = FREE, .stream = stream, .memory = (char *)(uintptr_t)address});
}
status cuMemcpyHtoDAsync_v2(uint64_t to, const void *from, size_t bytes, handle stream) {
    return submit((struct work){.kind = COPY, .stream = stream, .memory = (char *)(uintptr_t)to, .from = from, .bytes = bytes});
}
status cuGetErrorName(status error, const char **text) { (void)error; *text = "FAKE_ERROR"; return 0; }
status cuGetErrorString(status error, const char **text) { (void)error; *text = "a fake error"; return 0; }

status cuLaunchKernel(handle kernel, unsigned x, unsigned y, unsigned z, unsigned bx, unsigned by, unsigned bz, unsigned shared,
                      handle stream, handle *parameters, handle *extra) {
    const char *words = getenv("FAKE_CUDA_WORDS"), *shape = getenv("FAKE_CUDA_TABLE");
    struct work work = {.kind = LAUNCH, .stream = stream};
    size_t size;
    (void)extra;
    if (getenv("FAKE_CUDA_LOG") == NULL)
        return 0;
    FILE *text = open_memstream(&work.text, &size);
    fprintf(text, "{\"kernel\": \"%s\", \"grid\": [%u, %u, %u], \"block\": [%u, %u, %u], \"shared\": %u, \"stream\": %llu, "
            "\"device\": %d, \"words\": [", (const char *)kernel, x, y, z, bx, by, bz, shared,
            (unsigned long long)(uintptr_t)stream, current);
    for (int k = 0; words != NULL && k < atoi(words); k++)
        fprintf(text, "%s%llu", k == 0 ? "" : ", ", (unsigned long long)*(uint64_t *)parameters[k]);
    fprintf(text, "]");
    fclose(text);
    if (shape != NULL) {
        work.table = *(uint64_t *)parameters[atoi(shape)];
        work.rows = *(uint64_t *)parameters[atoi(shape) + 1];
    }
    return submit(work);
}

/* Not allowed while something is captured, unless the thread says that it knows what it does. */
static __thread int mode;
status cuThreadExchangeStreamCaptureMode(int *other) { int before = mode; mode = *other; *other = before; return 0; }
static int forbidden(void) { return capturing && mode != 2; }
status cuStreamCreate(handle *stream, unsigned flags) {
    static intptr_t last = 1 << 20;
    *stream = (handle)++last;
    return flags != 1 ? 1 : forbidden() ? 900 : 0;
}
status cuStreamDestroy_v2(handle stream) { (void)stream; return 0; }
status cuStreamSynchronize(handle stream) {
    if (forbidden())
        return 900;
    run_stream(stream);
    return 0;
}
status cuMemAlloc_v2(uint64_t *address, size_t bytes) { return forbidden() ? 900 : cuMemAllocAsync(address, bytes, NULL); }

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
