/** Encodings by preference, the best first. */
const encodings = ['br', 'gzip', 'identity'] as const;

/** The part of a header that is read, in characters. Browsers send far less. */
const maxHeader = 500;

export type Encoding = (typeof encodings)[number];

/** The best of the available encodings that the client accepts; identity if it accepts no other (RFC 9110, 12.5.3). */
export function chooseEncoding(
  acceptEncoding: string | undefined,
  available: Partial<Record<Encoding, unknown>>,
): Encoding {
  const accepted = new Map<string, number>();
  for (const one of (acceptEncoding ?? '').slice(0, maxHeader).toLowerCase().split(',')) {
    const [name = '', ...parameters] = one.split(';').map((part) => part.trim());
    const weight = parameters.find((parameter) => parameter.startsWith('q='));
    accepted.set(name, weight === undefined ? 1 : Number(weight.slice(2)));
  }
  const accepts = (encoding: Encoding): boolean => (accepted.get(encoding) ?? accepted.get('*') ?? 0) > 0;
  return encodings.find((encoding) => available[encoding] !== undefined && accepts(encoding)) ?? 'identity';
}
