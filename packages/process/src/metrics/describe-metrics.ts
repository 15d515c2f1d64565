import { catalogue, type MetricName } from './catalogue.ts';
import { each, worker } from './metric-facts.ts';

/** Makes docs/running/metrics.md from the catalogue. */
export function describeMetrics(): string {
  return `# Metrics

Each process serves \`GET /metrics\` in Prometheus' text format, with the default metrics of Node (\`process_*\`, \`nodejs_*\`).

- Labels never name a merchant, an order or a path.
- Without an answer of the database or Redis within a second, a metric is absent.
- Open orders, stuck payouts, violations and notifications come from the database. They are the same in every worker: use \`max\`, not \`sum\`.

[Alerts](alerts.md) and the [dashboard](../../ops/grafana/tidegate.json) use them. \`npm run metrics\` in \`packages/process\` generates this page.

${groups.map(({ title, names }) => `## ${title}\n\n${tableOf(names)}`).join('\n\n')}
`;
}

const all = Object.keys(catalogue) as MetricName[];
const ofEach = all.filter((name) => catalogue[name].of === each);
const ofWorkers = all.filter((name) => catalogue[name].of === worker);
const groups = [
  { title: 'All processes', names: ofEach },
  { title: 'REST adapter, API, or both', names: all.filter((name) => ![...ofEach, ...ofWorkers].includes(name)) },
  { title: 'Workers', names: ofWorkers },
];

const tableOf = (names: readonly MetricName[]): string =>
  ['| Metric | Type | Meaning |', '|---|---|---|', ...names.map(rowOf)].join('\n');

function rowOf(name: MetricName): string {
  const { type, labels, help } = catalogue[name];
  const shown = labels.length > 0 ? `{${labels.join(',')}}` : '';
  return `| \`${name}${shown}\` | ${type} | ${help.replaceAll('|', '\\|')} |`;
}
