/** What one process answers at `/metrics`, read. */
export interface Exposition {
  /** Families by the metric's name. */
  families: Map<string, { type: string; help: string }>;
  samples: Sample[];
}

export interface Sample {
  /** The name as printed, with suffixes such as `_bucket`. */
  name: string;
  labels: Record<string, string>;
  value: number;
}

export async function scrape(url: string): Promise<Exposition> {
  const response = await fetch(`${url}/metrics`);
  if (response.status !== 200) throw new Error(`${url}/metrics answers ${response.status}`);
  return readExposition(await response.text());
}

/** Reads Prometheus' text format. Throws for a line that is not in this format. */
function readExposition(text: string): Exposition {
  const families: Exposition['families'] = new Map();
  const samples: Sample[] = [];
  for (const line of text.split('\n').filter((one) => one !== '')) {
    const comment = /^# (HELP|TYPE) (\S+) (.*)$/.exec(line);
    if (comment) {
      const [, what, name = '', said = ''] = comment;
      const family = families.get(name) ?? { type: '', help: '' };
      families.set(name, what === 'HELP' ? { ...family, help: said } : { ...family, type: said });
      continue;
    }
    const sample = /^([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\{(.*)\})? (\S+)$/.exec(line);
    if (!sample) throw new Error(`not Prometheus' text format: ${line}`);
    const [, name = '', labels = '', value = ''] = sample;
    const pairs = [...labels.matchAll(/([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\]|\\.)*)"/g)];
    samples.push({
      name,
      value: value === 'Nan' ? Number.NaN : Number(value),
      labels: Object.fromEntries(pairs.map(([, label = '', value = '']) => [label, value])),
    });
  }
  return { families, samples };
}

/** The metric that a sample belongs to: a histogram has three kinds of lines. */
export function familyOf({ name }: Pick<Sample, 'name'>, { families }: Exposition): string {
  const base = name.replace(/_(bucket|sum|count)$/, '');
  return families.get(base)?.type === 'histogram' ? base : name;
}
