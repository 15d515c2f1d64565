// A vitest reporter that leaves behind how many tests passed, failed and were skipped; test.mjs prints it.
import { writeFileSync } from 'node:fs';

export default class CountTests {
  onTestRunEnd(modules, unhandledErrors) {
    const count = { passed: 0, failed: 0, skipped: 0 };
    for (const module of modules) {
      for (const test of module.children.allTests()) count[outcomeOf(test.result().state)] += 1;
      // A file that cannot be loaded, or a hook that fails, has no test of its own to count.
      count.failed += module.errors().length;
      for (const suite of module.children.allSuites()) count.failed += suite.errors().length;
    }
    count.failed += unhandledErrors.length;
    const file = process.env.TIDEGATE_TEST_COUNT_FILE;
    if (file !== undefined) writeFileSync(file, JSON.stringify(count));
  }
}

function outcomeOf(state) {
  return state === 'passed' || state === 'failed' ? state : 'skipped';
}
