#!/usr/bin/env python3
"""Signs a request to Tidegate with Python's standard library and openssl.

    python3 sign.py POST merchant-private.pem TIMESTAMP NONCE < body.json
    python3 sign.py GET  merchant-private.pem TIMESTAMP NONCE < query-string

Prints X-Sign, and below it the text that was signed. Send the very bytes that were signed.
"""
import json
import subprocess
import sys
from urllib.parse import unquote_plus


def content_to_sign(method: str, text: str, timestamp: str, nonce: str) -> str:
    if method == "GET":
        pairs = [pair.partition("=") for pair in text.split("&") if pair]
        fields = {unquote_plus(name): unquote_plus(value) for name, _, value in pairs}
    else:
        # parse_int and parse_float keep a number's own text: 100.50 must not become 100.5.
        fields = json.loads(text, parse_int=str, parse_float=str)
    leaves = dict(flatten("", fields))
    leaves.update(timestamp=timestamp, nonce=nonce)
    # Python compares texts by code points, as it has to be.
    return "&".join(f"{escape(path)}={escape(leaves[path])}" for path in sorted(leaves))


def flatten(path, value):
    """The path=value pairs of a value; null, "", {} and [] have none."""
    if isinstance(value, dict):
        for key, member in value.items():
            yield from flatten(f"{path}.{key}" if path else key, member)
    elif isinstance(value, list):
        for index, element in enumerate(value):
            yield from flatten(f"{path}[{index}]", element)
    elif isinstance(value, bool):
        yield path, "true" if value else "false"
    elif value not in (None, ""):
        yield path, value


def escape(text: str) -> str:
    return text.replace("%", "%25").replace("&", "%26").replace("=", "%3D")


def sign(content: str, key_file: str) -> str:
    command = ["openssl", "dgst", "-sha256", "-sign", key_file]
    signature = subprocess.run(command, input=content.encode(), stdout=subprocess.PIPE, check=True).stdout
    encode = ["openssl", "base64", "-A"]
    return subprocess.run(encode, input=signature, stdout=subprocess.PIPE, check=True).stdout.decode()


if __name__ == "__main__":
    method, key_file, timestamp, nonce = sys.argv[1:]
    content = content_to_sign(method, sys.stdin.buffer.read().decode(), timestamp, nonce)
    sys.stdout.buffer.write(f"{sign(content, key_file)}\n{content}".encode())
