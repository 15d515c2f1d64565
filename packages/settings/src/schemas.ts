import * as z from 'zod';
import { boundedText, matchingText } from './bounded-text.ts';
import { readDatabaseUrl } from './database-url.ts';
import { readNetwork } from './network.ts';
import { readRedisUrl } from './redis-url.ts';
import { readWholeNumber } from './whole-number.ts';

/**
 * Schemas that several variables share. Each call makes a new schema, because a variable's facts are registered with
 * it.
 */

export const text = (atMost = 4_096) => boundedText(atMost, 'is missing', `is longer than ${atMost} characters`);

const urlOf = (protocols: RegExp, message: string) =>
  text().refine((value) => URL.canParse(value) && protocols.test(new URL(value).protocol), message);

export const webUrl = () => urlOf(/^https?:$/, 'has to be a URL that begins with https:// or http://');

/** A URL to which paths are added. */
export const baseUrl = () =>
  webUrl().refine((value) => !/[?#]/.test(value), 'has to be a URL without a query and a fragment');

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
  boundedText(16, 'is missing', message).transform((value, context) => {
    const number = readWholeNumber(value, least, most);
    if (number !== null) return number;
    context.addIssue({ code: 'custom', message });
    return z.NEVER;
  });

/** A number from `least` to `most` that may have a decimal fraction, as 0.25. */
export const decimalNumber = (least: number, most: number, message: string) =>
  matchingText(16, /^(0|[1-9][0-9]{0,8})(\.[0-9]{1,6})?$/, message, 'is missing')
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
    .refine(
      (networks) => networks.every((one) => readNetwork(one) !== null),
      'has to be networks such as 10.1.0.0/16, separated by commas',
    )
    .prefault('');
