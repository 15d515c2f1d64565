/** What a command's JSON is made of. */
export type Json = string | number | boolean | null | undefined | readonly Json[] | { readonly [name: string]: Json };
export type Row = { readonly [name: string]: Json };

/**
 * What a command came to: done, with one record or a list; or refused, in words that say what, where and what to do. `ended`: it is
 * kept until a second operator approves, or what it looked at is not as it should be.
 */
export type Answer =
  | { ok: true; message: string; result: Row | readonly Row[]; ended?: 'pending' | 'violated' }
  | { ok: false; refused: string };

export function done(message: string, result: Row | readonly Row[]): Answer {
  return { ok: true, message, result };
}

export function refused(text: string): Answer {
  return { ok: false, refused: text };
}
