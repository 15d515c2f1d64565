import type { Log } from '@tidegate/domain';
import { type DestinationStream, type Logger, pino, stdSerializers } from 'pino';
import type { Tracing } from './tracing/tracing.ts';

/**
 * Writes JSON lines to standard output. Callers log only ids and outcomes. As a second line of defence, private fields
 * are redacted at any depth, and values are removed from the texts of errors. pino's own `redact` needs a path for each
 * name and depth, and takes about 100 µs per line with that many paths.
 */
export function makeLog(
  name: string,
  level: string,
  { destination = standardOutput(), tracing }: LogOptions = {},
): Logger & Log {
  const formatters = { log: (fields: Record<string, unknown>) => redacted(fields, 1) };
  // pino calls a mixin for every line, so there is one only if tracing is on.
  const mixin = tracing?.tracer && { mixin: () => ({ traceId: tracing.traceId() }) };
  return pino({ name, level, serializers: { err: errorWithoutValues }, formatters, ...mixin }, destination);
}

interface LogOptions {
  /** Default: standard output. */
  destination?: DestinationStream;
  /** Adds the trace id to lines within a trace. */
  tracing?: Tracing;
}

/** The most characters that wait for the end of a tick of the event loop. */
const maxGathered = 65_536;

/**
 * Writes the lines of one tick together, and the rest when the process exits. Only a kill can lose lines. The write is
 * synchronous, because an asynchronous one without a reader would keep the process from ending.
 */
function standardOutput(): DestinationStream {
  const output = pino.destination({ dest: 1, sync: true });
  let gathered = '';
  const flush = (): void => {
    const lines = gathered;
    gathered = '';
    if (lines !== '') output.write(lines);
  };
  process.on('exit', flush);
  return {
    write: (line) => {
      if (gathered === '') setImmediate(flush);
      gathered += line;
      if (gathered.length > maxGathered) flush();
    },
  };
}

/** Fields that are never logged. */
const privateFields: ReadonlySet<string> = new Set([
  'authorization',
  'cookie',
  'credentials',
  'password',
  'privateKey',
  'privateKeyPem',
  'secret',
  'token',
  'publicKey',
  'publicKeyPem',
  'sign',
  'signature',
  'signedContent',
  'x-sign',
  'X-Sign',
  'body',
  'content',
  'details',
  'extJson',
  'fields',
  'headers',
  'metadata',
  'party',
  'query',
  'reply',
  'url',
  'notifyUrl',
  'payUrl',
  'payLink',
  'payQr',
  'returnUrl',
  'accountNo',
  'receiverAccount',
  'receiverName',
  'receiverPhone',
  'payerName',
  'payerMobile',
  'payer_realname',
  'payer_mobile',
  'payer_email',
  'payer_id_no',
  'recipientEmail',
  'recipientContact',
  'payee_realname',
  'payee_account',
  'payee_mobile',
  'payee_email',
  'payee_id_no',
]);

/** Objects nested deeper than this are replaced by a placeholder. */
const deepest = 4;

/** Replaces private fields. Usually there are none, and the same object is returned. */
function redacted(fields: Record<string, unknown>, depth: number): Record<string, unknown> {
  let plain = fields;
  for (const [name, value] of Object.entries(fields)) {
    const kept = privateFields.has(name) ? '[redacted]' : plainValue(value, depth);
    if (kept === value) continue;
    if (plain === fields) plain = { ...fields };
    plain[name] = kept;
  }
  return plain;
}

function plainValue(value: unknown, depth: number): unknown {
  if (typeof value !== 'object' || value === null) return value;
  // pino's serializer of the field `err` converts errors at the first level.
  if (value instanceof Error) return depth === 1 ? value : errorWithoutValues(value);
  if (depth >= deepest) return '[deeper]';
  if (!Array.isArray(value)) return redacted(value as Record<string, unknown>, depth + 1);
  const elements = value.map((element) => plainValue(element, depth + 1));
  return elements.every((element, i) => element === value[i]) ? value : elements;
}

/**
 * Keeps only properties of an error that cannot contain data. PostgreSQL, for one, puts a row's values into `detail`
 * and `where`. Causes stay, as part of message and stack.
 */
function errorWithoutValues(error: unknown): unknown {
  if (!(error instanceof Error)) return typeof error === 'string' ? withoutValues(error) : '[no error]';
  const { type, message, stack, code } = stdSerializers.err(error) as unknown as Record<string, unknown>;
  // Errors of SQLSTATE class 22 and of JSON parsing quote the text that they could not read.
  const quotes = error instanceof SyntaxError || (typeof code === 'string' && code.startsWith('22'));
  const plain = (text: unknown): string => {
    const whole = String(text).slice(0, maxText);
    const unquoted = quotes ? whole.replace(/"[^\n]*"/g, '"…"') : whole;
    // The lines of the stack itself (every second part) are not changed.
    return unquoted
      .split(/(\n {1,16}at [^\n]+)/)
      .map((part, i) => (i % 2 === 1 ? part : withoutValues(part)))
      .join('');
  };
  return { type, message: plain(message), stack: plain(stack), ...(code !== undefined && { code }) };
}

/** Longer texts are cut, because they may be input. */
const maxText = 8_000;

/**
 * Patterns of secret or personal data in texts of errors: signatures, tokens, addresses with a password, e-mail
 * addresses, personal numbers.
 */
const values: readonly [RegExp, string][] = [
  [/(?<![A-Za-z0-9+/_=-])[A-Za-z0-9+/_=-]{40,}/g, '[long text]'],
  [/(?<![^\s@"'(])[^\s@"'(]+@[^\s@"')]{1,255}/g, '[address]'],
  [/[0-9][0-9 -]{7,40}[0-9]/g, '[number]'],
];

function withoutValues(text: string): string {
  const plain = withoutKeys(text.slice(0, maxText));
  return values.reduce((plain, [value, name]) => plain.replace(value, name), plain);
}

/** Replaces keys in PEM, also one whose end was cut off. */
function withoutKeys(text: string): string {
  const [before = '', ...keys] = text.split('-----BEGIN ');
  return before + keys.map((key) => `[key]${afterKey(key)}`).join('');
}

function afterKey(key: string): string {
  const end = key.indexOf('-----END ');
  const last = end === -1 ? -1 : key.indexOf('-----', end + '-----END '.length);
  return last === -1 ? '' : key.slice(last + '-----'.length);
}
