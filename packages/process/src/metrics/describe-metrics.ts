import { catalogue, type MetricName } from './catalogue.ts';

/** Makes docs/running/metrics.md from the catalogue. */
export function describeMetrics(): string {
  return `# Metrics

Each process answers \`GET /metrics\` in Prometheus' text format. The usual figures of a Node process (\`process_*\`, \`nodejs_*\`) are there too.

- Labels have few values, and nobody outside can make values up: never a merchant, an order or a path.
- What a scrape asks the database or Redis for is bounded, however many orders there are. It waits for a second at most.
- Without an answer the figure is left out: unknown is not none.
- The database's figures are the same from every worker: open orders, stuck payouts, violations, notifications. Take their \`max\`, not their \`sum\`.

Alerts: [ops/prometheus](../../ops/prometheus/alerts.yaml), explained in [alerts](alerts.md). Dashboard: [ops/grafana](../../ops/grafana/tidegate.json).
This page is written by \`npm run metrics\` in \`packages/process\`.

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
