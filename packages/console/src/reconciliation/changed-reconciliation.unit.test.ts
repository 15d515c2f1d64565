import { expect, test } from 'vitest';
import { changedReconciliation } from './changed-reconciliation.ts';

const now = { beginsOn: '2026-11-01', tolerance: '0.00', account: null, fetches: false };

test('only changed fields are sent, and an emptied field changes nothing', () => {
  expect(changedReconciliation(now, { beginsOn: '2026-11-01', tolerance: ' 0.05 ', account: '' })).toEqual({
    tolerance: '0.05',
  });
  expect(changedReconciliation(now, { beginsOn: '', tolerance: '0.00', account: 'PK-1' })).toEqual({ account: 'PK-1' });
  expect(changedReconciliation({ ...now, fetches: true }, { fetches: 'no' })).toEqual({ fetches: false });
  expect(changedReconciliation({ ...now, fetches: true }, { fetches: 'yes' })).toEqual({});
  expect(changedReconciliation(null, { beginsOn: '2026-11-02' })).toEqual({ beginsOn: '2026-11-02' });
});
