package org.einvoice;

import com.dylibso.chicory.runtime.ByteArrayMemory;
import com.dylibso.chicory.runtime.HostFunction;
import com.dylibso.chicory.runtime.ImportValues;
import com.dylibso.chicory.runtime.Instance;
import com.dylibso.chicory.runtime.Memory;
import com.dylibso.chicory.wasm.WasmModule;
import com.dylibso.chicory.wasm.types.FunctionImport;
import com.dylibso.chicory.wasm.types.FunctionType;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;

/**
 * The module and the little of WASI that it needs: a clock, random numbers, and what it prints
 * when it dies. It is given no file and no connection.
 */
final class Guest {
    private static final int NO_FILE = 8;
    private static final int NOT_THERE = 52;
    private static final int MOST_PRINTED = 4000;
    private static final WasmModule MODULE = Module.load();
    private static final SecureRandom RANDOM = new SecureRandom();

    private final StringBuilder printed = new StringBuilder();
    private final Instance instance;

    Guest() {
        ImportValues.Builder imports = ImportValues.builder();
        for (int i = 0; i < MODULE.importSection().importCount(); i++) {
            FunctionImport wanted = (FunctionImport) MODULE.importSection().getImport(i);
            FunctionType type = MODULE.typeSection().getType(wanted.typeIndex());
            String name = wanted.name();
            imports.addFunction(new HostFunction(wanted.module(), name, type, (of, given) -> {
                int result = wasi(name, of.memory(), given);
                return type.returns().isEmpty() ? new long[0] : new long[] {result};
            }));
        }
        instance = Instance.builder(MODULE).withMachineFactory(Module::create).withMemoryFactory(ByteArrayMemory::new)
                .withImportValues(imports.build()).build();
        instance.export("_initialize").apply();
    }

    byte[] call(byte[] request) {
        int at = (int) instance.export("einvoice_take").apply(request.length)[0];
        if (at != 0) {
            instance.memory().write(at, request);
        }
        int length = (int) instance.export("einvoice_answer").apply()[0];
        return instance.memory().readBytes((int) instance.export("einvoice_given").apply()[0], length);
    }

    private int wasi(String name, Memory memory, long[] given) {
        switch (name) {
            case "args_sizes_get", "environ_sizes_get" -> {
                memory.writeI32((int) given[0], 0);
                memory.writeI32((int) given[1], 0);
            }
            case "args_get", "environ_get", "sched_yield" -> { }
            case "fd_prestat_get" -> {
                return NO_FILE;
            }
            case "clock_time_get" ->
                memory.writeLong((int) given[2], given[0] == 0 ? System.currentTimeMillis() * 1_000_000 : System.nanoTime());
            case "random_get" -> {
                byte[] bytes = new byte[(int) given[1]];
                RANDOM.nextBytes(bytes);
                memory.write((int) given[0], bytes);
            }
            case "fd_write" -> {
                int sum = 0;
                for (int i = 0; i < given[2]; i++) {
                    int length = memory.readInt((int) given[1] + 8 * i + 4);
                    if (printed.length() < MOST_PRINTED) {
                        printed.append(new String(memory.readBytes(memory.readInt((int) given[1] + 8 * i), length), StandardCharsets.UTF_8));
                    }
                    sum += length;
                }
                memory.writeI32((int) given[3], sum);
            }
            // The module waits for nothing but its own clock: each thing that it waits for has come.
            case "poll_oneoff" -> {
                for (int i = 0; i < given[2]; i++) {
                    int waited = (int) given[0] + 48 * i;
                    int event = (int) given[1] + 32 * i;
                    memory.writeLong(event, memory.readLong(waited));
                    memory.writeShort(event + 8, (short) 0);
                    memory.writeByte(event + 10, memory.read(waited + 8));
                }
                memory.writeI32((int) given[3], (int) given[2]);
            }
            case "proc_exit" -> throw new IllegalStateException("it ended with " + given[0] + ": " + printed);
            default -> {
                return NOT_THERE;
            }
        }
        return 0;
    }
}
