import { createTestDatabase } from '@tidegate/sandbox/testing';
import { afterAll, beforeAll, expect } from 'vitest';
import { openTestDomain, type TestDomain } from './index.ts';
import { violationsOfMoved } from './statements.ts';

/** A domain on a database of its own, for the tests of a file. After them the audit has to find nothing but hashes of moved rows. */
export function auditedDomain(): Pick<TestDomain, 'domain'> {
  let opened: TestDomain | undefined;
  beforeAll(async () => {
    opened = await openTestDomain((await createTestDatabase()).url);
  });
  afterAll(async () => {
    if (!opened) return;
    const violations = await violationsOfMoved(opened.domain);
    await opened.close();
    expect(violations).toEqual([]);
  });
  return {
    get domain() {
      if (!opened) throw new Error('the domain is opened before the tests');
      return opened.domain;
    },
  };
}
