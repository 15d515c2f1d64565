/** A generator of random numbers from 0 to 1 with a seed (mulberry32), so that a failed run can be repeated. */
export function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

const deep = (text: string, times: number): string => `${'['.repeat(times)}${text}${']'.repeat(times)}`;
const change = '{"type":"order","merchantId":"M","orderNo":"PI","status":"completed"}';
const message = (changes: string): string => `{"from":"x","no":1,"changes":${changes}}`;

/** Texts that no process of ours publishes: wrong types, huge, deep, half, with keys of prototypes. */
export const hostileTexts: readonly string[] = [
  message('[null]'),
  message('[1,"a",true,[],{}]'),
  message('[{"type":"order"}]'),
  message('[{"type":"order","merchantId":1,"orderNo":{},"status":[]}]'),
  message('[{"type":"case","merchantId":"M","caseNo":"1","state":"open"}]'),
  message('[{"type":"approval","merchantId":"M","approvalId":null,"state":"pending"}]'),
  message('[{"type":"__proto__","merchantId":"M"}]'),
  message('[{"type":"constructor"},{"type":"toString"},{"type":"hasOwnProperty"}]'),
  message('[{"__proto__":{"type":"order","merchantId":"M","orderNo":"PI","status":"completed"}}]'),
  message(`[${change.replace('completed', 'unheard_of')}]`),
  message(deep(change, 5_000)),
  message(`[${`${change},`.repeat(30_000)}${change}]`),
  message(`["${'a'.repeat(2_000_000)}"]`),
  `{"from":"${'f'.repeat(100_000)}","no":1,"changes":[]}`,
  '{"from":"x","no":1e308,"changes":[]}',
  '{"from":"x","no":-1,"changes":[]}',
  '{"from":"x","no":1.5,"changes":[null]}',
  '{"from":"__proto__","no":1,"changes":[null],"afterLoss":"yes"}',
  '{"from":"x","no":1,"changes":{"length":3}}',
  deep('', 200_000),
  '{"a":'.repeat(100_000),
  '',
  'null',
  '0',
  '"text"',
  '\u0000',
  '{"from":"x","no":1,"changes":[nul',
];

const keys = ['from', 'no', 'changes', 'type', 'merchantId', 'orderNo', 'status', 'host', '__proto__', 'constructor'];
const atoms: readonly unknown[] = [null, true, -1, 0, 1.5, 2 ** 60, '', 'order', 'case', 'completed', 'é\ud800', '\0'];

/** A random JSON value, with the keys of our messages and jobs. */
export function randomValue(random: () => number, depth = 4): unknown {
  const pick = <T>(from: readonly T[]): T | undefined => from[Math.floor(random() * from.length)];
  const kind = random();
  if (depth === 0 || kind < 0.4) return pick(atoms);
  const size = Math.floor(random() * 5);
  if (kind < 0.65) return Array.from({ length: size }, () => randomValue(random, depth - 1));
  // As JSON.parse does, and unlike an assignment, this makes a key `__proto__` of the object's own.
  return Object.fromEntries(Array.from({ length: size }, () => [pick(keys) ?? '', randomValue(random, depth - 1)]));
}
