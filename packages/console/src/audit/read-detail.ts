/** One field of a record's details. */
export interface DetailRow {
  readonly field: string;
  readonly before: string | null;
  readonly after: string | null;
}

/** The details of a record: what changed, and what else is known. */
export interface Detail {
  readonly changes: readonly DetailRow[];
  readonly others: readonly (readonly [field: string, value: string])[];
}

const MAX_DEEP = 3;

/** Reads the JSON text of a record's details. Text that is no object of JSON becomes one value. */
export function readDetail(text: string): Detail {
  const read = parse(text);
  if (read === null) return { changes: [], others: [['details', text]] };
  const { before, after, ...others } = read;
  const [was, is] = [flatten(before), flatten(after)];
  const fields = [...new Set([...was.keys(), ...is.keys()])];
  return {
    changes: fields.map((field) => ({ field, before: was.get(field) ?? null, after: is.get(field) ?? null })),
    others: [...flatten(others)],
  };
}

function parse(text: string): Record<string, unknown> | null {
  try {
    const read: unknown = JSON.parse(text);
    return typeof read === 'object' && read !== null && !Array.isArray(read) ? (read as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}

/** Nested fields by their path, `ref.orderNo`. Lists of plain values are joined; what is deeper stays JSON. */
function flatten(value: unknown, path = '', depth = 0): Map<string, string> {
  if (value === null || value === undefined) return new Map();
  if (typeof value !== 'object') return new Map([[path || 'value', String(value)]]);
  if (Array.isArray(value)) {
    const isPlain = value.every((one) => typeof one !== 'object');
    return new Map([[path || 'value', isPlain ? value.join(', ') : JSON.stringify(value)]]);
  }
  if (depth === MAX_DEEP) return new Map([[path, JSON.stringify(value)]]);
  return new Map(
    Object.entries(value).flatMap(([name, inner]) => [
      ...flatten(inner, path === '' ? name : `${path}.${name}`, depth + 1),
    ]),
  );
}
