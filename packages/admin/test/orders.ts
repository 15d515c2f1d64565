import type { AdminFixture } from './admin-fixture.ts';

type Orders = Pick<AdminFixture, 'domain' | 'order'>;

/** Places orders of known merchants. Their numbers are known by their names from then on. */
export async function orders(
  fixture: Orders,
  known: Record<string, string>,
  entries: [name: string, ...Parameters<AdminFixture['order']>][],
): Promise<void> {
  for (const [name, merchant, ...rest] of entries)
    known[name] = (await fixture.order(known[merchant] ?? merchant, ...rest)).orderNo;
}

/** Places the orders of the tasks and decisions, and brings them to where those begin. */
export async function placeOrders(fixture: Orders, known: Record<string, string>): Promise<void> {
  await orders(fixture, known, [
    ['task', 'PK', 'payout', '100.00', 'HBL'],
    ['listed', 'PK', 'payout', '100.00', 'HBL'],
    ['manual', 'TH', 'payin', '100.00'],
    ['manual2', 'TH', 'payin', '100.00'],
    ['stuck', 'IN', 'payout', '100.00'],
    ['polled', 'IN', 'payout', '100.00'],
    ['reported', 'IN', 'payout', '100.00'],
    ['late', 'IN', 'payin', '100.00'],
  ]);
  const { domain } = fixture;
  const ref = { merchantId: known.IN ?? '', orderNo: known.late ?? '' };
  const report = { type: 'applyReport', ref, channelId: 'fake', during: 'callback' } as const;
  const reported = { ...report, ref: { ...ref, orderNo: known.reported ?? '' } };
  const polled = { ...report, ref: { ...ref, orderNo: known.polled ?? '' } };
  await domain.commit({ ...polled, answer: { outcome: 'accepted', channelRef: 'R' } });
  await domain.commit({ ...reported, answer: { outcome: 'paid', payments: [{ reference: 'T1', amount: '100.00' }] } });
  const unmatched = { merchantId: 'PLATFORM-PK', channelId: 'fake', orderNo: 'PI1', reference: 'U1', amount: '5.00' };
  await domain.commit({ type: 'bookUnmatched', direction: 'in', ...unmatched });
  await domain.commit({ ...report, answer: { outcome: 'failed', reason: 'no' } });
  await domain.commit({ ...report, answer: { outcome: 'paid', payments: [{ reference: 'L1', amount: '100.00' }] } });
}
