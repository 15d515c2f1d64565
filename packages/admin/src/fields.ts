import { InvalidArgumentError } from 'commander';

/** One argument or option of a command, and how its text is read. */
export interface Field<T> {
  /** `<merchant>` for an argument, `--kind <kind>` for an option, `--change` for a switch. */
  flags: string;
  about: string;
  required: boolean;
  /** Throws InvalidArgumentError with what was expected; null for a switch. */
  read: ((text: string) => T) | null;
}

type Read<T> = (text: string) => T;

/** An argument that stands by its place: `<merchant>`. */
export function argument<T>(flags: `<${string}>`, about: string, read: Read<T>): Field<T> {
  return { flags, about, required: true, read };
}

/** An option that must be given. */
export function required<T>(flags: `--${string} <${string}>`, about: string, read: Read<T>): Field<T> {
  return { flags, about, required: true, read };
}

/** An option that may be left out, and is undefined then. */
export function optional<T>(flags: `--${string} <${string}>`, about: string, read: Read<T>): Field<T | undefined> {
  return { flags, about, required: false, read };
}

/** On where it is given. */
export function toggle(flags: `--${string}`, about: string): Field<boolean> {
  return { flags, about, required: false, read: null };
}

/** Text that has the form, else `expected` is what the person is told. */
export function matching(form: RegExp, expected: string): Read<string> {
  return (text) => {
    if (!form.test(text)) throw new InvalidArgumentError(`Expected ${expected}.`);
    return text;
  };
}

export function oneOf<const T extends string>(...values: readonly T[]): Read<T> {
  return (text) => {
    const found = values.find((value) => value === text);
    if (found === undefined) throw new InvalidArgumentError(`Expected ${values.join(' or ')}.`);
    return found;
  };
}

/** The same record without what was left out. */
export function given<T extends object>(record: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(record).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>;
  };
}
