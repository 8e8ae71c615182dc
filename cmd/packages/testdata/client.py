"""Calls the package for Python in ways that go wrong, with a module and an engine that stand in
for those of wasmtime, and says how each call ended."""

import base64
import decimal
import json
import pathlib
import sys
import threading
import time
import types

stub = types.ModuleType("wasmtime")


class Trap(Exception):
    trap_code = 1
    message = "interrupted"


class Engine:
    def __init__(self, config):
        self.epoch, self.moved = 0, threading.Condition()

    def increment_epoch(self):
        with self.moved:
            self.epoch += 1
            self.moved.notify_all()


class Exports(dict):
    """Answers a request with what was asked; "wait" takes a second, "slow" for ever."""

    def __init__(self, engine):
        super().__init__({"memory": self, "einvoice_take": lambda store, n: 1, "einvoice_answer": self.answer, "einvoice_given": lambda store: 1})
        self.engine = engine

    def write(self, store, text, at):
        self.request = json.loads(text)

    def answer(self, store):
        document = base64.b64decode(self.request["document"]).decode()
        runs[document] = runs.get(document, 0) + 1
        begun = self.engine.epoch
        with self.engine.moved:
            if self.engine.moved.wait_for(lambda: self.engine.epoch > begun, {"wait": 1, "slow": 30}.get(document, 0)):
                raise Trap()
        self.text = json.dumps({"result": {"milliseconds": self.request["milliseconds"]}}).encode()
        return len(self.text)

    def read(self, store, begin, end):
        return self.text


runs = {}
stub.Config, stub.WasiConfig, stub.Trap, stub.Engine = types.SimpleNamespace, types.SimpleNamespace, Trap, Engine
stub.WasmtimeError = stub.ExitTrap = type("Fault", (Exception,), {})
stub.TrapCode = types.SimpleNamespace(INTERRUPT=1)
stub.Module = lambda engine, data: object()
stub.Store = lambda engine: types.SimpleNamespace(engine=engine, set_limits=lambda **k: None, set_wasi=lambda c: None, set_epoch_deadline=lambda n: None)


class Linker:
    def __init__(self, engine):
        self.engine = engine

    def define_wasi(self):
        pass

    def instantiate(self, store, module):
        exports = Exports(self.engine)
        exports["_initialize"] = lambda store: None
        return types.SimpleNamespace(exports=lambda store: exports)


stub.Linker = Linker
sys.modules["wasmtime"] = stub
sys.path.insert(0, str(pathlib.Path(__file__).parent))
sys.modules["einvoice.types"] = types.ModuleType("einvoice.types")
for name in "ConvertedDocument CreateInvoiceRequest MadeDocument Problem ValidationResult".split():
    setattr(sys.modules["einvoice.types"], name, dict)

import einvoice  # noqa: E402


def told(name, validator, document, **options):
    try:
        how = json.dumps(validator.validate(document, **options))
    except einvoice.EinvoiceError as e:
        how = e.code
    except Exception as e:  # what no caller expects
        how = repr(e)
    print(f"{name}: {how}", flush=True)


one, two = einvoice.Validator(), einvoice.Validator()
for value in (None, 7, 0, -9999, 10**15, "x", True):
    told(f"time {value}", one, "a", milliseconds=value)
waiting = threading.Thread(target=told, args=("beside one that is late", one, "wait"))
late = threading.Thread(target=told, args=("late", two, "slow"), kwargs={"milliseconds": 0})
late.start()
time.sleep(4.5)  # the late one is ended after 5 s
waiting.start()
late.join()
waiting.join()
circle = []
circle.append(circle)
for value in (decimal.Decimal("12.50"), circle, float("nan")):
    told("no JSON", one, "a", overlays=value)
print("runs:", runs["wait"])
