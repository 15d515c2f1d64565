import * as z from 'zod';

/** What zod reports about a value: a message, or a function that makes one. */
type Message = NonNullable<Parameters<typeof z.string>[0]>;

/**
 * Text of at most `longest` characters (UTF-16 code units). All schemas of text from outside begin with it: a text that is too long meets no later
 * check. zod alone would go on with patterns after a failed `max`.
 *
 * `wrongType` is reported for anything but text, `tooLong` for a text that is too long. Default of `tooLong`: it names the limit.
 */
export function boundedText(
  longest: number,
  wrongType?: Message,
  tooLong = `must have at most ${longest} characters`,
): z.ZodString {
  return z.string(wrongType).max(longest, { error: tooLong, abort: true });
}

/** Text that matches `pattern`, which accepts at most `longest` characters. `expected` is reported for any other text. */
export function matchingText(longest: number, pattern: RegExp, expected: string, wrongType?: Message): z.ZodString {
  return boundedText(longest, wrongType, expected).regex(pattern, expected);
}

/** It begins with a visible character, and has none that is a control or turns the direction of the text. */
const readableLine = /^[^\s\p{C}\p{DI}\u2800][^\p{Cc}\p{Bidi_Control}]*$/u;

/** One line of `least` to `most` characters that people read as it is. `expected` is reported for any other text. */
export function lineText(
  most: number,
  expected: string,
  { least = 1, wrongType }: { least?: number; wrongType?: Message } = {},
): z.ZodString {
  const isOne = (text: string): boolean => {
    const { length } = [...text];
    return length >= least && length <= most && readableLine.test(text);
  };
  // A character has up to two code units.
  return boundedText(2 * most, wrongType, expected)
    .refine(isOne, expected)
    .refine((text) => text.isWellFormed(), 'must be valid Unicode');
}
