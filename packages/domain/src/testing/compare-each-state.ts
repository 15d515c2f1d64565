import { createTestDatabase } from '@tidegate/sandbox/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { OperatorContext } from '../core/operator-rights.ts';
import { compareActions, operatorsOfEachRole } from './compare-actions.ts';
import { openTestDomain, type TestDomain } from './index.ts';
import type { NamedState, Place } from './nouns-of-orders.ts';
import { aFundedMerchant } from './payouts.ts';

/**
 * Tests for nouns in each of these states, with an operator of each role: what `allowedActions` says is what the
 * mutation then answers. Call it at the top level of a test file. The result is filled before the first test.
 */
export function compareEachState(statesOf: (place: Place) => NamedState[]): Place {
  let fixture: TestDomain;
  let operators: [string, OperatorContext][];
  const place = {} as Place;
  beforeAll(async () => {
    fixture = await openTestDomain((await createTestDatabase()).url);
    place.domain = fixture.domain;
    place.merchantId = (await aFundedMerchant(fixture.domain, 'PK', '90000000.00', 'market')).merchantId;
    fixture.channel.answers.query = { outcome: 'accepted', channelRef: 'R' };
    operators = await operatorsOfEachRole(fixture.domain);
  });
  afterAll(() => fixture.close());

  test.each(statesOf(place))(
    '%s: the mutation succeeds or is refused as the list of allowed actions says',
    async (state, make) => {
      const { expected, actual } = await compareActions(fixture.domain, operators, state, make, place.merchantId);
      expect(expected.length).toBeGreaterThan(0);
      expect(expected).toEqual(actual);
    },
  );
  return place;
}
