// A vitest reporter that leaves behind what a run of one tier did, as JSON: counts, and the time of each file; test.mjs prints it.
import { writeFileSync } from 'node:fs';
import { relative } from 'node:path';
import { ROOT } from './machine.mjs';

export default class ReportTests {
  #began = new Map();

  onTestModuleStart(module) {
    this.#began.set(module.moduleId, Date.now());
  }

  onTestRunEnd(modules, unhandledErrors) {
    const count = { passed: 0, failed: 0, skipped: 0 };
    const files = [];
    for (const module of modules) {
      for (const test of module.children.allTests()) count[outcomeOf(test.result().state)] += 1;
      // A file that cannot be loaded, or a hook that fails, has no test of its own to count.
      count.failed += module.errors().length;
      for (const suite of module.children.allSuites()) count.failed += suite.errors().length;
      files.push({
        file: relative(ROOT, module.moduleId),
        milliseconds: Math.round(module.diagnostic().duration),
        beganAt: this.#began.get(module.moduleId) ?? null,
      });
    }
    count.failed += unhandledErrors.length;
    const file = process.env.TIDEGATE_TEST_REPORT_FILE;
    if (file !== undefined) writeFileSync(file, JSON.stringify({ count, files }));
  }
}

function outcomeOf(state) {
  return state === 'passed' || state === 'failed' ? state : 'skipped';
}
