import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

// The operators' guide to the console names the roles that the API asks for.

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
const mutations = read('packages/api/schema.graphql').matchAll(/"{3}([^"]*)"{3}\n {2}(\w+)\(\n/g);
/** The roles of each mutation, as its description names them at its end. */
const rolesOf = new Map(
  [...mutations].map(([, text = '', name]) => [name, /Roles?: ([a-z, ]+)\.\s*$/.exec(text)?.[1]]),
);

/** What each task of the guide does. */
const tasks: Record<string, string[]> = {
  'Find out why a merchant was not notified, and send it again': ['resendNotification', 'resendNotifications'],
  'Book money of a merchant': ['topUpWallet', 'settleWallet', 'adjustWallet'],
  'Decide about a case': ['creditCase', 'returnCase', 'resolveRefund'],
  'Resolve a payout that does not end': ['resolvePayout'],
  'Pay a payout by hand': ['claimPayoutTask', 'provePayoutTask', 'acceptProof', 'rejectProof'],
  'Add a merchant': ['createMerchant', 'addMerchantKey', 'setFeeRule', 'setRoute'],
  'Switch a channel off': ['disableChannel', 'enableChannel'],
  'Add a channel': ['setChannel'],
  "Change a channel's address or credentials": ['setChannel'],
  'Look after operators': ['createOperator', 'changeOperator', 'inviteOperator', 'revokeOperatorTokens'],
};

const sections = new Map(
  read('docs/operators/console.md')
    .split(/^## /m)
    .map((section) => [section.split('\n')[0] ?? '', /^Roles?: ([a-z, ]+)\./m.exec(section)?.[1] ?? null]),
);

test.each(Object.entries(tasks))(
  'the guide of operators names the roles that the API requires for the task %s',
  (task, names) => {
    for (const name of names) expect([name, sections.get(task)]).toEqual([name, rolesOf.get(name)]);
  },
);

test('no other task in the guide of operators names roles', () => {
  const naming = [...sections].filter(([, roles]) => roles !== null).map(([task]) => task);
  expect(naming).toEqual(Object.keys(tasks));
});
