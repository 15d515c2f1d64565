import * as z from 'zod';

/** A zod issue, as its message is made from. */
type Issue = z.core.$ZodRawIssue;

const kinds: Readonly<Record<string, string>> = {
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
};

/** What is wrong, as the end of a sentence that begins with the name of the field. */
function wordsOf(issue: Issue): string {
  switch (issue.code) {
    case 'invalid_type':
      if (issue.input === undefined || issue.input === null) return 'must be given';
      return `must be ${kinds[String(issue.expected)] ?? `of the kind ${String(issue.expected)}`}`;
    case 'invalid_value':
      return `must be one of: ${(issue.values as readonly unknown[]).join(', ')}`;
    case 'too_small':
      return `must ${bound(issue.origin, 'at least', issue.minimum)}`;
    case 'too_big':
      return `must ${bound(issue.origin, 'at most', issue.maximum)}`;
    case 'not_multiple_of':
      return `must be a multiple of ${issue.divisor}`;
    case 'unrecognized_keys':
      return `must not have ${(issue.keys as readonly string[]).join(', ')}`;
    default:
      return 'is not of the expected form';
  }
}

function bound(origin: unknown, how: string, limit: unknown): string {
  if (origin === 'string') return `have ${how} ${String(limit)} characters`;
  if (origin === 'array' || origin === 'set') return `have ${how} ${String(limit)} entries`;
  return `be ${how} ${String(limit)}`;
}

/** Replaces the messages of zod, in this process. Messages of our own schemas stay: they say more. */
export function useOwnWords(): void {
  z.config({ localeError: wordsOf });
}
