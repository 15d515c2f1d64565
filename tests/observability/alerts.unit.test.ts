import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { catalogue } from '../../packages/process/src/metrics/catalogue.ts';
import { metricsOf, readAlerts, readDashboard, readRuleTests } from './queried-metrics.ts';

// The alert rules and the dashboard as files: the metrics and pages that they name exist. tests/nightly/alerts.test.ts runs them.

const alerts = readAlerts();

test('every alert is tested once before it fires, and once when it fires', () => {
  const tried = Map.groupBy(
    readRuleTests().flatMap((one) => one.alert_rule_test),
    ({ alertname }) => alertname,
  );
  const unlike = alerts.filter(({ alert }) => {
    const cases = tried.get(alert) ?? [];
    return !cases.some((one) => one.exp_alerts.length === 0) || !cases.some((one) => one.exp_alerts.length > 0);
  });
  expect(unlike.map(({ alert }) => alert)).toEqual([]);
  expect(alerts.length).toBeGreaterThan(15);
});

test('every alert has a severity, and links to its runbook', () => {
  const operations = readFileSync(new URL('../../docs/running/alerts.md', import.meta.url), 'utf8');
  const sections = new Map(
    operations.split(/^## /m).map((section): [string, string] => {
      const [title = '', ...text] = section.split('\n');
      return [title.toLowerCase(), text.join('\n').trim()];
    }),
  );
  for (const { alert, labels, annotations } of alerts) {
    expect(['critical', 'warning']).toContain(labels.severity);
    expect(annotations.runbook).toBe(`docs/running/alerts.md#${alert.toLowerCase()}`);
    expect(
      sections.get(alert.toLowerCase())?.length ?? 0,
      `docs/running/alerts.md says little of ${alert}`,
    ).toBeGreaterThan(150);
  }
  const admin = readFileSync(new URL('../../docs/operators/command-line.md', import.meta.url), 'utf8');
  const commands = [
    ...operations.matchAll(
      /npm run admin -- ([a-z-]+)|`((?:list|show|set|enable|disable|resolve|resend|refresh|remove|close)-[a-z-]+)`/g,
    ),
  ].map(([, first, second]) => first ?? second ?? '');
  expect(commands.length).toBeGreaterThan(8);
  expect(commands.filter((command) => command !== '--help' && !admin.includes(command))).toEqual([]);
});

const panels = readDashboard().panels;
const queriedMetrics = [
  ...alerts.flatMap(({ expr }) => metricsOf(expr)),
  ...panels.flatMap(({ targets = [] }) => targets.flatMap(({ expr }) => metricsOf(expr))),
];

test('alerts and dashboard use only metrics and labels of the catalogue', () => {
  expect(queriedMetrics.length).toBeGreaterThan(60);
  // What Prometheus itself puts on every sample, and a bucket's bound.
  const given = ['job', 'instance', 'le'];
  const known = new Map<string, readonly string[]>(
    Object.entries(catalogue).map(([name, { labels }]) => [name, labels]),
  );
  const wrong = queriedMetrics
    .filter(({ name }) => name.startsWith('tidegate_'))
    .flatMap(({ name, labels, expr }) => {
      const own = known.get(name) ?? known.get(name.replace(/_(bucket|sum|count)$/, ''));
      if (!own) return [`no metric ${name}`];
      return labels.filter((label) => !own.includes(label) && !given.includes(label)).map((l) => `${l} in ${expr}`);
    });
  expect(wrong).toEqual([]);
  // Each metric is used by an alert or the dashboard.
  const queriedNames = queriedMetrics.map(({ name }) => name.replace(/_(bucket|sum|count)$/, ''));
  const current = Object.entries(catalogue).filter(([, { help }]) => !help.startsWith('Deprecated'));
  expect(current.map(([name]) => name).filter((name) => !queriedNames.includes(name))).toEqual([]);
});

test('each panel of the dashboard has its own name and id, one data source and a query', () => {
  expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
  expect(new Set(panels.map(({ title }) => title)).size).toBe(panels.length);
  const shown = panels.filter(({ type }) => type !== 'row');
  expect(shown.filter(({ targets = [] }) => targets.length === 0 || targets.some(({ expr }) => expr === ''))).toEqual(
    [],
  );
  expect(new Set(shown.map(({ datasource }) => datasource?.uid))).toEqual(new Set([`\${datasource}`]));
  const variables = readDashboard().templating.list.map(({ name }) => name);
  const used = JSON.stringify(panels).matchAll(/\$\{?([a-z][a-z_]*)/g);
  expect([...used].map(([, name = '']) => name).filter((name) => !variables.includes(name))).toEqual([]);
});
