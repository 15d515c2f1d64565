/** What a command's JSON is made of. */
export type Json = string | number | boolean | null | undefined | readonly Json[] | { readonly [name: string]: Json };
export type Row = { readonly [name: string]: Json };

/** What a command came to: done, with one record or a list; or refused, in words that say what, where and what to do. */
export type Answer =
  | { ok: true; message: string; result: Row | readonly Row[]; violated?: true }
  | { ok: false; refused: string };

export function done(message: string, result: Row | readonly Row[]): Answer {
  return { ok: true, message, result };
}

export function refused(text: string): Answer {
  return { ok: false, refused: text };
}
