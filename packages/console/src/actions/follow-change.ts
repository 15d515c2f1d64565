import { isValidElement, type ReactNode } from 'react';
import type { Action, ActionField, ActionValues } from './action.ts';

// An action is made from the data that its page shows. After the page has read new data, the dialog can continue with
// the new action.

/** The version that a try of the action expects. */
export function versionOf({ expectedVersion }: Action, values: ActionValues): string | undefined {
  return typeof expectedVersion === 'function' ? expectedVersion(values) : expectedVersion;
}

/** The first values of the fields. */
export function initialValues({ fields = [] }: Action): ActionValues {
  return Object.fromEntries(fields.map((field) => [field.name, initialOf(field)]));
}

/** What the action is done to, with what was typed so far. */
export function beforeOf({ before }: Action, values: ActionValues): ReactNode {
  return typeof before === 'function' ? before(values) : before;
}

/** The words of the button that runs the action, with what was typed so far. */
export function submitOf({ submit, label }: Action, values: ActionValues): string {
  return (typeof submit === 'function' ? submit(values) : submit) ?? label;
}

/** A field whose value another operator changed. */
export interface MovedField {
  readonly label: string;
  readonly was: string;
  readonly now: string;
  /** The typed value; null: the field was not changed. */
  readonly typed: string | null;
}

/** The fields that have another value than when the dialog was opened. */
export function movedFields(opened: Action, newest: Action, values: ActionValues): MovedField[] {
  const old = new Map((opened.fields ?? []).map((field) => [field.name, field]));
  return (newest.fields ?? []).flatMap((field) => {
    const was = old.get(field.name);
    if (!was || initialOf(was) === initialOf(field)) return [];
    const typed = values[field.name] ?? '';
    return [
      {
        label: field.label,
        was: shown(was, initialOf(was)),
        now: shown(field, initialOf(field)),
        typed: typed === initialOf(was) ? null : shown(field, typed),
      },
    ];
  });
}

/** Typed values are kept. Fields that were not changed get their new values. */
export function followedValues(opened: Action, newest: Action, values: ActionValues): ActionValues {
  const was = initialValues(opened);
  const now = initialValues(newest);
  const followed = Object.entries(now).map(([name, value]) => {
    const typed = values[name];
    return [name, typed === undefined || typed === was[name] ? value : typed];
  });
  return { ...values, ...Object.fromEntries(followed) };
}

/** Whether two descriptions show the same. What is drawn by functions counts as the same. */
export function isSameNode(a: unknown, b: unknown): boolean {
  if (Object.is(a, b) || (typeof a === 'function' && typeof b === 'function')) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (isValidElement(a) || isValidElement(b))
    return isValidElement(a) && isValidElement(b) && a.type === b.type && isSameNode(a.props, b.props);
  const [left, right] = [a as Record<string, unknown>, b as Record<string, unknown>];
  const names = new Set([...Object.keys(left), ...Object.keys(right)]);
  return [...names].every((name) => isSameNode(left[name], right[name]));
}

function initialOf({ initial, options }: ActionField): string {
  return initial ?? options?.[0]?.value ?? '';
}

function shown({ options }: ActionField, value: string): string {
  return options?.find((option) => option.value === value)?.label ?? value;
}
