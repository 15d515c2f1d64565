import { type InputField, inputFields, type OperationName, operations } from '@tidegate/domain/operators';
import { amountProblem } from '@tidegate/settings/amount-problem';
import { readAmount } from '@tidegate/settings/typed-amount';
import { readWholeNumber } from '@tidegate/settings/whole-number';
import { InvalidArgumentError } from 'commander';
import type { Field } from '../line/fields.ts';

/** The form of an operation's input on the command line, if the field names do not define it. */
export interface Wording {
  /** Positional arguments, in this order. */
  places: readonly string[];
  /** Options with other names than their fields: `{ channelId: 'channel' }`. */
  options?: Readonly<Record<string, string>>;
  /** Amounts whose fields are texts, because they can be below 0. */
  amounts?: readonly string[];
  /** Fields that are read from a file or standard input. Secrets always are. */
  fromFile?: readonly string[];
}

/** The arguments and options for an operation, by the names of its input fields. */
export function operationFields(operation: OperationName, wording: Wording): Record<string, Field<unknown>> {
  const fields = inputFields(operations[operation].input);
  return Object.fromEntries(fields.map((field) => [field.name, toField(field, wording)]));
}

/** Whether the command line takes a file name for this field. */
export function isFromFile({ name, form }: InputField, { fromFile = [] }: Wording): boolean {
  return form === 'secrets' || fromFile.includes(name);
}

function toField(found: InputField, wording: Wording): Field<unknown> {
  const field = wording.amounts?.includes(found.name) ? { ...found, form: 'amount' as const } : found;
  const { name, required, nullable } = field;
  const about = field.about.replace(/\.$/, '');
  if (wording.places.includes(name))
    return { flags: `<${placeNames[name] ?? name}>`, about, required: true, read: (text) => readField(field, text) };
  const option = wording.options?.[name] ?? kebab(name);
  if (isFromFile(field, wording)) {
    const flags = `--${option}-file <path>`;
    return { flags, about: `${about}; the path of a file, or - for standard input`, required, read: readPath };
  }
  const read = (text: string) => (nullable && text === 'none' ? null : readField(field, text));
  return {
    flags: `--${option} <${placeholderOf(field)}>`,
    about: nullable ? `${about}; or none` : about,
    required,
    read,
  };
}

const placeNames: Record<string, string> = {
  merchantId: 'merchant',
  channelId: 'channel',
  operatorId: 'operator',
  orderNo: 'order',
  routeNo: 'route-no',
  keyId: 'key-id',
  caseNo: 'case',
  findingNo: 'finding',
  breakNo: 'break',
  settlementNo: 'settlement',
};

function kebab(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

function placeholderOf({ form, choices = [] }: InputField): string {
  switch (form) {
    case 'choice':
      return choices.join('|');
    case 'switch':
      return 'on|off';
    case 'texts':
      return 'list';
    case 'instant':
      return 'time';
    case 'count':
      return 'n';
    case 'text':
    case 'amount':
    case 'percent':
    case 'secrets':
      return form;
    default:
      return form satisfies never;
  }
}

function readPath(text: string): string {
  if (text === '') throw new InvalidArgumentError('Expected the path of a file, or - for standard input.');
  return text;
}

/** Reads typed text by the operation's own schema. */
function readField({ form, schema }: Pick<InputField, 'form' | 'schema'>, text: string): unknown {
  const read = schema.safeParse(typedValue(form, text));
  if (read.success) return read.data;
  throw new InvalidArgumentError(`It ${read.error.issues.map(({ message }) => message).join('; ')}.`);
}

function typedValue(form: InputField['form'], text: string): unknown {
  switch (form) {
    case 'switch':
      return text === 'on' ? true : text === 'off' ? false : readOnOff();
    case 'texts':
      return text.split(',').map((part) => part.trim());
    case 'instant':
      return readInstant(text);
    case 'count':
      return readWholeNumber(text, 0, Number.MAX_SAFE_INTEGER) ?? Number.NaN;
    case 'amount':
      return readTypedAmount(text);
    case 'choice':
    case 'text':
    case 'percent':
    case 'secrets':
      return text;
    default:
      return form satisfies never;
  }
}

/** An amount as people type it, as in the console: `1500`, `1,500.00`. */
function readTypedAmount(text: string): string {
  const read = readAmount(text);
  if (read.ok) return read.amount;
  throw new InvalidArgumentError(amountProblem(read.fault, text));
}

function readOnOff(): never {
  throw new InvalidArgumentError('It must be on or off.');
}

/** A moment with a time zone. A date alone is the beginning of that day in UTC. */
function readInstant(text: string): number {
  const form = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d{1,3})?)?(Z|[+-]\d\d:\d\d))?$/;
  const at = form.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(at)) throw new InvalidArgumentError('It must be a time such as 2026-12-31 or 2026-12-31T18:00:00Z.');
  return at;
}
