import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

const root = fileURLToPath(new URL('..', import.meta.url));

/** Short files whose tests, which are elsewhere, take long. */
const longest = ['tests/faults.test.ts', 'tests/rolling-restart.test.ts'].flatMap((file) => [
  file,
  file.replace('tests/', 'tests/nightly/'),
]);

/**
 * The order of test files. vitest begins with those that took longest before, and on a fresh checkout with the largest. The longest would then
 * be the last to start, and the run would wait for them alone.
 */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    return sorted.toSorted((a, b) => rankOf(a) - rankOf(b));
  }
}

/** The files without a place of their own keep their order. */
function rankOf({ moduleId }: TestSpecification): number {
  const place = longest.indexOf(relative(root, moduleId));
  return place === -1 ? longest.length : place;
}
