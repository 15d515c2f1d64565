import { createTestDatabase } from '@tidegate/sandbox/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { OperatorContext } from '../../core/operator-rights.ts';
import { compareActions, operatorsOfEachRole } from '../../testing/compare-actions.ts';
import { nounsOfPlatform } from '../../testing/configured-nouns.ts';
import { openTestDomain, type TestDomain } from '../../testing/index.ts';

// What `allowedActions` says about channels, approvals and operators, and what the mutation then answers.

let fixture: TestDomain;
let operators: [string, OperatorContext][];
beforeAll(async () => {
  fixture = await openTestDomain((await createTestDatabase()).url);
  operators = await operatorsOfEachRole(fixture.domain);
});
afterAll(() => fixture.close());

const states = nounsOfPlatform(() => fixture);

test.each(states)(
  '%s: the mutation succeeds or is refused as the list of allowed actions says',
  async (state, make) => {
    const { expected, actual } = await compareActions(fixture.domain, operators, state, make, 'PK-NONE');
    expect(expected.length).toBeGreaterThan(0);
    expect(expected).toEqual(actual);
  },
);
