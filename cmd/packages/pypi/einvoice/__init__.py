"""Validates, converts and creates European e-invoices (EN 16931) inside the process.

    from einvoice import Validator
    verdict = Validator().validate(open("invoice.xml", "rb").read())
    print(verdict["valid"], [finding["rule"] for finding in verdict["findings"]])
"""

import base64
import json
import threading
from importlib.resources import files

import wasmtime

from .types import ConvertedDocument, CreateInvoiceRequest, MadeDocument, Problem, ValidationResult

__all__ = ["EinvoiceError", "Validator"]

_STACK = 2 << 20  # bytes of the stack of one call; wasmtime takes no more without async_stack_size
_MEMORY = 1 << 30  # bytes; the module itself asks for no more


class EinvoiceError(Exception):
    """Why a call has no result: code is the errorCode of the problem, problem has the rest."""

    def __init__(self, problem: "Problem"):
        super().__init__(problem["detail"])
        self.code = problem["errorCode"]
        self.problem = problem


class _Module:
    """The compiled module, once a process."""

    lock = threading.Lock()
    engine = None
    module = None

    @classmethod
    def load(cls, cache):
        with cls.lock:
            if cls.module is None:
                config = wasmtime.Config()
                config.epoch_interruption = True
                config.max_wasm_stack = _STACK
                config.cache = cache
                cls.engine = wasmtime.Engine(config)
                cls.module = wasmtime.Module(cls.engine, files(__package__).joinpath("einvoice.wasm").read_bytes())
            return cls.engine, cls.module


class Validator:
    """Asks the module, one call after the other. An instance that takes longer than a call may,
    or dies, is thrown away, and the next call begins with another one.

    milliseconds bounds a call. cache keeps the module compiled for the next process: True for
    the folder of wasmtime, the path of a TOML file of wasmtime, False to compile it each time.
    """

    def __init__(self, milliseconds: int = 60_000, cache=True):
        self._engine, self._module = _Module.load(cache)
        self._milliseconds = milliseconds
        self._lock = threading.Lock()
        self._instance = None

    def validate(self, document, **options) -> "ValidationResult":
        """Validates an invoice in XML, a str or bytes."""
        return self._call({"operation": "validate", "document": _base64(document), **options})

    def convert(self, document, to: str, **options) -> "ConvertedDocument":
        """Converts an invoice into "ubl" or "cii"."""
        return self._call({"operation": "convert", "document": _base64(document), "to": to, **options})

    def create(self, request: "CreateInvoiceRequest", to: str, **options) -> "MadeDocument":
        """Creates a document ("ubl", "cii", "xrechnung") of a request."""
        return self._call({"operation": "create", "request": request, "to": to, **options})

    def _start(self):
        store = wasmtime.Store(self._engine)
        store.set_limits(memory_size=_MEMORY)
        store.set_wasi(wasmtime.WasiConfig())  # no file, no variable, no connection
        store.set_epoch_deadline(1)
        linker = wasmtime.Linker(self._engine)
        linker.define_wasi()
        exports = linker.instantiate(store, self._module).exports(store)
        exports["_initialize"](store)
        return store, exports

    def _call(self, request):
        if request.get("milliseconds") is None:
            request["milliseconds"] = self._milliseconds
        try:
            text = json.dumps(request, allow_nan=False).encode()
        except (TypeError, ValueError, RecursionError) as fault:
            detail = f"The request cannot be written as JSON: {fault}. Hand in dicts, lists, texts, numbers and booleans."
            raise EinvoiceError({"errorCode": "REQUEST-INVALID", "detail": detail}) from fault
        with self._lock:
            answer = None
            while answer is None:
                answer = self._ask(text, _seconds(request["milliseconds"]))
        if "problem" in answer:
            raise EinvoiceError(answer["problem"])
        return answer["result"]

    def _ask(self, text, seconds):
        """Asks an instance; None where it was ended because the call of another validator took too
        long: all that work in one engine are interrupted together."""
        ended = threading.Event()

        def end():
            ended.set()
            self._engine.increment_epoch()

        # The module looks at the clock itself, and is ended where it does not.
        late = threading.Timer(seconds + 5, end)
        late.daemon = True
        late.start()
        try:
            if self._instance is None:
                self._instance = self._start()
            store, exports = self._instance
            store.set_epoch_deadline(1)
            at = exports["einvoice_take"](store, len(text)) & 0xFFFFFFFF
            if at:
                exports["memory"].write(store, text, at)
            length = exports["einvoice_answer"](store) & 0xFFFFFFFF
            at = exports["einvoice_given"](store) & 0xFFFFFFFF
            return json.loads(bytes(exports["memory"].read(store, at, at + length)))
        except wasmtime.Trap as trap:
            self._instance = None
            if trap.trap_code == wasmtime.TrapCode.INTERRUPT:
                if not ended.is_set():
                    return None
                raise EinvoiceError({"errorCode": "VALIDATION-TIMEOUT", "detail": "The call took longer than it may and was ended."}) from trap
            raise EinvoiceError({"errorCode": "INTERNAL", "detail": f"The module ended: {trap.message}"}) from trap
        except (wasmtime.WasmtimeError, wasmtime.ExitTrap) as fault:
            self._instance = None
            raise EinvoiceError({"errorCode": "INTERNAL", "detail": f"The module ended: {fault}"}) from fault
        finally:
            late.cancel()


def _seconds(milliseconds) -> float:
    """How long a call may take; the module refuses what is no time, or none that a call can have."""
    if isinstance(milliseconds, bool) or not isinstance(milliseconds, (int, float)):
        return 0
    return min(max(milliseconds, 0), 600_000) / 1000


def _base64(document) -> str:
    return base64.b64encode(document.encode() if isinstance(document, str) else document).decode()
