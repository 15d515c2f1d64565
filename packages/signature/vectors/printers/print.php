<?php
// Prints how PHP prints the values of values.json.
declare(strict_types=1);

/** @var array<string, string> $values */
$values = json_decode(file_get_contents(__DIR__ . '/values.json'), true);
$printers = [
    '(string) $value' => fn (string $json) => @(string) json_decode($json, true),
    'var_export($value, true)' => fn (string $json) => is_array(json_decode($json, true)) ? null : var_export(json_decode($json, true), true),
    '(int) of a boolean' => fn (string $json) => is_bool(json_decode($json)) ? (string) (int) json_decode($json) : null,
    "number_format(\$value, 2, '.', '')" => fn (string $json) => is_numeric($json) ? number_format((float) $json, 2, '.', '') : null,
    'json_encode(json_decode($json))' => fn (string $json) => json_encode(json_decode($json)),
    'json_encode(json_decode($json, true))' => fn (string $json) => json_encode(json_decode($json, true)),
    'json_encode with JSON_UNESCAPED_SLASHES' => fn (string $json) => json_encode(json_decode($json), JSON_UNESCAPED_SLASHES),
    'json_encode with JSON_UNESCAPED_UNICODE' => fn (string $json) => json_encode(json_decode($json), JSON_UNESCAPED_UNICODE),
    'json_encode with both' => fn (string $json) => json_encode(json_decode($json), JSON_UNESCAPED_SLASHES | JSON_UNESCAPED_UNICODE),
    'json_encode with JSON_FORCE_OBJECT' => fn (string $json) => json_encode(json_decode($json, true), JSON_FORCE_OBJECT),
    'json_encode with JSON_NUMERIC_CHECK' => fn (string $json) => json_encode(json_decode($json), JSON_NUMERIC_CHECK),
    'htmlspecialchars($value)' => fn (string $json) => is_string(json_decode($json)) ? htmlspecialchars(json_decode($json)) : null,
];
$printed = array_map(fn (Closure $print) => array_filter(array_map($print, $values), fn (?string $text) => $text !== null), $printers);
echo json_encode(
    ['language' => 'PHP', 'version' => PHP_VERSION, 'printers' => $printed],
    JSON_PRETTY_PRINT | JSON_UNESCAPED_SLASHES | JSON_UNESCAPED_UNICODE | JSON_THROW_ON_ERROR,
), "\n";
