import type { Json, Row } from './answer.ts';

/** Formats a record or a list for people: names next to values, or a table. Nested values follow below. Public keys are printed as they are copied. */
export function asText(message: string, result: Row | readonly Row[]): string {
  const rest = isList(result) ? listText(result) : recordText(result);
  return [message, rest].filter((part) => part !== '').join('\n\n');
}

/** A table. Records with public keys are printed one below the other, because keys need several lines. */
function listText(rows: readonly Row[]): string {
  return rows.some((row) => Object.values(row).some(isPem)) ? rows.map(recordText).join('\n\n') : tableOf(rows);
}

function recordText(record: Row): string {
  const flat = flatten(record);
  const plain = flat.filter(([, value]) => !isList(value) && !isPem(value));
  const width = Math.max(0, ...plain.map(([name]) => name.length));
  const lines = plain.map(([name, value]) => `  ${name.padEnd(width)}  ${cellText(value)}`);
  const tables = flat.flatMap(([name, value]) =>
    isList(value) && value.length > 0 ? [`${name}\n${tableOf(value as readonly Row[])}`] : [],
  );
  const keys = flat.flatMap(([name, value]) => (isPem(value) ? [`  ${name}\n${value.trim()}`] : []));
  return [[lines.join('\n'), ...keys].join('\n'), ...tables].filter((part) => part !== '').join('\n\n');
}

function tableOf(rows: readonly Row[]): string {
  const names = [...new Set(rows.flatMap((row) => Object.keys(row).filter((name) => row[name] !== undefined)))];
  const table = [names, ...rows.map((row) => names.map((name) => cellText(row[name])))];
  const widths = names.map((_, i) => Math.max(...table.map((line) => line[i]?.length ?? 0)));
  return table.map((line) => `  ${line.map((cell, i) => cell.padEnd(widths[i] ?? 0)).join('  ')}`.trimEnd()).join('\n');
}

/** Nested records become dotted names. Lists of records and lists of words stay. */
function flatten(record: Row, prefix = ''): [string, Json][] {
  return Object.entries(record).flatMap(([name, value]): [string, Json][] => {
    if (value === undefined) return [];
    if (isList(value) && value.every((item) => typeof item !== 'object'))
      return [[prefix + name, value.map(cellText).join(', ')]];
    if (typeof value === 'object' && value !== null && !isList(value))
      return flatten(value as Row, `${prefix}${name}.`);
    return [[prefix + name, value]];
  });
}

/** Texts of merchants are untrusted: their control characters must not reach the operator's terminal. */
function cellText(value: Json): string {
  if (value === null || value === undefined) return '–';
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value);
  return text.replace(/\p{Cc}|\p{Cf}/gu, ' ');
}

/** Whether the text is a public key and nothing else. Other texts of merchants get no lines of their own. */
function isPem(value: Json): value is string {
  const form = /^-----BEGIN PUBLIC KEY-----\n[A-Za-z0-9+/=\n]+\n-----END PUBLIC KEY-----\n?$/;
  return typeof value === 'string' && form.test(value) && !value.includes('\n\n');
}

function isList(value: Json): value is readonly Json[] & readonly Row[] {
  return Array.isArray(value);
}
