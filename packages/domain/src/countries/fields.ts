import type { BlockList } from 'node:net';
import { boundedText, matchingText } from '@tidegate/settings/bounded-text';
import { JsonNumber, type JsonObject, type JsonValue } from '@tidegate/signature';
import * as z from 'zod';
import { INPUT_AMOUNT_PATTERN, isInputAmount, withTwoDecimals } from '../core/money.ts';
import { problemOfNotifyUrl } from '../core/notify-url.ts';
import type { CreateReader, Parsed, Problem } from './definition.ts';

// The fields of requests (decisions 3.1 and 4). The reader has removed null and empty values, so they count as absent.

const required = (what: string) => ({
  error: (issue: { input?: unknown }) => (issue.input === undefined ? 'is required' : what),
});
const storable = (text: string): boolean => !text.includes('\u0000');
const characters = (text: string): number => [...text].length;

/** Characters are code points, of which each has at most two code units. */
export const text = (max: number) =>
  boundedText(2 * max, required('must be a string'), `must have at most ${max} characters`)
    .refine((value) => characters(value) <= max, `must have at most ${max} characters`)
    .refine(storable, 'must not hold the character U+0000')
    .meta({ maxLength: max });

/** `longest`: of the texts that `pattern` accepts. */
export const matching = (longest: number, pattern: RegExp, reason: string) =>
  matchingText(longest, pattern, reason, required('must be a string'));

export const exactly = (value: string) => z.literal(value, required(`must be ${value}`));

export const merchantOrderNo = matching(64, /^[!-~]{1,64}$/, 'must be 1 to 64 visible ASCII characters').describe(
  "The merchant's own order number, unique per merchant over payins and payouts together.",
);

/** 12 digits, the point and two digits. */
const longestAmount = 15;
const amountRule = 'must be greater than 0, with at most 12 digits before and 2 after the point, and nothing else';

/** A string or a number whose text is a valid amount. The output has two decimals. */
export const amount = z
  .union(
    [
      boundedText(longestAmount).meta({ pattern: INPUT_AMOUNT_PATTERN.source }),
      z
        .instanceof(JsonNumber)
        .meta({ type: 'number', exclusiveMinimum: 0 })
        .transform((number) => number.text),
    ],
    {
      error: ({ input }: { input?: unknown }) =>
        input === undefined ? 'is required' : typeof input === 'string' ? amountRule : 'must be a string or a number',
    },
  )
  .refine((text) => text.length <= longestAmount && isInputAmount(text), amountRule)
  .transform(withTwoDecimals)
  .describe(
    'In the currency of the merchant, greater than 0, with at most 12 digits before and 2 after the point. Text is recommended: a number is checked, and signed, as it is written in the JSON text.',
  );

export const bankCode = matching(
  32,
  /^[A-Z0-9_]{2,32}$/,
  'must be 2 to 32 upper-case letters, digits or underscores',
).describe('Code of the bank or wallet, in upper-case letters.');

/** A bank account of a payee. */
export const accountSchema = /^[A-Za-z0-9]{6,34}$/;

/** One @ between two parts without blanks; the second part has a dot inside. Each character is read once. */
const emailPattern = /^[^\s@]+@[^\s@][^\s@.]*\.[^\s@]+$/;

export const email = text(254)
  .refine((value) => emailPattern.test(value), 'must be an e-mail address')
  .meta({
    format: 'email',
  });

/**
 * The name of a payer or payee. Control characters, line breaks and marks that turn the direction of text round would make
 * it look like another one.
 */
export const name = text(128)
  .refine((value) => /[\p{L}\p{N}]/u.test(value), 'must have a letter or a digit')
  .refine(
    (value) => !/[\p{Cc}\u061C\u200E\u200F\u2028-\u202E\u2066-\u2069\uFEFF]/u.test(value),
    'must not hold line breaks, control characters or marks of direction',
  );

/** Checked by `read`, which knows the networks to which notifications may go. */
export const notifyUrl = boundedText(512, required('must be a string')).meta({
  format: 'uri',
  pattern: '^[Hh][Tt][Tt][Pp][Ss]?://',
  maxLength: 512,
  description:
    'Where notifications of this order go: an absolute http or https URL of a public address, without credentials, with port 80, 443 or 1024 to 65535.',
});

/**
 * A free object of the merchant: at most 4 levels and 4 KiB, with a schema for the known `keys`. Numbers keep their
 * text. A key with a text schema accepts no number.
 */
export const ownObjectWith = (keys: Record<string, z.ZodType>) =>
  z
    .custom<JsonObject>((value) => isObject(value), required('must be an object'))
    .refine((value) => depthOf(value) <= 4, 'must have at most 4 levels')
    .refine((value) => Buffer.byteLength(JSON.stringify(value)) <= 4096, {
      error: 'must have at most 4 KiB',
      abort: true,
    })
    .refine(everyTextStorable, 'must not hold the character U+0000')
    .superRefine((value, context) => {
      for (const [key, form] of Object.entries(keys)) {
        const problem = form.safeParse(value[key]).error?.issues[0]?.message;
        if (problem) context.addIssue({ code: 'custom', path: [key], message: problem });
      }
    })
    .meta(formOfOwnObject(keys))
    .transform((value) => plain(value) as { [key: string]: unknown });

/** The JSON Schema of such an object. */
function formOfOwnObject(keys: Record<string, z.ZodType>): { [key: string]: unknown } {
  const { properties = {}, required: needed = [] } = z.toJSONSchema(z.object(keys), { io: 'input' });
  return {
    type: 'object',
    description: "An object of the merchant's own: at most 4 levels and 4 KiB, stored unchanged.",
    ...(Object.keys(properties).length > 0 && { properties }),
    ...(needed.length > 0 && { required: needed }),
    additionalProperties: true,
  };
}

export const ownObject = ownObjectWith({});

/** The schema of a known key in a free object. */
export const knownText = text(512).optional();

/** The fields of a payin's metadata about its payer. */
export const payerFields = {
  returnUrl: knownText.describe('Where the payer is led when the payment is over.'),
  payerName: knownText,
  payerMobile: knownText,
};

/** For a field that must not be sent. */
export const forbidden = z
  .undefined({ error: 'must not be sent' })
  .optional()
  .meta({ not: {}, description: 'Must not be sent.' });

export const ignored = z.unknown().optional().meta({ deprecated: true, description: 'Accepted and ignored.' });

/** Reads requests by a schema; `lenient` is the schema for merchants who may still send deprecated fields. */
export function readBy<T>(schema: z.ZodType<T>, lenient = schema): CreateReader<T> {
  return {
    schema,
    parse: (value, { acceptDeprecatedFields, notifyNetworks }) =>
      read(acceptDeprecatedFields ? lenient : schema, value, notifyNetworks),
  };
}

/** Reads `value`, and reports all bad fields by their dotted path. */
export function read<T>(schema: z.ZodType<T>, value: JsonObject, notifyNetworks: BlockList): Parsed<T> {
  const parsed = schema.safeParse(value);
  const problems = new Map<string, Problem>();
  const add = (path: string, reason: string) => {
    if (!problems.has(path)) problems.set(path, { path, reason });
  };
  for (const issue of parsed.error?.issues ?? []) add(issue.path.join('.'), issue.message);
  const unreachable = typeof value.notifyUrl === 'string' ? problemOfNotifyUrl(value.notifyUrl, notifyNetworks) : null;
  if (unreachable !== null) add('notifyUrl', unreachable);
  return parsed.success && problems.size === 0
    ? { ok: true, request: parsed.data }
    : { ok: false, problems: [...problems.values()] };
}

export function textOf(object: { [key: string]: unknown } | undefined, key: string): string | undefined {
  const value = object?.[key];
  return typeof value === 'string' ? value : undefined;
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof JsonNumber);
}

function everyTextStorable(value: JsonValue): boolean {
  return typeof value === 'string' ? storable(value) : Object.values(value).every(everyTextStorable);
}

function depthOf(value: JsonValue): number {
  if (typeof value !== 'object' || value instanceof JsonNumber) return 0;
  return 1 + Math.max(0, ...Object.values(value).map(depthOf));
}

function plain(value: JsonValue): unknown {
  if (value instanceof JsonNumber) return value.text;
  if (Array.isArray(value)) return value.map(plain);
  return typeof value === 'object'
    ? Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, plain(inner)]))
    : value;
}
