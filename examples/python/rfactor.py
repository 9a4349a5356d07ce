"""librfactor for Python: Library("librfactor.so").check(types="x:i32,y:i32", operator="max(x, y)", identity="0")."""

import ctypes
import json
import threading


class Error(Exception):
    """A request that the library does not answer."""


class Library:
    """A library of the version of rfactor.h. Its methods take the parameters of docs/howto/embed-c.md by name."""

    VERSION = 1

    def __init__(self, path):
        self._c = ctypes.CDLL(path)
        if self._c.rfactor_abi_version() != self.VERSION:
            raise Error("a library of another version")
        self._c.rfactor_free.argtypes = [ctypes.c_void_p]
        self._c.rfactor_free.restype = None
        self._c.rfactor_token_new.restype = ctypes.c_uint64
        for f in (self._c.rfactor_cancel, self._c.rfactor_token_free):
            f.argtypes, f.restype = [ctypes.c_uint64], None

    def _call(self, method, parameters):
        f = getattr(self._c, "rfactor_" + method)
        f.argtypes = [ctypes.c_char_p, ctypes.c_size_t, ctypes.c_uint64, ctypes.POINTER(ctypes.c_void_p), ctypes.POINTER(ctypes.c_size_t)]
        request = json.dumps(parameters).encode()
        answer, size, codes = ctypes.c_void_p(), ctypes.c_size_t(), []
        token = self._c.rfactor_token_new()
        # Python takes Ctrl-C between its own instructions only, so that another thread is in the library.
        worker = threading.Thread(target=lambda: codes.append(f(request, len(request), token, ctypes.byref(answer), ctypes.byref(size))))
        worker.start()
        try:
            worker.join()
            result = json.loads(ctypes.string_at(answer, size.value))
        finally:
            self._c.rfactor_cancel(token)
            worker.join()
            self._c.rfactor_token_free(token)
            self._c.rfactor_free(answer)
        if codes[0] != 0:
            raise Error(result["error"])
        return result

    def match(self, **parameters):
        return self._call("match", parameters)

    def check(self, **parameters):
        return self._call("check", parameters)

    def llvm(self, **parameters):
        return self._call("llvm", parameters)

    def verify(self, **parameters):
        return self._call("verify", parameters)
