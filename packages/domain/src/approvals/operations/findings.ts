import * as z from 'zod';
import { closeFinding as close, type Finding, type PayoutStop, releasePayouts as release } from '../../audit/index.ts';
import { platformTenant } from '../../ledger/index.ts';
import { choice, count, merchantId } from '../input-schemas.ts';
import type { Operation } from '../operation.ts';
import { always } from '../second-operator-rule.ts';

const input = z.strictObject({
  merchantId: merchantId('Merchant number of the finding, or one of the platform tenants.'),
  findingNo: count('Number of the finding.'),
  outcome: choice('REPAIRED if the error is fixed. ACCEPTED to leave it as it is, which needs a second operator.', [
    'repaired',
    'accepted',
  ]),
});

export const closeFinding: Operation<typeof input, Finding> = {
  summary: 'Close an audit finding as repaired or accepted. Accepting it needs a second operator.',
  title: ({ outcome }) => `Close the finding as ${outcome}`,
  roles: ['admin'],
  input,
  about: ({ merchantId }) =>
    merchantId === platformTenant ? { kind: 'platform' } : { kind: 'tenant', merchantId, absent: 'finding_not_found' },
  subject: ({ findingNo }) => `finding ${findingNo}`,
  needsSecond: ({ outcome }) => outcome === 'accepted',
  execute: ({ domain, by }, finding) => close(domain, finding, by),
};

const stopped = z.strictObject({
  merchantId: merchantId('Merchant number, or one of the platform tenants.'),
});

export const releasePayouts: Operation<typeof stopped, PayoutStop> = {
  summary: 'Release the payouts of a merchant that a finding of the audit stopped. Two operators must agree.',
  title: () => 'Release the payouts',
  roles: ['admin'],
  input: stopped,
  about: ({ merchantId }) => ({ kind: 'tenant', merchantId, absent: 'finding_not_found' }),
  subject: ({ merchantId }) => `payouts of ${merchantId}`,
  needsSecond: always,
  execute: ({ domain, by }, named) => release(domain, named, by),
};
