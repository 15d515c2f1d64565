import * as z from 'zod';
import { readDatabaseUrl } from './database-url.ts';
import { readRedisUrl } from './redis-url.ts';

/**
 * Schemas that several variables share. Each call makes a new schema, because a variable's facts are registered with
 * it.
 */

export const text = (atMost = 4_096) => z.string('is missing').max(atMost, `is longer than ${atMost} characters`);

const urlOf = (protocols: RegExp, message: string) =>
  text().refine((value) => URL.canParse(value) && protocols.test(new URL(value).protocol), message);

export const webUrl = () => urlOf(/^https?:$/, 'has to be a URL that begins with https:// or http://');

export const databaseUrl = () =>
  text().superRefine((value, context) => {
    const read = readDatabaseUrl(value);
    if (!read.ok) context.addIssue({ code: 'custom', message: read.problem });
  });

export const redisUrl = () =>
  text().superRefine((value, context) => {
    const read = readRedisUrl(value);
    for (const message of read.ok ? [] : read.problems) context.addIssue({ code: 'custom', message });
  });

/** A whole number from `least` to `most`. */
export const wholeNumber = (
  least: number,
  most: number,
  message = `has to be a whole number from ${least} to ${most}`,
) =>
  z
    .string('is missing')
    .regex(/^(0|[1-9][0-9]{0,8})$/, { error: message, abort: true })
    .transform(Number)
    .refine((value) => value >= least && value <= most, message);

/** Like `wholeNumber`, with a default. */
export const wholeNumberOr = (preset: number, least: number, most: number, message?: string) =>
  wholeNumber(least, most, message).prefault(String(preset));

export const port = () => wholeNumber(0, 65_535, 'has to be a port number');

/** Decimal text, because money is never a number in this code. */
export const amount = () =>
  text(16).regex(/^(0|[1-9][0-9]{0,11})(\.[0-9]{1,2})?$/, 'has to be an amount such as 10000.00');

export const cidrs = () =>
  text()
    .transform((value) =>
      value
        .split(',')
        .map((part) => part.trim())
        .filter((part) => part !== ''),
    )
    .prefault('');
