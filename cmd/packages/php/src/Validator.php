<?php

namespace Einvoice;

/**
 * Asks the module in a process of a runtime of WebAssembly, one call after the other. A process
 * that takes longer than a call may, or dies, is ended, and the next call begins another one.
 *
 * @phpstan-import-type ValidationResult from Types
 * @phpstan-import-type ConvertedDocument from Types
 * @phpstan-import-type MadeDocument from Types
 * @phpstan-import-type CreateInvoiceRequest from Types
 */
final class Validator
{
    private const MOST_ANSWER = 64 << 20; // bytes

    /** @var resource|null */
    private $process = null;
    /** @var array<int, resource> */
    private array $pipes = [];

    /**
     * @param list<string>|null $command what answers lines of requests by lines of answers; the
     *     first of wasmtime and wazero that is on the PATH, with the module, without it
     */
    public function __construct(private ?array $command = null, private int $milliseconds = 60000)
    {
        $this->command ??= self::runtime();
    }

    /** @return list<string> */
    private static function runtime(): array
    {
        $module = dirname(__DIR__) . '/einvoice.wasm';
        foreach (explode(PATH_SEPARATOR, (string) getenv('PATH')) as $folder) {
            if (is_executable("$folder/wasmtime")) {
                return ["$folder/wasmtime", 'run', '-C', 'cache=y', $module];
            }
            if (is_executable("$folder/wazero")) {
                return ["$folder/wazero", 'run', '-cachedir', sys_get_temp_dir() . '/einvoice-' . get_current_user(), $module];
            }
        }
        throw new EinvoiceException(['errorCode' => 'RUNTIME-MISSING', 'detail' => 'There is no wasmtime and no wazero on the PATH. Install one, or name a command.']);
    }

    /**
     * Validates an invoice in XML.
     * @param array<string, mixed> $options
     * @return ValidationResult
     */
    public function validate(string $document, array $options = []): array
    {
        return $this->call(['operation' => 'validate', 'document' => base64_encode($document)] + $options);
    }

    /**
     * Converts an invoice into "ubl" or "cii".
     * @param array<string, mixed> $options
     * @return ConvertedDocument
     */
    public function convert(string $document, string $to, array $options = []): array
    {
        return $this->call(['operation' => 'convert', 'document' => base64_encode($document), 'to' => $to] + $options);
    }

    /**
     * Creates a document ("ubl", "cii", "xrechnung") of a request.
     * @param CreateInvoiceRequest $request
     * @param array<string, mixed> $options
     * @return MadeDocument
     */
    public function create(array|object $request, string $to, array $options = []): array
    {
        return $this->call(['operation' => 'create', 'request' => $request, 'to' => $to] + $options);
    }

    /** How long a call may take; the module refuses what is no time, or none that a call can have. */
    private static function seconds(mixed $milliseconds): float
    {
        return is_int($milliseconds) || is_float($milliseconds) ? min(max($milliseconds, 0), 600000) / 1000 : 0.0;
    }

    public function __destruct()
    {
        $this->end();
    }

    /**
     * @param array<string, mixed> $request
     * @return array<string, mixed>
     */
    private function call(array $request): array
    {
        $request['milliseconds'] ??= $this->milliseconds;
        $line = json_encode($request, JSON_THROW_ON_ERROR | JSON_PRESERVE_ZERO_FRACTION) . "\n";
        try {
            // The module looks at the clock itself, and is ended where it does not.
            $answer = json_decode($this->ask($line, microtime(true) + self::seconds($request['milliseconds']) + 5), true, 512, JSON_THROW_ON_ERROR);
        } catch (\JsonException) {
            $this->end();
            throw new EinvoiceException(['errorCode' => 'INTERNAL', 'detail' => 'The answer of the process is no JSON.']);
        }
        if (isset($answer['problem'])) {
            throw new EinvoiceException($answer['problem']);
        }
        return $answer['result'];
    }

    private function ask(string $line, float $until): string
    {
        if ($this->process === null) {
            $this->start();
        }
        $sent = 0;
        $parts = [];
        $length = 0;
        do {
            $left = $until - microtime(true);
            $read = [$this->pipes[1]];
            $write = $sent === strlen($line) ? [] : [$this->pipes[0]];
            $other = null;
            if ($left <= 0 || stream_select($read, $write, $other, (int) $left, (int) (fmod($left, 1) * 1e6)) === 0) {
                $this->fail('VALIDATION-TIMEOUT', 'The call took longer than it may and was ended.');
            }
            if ($write) {
                $taken = @fwrite($this->pipes[0], substr($line, $sent, 1 << 16));
                if ($taken === false) {
                    $this->fail('INTERNAL', 'The process does not take the request.');
                }
                $sent += $taken;
            }
            $part = '';
            if ($read) {
                $parts[] = $part = (string) fread($this->pipes[1], 1 << 16);
                $length += strlen($part);
                if (($part === '' && feof($this->pipes[1])) || $length > self::MOST_ANSWER) {
                    $this->fail('INTERNAL', 'The process ended, or its answer is too long. Its command is: ' . implode(' ', (array) $this->command));
                }
            }
        } while (!str_ends_with($part, "\n")); // an answer is one line, and nothing follows it
        return implode('', $parts);
    }

    private function start(): void
    {
        $nothing = ['file', PHP_OS_FAMILY === 'Windows' ? 'NUL' : '/dev/null', 'w'];
        $process = proc_open((array) $this->command, [['pipe', 'r'], ['pipe', 'w'], $nothing], $this->pipes);
        if ($process === false) {
            $this->fail('RUNTIME-MISSING', 'The process does not start. Its command is: ' . implode(' ', (array) $this->command));
        }
        $this->process = $process;
        stream_set_blocking($this->pipes[0], false);
        stream_set_blocking($this->pipes[1], false);
    }

    private function fail(string $code, string $detail): never
    {
        $this->end();
        throw new EinvoiceException(['errorCode' => $code, 'detail' => $detail]);
    }

    private function end(): void
    {
        if ($this->process === null) {
            return;
        }
        proc_terminate($this->process, 9);
        foreach ($this->pipes as $pipe) {
            fclose($pipe);
        }
        proc_close($this->process);
        $this->process = null;
    }
}
