import { InvalidArgumentError } from 'commander';

/** An argument or option of a command, with its parser. */
export interface Field<T> {
  /** `<merchant>` for an argument, `--kind <kind>` for an option. */
  flags: string;
  about: string;
  required: boolean;
  /** Throws InvalidArgumentError with the expected form. */
  read: (text: string) => T;
}

type Read<T> = (text: string) => T;

/** A positional argument: `<merchant>`. */
export function argument<T>(flags: `<${string}>`, about: string, read: Read<T>): Field<T> {
  return { flags, about, required: true, read };
}

/** An optional option. Its value is undefined if absent. */
export function optional<T>(flags: `--${string} <${string}>`, about: string, read: Read<T>): Field<T | undefined> {
  return { flags, about, required: false, read };
}

/** An option that has to be given. */
export function required<T>(flags: `--${string} <${string}>`, about: string, read: Read<T>): Field<T> {
  return { flags, about, required: true, read };
}

/** Any text. */
export const text: Read<string> = (text) => text;

/** Text that matches the pattern. Otherwise the error message contains `expected`. */
export function matching(form: RegExp, expected: string): Read<string> {
  return (text) => {
    if (!form.test(text)) throw new InvalidArgumentError(`Expected ${expected}.`);
    return text;
  };
}
