/** The JSON values of a command's result. */
export type Json = string | number | boolean | null | undefined | readonly Json[] | { readonly [name: string]: Json };
export type Row = { readonly [name: string]: Json };

/**
 * The result of a command: done, with one record or a list; or refused, with the reason and what to do. `ended`: it
 * waits for a second operator, or a check found a problem.
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
