"""Prints how Python prints the values of values.json."""
import html
import json
import platform
from decimal import Decimal
from pathlib import Path

values = json.loads((Path(__file__).parent / "values.json").read_text())


def decimals(text):
    value = json.loads(text, parse_float=Decimal)
    return str(value) if isinstance(value, Decimal) else None


def escaped(text):
    value = json.loads(text)
    return html.escape(value) if isinstance(value, str) else None


def kept(text):
    value = json.loads(text, parse_int=str, parse_float=str)
    is_number = isinstance(value, str) and not text.startswith('"')
    return value if is_number else None


printers = {
    "json.loads(text, parse_int=str, parse_float=str)": kept,
    "str(json.loads(text))": lambda text: str(json.loads(text)),
    "str(Decimal)": decimals,
    "json.dumps(value)": lambda text: json.dumps(json.loads(text)),
    "json.dumps(value, ensure_ascii=False)": lambda text: json.dumps(json.loads(text), ensure_ascii=False),
    "json.dumps(value, separators=(',', ':'))": lambda text: json.dumps(json.loads(text), separators=(",", ":")),
    "json.dumps with both": lambda text: json.dumps(json.loads(text), ensure_ascii=False, separators=(",", ":")),
    "json.dumps(value, sort_keys=True)": lambda text: json.dumps(json.loads(text), sort_keys=True),
    "html.escape(value)": escaped,
}
printed = {
    name: {value: text for value, json_text in values.items() if (text := printer(json_text)) is not None}
    for name, printer in printers.items()
}
print(json.dumps({"language": "Python", "version": platform.python_version(), "printers": printed}, ensure_ascii=False, indent=4))
