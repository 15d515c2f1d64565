import { createElement } from 'react';
import { expect, test } from 'vitest';
import type { Action, ActionField } from './action.ts';
import { followedValues, initialValues, isSameNode, movedFields, versionOf } from './follow-change.ts';

const kinds = [
  { value: 'PAYIN', label: 'Payins' },
  { value: 'PAYOUT', label: 'Payouts' },
];
const action = (initial: Record<string, string>, more: Partial<Action> = {}): Action => {
  const fields: ActionField[] = [
    { name: 'kind', label: 'For', kind: 'choice', options: kinds },
    { name: 'weight', label: 'Weight' },
    { name: 'bankCode', label: 'Bank' },
  ];
  const withInitial = fields.map((field) => {
    const value = initial[field.name];
    return value === undefined ? field : { ...field, initial: value };
  });
  return { fields: withInitial, before: null, ...more } as Action;
};
const opened = action({ kind: 'PAYIN', weight: '1' });
const newest = action({ kind: 'PAYOUT', weight: '5', bankCode: 'HBL' });

test('after a change by others the dialog shows the old value, the new value, and what the operator typed', () => {
  const values = { kind: 'PAYIN', weight: '9', bankCode: '' };
  expect(movedFields(opened, newest, values)).toEqual([
    { label: 'For', was: 'Payins', now: 'Payouts', typed: null },
    { label: 'Weight', was: '1', now: '5', typed: '9' },
    { label: 'Bank', was: '', now: 'HBL', typed: null },
  ]);
  expect(movedFields(opened, action({ kind: 'PAYIN', weight: '1' }), values)).toEqual([]);
});

test('continuing keeps the typed values, and takes the new values for the other fields', () => {
  const values = { kind: 'PAYIN', weight: '9', bankCode: '' };
  expect(followedValues(opened, newest, values)).toEqual({ kind: 'PAYOUT', weight: '9', bankCode: 'HBL' });
});

test('without a first value, a choice has its first option, and any other field is empty', () => {
  expect(initialValues(action({}))).toEqual({ kind: 'PAYIN', weight: '', bankCode: '' });
});

test('the version that is sent can depend on the typed values', () => {
  const rules = action({}, { expectedVersion: ({ kind }) => (kind === 'PAYIN' ? '7' : 'new') });
  expect([versionOf(rules, { kind: 'PAYIN' }), versionOf(rules, { kind: 'PAYOUT' })]).toEqual(['7', 'new']);
  expect(versionOf(action({}, { expectedVersion: '3' }), {})).toBe('3');
});

test('two descriptions are the same if they show the same text', () => {
  const rows = (status: string) =>
    createElement('dl', { values: { Order: 'PI1', Status: createElement('b', null, status) } });
  expect(isSameNode(rows('open'), rows('open'))).toBe(true);
  expect(isSameNode(rows('open'), rows('paid'))).toBe(false);
  expect(isSameNode(rows('open'), 'open')).toBe(false);
  expect(isSameNode([rows('a'), null], [rows('a')])).toBe(false);
});
