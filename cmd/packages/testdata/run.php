<?php

// Answers each line of requests by the package.
require 'vendor/autoload.php';

ini_set('memory_limit', '1G');
$validator = new Einvoice\Validator(null, 600000);
while (($line = fgets(STDIN)) !== false) {
    $r = json_decode($line);
    $document = isset($r->path) ? file_get_contents($r->path) : ($r->text ?? '');
    try {
        $answer = ['result' => match ($r->operation) {
            'validate' => $validator->validate($document),
            'convert' => $validator->convert($document, $r->to),
            default => $validator->create($r->request, $r->to),
        }];
    } catch (Einvoice\EinvoiceException $e) {
        $answer = ['problem' => $e->problem];
    }
    echo json_encode($answer, JSON_THROW_ON_ERROR | JSON_UNESCAPED_SLASHES), "\n";
}
