import { randomBytes } from 'node:crypto';
import type { Noun } from '../approvals/actions/noun.ts';
import { approvalById } from '../approvals/approvals.ts';
import { reject } from '../approvals/reject.ts';
import { requestOperation } from '../approvals/request-operation.ts';
import { setFeeRule } from '../configuration/set-fee-rule.ts';
import type { OperatorContext } from '../core/operator-rights.ts';
import { aMerchant, type TestDomain } from './open-test-domain.ts';
import { anOperator } from './operators.ts';
import { aReport, paid, placePayin } from './payins.ts';

type Make = (caller: OperatorContext) => Promise<Noun>;

/** What is configured of a merchant, in each of its states, made again each time. */
export function nounsOfMerchants(fixture: () => TestDomain): [string, Make][] {
  const merchant = (status: 'active' | 'disabled', notificationsPaused: boolean) => async (): Promise<Noun> => {
    const { domain } = fixture();
    const { merchantId } = await aMerchant(domain, 'PK');
    // With a notification that can be sent again.
    await domain.commit(aReport(await placePayin(domain, merchantId, 'PK'), paid()));
    return { type: 'merchant', merchant: { merchantId, status, notificationsPaused } };
  };
  return [
    ['an active merchant', merchant('active', false)],
    ['a disabled merchant that is paused', merchant('disabled', true)],
    [
      'an empty wallet',
      async () => {
        const { merchantId } = await aMerchant(fixture().domain, 'PK');
        return {
          type: 'wallet',
          wallet: {
            merchantId,
            currency: 'PKR',
            available: '0.00',
            frozen: '0.00',
            withheld: '0.00',
            lastEntryNo: 0,
            updatedAt: 0,
          },
        };
      },
    ],
    [
      'a key',
      async () => {
        const { domain } = fixture();
        const { merchantId } = await aMerchant(domain, 'PK');
        const { rows } = await domain.database.pool.query('select key_id from merchant_key where merchant_id = $1', [
          merchantId,
        ]);
        return { type: 'merchant_key', key: { merchantId, keyId: rows[0].key_id, expiresAt: null } };
      },
    ],
    [
      'a fee rule in force',
      async () => {
        const { merchantId } = await aMerchant(fixture().domain, 'PK');
        return {
          type: 'fee_rule',
          rule: { merchantId, kind: 'payin', bankCode: '', percent: '2.5', fixed: '0.00', beginsAt: 0 },
        };
      },
    ],
    [
      'a scheduled fee rule',
      async () => {
        const { domain } = fixture();
        const { merchantId } = await aMerchant(domain, 'PK');
        const from = Date.now() + 3_600_000;
        await setFeeRule(domain, merchantId, { kind: 'payin', percent: '3', fixed: '0', from });
        return {
          type: 'fee_rule',
          rule: { merchantId, kind: 'payin', bankCode: '', percent: '3', fixed: '0.00', beginsAt: from },
        };
      },
    ],
    [
      'a route',
      async () => {
        const { merchantId } = await aMerchant(fixture().domain, 'PK');
        return { type: 'route', route: { merchantId, routeNo: 1, kind: 'payin', channelId: 'fake' } };
      },
    ],
  ];
}

/** Channels, approvals and operators, in each of their states, made again each time. */
export function nounsOfPlatform(fixture: () => TestDomain): [string, Make][] {
  const operator = async (changes: object = {}): Promise<Noun> => {
    const { operatorId } = await anOperator(fixture().domain, ['viewer']);
    return {
      type: 'operator',
      operator: { operatorId, roles: ['viewer'], enabled: true, externalId: null, ...changes },
    };
  };
  const channel =
    (enabled: boolean, adapter = 'fake') =>
    async (): Promise<Noun> => {
      const channelId = `c-${randomBytes(4).toString('hex')}`;
      const insert = 'insert into channel (channel_id, adapter, base_url, enabled) values ($1, $2, $3, $4)';
      await fixture().domain.database.pool.query(insert, [channelId, adapter, 'http://c.test', enabled]);
      return { type: 'channel', channel: { channelId, adapter, baseUrl: 'http://c.test', enabled } };
    };
  return [
    ['an enabled channel', channel(true)],
    ['a disabled channel', channel(false)],
    ['a disabled channel without its adapter', channel(false, 'acme')],
    ['a pending approval', () => approval(fixture(), 'another')],
    ['a pending approval of the caller', (caller) => approval(fixture(), caller)],
    [
      'a rejected approval',
      async () => {
        const { domain } = fixture();
        const noun = (await approval(fixture(), 'another')) as Extract<Noun, { type: 'approval' }>;
        const { approvalId } = noun.approval;
        await reject(domain, await anOperator(domain, ['admin']), approvalId, 'a test');
        return { type: 'approval', approval: (await approvalById(domain, approvalId)) ?? noun.approval };
      },
    ],
    ['an operator', () => operator()],
    ['a disabled operator', () => operator({ enabled: false })],
    [
      'the caller',
      async ({ operatorId, roles }) => ({
        type: 'operator',
        operator: { operatorId, roles: [...roles], enabled: true, externalId: null },
      }),
    ],
    [
      'an operator without a token',
      async () => {
        const noun = await operator();
        const { operatorId } = (noun as Extract<Noun, { type: 'operator' }>).operator;
        await fixture().domain.database.pool.query(
          'update operator_token set revoked_at = clock_timestamp() where operator_id = $1',
          [operatorId],
        );
        return noun;
      },
    ],
  ];
}

/** The change of a route that waits for a second operator. Who has not the role for it has asked for nothing. */
async function approval({ domain }: TestDomain, caller: OperatorContext | 'another'): Promise<Noun> {
  const { merchantId } = await aMerchant(domain, 'PK');
  const isAble = caller !== 'another' && caller.roles.includes('admin') && caller.signIn === 'token';
  const who = isAble ? caller : await anOperator(domain, ['admin']);
  const requested = await requestOperation(domain, who, 'removeRoute', { merchantId, routeNo: 1 }, 'a test');
  if (!requested.ok || requested.state !== 'pending') throw new Error('not pending');
  return { type: 'approval', approval: requested.approval };
}
