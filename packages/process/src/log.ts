import type { Log } from '@tidegate/domain';
import { type DestinationStream, type Logger, pino, stdSerializers } from 'pino';
import type { Tracing } from './tracing/tracing.ts';

/**
 * JSON lines on standard output. Who logs is to log ids and outcomes only; what slips in all the same is taken out here: fields
 * with the names of secrets and of people's data, at any depth, and values in the texts of errors. pino's own `redact` asks
 * for a path per name and depth, and takes some 100 µs a line for as many.
 */
export function makeLog(
  name: string,
  level: string,
  { destination = standardOutput(), tracing }: LogOptions = {},
): Logger & Log {
  const formatters = { log: (fields: Record<string, unknown>) => redacted(fields, 1) };
  // Only where something is traced: pino would ask for each line.
  const mixin = tracing?.tracer && { mixin: () => ({ traceId: tracing.traceId() }) };
  return pino({ name, level, serializers: { err: errorWithoutValues }, formatters, ...mixin }, destination);
}

interface LogOptions {
  /** Default: standard output. */
  destination?: DestinationStream;
  /** Lines of what belongs to a trace say which. */
  tracing?: Tracing;
}

/** Characters of the lines that are gathered within one tick of the event loop. */
const mostGathered = 65_536;

/**
 * The lines of one tick of the event loop go out in one write, and at once where the process exits: only a kill can lose them. The write itself
 * waits: an asynchronous one whose reader is gone would keep the process from ending.
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
      if (gathered.length > mostGathered) flush();
    },
  };
}

/** Fields that are never logged. */
const privateFields: ReadonlySet<string> = new Set([
  ...['authorization', 'cookie', 'credentials', 'password', 'privateKey', 'privateKeyPem', 'secret', 'token'],
  ...['publicKey', 'publicKeyPem', 'sign', 'signature', 'signedContent', 'x-sign', 'X-Sign'],
  ...['body', 'content', 'details', 'extJson', 'fields', 'headers', 'metadata', 'party', 'query', 'reply', 'url'],
  ...['notifyUrl', 'payUrl', 'payLink', 'payQr', 'returnUrl', 'accountNo'],
  ...['receiverAccount', 'receiverName', 'receiverPhone', 'payerName', 'payerMobile'],
  ...['payer_realname', 'payer_mobile', 'payer_email', 'payer_id_no', 'recipientEmail', 'recipientContact'],
  ...['payee_realname', 'payee_account', 'payee_mobile', 'payee_email', 'payee_id_no'],
]);

/** How deep a line's fields are read; whatever lies deeper is left out. */
const deepest = 4;

/** The fields without the private ones; the very object where there are none, as nearly always. */
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
  // The serializer of the field `err` takes care of the first level's.
  if (value instanceof Error) return depth === 1 ? value : errorWithoutValues(value);
  if (depth >= deepest) return '[deeper]';
  if (!Array.isArray(value)) return redacted(value as Record<string, unknown>, depth + 1);
  const elements = value.map((element) => plainValue(element, depth + 1));
  return elements.every((element, i) => element === value[i]) ? value : elements;
}

/**
 * PostgreSQL puts a row's values into `detail` and `where`, others put what they were asked into properties of their own: only
 * what is known to be harmless stays. Causes are part of message and stack.
 */
function errorWithoutValues(error: unknown): unknown {
  if (!(error instanceof Error)) return typeof error === 'string' ? withoutValues(error) : '[no error]';
  const { type, message, stack, code } = stdSerializers.err(error) as unknown as Record<string, unknown>;
  // Those of SQLSTATE class 22 and of JSON quote what they could not read.
  const quotes = error instanceof SyntaxError || (typeof code === 'string' && code.startsWith('22'));
  const plain = (text: unknown): string => {
    const whole = String(text).slice(0, longestText);
    const unquoted = quotes ? whole.replace(/"[^\n]*"/g, '"…"') : whole;
    // Places in the code, between the texts of the error and of its causes, stay as they are.
    return unquoted
      .split(/(\n\s+at [^\n]+)/)
      .map((part, i) => (i % 2 === 1 ? part : withoutValues(part)))
      .join('');
  };
  return { type, message: plain(message), stack: plain(stack), ...(code !== undefined && { code }) };
}

/** Longer texts of errors are cut: nobody reads them, and they may be somebody's input. */
const longestText = 8_000;

/** What in the text of an error can be a key, a signature, a token; an address with a password or of e-mail; a number of a person. */
const values: readonly [RegExp, string][] = [
  [/-----BEGIN [\s\S]*?(?:-----END [A-Z ]{1,40}-----|$)/g, '[key]'],
  [/[A-Za-z0-9+/_=-]{40,}/g, '[long text]'],
  [/[^\s@"'(]{1,64}@[^\s@"')]{1,255}/g, '[address]'],
  [/[0-9][0-9 -]{7,40}[0-9]/g, '[number]'],
];

function withoutValues(text: string): string {
  return values.reduce((plain, [value, name]) => plain.replace(value, name), text.slice(0, longestText));
}
