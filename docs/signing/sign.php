<?php
/*
 * Signs a request to Tidegate with PHP 8 and its openssl extension.
 *
 *     php sign.php POST merchant-private.pem TIMESTAMP NONCE < body.json
 *     php sign.php GET  merchant-private.pem TIMESTAMP NONCE < query-string
 *
 * Prints X-Sign, and below it the text that was signed. Send the very bytes that were signed.
 */
declare(strict_types=1);

function contentToSign(string $method, string $text, string $timestamp, string $nonce): string
{
    $leaves = [];
    if ($method === 'GET') {
        // Not parse_str: it changes names.
        foreach (array_filter(explode('&', $text), 'strlen') as $pair) {
            [$name, $value] = array_map('urldecode', explode('=', $pair, 2) + [1 => '']);
            flatten($name, $value, $leaves);
        }
    } else {
        // A number must keep its own text (100.50 must not become 100.5): numbers are put into quotes before they are read.
        $quoted = preg_replace_callback(
            '/"(?:[^"\\\\]|\\\\.)*+"|-?[0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/s',
            fn (array $match) => $match[0][0] === '"' ? $match[0] : '"' . $match[0] . '"',
            $text,
        );
        // Objects stay objects: {"0": …} is no list.
        foreach (get_object_vars(json_decode($quoted, false, 64, JSON_THROW_ON_ERROR)) as $key => $value) {
            flatten((string) $key, $value, $leaves);
        }
    }
    $leaves['timestamp'] = $timestamp;
    $leaves['nonce'] = $nonce;
    // By the bytes of UTF-8, which is the order of code points; never as numbers.
    ksort($leaves, SORT_STRING);
    $pairs = [];
    foreach ($leaves as $path => $value) {
        $pairs[] = escape((string) $path) . '=' . escape($value);
    }
    return implode('&', $pairs);
}

/** Adds the path=value pairs of a value; null, "", {} and [] have none. */
function flatten(string $path, mixed $value, array &$leaves): void
{
    if (is_object($value)) {
        foreach (get_object_vars($value) as $key => $member) {
            flatten("$path.$key", $member, $leaves);
        }
    } elseif (is_array($value)) {
        foreach ($value as $index => $element) {
            flatten("{$path}[$index]", $element, $leaves);
        }
    } elseif (is_bool($value)) {
        $leaves[$path] = $value ? 'true' : 'false';
    } elseif ($value !== null && $value !== '') {
        $leaves[$path] = $value;
    }
}

function escape(string $text): string
{
    return str_replace(['%', '&', '='], ['%25', '%26', '%3D'], $text);
}

function sign(string $content, string $keyFile): string
{
    openssl_sign($content, $signature, file_get_contents($keyFile), OPENSSL_ALGO_SHA256);
    return base64_encode($signature);
}

[, $method, $keyFile, $timestamp, $nonce] = $argv;
$content = contentToSign($method, stream_get_contents(STDIN), $timestamp, $nonce);
echo sign($content, $keyFile), "\n", $content;
