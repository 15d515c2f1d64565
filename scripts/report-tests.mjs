// A vitest reporter that leaves behind what a run of one tier did, as JSON: counts, what failed, and the time of each file; test.mjs prints it.
import { writeFileSync } from 'node:fs';
import { relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { ROOT } from './machine.mjs';

export default class ReportTests {
  #began = new Map();

  onTestModuleStart(module) {
    this.#began.set(module.moduleId, Date.now());
  }

  onTestRunEnd(modules, unhandledErrors) {
    const count = { passed: 0, failed: 0, skipped: 0 };
    const files = [];
    const failures = [];
    const fail = (file, name, errors) => failures.push({ file, name, message: messageOf(errors) });
    for (const module of modules) {
      const file = relative(ROOT, module.moduleId);
      for (const test of module.children.allTests()) {
        const { state, errors } = test.result();
        count[outcomeOf(state)] += 1;
        if (outcomeOf(state) === 'failed') fail(file, test.fullName, errors);
      }
      // A file that cannot be loaded, or a hook that fails, has no test of its own to count.
      for (const { errors, name } of [
        { errors: module.errors(), name: 'the file itself' },
        ...[...module.children.allSuites()].map((suite) => ({ errors: suite.errors(), name: suite.fullName })),
      ]) {
        count.failed += errors.length;
        if (errors.length > 0) fail(file, name, errors);
      }
      files.push({
        file,
        milliseconds: Math.round(module.diagnostic().duration),
        beganAt: this.#began.get(module.moduleId) ?? null,
      });
    }
    count.failed += unhandledErrors.length;
    if (unhandledErrors.length > 0) fail('no file', 'an error that no test caught', unhandledErrors);
    const file = process.env.TIDEGATE_TEST_REPORT_FILE;
    if (file !== undefined) writeFileSync(file, JSON.stringify({ count, files, failures }));
  }
}

/** What was thrown, in at most 1,000 characters, without the colours of a terminal, and where. */
function messageOf(errors = []) {
  const texts = errors.map(({ name, message, stacks }) => {
    const at = stacks?.[0];
    const place = at === undefined ? '' : `\nat ${relative(ROOT, at.file)}:${at.line}`;
    return `${name ?? 'Error'}: ${stripVTControlCharacters(String(message)).slice(0, 800)}${place}`;
  });
  return texts.join('\n').slice(0, 1_000);
}

function outcomeOf(state) {
  return state === 'passed' || state === 'failed' ? state : 'skipped';
}
