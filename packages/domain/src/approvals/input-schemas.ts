import { boundedText, lineText, matchingText } from '@tidegate/settings/bounded-text';
import { keyId, parsePublicKey } from '@tidegate/signature';
import * as z from 'zod';
import { isPacked } from '../channels/index.ts';
import { isInputAmount, withTwoDecimals } from '../core/money.ts';
import { roles } from '../core/operator-rights.ts';
import { isReservedBookingNo } from '../core/settlement.ts';
import { countries } from '../countries/index.ts';
import { isDay } from '../reconciliation/index.ts';

/** Facts of an input field, from which command line options and GraphQL arguments are made. */
export type FieldSchema =
  /** Text. */
  | 'text'
  /** One of `choices`. */
  | 'choice'
  /** A list of texts, or of `choices`. */
  | 'texts'
  /** Decimal text, in the currency of the merchant that it is about. */
  | 'amount'
  /** Decimal text, of a hundred. */
  | 'percent'
  /** Unix milliseconds. */
  | 'instant'
  /** A whole number. */
  | 'count'
  /** True or false. */
  | 'switch'
  /** Secrets by name. They are never returned again, and never stored in a record. */
  | 'secrets';

interface FieldMeta {
  form: FieldSchema;
  about: string;
  choices?: readonly string[];
}

export interface InputField extends FieldMeta {
  name: string;
  required: boolean;
  /** Whether null is allowed, to remove a value. */
  nullable: boolean;
  /** The schema of the value itself, without null. */
  schema: z.ZodType;
}

const forms = z.registry<FieldMeta>();

/** The fields of an operation's input, in order. */
export function inputFields(input: z.ZodObject): InputField[] {
  return Object.entries(input.shape).map(([name, field]) => {
    let [schema, required, nullable]: [z.ZodType, boolean, boolean] = [field as z.ZodType, true, false];
    // At most an optional around a nullable around the schema itself.
    for (let depth = 0; depth < 3 && !forms.has(schema); depth += 1) {
      if (schema instanceof z.ZodOptional) [schema, required] = [schema.unwrap() as z.ZodType, false];
      else if (schema instanceof z.ZodNullable) [schema, nullable] = [schema.unwrap() as z.ZodType, true];
    }
    const meta = forms.get(schema);
    if (!meta) throw new Error(`the field ${name} has no form`);
    return { name, required, nullable, schema, ...meta };
  });
}

/** Longer than every text of a pattern below: a URL has 512 characters, 255 characters of a text have up to 510 code units. */
const longestText = 512;

export function matching(about: string, form: RegExp, expected: string) {
  const message = `must be ${expected}`;
  return matchingText(longestText, form, message, message)
    .refine((input) => input.isWellFormed(), 'must be valid Unicode')
    .register(forms, { form: 'text', about });
}

export const merchantId = (about = 'The merchant number.') =>
  matching(about, /^[A-Z0-9-]{3,32}$/, 'a merchant number: 3 to 32 upper-case letters, digits or hyphens');
export const orderNo = (about = 'The service order number.') =>
  matching(about, /^P[IO][0-9A-Z]{1,30}$/, 'a service order number, which begins with PI or PO');
export const refundNo = (about: string) =>
  matching(about, /^RF[0-9A-Z]{1,30}$/, 'a refund number, which begins with RF');
export const channelId = (about = 'Channel id.') =>
  matching(about, /^[a-z0-9-]{2,32}$/, 'a channel id: 2 to 32 lower-case letters, digits or hyphens');
export const operatorId = (about = 'Operator id.') =>
  matching(about, /^[a-z0-9._@-]{2,64}$/, 'an operator id: 2 to 64 lower-case letters, digits or . _ @ -');
export const bankCode = (about: string) =>
  matching(about, /^[A-Z0-9_]{2,32}$/, 'a bank code: 2 to 32 upper-case letters, digits or underscores');
export const keyIdOf = (about: string) => matching(about, /^[!-~]{1,128}$/, 'a key id');
export const fingerprint = (about: string) =>
  matching(about, /^[0-9a-f]{64}$/, 'a fingerprint: 64 lower-case hexadecimal digits');
export const tokenId = (about: string) => matching(about, /^[0-9a-f]{12}$/, 'a token id: 12 hexadecimal digits');
export const bookingNo = (about: string) =>
  matching(about, /^[!-~]{1,64}$/, 'a booking number: 1 to 64 visible ASCII characters');
/** The number of a booking by hand. */
export const handBookingNo = (about: string) =>
  bookingNo(about)
    .refine((input) => !isReservedBookingNo(input), 'must not look like the number of a settlement or a case')
    .register(forms, { form: 'text', about });
/** One line of `least` to `most` characters. */
export const line = (about: string, most: number, expected: string, least = 1) => {
  const message = `must be ${expected}`;
  return lineText(most, message, { least, wrongType: message }).register(forms, { form: 'text', about });
};
export const reference = (about: string) => line(about, 128, 'a reference of 1 to 128 characters');
/**
 * The reference of a payment at the bank. One payment counts once, so two ways to type a reference must not be two
 * references: digits of other scripts are refused, and signs alone.
 */
export const paymentReference = (about: string) =>
  reference(about)
    .refine((input) => {
      const typed = input.normalize('NFKC');
      return /[\p{L}\p{N}]/u.test(typed) && !/(?![0-9])\p{Nd}/u.test(typed);
    }, 'must have a letter or a digit, and no digits but 0 to 9')
    .register(forms, { form: 'text', about });
export const text = (about: string) => line(about, 255, 'a text of 1 to 255 characters, without line breaks');
/** A longer text, on one line. */
export const evidence = (about: string) =>
  line(about, 1_000, 'a text of 10 to 1000 characters, without line breaks', 10);
/** A day of the calendar, `YYYY-MM-DD`. */
export const day = (about: string) =>
  boundedText(longestText, 'must be a day such as 2026-11-21')
    .refine(isDay, 'must be a day such as 2026-11-21')
    .register(forms, { form: 'text', about });
export const url = (about: string) =>
  matching(about, /^https?:\/\/[^\s\p{Cc}]{1,500}$/iu, 'an http or https URL of at most 512 characters');

export function choice<const T extends string>(about: string, choices: readonly T[]) {
  return z.enum(choices, `must be ${choices.join(' or ')}`).register(forms, { form: 'choice', about, choices });
}

export const kind = () => choice('PAYIN or PAYOUT.', ['payin', 'payout']);
export const country = (about: string) => choice(about, countries);

/** An amount above 0. The output has two decimals. */
export const amount = (about: string) =>
  boundedText(longestText, 'must be an amount above 0, as text')
    .refine(isInputAmount, 'must be an amount above 0 such as 1000 or 99.50')
    .transform(withTwoDecimals)
    .register(forms, { form: 'amount', about });

/** An amount, with a minus sign to take money out. */
export const signedAmount = (about: string) =>
  boundedText(longestText, 'must be an amount, as text')
    .refine((input) => isInputAmount(input.replace(/^-/, '')), 'must be an amount such as 1000 or -99.50')
    .transform((input) => (input.startsWith('-') ? `-${withTwoDecimals(input.slice(1))}` : withTwoDecimals(input)))
    .register(forms, { form: 'amount', about });

/** A part of a fee. It may be 0. */
export const feePart = (about: string) =>
  matchingText(
    15,
    /^(0|[1-9][0-9]{0,11})(\.[0-9]{1,2})?$/,
    'must be an amount of 0 or more such as 5.00',
    'must be an amount, as text',
  )
    .transform(withTwoDecimals)
    .register(forms, { form: 'amount', about });

export const percent = (about: string) =>
  matchingText(
    8,
    /^(100(\.0{1,4})?|[0-9]{1,2}(\.[0-9]{1,4})?)$/,
    'must be a percentage from 0 to 100, at most 4 decimals',
    'must be a percentage, as text',
  ).register(forms, { form: 'percent', about });

export const count = (about: string, [least, most]: [number, number] = [1, 999_999_999]) => {
  const message = `must be a whole number from ${least} to ${most}`;
  return z.int(message).min(least, message).max(most, message).register(forms, { form: 'count', about });
};

/** Year 2000 to 9999, because every place that stores a time can hold these. */
export const instant = (about: string) =>
  z
    .int('must be a time')
    .min(946_684_800_000, 'must be a time after the year 2000')
    .max(253_402_300_799_999, 'must be a time before the year 10000')
    .register(forms, { form: 'instant', about });

export const onOff = (about: string) => z.boolean('must be true or false').register(forms, { form: 'switch', about });

/** At least one of `all`. */
export const choices = <const T extends string>(about: string, all: readonly T[]) =>
  z
    .array(z.enum(all, `must be of ${all.join(', ')}`))
    .min(1, `must name at least one of ${all.join(', ')}`)
    .refine(hasNoneTwice, 'names one twice')
    .register(forms, { form: 'texts', about, choices: all });

export const roleList = (about: string) => choices(about, roles);
export const countryList = (about: string) => choices(about, countries);

export const merchantList = (about: string) =>
  z
    .array(merchantId())
    .min(1, 'must name at least one merchant')
    .max(1000, 'must name at most 1000 merchants')
    .refine(hasNoneTwice, 'names one twice')
    .register(forms, { form: 'texts', about });

/** Kinds of errors of attempts at notifications. */
export const errorList = (about: string) =>
  z
    .array(matchingText(32, /^[a-z_]{1,32}$/, 'must hold errors, such as "timeout"', 'must hold texts'))
    .min(1, 'must name at least one error')
    .max(20, 'must name at most 20 errors')
    .refine(hasNoneTwice, 'names one twice')
    .register(forms, { form: 'texts', about });

/** Texts of a file, each of 1 to `longest` characters. */
export const wordList = (about: string, longest = 100) =>
  z
    .array(lineText(longest, `must hold texts of 1 to ${longest} characters`, { wrongType: 'must hold texts' }))
    .max(100, 'must hold at most 100 texts')
    .refine(hasNoneTwice, 'has one twice')
    .register(forms, { form: 'texts', about });

/** Case numbers, as text. */
export const caseNos = (about: string) =>
  z
    .array(
      matchingText(9, /^[1-9][0-9]{0,8}$/, 'must hold numbers of cases, such as "12"', 'must hold numbers of cases'),
    )
    .min(1, 'must name at least one case')
    .max(50, 'must name at most 50 cases')
    .refine(hasNoneTwice, 'names one twice')
    .register(forms, { form: 'texts', about });

export const networkList = (about: string) =>
  z
    .array(
      boundedText(longestText, 'must hold texts').regex(
        /^[0-9a-fA-F.:]+(\/[0-9]{1,3})?$/,
        'must hold addresses or networks',
      ),
    )
    .min(1, 'must name at least one address or network')
    .max(200, 'must name at most 200 addresses or networks')
    .refine(hasNoneTwice, 'names one twice')
    .register(forms, { form: 'texts', about });

function hasNoneTwice(input: readonly string[]): boolean {
  return new Set(input).size === input.length;
}

/** A public key with which a merchant signs. The error message contains no part of the text. */
export const publicKey = (about: string) =>
  boundedText(16_384, 'must be a public key, as text', 'is too long for a key')
    .superRefine((input, context) => {
      try {
        keyId(parsePublicKey(input));
      } catch (error) {
        context.addIssue({ code: 'custom', message: `is not a signing key: ${(error as Error).message}` });
      }
    })
    .register(forms, { form: 'text', about });

export const secrets = (about: string) =>
  z
    .record(
      matchingText(64, /^[A-Za-z0-9_.-]{1,64}$/, 'must have a name of 1 to 64 letters, digits or . _ -'),
      // Sealed for several purposes it is longer.
      boundedText(131_072, 'must be a string', 'is too long').refine(
        (value) => value.length <= 16_384 || isPacked(value),
        'is too long',
      ),
      'must be a JSON object of texts',
    )
    .refine((input) => Object.keys(input).length <= 50, 'must hold at most 50 secrets')
    .register(forms, { form: 'secrets', about });

/** Names of secrets that are kept. */
export const secretNames = (about: string) =>
  z
    .array(matchingText(64, /^[A-Za-z0-9_.-]{1,64}$/, 'must hold names of secrets', 'must hold names'))
    .min(1, 'must name at least one secret')
    .max(50, 'must name at most 50 secrets')
    .refine(hasNoneTwice, 'names one twice')
    .register(forms, { form: 'texts', about });
