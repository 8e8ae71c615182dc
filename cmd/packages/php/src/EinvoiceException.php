<?php

namespace Einvoice;

/** Why a call has no result: $problem['errorCode'] is a stable code. */
final class EinvoiceException extends \RuntimeException
{
    /** @param array<string, mixed> $problem */
    public function __construct(public readonly array $problem)
    {
        parent::__construct($problem['detail']);
    }
}
