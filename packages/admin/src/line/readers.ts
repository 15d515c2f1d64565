import { merchantIdSchema, orderNoSchema } from '@tidegate/domain/operators';
import { readWholeNumber } from '@tidegate/settings/whole-number';
import { InvalidArgumentError } from 'commander';
import { matching } from './fields.ts';

// Parsers of the arguments of reading commands.

interface Form {
  safeParse(
    text: string,
  ): { success: true; data: string } | { success: false; error: { issues: { message: string }[] } };
}

/** Parses text by a schema of the domain. */
function reading(form: Form): (text: string) => string {
  return (text) => {
    const read = form.safeParse(text);
    if (read.success) return read.data;
    throw new InvalidArgumentError(`It ${read.error.issues[0]?.message ?? 'is wrong'}.`);
  };
}

export const merchantNo = reading(merchantIdSchema());
export const orderNo = reading(orderNoSchema());
export const approvalId = matching(/^AP[0-9A-Z]{1,30}$/, 'an approval, which begins with AP');

export const channelId = matching(/^[a-z0-9-]{2,32}$/, 'a channel id');

/** A whole number from `least` to `most`. */
export function whole(least: number, most: number): (text: string) => number {
  return (text) => {
    const number = readWholeNumber(text, least, most);
    if (number === null) throw new InvalidArgumentError(`Expected a whole number from ${least} to ${most}.`);
    return number;
  };
}

/** A whole number above 0. */
export const count = whole(1, 999_999_999);

/** For lists: at most 1000 rows. */
export const limit = whole(1, 1_000);
