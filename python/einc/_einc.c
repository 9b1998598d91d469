/*===- _einc.c - Python's side of libeinc.so and of compiled kernels ------===*\
|*                                                                            *|
|* Part of einc, under the Apache License v2.0 with LLVM Exceptions.          *|
|* See LICENSE for license information.                                       *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    *|
|*                                                                            *|
|*===----------------------------------------------------------------------===*|
|*                                                                            *|
|* What is on the way of every call is here: getting at arrays, finding       *|
|* sizes, making results, calling. The rest is Python (_core.py, _einsum.py). *|
|* Arrays are met by the buffer protocol or DLPack, so that the module needs  *|
|* neither numpy's headers nor its binary interface. libeinc.so is loaded     *|
|* when something is to be compiled.                                          *|
|*                                                                            *|
\*===----------------------------------------------------------------------===*/

#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include <dlfcn.h>
#include <einc/einc.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* More dims than any array of numpy has. */
#define MAX_RANK 64
#define MAX_LABELS 128

/*===----------------------------------------------------------------------===*\
|* The library                                                                *|
\*===----------------------------------------------------------------------===*/

#define FUNCTIONS(X)                                                           \
  X(einc_last_message)                                                         \
  X(einc_version)                                                              \
  X(einc_llvm_version)                                                         \
  X(einc_diagnostics_text)                                                     \
  X(einc_diagnostics_json)                                                     \
  X(einc_diagnostics_free)                                                     \
  X(einc_compile)                                                              \
  X(einc_program_free)                                                         \
  X(einc_emit)                                                                 \
  X(einc_explain)                                                              \
  X(einc_bytes_data)                                                           \
  X(einc_bytes_size)                                                           \
  X(einc_bytes_free)                                                           \
  X(einc_program_num_entries)                                                  \
  X(einc_program_entry)                                                        \
  X(einc_program_find)                                                         \
  X(einc_entry_name)                                                           \
  X(einc_entry_num_arguments)                                                  \
  X(einc_entry_argument)                                                       \
  X(einc_entry_num_sizes)                                                      \
  X(einc_entry_size_name)                                                      \
  X(einc_entry_signature)                                                      \
  X(einc_entry_signature_json)                                                 \
  X(einc_infer_sizes)                                                          \
  X(einc_infer_shape)                                                          \
  X(einc_call)

#define MEMBER(NAME) __typeof__(&NAME) NAME;
static struct {
  void *handle;
  FUNCTIONS(MEMBER)
} lib;

static PyObject *error_class; /* einc.EincError */
static PyObject *np_empty;    /* numpy.empty */
static PyObject *np_generic;  /* numpy.generic */
static PyObject *np_array;    /* numpy.ndarray */
static PyObject *convert;     /* _core.convert(object, type, "bf16" or None) */
static PyObject *slow_einsum; /* _einsum.einsum */
static PyObject *view_bits;   /* _core.view_bits(array) */
static PyObject *find_importer; /* _core.find_importer(object) */
static PyObject *importers;     /* what that has said, by type */
static PyObject *dtypes[16];    /* numpy's, by einc_type */
static PyObject *empty_tuple, *str_dlpack, *str_out, *str_optimize,
    *str_transpose, *str_bf16, *str_is_neg;

static PyObject *load_library(PyObject *self, PyObject *path) {
  if (lib.handle)
    Py_RETURN_NONE;
  const char *name = PyUnicode_AsUTF8(path);
  if (!name)
    return NULL;
  void *handle = dlopen(name, RTLD_NOW | RTLD_LOCAL);
  if (!handle) {
    PyErr_SetString(PyExc_ImportError, dlerror());
    return NULL;
  }
#define LOOK_UP(NAME)                                                          \
  if (!(*(void **)&lib.NAME = dlsym(handle, #NAME))) {                         \
    PyErr_SetString(PyExc_ImportError, dlerror());                             \
    return NULL;                                                               \
  }
  FUNCTIONS(LOOK_UP)
  lib.handle = handle;
  Py_RETURN_NONE;
}

static bool is_loaded(void) {
  if (!lib.handle)
    PyErr_SetString(PyExc_RuntimeError, "libeinc.so is not loaded");
  return lib.handle != NULL;
}

static PyObject *fail_on(einc_status status) {
  if (status == EINC_OUT_OF_MEMORY)
    return PyErr_NoMemory();
  PyErr_SetString(error_class, lib.einc_last_message());
  return NULL;
}

/*===----------------------------------------------------------------------===*\
|* Operands                                                                   *|
\*===----------------------------------------------------------------------===*/

/* DLPack's structs, as its specification has them. */
typedef struct {
  void *data;
  struct {
    int32_t type, id;
  } device;
  int32_t ndim;
  struct {
    uint8_t code, bits;
    uint16_t lanes;
  } dtype;
  int64_t *shape, *strides;
  uint64_t byte_offset;
} DLTensor;

typedef struct DLManagedTensor {
  DLTensor tensor;
  void *manager;
  void (*deleter)(struct DLManagedTensor *self);
} DLManagedTensor;

/* An array as einc sees it, and what keeps it alive. */
typedef struct {
  einc_array array;
  Py_buffer buffer; /* if it has an `obj` */
  DLManagedTensor *tensor;
  PyObject *owner; /* of a conversion, if any */
  int64_t dims[2 * MAX_RANK];
} Operand;

static void release(Operand *operand) {
  if (operand->buffer.obj)
    PyBuffer_Release(&operand->buffer);
  if (operand->tensor && operand->tensor->deleter)
    operand->tensor->deleter(operand->tensor);
  Py_XDECREF(operand->owner);
}

static void release_all(Operand *operands, Py_ssize_t count) {
  for (Py_ssize_t i = 0; i < count; ++i)
    release(&operands[i]);
}

/* The element type of a buffer's format; -1 if einc has none such. */
static int parse_format(const char *format, Py_ssize_t size) {
  if (!format)
    return size == 1 ? EINC_TYPE_U8 : -1;
#if PY_LITTLE_ENDIAN
  if (*format == '@' || *format == '=' || *format == '<' || *format == '|')
    ++format;
#else
  if (*format == '@' || *format == '=' || *format == '>' || *format == '|')
    ++format;
#endif
  if (*format == 'Z') {
    if (format[1] == 0 || format[2] != 0)
      return -1;
    return format[1] == 'f'   ? EINC_TYPE_C64
           : format[1] == 'd' ? EINC_TYPE_C128
                              : -1;
  }
  if (*format == 0 || format[1] != 0)
    return -1;
  switch (*format) {
  case 'f':
    return EINC_TYPE_F32;
  case 'd':
    return EINC_TYPE_F64;
  case 'e':
    return EINC_TYPE_F16;
  case '?':
    return EINC_TYPE_BOOL;
  case 'b':
  case 'h':
  case 'i':
  case 'l':
  case 'q':
  case 'n':
    return size == 1   ? EINC_TYPE_I8
           : size == 2 ? EINC_TYPE_I16
           : size == 4 ? EINC_TYPE_I32
                       : EINC_TYPE_I64;
  case 'B':
  case 'H':
  case 'I':
  case 'L':
  case 'Q':
  case 'N':
    return size == 1   ? EINC_TYPE_U8
           : size == 2 ? EINC_TYPE_U16
           : size == 4 ? EINC_TYPE_U32
                       : EINC_TYPE_U64;
  default:
    return -1;
  }
}

/* By DLPack's codes, and by the width: 8 bits, 16, … */
enum { kCodes = 7, kWidths = 5 };
static const int8_t dlpack_types[kCodes][kWidths] = {
    {EINC_TYPE_I8, EINC_TYPE_I16, EINC_TYPE_I32, EINC_TYPE_I64, -1},
    {EINC_TYPE_U8, EINC_TYPE_U16, EINC_TYPE_U32, EINC_TYPE_U64, -1},
    {-1, EINC_TYPE_F16, EINC_TYPE_F32, EINC_TYPE_F64, -1},
    {-1, -1, -1, -1, -1}, /* handles */
    {-1, EINC_TYPE_BF16, -1, -1, -1},
    {-1, -1, -1, EINC_TYPE_C64, EINC_TYPE_C128},
    {EINC_TYPE_BOOL, -1, -1, -1, -1}};

static int parse_dlpack_type(const DLTensor *tensor) {
  if (tensor->dtype.lanes != 1)
    return -1;
  int log = 0;
  while (8 << log < tensor->dtype.bits)
    ++log;
  if (8 << log != tensor->dtype.bits || log >= kWidths)
    return -1;
  return tensor->dtype.code < kCodes ? dlpack_types[tensor->dtype.code][log]
                                     : -1;
}

static void set_dlpack_type(DLTensor *tensor, int type) {
  if (type == EINC_TYPE_INDEX)
    type = EINC_TYPE_I64;
  for (int code = 0; code < kCodes; ++code)
    for (int log = 0; log < kWidths; ++log)
      if (dlpack_types[code][log] == type) {
        tensor->dtype.code = (uint8_t)code;
        tensor->dtype.bits = (uint8_t)(8 << log);
      }
  tensor->dtype.lanes = 1;
}

/* Whether elements are where einc finds them. */
static bool is_aligned(const void *data, int type, Py_ssize_t size) {
  bool is_complex = type == EINC_TYPE_C64 || type == EINC_TYPE_C128;
  return (uintptr_t)data % (is_complex ? size / 2 : size) == 0;
}

/* An array's memory by the buffer protocol: 1, or 0 if it has none that einc
 * can use as it is. */
static int acquire_buffer(PyObject *object, Operand *operand, bool writable) {
  Py_buffer *buffer = &operand->buffer;
  if (PyObject_GetBuffer(object, buffer,
                         PyBUF_STRIDES | PyBUF_FORMAT |
                             (writable ? PyBUF_WRITABLE : 0)) != 0) {
    buffer->obj = NULL;
    PyErr_Clear();
    return 0;
  }
  int type = parse_format(buffer->format, buffer->itemsize);
  /* Numpy's dates have a dim, and leave out the stride that was asked for. */
  bool fits = type >= 0 && buffer->ndim <= MAX_RANK &&
              (buffer->ndim == 0 || (buffer->shape && buffer->strides)) &&
              is_aligned(buffer->buf, type, buffer->itemsize);
  for (int d = 0; fits && d < buffer->ndim; ++d) {
    Py_ssize_t stride = buffer->strides[d];
    operand->dims[d] = buffer->shape[d];
    operand->dims[MAX_RANK + d] = stride / buffer->itemsize;
    fits = stride % buffer->itemsize == 0 || buffer->shape[d] <= 1;
  }
  if (!fits) {
    PyBuffer_Release(buffer);
    buffer->obj = NULL;
    return 0;
  }
  operand->array.data = buffer->buf;
  operand->array.rank = buffer->ndim;
  operand->array.type = (einc_type)type;
  return 1;
}

/* The same by DLPack, of what is in the CPU's memory. */
static int acquire_tensor(PyObject *object, Operand *operand) {
  /* Torch's negated views are handed over without their signs. */
  if (PyObject_HasAttr(object, str_is_neg)) {
    PyObject *is_negated = PyObject_CallMethodNoArgs(object, str_is_neg);
    Py_XDECREF(is_negated);
    if (is_negated != Py_False) {
      PyErr_Clear();
      return 0;
    }
  }
  PyObject *capsule = PyObject_CallMethodNoArgs(object, str_dlpack);
  DLManagedTensor *managed =
      capsule ? PyCapsule_GetPointer(capsule, "dltensor") : NULL;
  if (!managed) {
    PyErr_Clear();
    Py_XDECREF(capsule);
    return 0;
  }
  PyCapsule_SetName(capsule, "used_dltensor");
  Py_DECREF(capsule);
  operand->tensor = managed;
  const DLTensor *tensor = &managed->tensor;
  int element = parse_dlpack_type(tensor);
  char *data = (char *)tensor->data + tensor->byte_offset;
  enum { kCPU = 1 };
  if (tensor->device.type != kCPU || element < 0 || tensor->ndim > MAX_RANK ||
      !is_aligned(data, element, tensor->dtype.bits / 8)) {
    if (managed->deleter)
      managed->deleter(managed);
    operand->tensor = NULL;
    return 0;
  }
  int64_t stride = 1;
  for (int d = tensor->ndim; d-- > 0;) {
    operand->dims[d] = tensor->shape[d];
    operand->dims[MAX_RANK + d] = tensor->strides ? tensor->strides[d] : stride;
    stride *= tensor->shape[d];
  }
  operand->array.data = data;
  operand->array.rank = tensor->ndim;
  operand->array.type = (einc_type)element;
  return 1;
}

/* The same of an array of bf16, a type that ml_dtypes adds to numpy's, and of
 * which nothing but numpy knows: by a view of its bits. */
static int acquire_bits(PyObject *object, Operand *operand, bool writable) {
  PyObject *view = PyObject_CallOneArg(view_bits, object);
  if (!view || view == Py_None || !acquire_buffer(view, operand, writable)) {
    PyErr_Clear();
    Py_XDECREF(view);
    return 0;
  }
  operand->owner = view;
  operand->array.type = EINC_TYPE_BF16;
  return 1;
}

/* What can be used as it is: 1, else 0. */
static int acquire(PyObject *object, Operand *operand, bool writable) {
  operand->buffer.obj = NULL;
  operand->tensor = NULL;
  operand->owner = NULL;
  operand->array.sizes = operand->dims;
  operand->array.strides = operand->dims + MAX_RANK;
  if (PyObject_CheckBuffer(object) && acquire_buffer(object, operand, writable))
    return 1;
  if (PyObject_TypeCheck(object, (PyTypeObject *)np_array))
    return acquire_bits(object, operand, writable);
  /* Numpy's arrays have both, and read-only ones refuse DLPack. */
  int has = PyObject_HasAttr(object, str_dlpack);
  return has && !PyObject_CheckBuffer(object) &&
         acquire_tensor(object, operand);
}

/* What can be read; what einc cannot use is converted by numpy. `type` is what
 * numbers and lists become; -1: as they are. 0, or -1 with an exception. */
static int acquire_input(PyObject *object, Operand *operand, int type) {
  if (acquire(object, operand, false)) {
    /* Numpy's scalars are arrays to the protocol, and numbers to everybody. */
    if (type < 0 || operand->array.rank != 0 ||
        (int)operand->array.type == type ||
        !PyObject_TypeCheck(object, (PyTypeObject *)np_generic))
      return 0;
    release(operand);
  }
  PyObject *wanted = type < 0                 ? Py_None
                     : type == EINC_TYPE_BF16 ? str_bf16
                                              : dtypes[type];
  PyObject *converted =
      PyObject_CallFunctionObjArgs(convert, object, wanted, NULL);
  if (!converted)
    return -1;
  if (!acquire(converted, operand, false)) {
    PyErr_Format(PyExc_TypeError, "einc cannot read an array of %R",
                 (PyObject *)Py_TYPE(object));
    Py_DECREF(converted);
    return -1;
  }
  operand->owner = converted;
  return 0;
}

/* A new array of numpy's, or NULL with an exception. `fortran`: columns first.
 */
static PyObject *create_array(const int64_t *shape, size_t rank, int type,
                              bool fortran, Operand *operand) {
  PyObject *sizes = PyTuple_New(rank);
  if (!sizes)
    return NULL;
  for (size_t d = 0; d < rank; ++d)
    PyTuple_SET_ITEM(sizes, d, PyLong_FromLongLong(shape[d]));
  PyObject *arguments[3] = {sizes, dtypes[type], NULL};
  if (fortran && !(arguments[2] = PyUnicode_FromString("F"))) {
    Py_DECREF(sizes);
    return NULL;
  }
  PyObject *array =
      PyObject_Vectorcall(np_empty, arguments, fortran ? 3 : 2, NULL);
  Py_DECREF(sizes);
  Py_XDECREF(arguments[2]);
  if (!array)
    return NULL;
  if (!acquire(array, operand, true)) {
    Py_DECREF(array);
    PyErr_SetString(PyExc_RuntimeError, "numpy's new array is unusable");
    return NULL;
  }
  return array;
}

/* The same with dims in this order in memory, the outermost first. */
static PyObject *create_permuted(const int64_t *shape, const int *order,
                                 int rank, int type, Operand *operand) {
  int64_t permuted[MAX_RANK];
  PyObject *axes = PyTuple_New(rank);
  if (!axes)
    return NULL;
  for (int d = 0; d < rank; ++d)
    permuted[d] = shape[order[d]];
  for (int d = 0; d < rank; ++d)
    PyTuple_SET_ITEM(axes, order[d], PyLong_FromLong(d));
  PyObject *array = create_array(permuted, rank, type, false, operand);
  if (!array) {
    Py_DECREF(axes);
    return NULL;
  }
  release(operand);
  PyObject *transposed =
      PyObject_CallMethodObjArgs(array, str_transpose, axes, NULL);
  Py_DECREF(axes);
  Py_DECREF(array);
  if (transposed && !acquire(transposed, operand, true)) {
    Py_CLEAR(transposed);
    PyErr_SetString(PyExc_RuntimeError, "numpy's new array is unusable");
  }
  return transposed;
}

/* The type that ml_dtypes has for bf16, if one of these is an array of it: a
 * new reference, or NULL without an exception. */
static PyObject *find_bfloat16(PyObject *const *objects,
                               const Operand *operands, Py_ssize_t count) {
  for (Py_ssize_t i = 0; i < count; ++i)
    if (objects[i] && operands[i].owner &&
        operands[i].array.type == EINC_TYPE_BF16 &&
        PyObject_TypeCheck(objects[i], (PyTypeObject *)np_array))
      return PyObject_GetAttrString(objects[i], "dtype");
  return NULL;
}

/* A new array of bits as one of that type; steals it. */
static PyObject *view_as(PyObject *array, PyObject *dtype) {
  PyObject *view = PyObject_CallMethod(array, "view", "O", dtype);
  Py_DECREF(array);
  return view;
}

/* A number, of an array without dims. */
static PyObject *unwrap(PyObject *array, size_t rank) {
  if (rank != 0 || !array)
    return array;
  PyObject *number = PyObject_GetItem(array, empty_tuple);
  Py_DECREF(array);
  return number;
}

/*===----------------------------------------------------------------------===*\
|* Memory of one kind of array as another                                     *|
\*===----------------------------------------------------------------------===*/

/* Memory(array, type=-1, writable=False): an array's memory for numpy, by the
 * buffer protocol, and for others by DLPack. `type` is what its elements are if
 * that is not what the array says: bf16, whose bits numpy has. */
typedef struct {
  PyObject_HEAD PyObject *object; /* NULL: not acquired */
  Operand operand;
  int type;
  bool is_writable;
  Py_ssize_t shape[MAX_RANK], strides[MAX_RANK]; /* in bytes */
} Memory;

static void free_memory(Memory *self) {
  if (self->object)
    release(&self->operand);
  Py_XDECREF(self->object);
  Py_TYPE(self)->tp_free((PyObject *)self);
}

static const struct {
  const char *format;
  int8_t size;
} formats[16] = {
    [EINC_TYPE_F32] = {"f", 4},  [EINC_TYPE_F64] = {"d", 8},
    [EINC_TYPE_F16] = {"e", 2},  [EINC_TYPE_BF16] = {"H", 2},
    [EINC_TYPE_C64] = {"Zf", 8}, [EINC_TYPE_C128] = {"Zd", 16},
    [EINC_TYPE_I8] = {"b", 1},   [EINC_TYPE_I16] = {"h", 2},
    [EINC_TYPE_I32] = {"i", 4},  [EINC_TYPE_I64] = {"q", 8},
    [EINC_TYPE_U8] = {"B", 1},   [EINC_TYPE_U16] = {"H", 2},
    [EINC_TYPE_U32] = {"I", 4},  [EINC_TYPE_U64] = {"Q", 8},
    [EINC_TYPE_BOOL] = {"?", 1}, [EINC_TYPE_INDEX] = {"q", 8},
};

static Memory *acquire_memory(PyTypeObject *class, PyObject *object, int type,
                              bool writable) {
  Memory *self = (Memory *)class->tp_alloc(class, 0);
  if (!self)
    return NULL;
  if (!acquire(object, &self->operand, writable)) {
    PyErr_Format(PyExc_TypeError, "einc cannot use an array of %R where it is",
                 (PyObject *)Py_TYPE(object));
    Py_DECREF(self);
    return NULL;
  }
  Py_INCREF(object);
  self->object = object;
  self->type = type < 0 ? (int)self->operand.array.type : type;
  self->is_writable = writable;
  for (size_t d = 0; d < self->operand.array.rank; ++d) {
    self->shape[d] = self->operand.dims[d];
    self->strides[d] =
        self->operand.dims[MAX_RANK + d] * formats[self->type].size;
  }
  return self;
}

static PyObject *create_memory(PyTypeObject *class, PyObject *args,
                               PyObject *keywords) {
  PyObject *object;
  int type = -1, writable = 0;
  if (!PyArg_ParseTuple(args, "O|ip", &object, &type, &writable))
    return NULL;
  if (type > EINC_TYPE_INDEX) {
    PyErr_SetString(PyExc_ValueError, "no type");
    return NULL;
  }
  return (PyObject *)acquire_memory(class, object, type, writable);
}

static int get_memory_buffer(Memory *self, Py_buffer *view, int flags) {
  if ((flags & PyBUF_WRITABLE) && !self->is_writable) {
    PyErr_SetString(PyExc_BufferError, "it is only read");
    view->obj = NULL;
    return -1;
  }
  if ((flags & PyBUF_STRIDES) != PyBUF_STRIDES) {
    PyErr_SetString(PyExc_BufferError, "it has strides");
    view->obj = NULL;
    return -1;
  }
  view->buf = self->operand.array.data;
  view->ndim = (int)self->operand.array.rank;
  view->itemsize = formats[self->type].size;
  view->format =
      (flags & PyBUF_FORMAT) ? (char *)formats[self->type].format : NULL;
  view->shape = self->shape;
  view->strides = self->strides;
  view->suboffsets = NULL;
  view->internal = NULL;
  view->readonly = !self->is_writable;
  view->len = view->itemsize;
  for (int d = 0; d < view->ndim; ++d)
    view->len *= self->shape[d];
  Py_INCREF(self);
  view->obj = (PyObject *)self;
  return 0;
}

static PyBufferProcs memory_buffer = {(getbufferproc)get_memory_buffer, NULL};

/* What is handed over: it may be freed where Python's lock is not held. */
static void free_exported(DLManagedTensor *tensor) {
  PyGILState_STATE state = PyGILState_Ensure();
  Py_DECREF((PyObject *)tensor->manager);
  PyMem_RawFree(tensor);
  PyGILState_Release(state);
}

static void free_capsule(PyObject *capsule) {
  /* Who takes it gives it another name. */
  if (!PyCapsule_IsValid(capsule, "dltensor"))
    return;
  DLManagedTensor *tensor = PyCapsule_GetPointer(capsule, "dltensor");
  tensor->deleter(tensor);
}

static PyObject *export_memory(Memory *self, PyObject *args,
                               PyObject *keywords) {
  DLManagedTensor *managed = PyMem_RawCalloc(1, sizeof *managed);
  if (!managed)
    return PyErr_NoMemory();
  DLTensor *tensor = &managed->tensor;
  tensor->data = self->operand.array.data;
  tensor->device.type = 1; /* the CPU */
  tensor->ndim = (int32_t)self->operand.array.rank;
  tensor->shape = self->operand.dims;
  tensor->strides = self->operand.dims + MAX_RANK;
  set_dlpack_type(tensor, self->type);
  managed->manager = self;
  managed->deleter = free_exported;
  PyObject *capsule = PyCapsule_New(managed, "dltensor", free_capsule);
  if (!capsule) {
    PyMem_RawFree(managed);
    return NULL;
  }
  Py_INCREF(self);
  return capsule;
}

static PyObject *get_memory_device(Memory *self, PyObject *none) {
  return Py_BuildValue("ii", 1, 0);
}

static PyObject *get_memory_type(Memory *self, void *closure) {
  return PyLong_FromLong(self->type);
}

static PyMethodDef memory_methods[] = {
    {"__dlpack__", (PyCFunction)(void (*)(void))export_memory,
     METH_VARARGS | METH_KEYWORDS, NULL},
    {"__dlpack_device__", (PyCFunction)get_memory_device, METH_NOARGS, NULL},
    {NULL, NULL, 0, NULL}};

static PyGetSetDef memory_getset[] = {
    {"type", (getter)get_memory_type, NULL, NULL, NULL},
    {NULL, NULL, NULL, NULL, NULL}};

static PyTypeObject memory_type = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "einc._einc.Memory",
    .tp_basicsize = sizeof(Memory),
    .tp_dealloc = (destructor)free_memory,
    .tp_as_buffer = &memory_buffer,
    .tp_methods = memory_methods,
    .tp_getset = memory_getset,
    .tp_new = create_memory,
    .tp_flags = Py_TPFLAGS_DEFAULT,
};

/* What makes arrays of an object's kind by DLPack, borrowed: None for numpy's;
 * NULL with an exception. */
static PyObject *get_importer(PyObject *object) {
  PyObject *type = (PyObject *)Py_TYPE(object);
  PyObject *importer = PyDict_GetItemWithError(importers, type);
  if (importer || PyErr_Occurred())
    return importer;
  importer = PyObject_CallOneArg(find_importer, object);
  if (!importer)
    return NULL;
  int status = PyDict_SetItem(importers, type, importer);
  Py_DECREF(importer);
  return status == 0 ? importer : NULL;
}

/* Of these, the first array says what results are: its importer, borrowed; NULL
 * for numpy's arrays, or with an exception. Numbers and lists say nothing. */
static PyObject *choose_importer(PyObject *const *objects,
                                 const Operand *operands, Py_ssize_t count) {
  for (Py_ssize_t i = 0; i < count; ++i) {
    if (!objects[i])
      continue;
    bool is_array =
        PyObject_TypeCheck(objects[i], (PyTypeObject *)np_array) ||
        (operands[i].buffer.obj && !operands[i].owner &&
         !PyObject_TypeCheck(objects[i], (PyTypeObject *)np_generic));
    if (is_array)
      return NULL;
    /* It may not have handed its memory over, if it has no name for its type.
     */
    if (operands[i].tensor ||
        (operands[i].owner && PyObject_HasAttr(objects[i], str_dlpack) &&
         !PyObject_TypeCheck(objects[i], (PyTypeObject *)np_generic))) {
      PyObject *importer = get_importer(objects[i]);
      return importer == Py_None ? NULL : importer;
    }
  }
  return NULL;
}

/* A new array of numpy's as one of the importer's; steals it. It stays what it
 * is if the other package does not have its type. */
static PyObject *import_array(PyObject *importer, PyObject *array, int type) {
  Memory *memory = acquire_memory(&memory_type, array, type, true);
  if (!memory) {
    Py_DECREF(array);
    return NULL;
  }
  PyObject *imported = PyObject_CallOneArg(importer, (PyObject *)memory);
  Py_DECREF(memory);
  if (imported) {
    Py_DECREF(array);
    return imported;
  }
  if (!PyErr_ExceptionMatches(PyExc_Exception) ||
      PyErr_ExceptionMatches(PyExc_MemoryError)) {
    Py_DECREF(array);
    return NULL;
  }
  PyErr_Clear();
  return array;
}

/* import_like(object, array, type): the array as one of the object's kind. */
static PyObject *import_like(PyObject *module, PyObject *args) {
  PyObject *object, *array;
  int type;
  if (!PyArg_ParseTuple(args, "OOi", &object, &array, &type))
    return NULL;
  PyObject *importer = get_importer(object);
  if (!importer)
    return NULL;
  Py_INCREF(array);
  return importer == Py_None ? array : import_array(importer, array, type);
}

/*===----------------------------------------------------------------------===*\
|* Programs and kernels                                                       *|
\*===----------------------------------------------------------------------===*/

typedef struct {
  PyObject_HEAD einc_program *program;
} Program;

static void free_program(Program *self) {
  lib.einc_program_free(self->program);
  Py_TYPE(self)->tp_free((PyObject *)self);
}

static PyTypeObject program_type = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "einc._einc.Program",
    .tp_basicsize = sizeof(Program),
    .tp_dealloc = (destructor)free_program,
    .tp_flags = Py_TPFLAGS_DEFAULT,
};

typedef struct {
  PyObject_HEAD vectorcallfunc vectorcall;
  PyObject *program;
  const einc_entry *entry;
  size_t num_arguments, num_sizes, num_results, num_outputs;
  const einc_argument **arguments;
  PyObject **names;      /* of arguments */
  PyObject **size_names; /* of sizes */
  PyObject *dict;        /* what Python adds */
} Kernel;

static void free_kernel(Kernel *self) {
  PyObject_GC_UnTrack(self);
  for (size_t i = 0; self->names && i < self->num_arguments; ++i)
    Py_XDECREF(self->names[i]);
  for (size_t i = 0; self->size_names && i < self->num_sizes; ++i)
    Py_XDECREF(self->size_names[i]);
  PyMem_Free(self->arguments);
  PyMem_Free(self->names);
  PyMem_Free(self->size_names);
  Py_CLEAR(self->dict);
  Py_CLEAR(self->program);
  Py_TYPE(self)->tp_free((PyObject *)self);
}

static int traverse_kernel(Kernel *self, visitproc visit, void *arg) {
  Py_VISIT(self->dict);
  Py_VISIT(self->program);
  return 0;
}

static int clear_kernel(Kernel *self) {
  Py_CLEAR(self->dict);
  return 0;
}

static bool is_called(PyObject *name, PyObject *candidate) {
  return name == candidate || PyUnicode_Compare(name, candidate) == 0;
}

/* What a call is given, by the places of the signature. */
typedef struct {
  PyObject **arrays; /* one per argument, borrowed; NULL: to be made */
  int64_t *sizes;
} Given;

static int take_arguments(Kernel *self, PyObject *const *args, size_t count,
                          PyObject *names, Given *given) {
  const char *name = lib.einc_entry_name(self->entry);
  size_t next = 0;
  for (size_t i = 0; i < self->num_arguments && next < count; ++i)
    if (self->arguments[i]->role != EINC_OUTPUT)
      given->arrays[i] = args[next++];
  if (next < count) {
    PyErr_Format(PyExc_TypeError, "%s takes %zu arrays, not %zu: %s", name,
                 self->num_arguments - self->num_outputs, count,
                 lib.einc_entry_signature(self->entry));
    return -1;
  }
  PyObject *out = NULL;
  for (Py_ssize_t k = 0; names && k < PyTuple_GET_SIZE(names); ++k) {
    PyObject *keyword = PyTuple_GET_ITEM(names, k), *value = args[count + k];
    bool is_known = false;
    for (size_t i = 0; i < self->num_arguments && !is_known; ++i) {
      if (!is_called(keyword, self->names[i]))
        continue;
      is_known = true;
      if (given->arrays[i]) {
        PyErr_Format(PyExc_TypeError, "%s has %R twice", name, keyword);
        return -1;
      }
      given->arrays[i] = value;
    }
    for (size_t i = 0; i < self->num_sizes && !is_known; ++i) {
      if (!is_called(keyword, self->size_names[i]))
        continue;
      is_known = true;
      given->sizes[i] = PyLong_AsLongLong(value);
      if (given->sizes[i] == -1 && PyErr_Occurred())
        return -1;
    }
    if (!is_known && is_called(keyword, str_out)) {
      is_known = true;
      out = value == Py_None ? NULL : value;
    }
    if (!is_known) {
      PyErr_Format(PyExc_TypeError, "%s has neither an argument nor a size %R",
                   name, keyword);
      return -1;
    }
  }
  /* `out` has the outputs that are not named. */
  if (out) {
    bool is_tuple = PyTuple_Check(out);
    Py_ssize_t place = 0, length = is_tuple ? PyTuple_GET_SIZE(out) : 1;
    for (size_t i = 0; i < self->num_arguments; ++i) {
      if (self->arguments[i]->role != EINC_OUTPUT || given->arrays[i])
        continue;
      if (place < length) {
        PyObject *array = is_tuple ? PyTuple_GET_ITEM(out, place) : out;
        given->arrays[i] = array == Py_None ? NULL : array;
      }
      ++place;
    }
    if (place != length) {
      PyErr_Format(PyExc_TypeError, "%s has %zd outputs, `out` %zd", name,
                   place, length);
      return -1;
    }
  }
  for (size_t i = 0; i < self->num_arguments; ++i)
    if (!given->arrays[i] && self->arguments[i]->role != EINC_OUTPUT) {
      PyErr_Format(PyExc_TypeError, "%s is not given %R: %s", name,
                   self->names[i], lib.einc_entry_signature(self->entry));
      return -1;
    }
  return 0;
}

static PyObject *collect_results(Kernel *self, PyObject **results) {
  PyObject *tuple =
      self->num_results == 1 ? NULL : PyTuple_New(self->num_results);
  if (!tuple && self->num_results != 1)
    return NULL;
  size_t place = 0;
  for (size_t i = 0; i < self->num_arguments; ++i) {
    if (self->arguments[i]->role == EINC_INPUT)
      continue;
    Py_INCREF(results[i]);
    if (!tuple)
      return results[i];
    PyTuple_SET_ITEM(tuple, place++, results[i]);
  }
  return tuple;
}

static PyObject *call_kernel(PyObject *callable, PyObject *const *args,
                             size_t flags, PyObject *names) {
  Kernel *self = (Kernel *)callable;
  size_t count = self->num_arguments;
  /* Enough for most; the rest comes from the heap. */
  enum { kFew = 6 };
  Operand few_operands[kFew], *operands = few_operands;
  einc_array few_arrays[kFew], *arrays = few_arrays;
  PyObject *few_objects[2 * kFew] = {NULL}, **objects = few_objects;
  int64_t few_sizes[2 * kFew], *sizes = few_sizes;
  void *memory = NULL;
  if (count > kFew || self->num_sizes > 2 * kFew) {
    size_t bytes = count * (sizeof(Operand) + sizeof(einc_array) +
                            2 * sizeof(PyObject *)) +
                   self->num_sizes * sizeof(int64_t);
    memory = PyMem_Calloc(1, bytes);
    if (!memory)
      return PyErr_NoMemory();
    operands = memory;
    arrays = (einc_array *)(operands + count);
    objects = (PyObject **)(arrays + count);
    sizes = (int64_t *)(objects + 2 * count);
  }
  for (size_t i = 0; i < self->num_sizes; ++i)
    sizes[i] = -1;
  Given given = {objects, sizes};
  PyObject **results = objects + count; /* owned */
  PyObject *result = NULL, *importer = NULL, *bfloat16 = NULL;
  size_t acquired = 0;
  bool has_tensors = false;
  if (take_arguments(self, args, PyVectorcall_NARGS(flags), names, &given) != 0)
    goto done;
  for (size_t i = 0; i < count; ++i) {
    const einc_argument *argument = self->arguments[i];
    PyObject *object = given.arrays[i];
    Operand *operand = &operands[i];
    ++acquired;
    if (!object) {
      memset(&operand->buffer, 0, sizeof operand->buffer);
      operand->tensor = NULL;
      operand->owner = NULL;
      memset(&arrays[i], 0, sizeof arrays[i]);
      continue;
    }
    if (argument->role == EINC_INPUT) {
      if (acquire_input(object, operand, argument->type) != 0) {
        --acquired;
        goto done;
      }
    } else if (!acquire(object, operand, true)) {
      --acquired;
      PyErr_Format(PyExc_TypeError,
                   "%R cannot be written: it has to be a writable, aligned "
                   "array of numbers in this machine's byte order",
                   self->names[i]);
      goto done;
    } else {
      Py_INCREF(object);
      results[i] = object;
    }
    arrays[i] = operand->array;
    has_tensors |= operand->tensor || operand->owner;
    /* Numpy has no bf16: its bits are read. */
    if (argument->type == EINC_TYPE_BF16 && arrays[i].type == EINC_TYPE_U16)
      arrays[i].type = EINC_TYPE_BF16;
  }
  if (has_tensors) {
    /* Inputs decide, and what is to be written says nothing. */
    PyObject *inputs[MAX_LABELS];
    size_t most = count < MAX_LABELS ? count : MAX_LABELS;
    for (size_t i = 0; i < most; ++i)
      inputs[i] = self->arguments[i]->role == EINC_OUTPUT ? NULL : objects[i];
    importer = choose_importer(inputs, operands, (Py_ssize_t)most);
    if (!importer && PyErr_Occurred())
      goto done;
    Py_XINCREF(importer);
    if (!importer)
      bfloat16 = find_bfloat16(objects, operands, (Py_ssize_t)count);
  }
  einc_status status = lib.einc_infer_sizes(self->entry, arrays, count, sizes);
  if (status != EINC_OK) {
    fail_on(status);
    goto done;
  }
  for (size_t i = 0; i < count; ++i) {
    if (given.arrays[i])
      continue;
    const einc_argument *argument = self->arguments[i];
    int64_t shape[MAX_RANK];
    if (argument->rank > MAX_RANK) {
      PyErr_SetString(PyExc_ValueError, "a result has too many dims");
      goto done;
    }
    status = lib.einc_infer_shape(self->entry, i, sizes, shape);
    if (status != EINC_OK) {
      fail_on(status);
      goto done;
    }
    results[i] = create_array(shape, argument->rank, argument->type, false,
                              &operands[i]);
    if (!results[i])
      goto done;
    arrays[i] = operands[i].array;
    arrays[i].type = argument->type;
  }
  Py_BEGIN_ALLOW_THREADS status =
      lib.einc_call(self->entry, arrays, count, sizes);
  Py_END_ALLOW_THREADS if (status != EINC_OK) {
    fail_on(status);
    goto done;
  }
  release_all(operands, acquired);
  acquired = 0;
  for (size_t i = 0; i < count; ++i) {
    if (!results[i] || given.arrays[i])
      continue;
    const einc_argument *argument = self->arguments[i];
    if (bfloat16 && argument->type == EINC_TYPE_BF16)
      results[i] = view_as(results[i], bfloat16);
    if (results[i])
      results[i] = importer ? import_array(importer, results[i], argument->type)
                            : unwrap(results[i], argument->rank);
    if (!results[i])
      goto done;
  }
  result = collect_results(self, results);
done:
  release_all(operands, acquired);
  for (size_t i = 0; i < count; ++i)
    Py_XDECREF(results[i]);
  Py_XDECREF(importer);
  Py_XDECREF(bfloat16);
  PyMem_Free(memory);
  return result;
}

static PyObject *get_signature_json(Kernel *self, void *closure) {
  return PyUnicode_FromString(lib.einc_entry_signature_json(self->entry));
}

static PyObject *get_signature(Kernel *self, void *closure) {
  return PyUnicode_FromString(lib.einc_entry_signature(self->entry));
}

static PyObject *get_name(Kernel *self, void *closure) {
  return PyUnicode_FromString(lib.einc_entry_name(self->entry));
}

static PyGetSetDef kernel_getset[] = {
    {"_signature_json", (getter)get_signature_json, NULL, NULL, NULL},
    {"_signature_text", (getter)get_signature, NULL, NULL, NULL},
    {"_entry_name", (getter)get_name, NULL, NULL, NULL},
    {"__dict__", PyObject_GenericGetDict, PyObject_GenericSetDict, NULL, NULL},
    {NULL, NULL, NULL, NULL, NULL}};

static PyObject *create_kernel(PyTypeObject *type, PyObject *args,
                               PyObject *keywords) {
  Program *program;
  const char *name;
  if (!PyArg_ParseTuple(args, "O!z", &program_type, &program, &name))
    return NULL;
  const einc_entry *entry = lib.einc_program_find(program->program, name);
  if (!entry)
    return fail_on(EINC_WRONG_ARGUMENT);
  Kernel *self = (Kernel *)type->tp_alloc(type, 0);
  if (!self)
    return NULL;
  self->vectorcall = call_kernel;
  Py_INCREF(program);
  self->program = (PyObject *)program;
  self->entry = entry;
  self->num_arguments = lib.einc_entry_num_arguments(entry);
  self->num_sizes = lib.einc_entry_num_sizes(entry);
  self->arguments =
      PyMem_Calloc(self->num_arguments + 1, sizeof *self->arguments);
  self->names = PyMem_Calloc(self->num_arguments + 1, sizeof *self->names);
  self->size_names = PyMem_Calloc(self->num_sizes + 1, sizeof *self->names);
  if (!self->arguments || !self->names || !self->size_names) {
    Py_DECREF(self);
    return PyErr_NoMemory();
  }
  for (size_t i = 0; i < self->num_arguments; ++i) {
    self->arguments[i] = lib.einc_entry_argument(entry, i);
    self->num_results += self->arguments[i]->role != EINC_INPUT;
    self->num_outputs += self->arguments[i]->role == EINC_OUTPUT;
    self->names[i] = PyUnicode_InternFromString(self->arguments[i]->name);
  }
  for (size_t i = 0; i < self->num_sizes; ++i)
    self->size_names[i] =
        PyUnicode_InternFromString(lib.einc_entry_size_name(entry, i));
  return (PyObject *)self;
}

static PyTypeObject kernel_type = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "einc._einc.Kernel",
    .tp_basicsize = sizeof(Kernel),
    .tp_dealloc = (destructor)free_kernel,
    .tp_traverse = (traverseproc)traverse_kernel,
    .tp_clear = (inquiry)clear_kernel,
    .tp_vectorcall_offset = offsetof(Kernel, vectorcall),
    .tp_call = PyVectorcall_Call,
    .tp_getset = kernel_getset,
    .tp_dictoffset = offsetof(Kernel, dict),
    .tp_new = create_kernel,
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE |
                Py_TPFLAGS_HAVE_VECTORCALL | Py_TPFLAGS_HAVE_GC,
};

/*===----------------------------------------------------------------------===*\
|* Compilation                                                                *|
\*===----------------------------------------------------------------------===*/

/* Arguments of all requests: text, name, form, options; the kind, of one. */
typedef struct {
  einc_source source;
  const char **options;
  Py_ssize_t num_options;
  const char *kind;
} Request;

static int read_request(PyObject *args, const char *format, Request *request) {
  PyObject *text, *options;
  const char *name;
  int form;
  if (!is_loaded() ||
      !PyArg_ParseTuple(args, format, &text, &name, &form, &PyTuple_Type,
                        &options, &request->kind))
    return -1;
  Py_ssize_t size;
  const char *bytes = PyUnicode_AsUTF8AndSize(text, &size);
  if (!bytes)
    return -1;
  request->source = (einc_source){bytes, size, name, (einc_form)form};
  request->num_options = PyTuple_GET_SIZE(options);
  request->options = PyMem_Calloc(request->num_options + 1, sizeof(char *));
  if (!request->options) {
    PyErr_NoMemory();
    return -1;
  }
  for (Py_ssize_t i = 0; i < request->num_options; ++i)
    if (!(request->options[i] =
              PyUnicode_AsUTF8(PyTuple_GET_ITEM(options, i)))) {
      PyMem_Free(request->options);
      return -1;
    }
  return 0;
}

/* (status, value, message, text, json); steals the value, which may be NULL. */
static PyObject *answer(einc_status status, PyObject *value,
                        einc_diagnostics *found) {
  if (!value) {
    Py_INCREF(Py_None);
    value = Py_None;
  }
  PyObject *result = Py_BuildValue(
      "iNsss", (int)status, value,
      status == EINC_OK ? "" : lib.einc_last_message(),
      lib.einc_diagnostics_text(found), lib.einc_diagnostics_json(found));
  lib.einc_diagnostics_free(found);
  return result;
}

static PyObject *compile(PyObject *module, PyObject *args) {
  Request request;
  if (read_request(args, "UziO!", &request) != 0)
    return NULL;
  Program *program = PyObject_New(Program, &program_type);
  if (!program) {
    PyMem_Free(request.options);
    return NULL;
  }
  program->program = NULL;
  einc_diagnostics *found = NULL;
  einc_status status;
  Py_BEGIN_ALLOW_THREADS status =
      lib.einc_compile(&request.source, request.options, request.num_options,
                       &program->program, &found);
  Py_END_ALLOW_THREADS PyMem_Free(request.options);
  return answer(status, (PyObject *)program, found);
}

static PyObject *finish_bytes(einc_status status, einc_bytes *bytes,
                              einc_diagnostics *found) {
  PyObject *value = NULL;
  if (status == EINC_OK)
    value = PyBytes_FromStringAndSize(lib.einc_bytes_data(bytes),
                                      lib.einc_bytes_size(bytes));
  lib.einc_bytes_free(bytes);
  return answer(status, value, found);
}

static PyObject *emit(PyObject *module, PyObject *args) {
  Request request;
  if (read_request(args, "UziO!s", &request) != 0)
    return NULL;
  einc_bytes *bytes = NULL;
  einc_diagnostics *found = NULL;
  einc_status status;
  Py_BEGIN_ALLOW_THREADS status =
      lib.einc_emit(&request.source, request.options, request.num_options,
                    request.kind, &bytes, &found);
  Py_END_ALLOW_THREADS PyMem_Free(request.options);
  return finish_bytes(status, bytes, found);
}

static PyObject *explain(PyObject *module, PyObject *args) {
  Request request;
  if (read_request(args, "UziO!", &request) != 0)
    return NULL;
  einc_bytes *bytes = NULL;
  einc_diagnostics *found = NULL;
  einc_status status;
  Py_BEGIN_ALLOW_THREADS status = lib.einc_explain(
      &request.source, request.options, request.num_options, &bytes, &found);
  Py_END_ALLOW_THREADS PyMem_Free(request.options);
  return finish_bytes(status, bytes, found);
}

/*===----------------------------------------------------------------------===*\
|* einsum                                                                     *|
\*===----------------------------------------------------------------------===*/

/* How operands of some ranks and types become the views that a kernel takes.
 * A label of size one goes with any size, as its stride may be zero; a label
 * that an operand has twice is its diagonal, whose stride is the sum. */
typedef struct {
  uint8_t type, rank, num_labels;
  uint8_t axes[MAX_RANK];   /* a label of the einsum per dim */
  uint8_t labels[MAX_RANK]; /* those of the kernel's operand */
} PlanOperand;

typedef struct {
  PyObject_HEAD Kernel *kernel;
  Py_ssize_t count;
  int num_labels, out_rank;
  uint8_t out_labels[MAX_RANK];
  int type;
  bool is_view; /* of the operand, to numpy, unless there is an `out` */
  PlanOperand *operands;
} Plan;

static void free_plan(Plan *self) {
  Py_XDECREF(self->kernel);
  PyMem_Free(self->operands);
  Py_TYPE(self)->tp_free((PyObject *)self);
}

static int read_labels(PyObject *tuple, uint8_t *labels, int limit) {
  if (!PyTuple_Check(tuple) || PyTuple_GET_SIZE(tuple) > MAX_RANK) {
    PyErr_SetString(PyExc_ValueError, "too many dims");
    return -1;
  }
  for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(tuple); ++i) {
    long label = PyLong_AsLong(PyTuple_GET_ITEM(tuple, i));
    if (label < 0 || label >= limit) {
      PyErr_SetString(PyExc_ValueError, "a label is out of range");
      return -1;
    }
    labels[i] = label;
  }
  return (int)PyTuple_GET_SIZE(tuple);
}

/* Plan(kernel, number of labels, types, axes, labels, labels of the result,
 *      its type) */
static PyObject *create_plan(PyTypeObject *type, PyObject *args,
                             PyObject *keywords) {
  Kernel *kernel;
  int num_labels, result_type;
  PyObject *types, *axes, *labels, *out_labels;
  if (!PyArg_ParseTuple(args, "O!iO!O!O!O!i", &kernel_type, &kernel,
                        &num_labels, &PyTuple_Type, &types, &PyTuple_Type,
                        &axes, &PyTuple_Type, &labels, &PyTuple_Type,
                        &out_labels, &result_type))
    return NULL;
  Py_ssize_t count = PyTuple_GET_SIZE(types);
  if (PyTuple_GET_SIZE(axes) != count || PyTuple_GET_SIZE(labels) != count ||
      kernel->num_arguments != (size_t)count + 1 || num_labels > MAX_LABELS ||
      result_type < 0 || result_type > EINC_TYPE_INDEX) {
    PyErr_SetString(PyExc_ValueError, "no plan");
    return NULL;
  }
  Plan *self = (Plan *)type->tp_alloc(type, 0);
  if (!self)
    return NULL;
  Py_INCREF(kernel);
  self->kernel = kernel;
  self->count = count;
  self->num_labels = num_labels;
  self->type = result_type;
  self->operands = PyMem_Calloc(count + 1, sizeof(PlanOperand));
  self->out_rank = read_labels(out_labels, self->out_labels, num_labels);
  bool is_right = self->operands && self->out_rank >= 0;
  for (Py_ssize_t i = 0; is_right && i < count; ++i) {
    PlanOperand *operand = &self->operands[i];
    operand->type = (uint8_t)PyLong_AsLong(PyTuple_GET_ITEM(types, i));
    int rank =
        read_labels(PyTuple_GET_ITEM(axes, i), operand->axes, num_labels);
    int distinct =
        read_labels(PyTuple_GET_ITEM(labels, i), operand->labels, num_labels);
    is_right = rank >= 0 && distinct >= 0;
    operand->rank = rank;
    operand->num_labels = distinct;
  }
  if (!is_right) {
    Py_DECREF(self);
    return PyErr_Occurred() ? NULL : PyErr_NoMemory();
  }
  self->is_view = count == 1 && self->out_rank == num_labels &&
                  self->operands[0].type == result_type;
  return (PyObject *)self;
}

static PyTypeObject plan_type = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "einc._einc.Plan",
    .tp_basicsize = sizeof(Plan),
    .tp_dealloc = (destructor)free_plan,
    .tp_new = create_plan,
    .tp_flags = Py_TPFLAGS_DEFAULT,
};

static bool matches(const Plan *plan, const Operand *operands,
                    Py_ssize_t count) {
  if (plan->count != count)
    return false;
  for (Py_ssize_t i = 0; i < count; ++i)
    if (plan->operands[i].rank != operands[i].array.rank ||
        plan->operands[i].type != operands[i].array.type)
      return false;
  return true;
}

/* How a result lies in memory. */
enum { kRowMajor = 0, kColumnMajor = 1, kAsOperands = 2 };

/* The dims of the result in the order of the operands in memory, the outermost
 * first, as numpy's iterators find it: dims are sorted by insertion, each is
 * compared by the strides of all operands, and where they disagree the order
 * that is written wins. Whether that is another order than is written. */
static bool order_dims(const Plan *plan, const einc_array *arrays, int *order) {
  int axes[MAX_LABELS], num_axes = 0;
  bool is_out[MAX_LABELS] = {false};
  for (int d = 0; d < plan->out_rank; ++d)
    is_out[plan->out_labels[d]] = true;
  /* Innermost first; dims of the result are outside of the others. */
  for (int label = plan->num_labels; label-- > 0;)
    if (!is_out[label])
      axes[num_axes++] = label;
  for (int d = plan->out_rank; d-- > 0;)
    axes[num_axes++] = plan->out_labels[d];
  int64_t strides[MAX_LABELS];
  for (int i = 1; i < num_axes; ++i) {
    int label = axes[i], place = i;
    for (int j = i; j-- > 0;) {
      bool is_ambiguous = true, swaps = false;
      for (Py_ssize_t k = 0; k < plan->count; ++k) {
        const PlanOperand *shape = &plan->operands[k];
        strides[label] = strides[axes[j]] = 0;
        for (int l = 0; l < shape->num_labels; ++l)
          strides[shape->labels[l]] =
              arrays[k].sizes[l] == 1 ? 0 : arrays[k].strides[l];
        int64_t outer = llabs(strides[label]), inner = llabs(strides[axes[j]]);
        if (outer == 0 || inner == 0)
          continue;
        if (inner <= outer)
          swaps = false;
        else if (is_ambiguous)
          swaps = true;
        is_ambiguous = false;
      }
      if (is_ambiguous)
        continue;
      if (!swaps)
        break;
      place = j;
    }
    memmove(axes + place + 1, axes + place, (i - place) * sizeof *axes);
    axes[place] = label;
  }
  int next = 0;
  bool is_other = false;
  for (int i = num_axes; i-- > 0;)
    for (int d = 0; is_out[axes[i]] && d < plan->out_rank; ++d)
      if (plan->out_labels[d] == axes[i]) {
        is_other |= d != next;
        order[next++] = d;
      }
  return is_other;
}

/* The result; or NULL, without an exception if the operands do not go together
 * and somebody else has to say why. Operands become the kernel's views. */
static PyObject *run_plan(const Plan *plan, PyObject *const *objects,
                          Operand *operands, PyObject *out, int layout) {
  int64_t extents[MAX_LABELS];
  for (int label = 0; label < plan->num_labels; ++label)
    extents[label] = 1;
  Py_ssize_t count = plan->count;
  for (Py_ssize_t i = 0; i < count; ++i)
    for (int d = 0; d < plan->operands[i].rank; ++d) {
      int64_t size = operands[i].dims[d];
      int64_t *extent = &extents[plan->operands[i].axes[d]];
      if (*extent == 1)
        *extent = size;
      else if (size != 1 && size != *extent)
        return NULL;
      /* Only operands are stretched, not the dims of a diagonal. */
      for (int e = 0; e < d; ++e)
        if (plan->operands[i].axes[e] == plan->operands[i].axes[d] &&
            operands[i].dims[e] != size)
          return NULL;
    }
  enum { kFew = 6 };
  einc_array few_arrays[kFew], *arrays = few_arrays;
  int64_t few_dims[kFew * 16], *dims = few_dims;
  void *memory = NULL;
  size_t num_dims = 0;
  for (Py_ssize_t i = 0; i < count; ++i)
    num_dims += 2 * plan->operands[i].num_labels;
  if (count >= kFew || num_dims > kFew * 16) {
    memory = PyMem_Malloc((count + 1) * sizeof(einc_array) +
                          num_dims * sizeof(int64_t));
    if (!memory)
      return PyErr_NoMemory();
    arrays = memory;
    dims = (int64_t *)(arrays + count + 1);
  }
  for (Py_ssize_t i = 0; i < count; ++i) {
    const PlanOperand *shape = &plan->operands[i];
    const Operand *operand = &operands[i];
    arrays[i] = operand->array;
    arrays[i].rank = shape->num_labels;
    int64_t *sizes = dims, *strides = dims + shape->num_labels;
    dims += 2 * shape->num_labels;
    arrays[i].sizes = sizes;
    arrays[i].strides = strides;
    for (int l = 0; l < shape->num_labels; ++l) {
      sizes[l] = extents[shape->labels[l]];
      strides[l] = 0;
      for (int d = 0; d < shape->rank; ++d)
        if (shape->axes[d] == shape->labels[l] && operand->dims[d] != 1)
          strides[l] += operand->dims[MAX_RANK + d];
      /* What is not stepped over may have any stride; one is read in place. */
      if (sizes[l] == 1)
        strides[l] = 1;
    }
  }
  Operand result;
  PyObject *array = NULL;
  bool is_acquired = false;
  if (out) {
    is_acquired = acquire(out, &result, true);
    bool fits = is_acquired && (int)result.array.rank == plan->out_rank &&
                (int)result.array.type == plan->type;
    for (int d = 0; fits && d < plan->out_rank; ++d)
      fits = result.dims[d] == extents[plan->out_labels[d]];
    if (fits) {
      Py_INCREF(out);
      array = out;
    }
  } else {
    int64_t shape[MAX_RANK];
    for (int d = 0; d < plan->out_rank; ++d)
      shape[d] = extents[plan->out_labels[d]];
    int order[MAX_RANK];
    if (layout == kAsOperands && plan->out_rank > 1 &&
        order_dims(plan, arrays, order))
      array =
          create_permuted(shape, order, plan->out_rank, plan->type, &result);
    else
      array = create_array(shape, plan->out_rank, plan->type,
                           layout == kColumnMajor, &result);
    is_acquired = array != NULL;
  }
  if (array) {
    arrays[count] = result.array;
    arrays[count].type = (einc_type)plan->type; /* numpy has bf16's bits */
    einc_status status;
    Py_BEGIN_ALLOW_THREADS status =
        lib.einc_call(plan->kernel->entry, arrays, count + 1, NULL);
    Py_END_ALLOW_THREADS if (status != EINC_OK) {
      Py_CLEAR(array);
      if (status != EINC_OVERLAP || !out)
        fail_on(status);
    }
  }
  if (is_acquired)
    release(&result);
  PyMem_Free(memory);
  if (out || !array)
    return array;
  bool has_tensors = false;
  for (Py_ssize_t i = 0; i < count; ++i)
    has_tensors |= operands[i].tensor || operands[i].owner;
  PyObject *importer =
      has_tensors ? choose_importer(objects, operands, count) : NULL;
  if (!importer) {
    if (PyErr_Occurred()) {
      Py_DECREF(array);
      return NULL;
    }
    PyObject *bfloat16 = plan->type == EINC_TYPE_BF16
                             ? find_bfloat16(objects, operands, count)
                             : NULL;
    if (bfloat16) {
      array = view_as(array, bfloat16);
      Py_DECREF(bfloat16);
    }
    return unwrap(array, plan->out_rank);
  }
  Py_INCREF(importer);
  array = import_array(importer, array, plan->type);
  Py_DECREF(importer);
  return array;
}

/* run(plan, operands, out, layout): the result, or None if they do not fit. */
static PyObject *run(PyObject *module, PyObject *args) {
  Plan *plan;
  PyObject *objects, *out;
  int layout;
  if (!PyArg_ParseTuple(args, "O!O!Oi", &plan_type, &plan, &PyTuple_Type,
                        &objects, &out, &layout))
    return NULL;
  Py_ssize_t count = PyTuple_GET_SIZE(objects), acquired = 0;
  Operand *operands = PyMem_Malloc((count + 1) * sizeof(Operand));
  if (!operands)
    return PyErr_NoMemory();
  PyObject *result = NULL;
  for (; acquired < count; ++acquired)
    if (acquire_input(PyTuple_GET_ITEM(objects, acquired), &operands[acquired],
                      -1) != 0)
      goto done;
  if (matches(plan, operands, count))
    result = run_plan(plan, &PyTuple_GET_ITEM(objects, 0), operands,
                      out == Py_None ? NULL : out, layout);
  if (!result && !PyErr_Occurred()) {
    Py_INCREF(Py_None);
    result = Py_None;
  }
done:
  release_all(operands, acquired);
  PyMem_Free(operands);
  return result;
}

/* Subscripts -> list of plans, which _einsum.py fills. */
static PyObject *plans;

/* Whether numpy makes the same array of what was acquired. Bytes are a string
 * to it; its scalars of dates and strings show bytes to others; and it does not
 * know the formats that are sizes. */
static bool is_as_numpys(PyObject *object, const Operand *operand) {
  const char *format = operand->buffer.obj ? operand->buffer.format : NULL;
  return !PyBytes_Check(object) &&
         !(operand->array.rank != 0 &&
           PyObject_TypeCheck(object, (PyTypeObject *)np_generic)) &&
         !(format && strpbrk(format, "nN"));
}

/* Operands as they are, by a plan that is there; NULL without an exception
 * where there is more to do. */
static PyObject *run_known(PyObject *const *args, Py_ssize_t count,
                           PyObject *out) {
  enum { kMost = 6 };
  if (count < 2 || count > kMost + 1 || !PyUnicode_CheckExact(args[0]) ||
      (out && PyObject_CheckBuffer(out) &&
       !PyObject_TypeCheck(out, (PyTypeObject *)np_array)))
    return NULL;
  PyObject *list = PyDict_GetItemWithError(plans, args[0]);
  if (!list)
    return NULL;
  /* It may be forgotten while operands run code of Python. */
  Py_INCREF(list);
  Operand operands[kMost];
  Py_ssize_t acquired = 0;
  PyObject *result = NULL;
  bool is_usual = true;
  for (; is_usual && acquired < count - 1; ++acquired) {
    PyObject *object = args[1 + acquired];
    if (!acquire(object, &operands[acquired], false))
      break;
    is_usual = is_as_numpys(object, &operands[acquired]);
  }
  if (is_usual && acquired == count - 1)
    for (Py_ssize_t i = 0; i < PyList_GET_SIZE(list); ++i) {
      PyObject *plan = PyList_GET_ITEM(list, i);
      if (!matches((Plan *)plan, operands, count - 1))
        continue;
      if (((Plan *)plan)->is_view && !out)
        break;
      Py_INCREF(plan);
      result = run_plan((Plan *)plan, args + 1, operands, out, kAsOperands);
      Py_DECREF(plan);
      break;
    }
  Py_DECREF(list);
  release_all(operands, acquired);
  return result;
}

static PyObject *einsum(PyObject *module, PyObject *const *args,
                        Py_ssize_t count, PyObject *names) {
  PyObject *out = NULL;
  bool is_plain = true;
  for (Py_ssize_t k = 0; names && k < PyTuple_GET_SIZE(names); ++k) {
    PyObject *name = PyTuple_GET_ITEM(names, k), *value = args[count + k];
    if (is_called(name, str_out))
      out = value == Py_None ? NULL : value;
    else
      is_plain &= is_called(name, str_optimize) && PyBool_Check(value);
  }
  if (is_plain) {
    PyObject *result = run_known(args, count, out);
    if (result || PyErr_Occurred())
      return result;
  }
  return PyObject_Vectorcall(slow_einsum, args, count, names);
}

/*===----------------------------------------------------------------------===*\
|* The module                                                                 *|
\*===----------------------------------------------------------------------===*/

/* set_up(EincError, numpy.empty, numpy.generic, numpy.ndarray, convert, einsum,
 *        find_importer, view_bits, dtypes) */
static PyObject *set_up(PyObject *module, PyObject *args) {
  PyObject *types;
  PyObject *given[8];
  if (!PyArg_ParseTuple(args, "OOO!O!OOOOO!", &given[0], &given[1],
                        &PyType_Type, &given[2], &PyType_Type, &given[3],
                        &given[4], &given[5], &given[6], &given[7],
                        &PyTuple_Type, &types))
    return NULL;
  if (PyTuple_GET_SIZE(types) != 16) {
    PyErr_SetString(PyExc_ValueError, "einc has 16 types");
    return NULL;
  }
  PyObject **places[] = {&error_class,   &np_empty, &np_generic,
                         &np_array,      &convert,  &slow_einsum,
                         &find_importer, &view_bits};
  for (int i = 0; i < 8; ++i) {
    Py_INCREF(given[i]);
    Py_XDECREF(*places[i]);
    *places[i] = given[i];
  }
  for (int i = 0; i < 16; ++i) {
    PyObject *type = PyTuple_GET_ITEM(types, i);
    Py_INCREF(type);
    Py_XDECREF(dtypes[i]);
    dtypes[i] = type;
  }
  Py_RETURN_NONE;
}

static PyObject *get_versions(PyObject *module, PyObject *none) {
  if (!is_loaded())
    return NULL;
  return Py_BuildValue("ss", lib.einc_version(), lib.einc_llvm_version());
}

static PyObject *list_entries(PyObject *module, PyObject *object) {
  if (!PyObject_TypeCheck(object, &program_type)) {
    PyErr_SetString(PyExc_TypeError, "no program");
    return NULL;
  }
  einc_program *program = ((Program *)object)->program;
  size_t count = lib.einc_program_num_entries(program);
  PyObject *names = PyTuple_New(count);
  for (size_t i = 0; names && i < count; ++i)
    PyTuple_SET_ITEM(names, i,
                     PyUnicode_FromString(lib.einc_entry_name(
                         lib.einc_program_entry(program, i))));
  return names;
}

/* The lists of abi/, which einc.h numbers alike: (name, numpy's kind) of each
 * type, (number, text) of each code. */
static PyObject *list_types(void) {
  static const char *const names[][2] = {
#define EIN_ELEMENT_TYPE(ENUM, SPELLING, CTYPE, KIND, BITS, NPY)               \
  {SPELLING, NPY},
#include "abi/ElementTypes.def"
  };
  size_t count = sizeof names / sizeof names[0];
  PyObject *types = PyTuple_New(count);
  for (size_t i = 0; types && i < count; ++i)
    PyTuple_SET_ITEM(types, i, Py_BuildValue("ss", names[i][0], names[i][1]));
  return types;
}

static PyObject *list_codes(void) {
  static const struct {
    int value;
    const char *text;
  } codes[] = {
#define EIN_CODE(ENUM, CNAME, VALUE, TEXT) {VALUE, TEXT},
#include "abi/Codes.def"
  };
  size_t count = sizeof codes / sizeof codes[0];
  PyObject *list = PyTuple_New(count);
  for (size_t i = 0; list && i < count; ++i)
    PyTuple_SET_ITEM(list, i,
                     Py_BuildValue("is", codes[i].value, codes[i].text));
  return list;
}

static PyMethodDef methods[] = {
    {"load_library", load_library, METH_O, NULL},
    {"set_up", set_up, METH_VARARGS, NULL},
    {"get_versions", get_versions, METH_NOARGS, NULL},
    {"list_entries", list_entries, METH_O, NULL},
    {"compile", compile, METH_VARARGS, NULL},
    {"emit", emit, METH_VARARGS, NULL},
    {"explain", explain, METH_VARARGS, NULL},
    {"run", run, METH_VARARGS, NULL},
    {"import_like", import_like, METH_VARARGS, NULL},
    {"einsum", (PyCFunction)(void (*)(void))einsum,
     METH_FASTCALL | METH_KEYWORDS, NULL},
    {NULL, NULL, 0, NULL}};

static struct PyModuleDef definition = {PyModuleDef_HEAD_INIT,
                                        "einc._einc",
                                        NULL,
                                        -1,
                                        methods,
                                        NULL,
                                        NULL,
                                        NULL,
                                        NULL};

PyMODINIT_FUNC PyInit__einc(void) {
  if (PyType_Ready(&program_type) < 0 || PyType_Ready(&kernel_type) < 0 ||
      PyType_Ready(&plan_type) < 0 || PyType_Ready(&memory_type) < 0)
    return NULL;
  empty_tuple = PyTuple_New(0);
  str_dlpack = PyUnicode_InternFromString("__dlpack__");
  str_out = PyUnicode_InternFromString("out");
  str_optimize = PyUnicode_InternFromString("optimize");
  str_transpose = PyUnicode_InternFromString("transpose");
  str_bf16 = PyUnicode_InternFromString("bf16");
  str_is_neg = PyUnicode_InternFromString("is_neg");
  plans = PyDict_New();
  importers = PyDict_New();
  PyObject *module = PyModule_Create(&definition);
  if (!module || !empty_tuple || !str_dlpack || !str_out || !str_optimize ||
      !str_transpose || !str_bf16 || !str_is_neg || !plans || !importers)
    return NULL;
  Py_INCREF(&kernel_type);
  Py_INCREF(&plan_type);
  Py_INCREF(&memory_type);
  Py_INCREF(plans);
  PyObject *types = list_types(), *codes = list_codes();
  if (!types || !codes || PyModule_AddObject(module, "types", types) < 0 ||
      PyModule_AddObject(module, "codes", codes) < 0)
    return NULL;
  if (PyModule_AddObject(module, "Kernel", (PyObject *)&kernel_type) < 0 ||
      PyModule_AddObject(module, "Plan", (PyObject *)&plan_type) < 0 ||
      PyModule_AddObject(module, "Memory", (PyObject *)&memory_type) < 0 ||
      PyModule_AddObject(module, "plans", plans) < 0)
    return NULL;
  return module;
}
