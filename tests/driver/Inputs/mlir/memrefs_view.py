"""Views of numpy's arrays, as C callers make them."""
import ctypes


def view(array):
    """What a view entry takes: data, sizes, strides in elements."""
    rank = array.ndim

    class View(ctypes.Structure):
        _fields_ = [("data", ctypes.c_void_p), ("sizes", ctypes.c_int64 * max(rank, 1)),
                    ("strides", ctypes.c_int64 * max(rank, 1))]

    return View(array.ctypes.data, (ctypes.c_int64 * max(rank, 1))(*array.shape),
                (ctypes.c_int64 * max(rank, 1))(*[s // array.itemsize for s in array.strides]))
