import * as z from 'zod';
import { withdrawDeclaration as withdraw } from '../../channels/index.ts';
import type { Refused } from '../../core/rejection.ts';
import {
  beginWithholding,
  changeConfiguration,
  platformTenant,
  releaseMoney,
  type Withheld,
  withholdAll,
} from '../../ledger/index.ts';
import { amount, channelId, merchantId } from '../input-schemas.ts';
import { onMerchant, onPlatform } from '../operation.ts';
import { always } from '../second-operator-rule.ts';

// A channel in production that was declared live, and was a test account (ADR 0035).

interface Withdrawn {
  channelId: string;
  withheld: Withheld[];
}

export const withdrawDeclaration = onPlatform({
  summary:
    'Record that a channel was wrongly declared as live. Production stops using it, and what it was said to have received can be neither paid out nor settled.',
  roles: ['admin'],
  input: z.strictObject({ channelId: channelId() }),
  subject: (input) => input.channelId,
  versioned: 'channel',
  // It only stops money, so one operator may do it at once. Releasing the money needs two.
  async execute({ domain, by }, { channelId }) {
    const where = { tenant: platformTenant, change: 'withdrawDeclaration' };
    const begun = await changeConfiguration<Withdrawn>(domain, where, by, async (within) => {
      const withdrawn = await withdraw(within, channelId);
      if (!withdrawn) return { ok: false, rejection: 'channel_not_found' };
      if (!withdrawn.isDeclarable) return refused('has no declaration: its key and host show what it is');
      await beginWithholding(within, channelId);
      return { ok: true, value: { subject: channelId, entity: withdrawn.entity, value: { channelId, withheld: [] } } };
    });
    if (!begun.ok || by.rehearsal) return begun;
    const all = await withholdAll(domain, channelId, by);
    return all.ok ? { ok: true, value: { channelId, withheld: all.value } } : all;
  },
});

export const releaseWithheld = onMerchant({
  summary:
    'Release money that is withheld because its channel was a test account, once the wallet is corrected or the money is known to be real. Needs a second operator.',
  title: () => 'Release withheld money',
  roles: ['finance'],
  input: z.strictObject({
    merchantId: merchantId(),
    channelId: channelId('Channel id of the test account.'),
    amount: amount('Amount to release.'),
  }),
  subject: (input) => `withheld ${input.channelId}`,
  needsSecond: always,
  channelField: 'channelId',
  execute: ({ domain, by }, input) => {
    const where = { tenant: input.merchantId, change: 'releaseWithheld' };
    return changeConfiguration<Withheld>(domain, where, by, async (within) => {
      const left = await releaseMoney(within, input);
      if (!left) {
        const fields = [{ path: 'amount', reason: 'is more than is withheld of this channel' }];
        return { ok: false, rejection: 'invalid_input', fields };
      }
      const after = { channelId: input.channelId, released: input.amount, withheld: left.withheld };
      return { ok: true, value: { subject: `withheld ${input.channelId}`, after, value: left } };
    });
  },
});

function refused(reason: string): Refused {
  return { ok: false, rejection: 'invalid_input', fields: [{ path: 'channelId', reason }] };
}
