import { readFileSync } from 'node:fs';
import { parse } from 'yaml';

const ops = (path: string): string => readFileSync(new URL(`../../ops/${path}`, import.meta.url), 'utf8');

export interface AlertRule {
  alert: string;
  expr: string;
  labels: { severity: string };
  annotations: { summary: string; runbook: string };
}

/** The rules of ops/prometheus/alerts.yaml. */
export function readAlerts(): AlertRule[] {
  const file: { groups: { rules: AlertRule[] }[] } = parse(ops('prometheus/alerts.yaml'));
  return file.groups.flatMap(({ rules }) => rules);
}

export interface RuleTest {
  alert_rule_test: { alertname: string; exp_alerts: unknown[] }[];
}

/** The cases of ops/prometheus/alerts.test.yaml. */
export function readRuleTests(): RuleTest[] {
  return (parse(ops('prometheus/alerts.test.yaml')) as { tests: RuleTest[] }).tests;
}

export interface Panel {
  id: number;
  type: string;
  title: string;
  datasource?: { uid: string };
  targets?: { expr: string }[];
}

/** ops/grafana/tidegate.json. */
export function readDashboard(): { panels: Panel[]; templating: { list: { name: string }[] } } {
  return JSON.parse(ops('grafana/tidegate.json'));
}

/** A metric in an expression of PromQL: the name of its samples, and the labels of its selector and groups. */
export interface QueriedMetric {
  name: string;
  labels: string[];
  expr: string;
}

/** Every metric that an expression of PromQL names, with the labels of its selector, and of the whole expression's groups. */
export function metricsOf(expr: string): QueriedMetric[] {
  const grouped = [...expr.matchAll(/\b(?:by|on) \(([^)]*)\)/g)].flatMap(([, labels = '']) => labels.split(/, ?/));
  return [...expr.matchAll(/\b((?:tidegate|nodejs|process)_[a-z0-9_]+|up)\b(?:\{([^}]*)\})?/g)].map(
    ([, name = '', selector = '']) => ({
      name,
      expr,
      labels: [...selector.matchAll(/([a-z_]+)\s*(?:=~|!~|!=|=)/g)]
        .map(([, label = '']) => label)
        .concat(grouped)
        .filter((label) => label !== ''),
    }),
  );
}
