import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { catalogue, type LabelOf, type NameOf } from './catalogue.ts';
import type { ProcessName } from './metric-facts.ts';

/** One value of a gauge, with its labels. */
export type Sample<Label extends string> = readonly [labels: Record<Label, string>, value: number];

/** The metrics of one process. Call each function once per name; the catalogue has the names. */
export interface Metrics {
  counter<Name extends NameOf<'counter'>>(name: Name): Counter<LabelOf<Name>>;
  histogram<Name extends NameOf<'histogram'>>(name: Name): Histogram<LabelOf<Name>>;
  /**
   * `read` is called at each scrape. If it returns null or throws, the metric is left out, because an unknown value is
   * not 0.
   */
  gauge<Name extends NameOf<'gauge'>>(
    name: Name,
    read: () => readonly Sample<LabelOf<Name>>[] | null | Promise<readonly Sample<LabelOf<Name>>[] | null>,
  ): void;
  /** The text for Prometheus. */
  read(): Promise<{ contentType: string; text: string }>;
}

/**
 * Uses a registry of its own, so that two servers in one process do not share metrics. Throws if the catalogue does not
 * list a metric for this process.
 */
export function openMetrics(of: ProcessName): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const factsOf = (name: keyof typeof catalogue) => {
    const { help, labels, of: owners } = catalogue[name];
    if (!owners.some((owner) => owner === of)) throw new Error(`${name} is none of the metrics of ${of}`);
    return { name, help, labelNames: labels, registers: [registry] };
  };
  return {
    counter: (name) => new Counter({ ...factsOf(name) }),
    histogram: (name) => new Histogram({ ...factsOf(name), buckets: [...catalogue[name].buckets] }),
    gauge: (name, read) => {
      new Gauge<string>({
        ...factsOf(name),
        async collect() {
          const samples = await Promise.resolve()
            .then(read)
            .catch(() => null);
          // All values are set without a wait in between. Otherwise two concurrent scrapes would mix their values.
          this.reset();
          if (samples === null && catalogue[name].labels.length === 0) this.remove();
          for (const [labels, value] of samples ?? []) this.set({ ...labels }, value);
        },
      });
    },
    read: async () => ({ contentType: registry.contentType, text: await registry.metrics() }),
  };
}
