import type { Currency } from '../core/country.ts';
import type { FieldSchema, InputField } from './input-schemas.ts';

/** A value that a screen can show without parsing it. Times are Unix ms, amounts and percentages decimal text. */
export type TypedValue =
  | { type: 'text'; text: string }
  | { type: 'money'; amount: string; currency: Currency }
  | { type: 'percent'; percent: string }
  | { type: 'time'; time: number }
  | { type: 'number'; number: number }
  | { type: 'switch'; isOn: boolean }
  | { type: 'list'; items: string[] }
  /** The names of secrets, never their values. */
  | { type: 'secret'; names: string[] };

/** The value of a field of an input, by the form of the field; null for no value. */
export function typedInput(
  { form }: Pick<InputField, 'form'>,
  value: unknown,
  currency: Currency | null,
): TypedValue | null {
  if (value == null) return null;
  const text = String(value);
  const typed: Record<FieldSchema, () => TypedValue | null> = {
    text: () => ({ type: 'text', text }),
    choice: () => ({ type: 'text', text }),
    texts: () => ({ type: 'list', items: (value as readonly unknown[]).map(String) }),
    amount: () => (currency ? { type: 'money', amount: text, currency } : { type: 'text', text }),
    percent: () => ({ type: 'percent', percent: text }),
    instant: () => ({ type: 'time', time: Number(value instanceof Date ? value.getTime() : timeOf(value)) }),
    count: () => ({ type: 'number', number: Number(value) }),
    switch: () => ({ type: 'switch', isOn: value === true }),
    secrets: () => ({ type: 'secret', names: namesOf(value) }),
  };
  return typed[form]();
}

/** A recorded value of a field that the input does not have, with the type that its value shows. */
export function typedRecord(value: unknown): TypedValue | null {
  if (value == null) return null;
  if (value instanceof Date) return { type: 'time', time: value.getTime() };
  if (typeof value === 'boolean') return { type: 'switch', isOn: value };
  if (typeof value === 'number') return { type: 'number', number: value };
  if (Array.isArray(value)) return { type: 'list', items: value.map(String) };
  const time = typeof value === 'string' ? timeOf(value) : null;
  return typeof time === 'number' ? { type: 'time', time } : { type: 'text', text: String(value) };
}

/** Whether two values look the same: `2.50` and `2.5` percent do. */
export function isSameValue(one: TypedValue | null, other: TypedValue | null): boolean {
  return JSON.stringify(plain(one)) === JSON.stringify(plain(other));
}

function plain(value: TypedValue | null): unknown {
  if (value?.type === 'percent') return { ...value, percent: withoutZeros(value.percent) };
  return value?.type === 'money' ? { ...value, amount: withoutZeros(value.amount) } : value;
}

function withoutZeros(decimal: string): string {
  return decimal.includes('.') ? decimal.replace(/(?<!0)0+$/, '').replace(/\.$/, '') : decimal;
}

/** Stored input has times in Unix ms, and records have them as text. Any other value is not a time. */
function timeOf(value: unknown): number | null {
  if (typeof value === 'number') return value;
  const isTime = typeof value === 'string' && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3})?Z$/.test(value);
  return isTime ? Date.parse(value) : null;
}

function namesOf(value: unknown): string[] {
  return Array.isArray(value) ? value.map(String) : Object.keys(value as object);
}
