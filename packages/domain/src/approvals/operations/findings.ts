import * as z from 'zod';
import { closeFinding as close, type Finding, platformTenant } from '../../ledger/index.ts';
import { choice, count, merchantId } from '../input-schemas.ts';
import type { Operation } from '../operation.ts';

const input = z.strictObject({
  merchantId: merchantId('Whose ledger it is about: a merchant number, or one of the platform tenants.'),
  findingNo: count("The finding's number."),
  outcome: choice(
    'repaired (found again it is a new finding), or accepted as it is, for which two operators have to agree.',
    ['repaired', 'accepted'],
  ),
});

export const closeFinding: Operation<typeof input, Finding> = {
  summary: 'Close a finding of the audit: repaired, or by two operators accepted as it is.',
  roles: ['admin'],
  input,
  about: ({ merchantId }) =>
    merchantId === platformTenant ? { kind: 'platform' } : { kind: 'tenant', merchantId, absent: 'finding_not_found' },
  subject: ({ findingNo }) => `finding ${findingNo}`,
  needsSecond: ({ outcome }) => outcome === 'accepted',
  execute: ({ domain, by }, finding) => close(domain, finding, by),
};
