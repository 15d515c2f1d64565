import { InvalidArgumentError } from 'commander';

/** One argument or option of a command, and how its text is read. */
export interface Field<T> {
  /** `<merchant>` for an argument, `--kind <kind>` for an option. */
  flags: string;
  about: string;
  required: boolean;
  /** Throws InvalidArgumentError with what was expected. */
  read: (text: string) => T;
}

type Read<T> = (text: string) => T;

/** An argument that stands by its place: `<merchant>`. */
export function argument<T>(flags: `<${string}>`, about: string, read: Read<T>): Field<T> {
  return { flags, about, required: true, read };
}

/** An option that may be left out, and is undefined then. */
export function optional<T>(flags: `--${string} <${string}>`, about: string, read: Read<T>): Field<T | undefined> {
  return { flags, about, required: false, read };
}

/** Text that matches the pattern; otherwise the error message says `expected`. */
export function matching(form: RegExp, expected: string): Read<string> {
  return (text) => {
    if (!form.test(text)) throw new InvalidArgumentError(`Expected ${expected}.`);
    return text;
  };
}
