import { catalogue, type MetricName } from './catalogue.ts';

/** docs/running/metrics.md: every metric of ours, as the catalogue has it. */
export function describeMetrics(): string {
  return `# Metrics

Each process answers \`GET /metrics\` in Prometheus' text format. Beside these are the usual figures of a Node process (\`process_*\`, \`nodejs_*\`). Labels have few
values that nobody outside can make up: never a merchant, an order or a path. What the database or Redis is asked for at a scrape is bounded however many orders there are, waits
for a second at most, and is left out where there is no answer: unknown is not none. The database's figures (open orders, stuck payouts, violations, notifications) are the same
whichever worker is asked: take their \`max\`, not their \`sum\`.

What is worth an alert: [ops/prometheus](../../ops/prometheus/alerts.yaml), explained in [alerts.md](alerts.md); a dashboard: [ops/grafana](../../ops/grafana/tidegate.json).
This file is written by \`npm run metrics\` in \`packages/process\`.

| Metric | Type | Labels | Process | What it says |
| --- | --- | --- | --- | --- |
${(Object.keys(catalogue) as MetricName[]).map(rowOf).join('\n')}
`;
}

function rowOf(name: MetricName): string {
  const { type, labels, of, help } = catalogue[name];
  const shown = labels.map((label) => `\`${label}\``).join(', ');
  return `| \`${name}\` | ${type} | ${shown} | ${of.join(', ')} | ${help.replaceAll('|', '\\|')} |`;
}
