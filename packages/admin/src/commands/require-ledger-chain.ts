import { requireChain } from '@tidegate/domain/admin';
import { type Answer, done } from '../answer.ts';
import { defineCommand } from '../command.ts';
import { argument, matching } from '../fields.ts';

export const requireLedgerChain = defineCommand({
  name: 'require-ledger-chain',
  group: 'First set-up',
  summary:
    'make the audit report rows outside the ledger chain from now on. Use it when no older version runs any more. Needs no operator',
  kind: 'prepare',
  roles: null,
  fields: {
    state: argument('<state>', 'on, or off before you return to an older version', matching(/^(on|off)$/, 'on or off')),
  },
  prepare: async (databaseUrl, _, { state }) => {
    await requireChain(databaseUrl, { lift: state === 'off' });
  },
  runFirst: async (_, { state }) => successMessage(state),
  run: async (_, { state }) => successMessage(state),
});

function successMessage(state: string): Answer {
  return done(state === 'off' ? 'The ledger chain is no longer required.' : 'The ledger chain is required.', {});
}
