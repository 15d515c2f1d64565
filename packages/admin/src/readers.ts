import { merchantIdSchema, orderNoSchema } from '@tidegate/domain/operators';
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

/** A whole number above 0. */
export function count(text: string): number {
  return Number(matching(/^[1-9][0-9]{0,8}$/, 'a whole number from 1 to 999999999')(text));
}

/** For lists: at most 1000 rows. */
export function limit(text: string): number {
  return Number(matching(/^([1-9][0-9]{0,2}|1000)$/, 'a whole number from 1 to 1000')(text));
}
