import { execFile } from 'node:child_process';
import { accessSync, constants, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { parse, stringify } from 'yaml';

// Prometheus's own tool checks the files of ops/prometheus and carries out the tests of the alerts.

const folder = fileURLToPath(new URL('../../ops/prometheus/', import.meta.url));
const fetched = fileURLToPath(new URL('../../node_modules/.tidegate-promtool', import.meta.url));
const promtool = [fetched, ...(process.env.PATH ?? '').split(delimiter)]
  .map((place) => join(place, 'promtool'))
  .find((file) => {
    try {
      accessSync(file, constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
if (!promtool)
  console.info(
    'promtool is missing: install Debian’s package prometheus, or run npm run test:nightly, which fetches it.',
  );

test
  .skipIf(!promtool)
  .each([
    [['check', 'rules', 'alerts.yaml']],
    [['test', 'rules', 'alerts.test.yaml']],
    [['check', 'config', '--syntax-only', 'scrape.yaml']],
  ])('promtool %j', { timeout: 600_000 }, async (args) => {
  // Rejects with its output unless it ends with 0.
  const { stdout } = await promisify(execFile)(promtool ?? '', args, { cwd: folder });
  expect(stdout).toContain('SUCCESS');
});

test.skipIf(!promtool)('the scrape configuration for a cluster is valid', { timeout: 600_000 }, async () => {
  // Debian's Prometheus is built without Kubernetes.
  const config = parse(readFileSync(join(folder, 'scrape-kubernetes.yaml'), 'utf8'));
  delete config.scrape_configs[0].kubernetes_sd_configs;
  const scratch = mkdtempSync(join(tmpdir(), 'tidegate-scrape-'));
  try {
    writeFileSync(join(scratch, 'scrape.yaml'), stringify(config));
    const args = ['check', 'config', '--syntax-only', 'scrape.yaml'];
    const { stdout } = await promisify(execFile)(promtool ?? '', args, { cwd: scratch });
    expect(stdout).toContain('SUCCESS');
  } finally {
    rmSync(scratch, { recursive: true });
  }
});
