import { closestMatch } from 'leven';

const ourPrefix = 'TIDEGATE_';

/** Variables that Kubernetes and Docker set for each service. Their names can look like ours. */
const ofServices = /_SERVICE_(?:HOST|PORT)$|_SERVICE_PORT_\w|_PORT(_\d+_(TCP|UDP|SCTP)(_(PROTO|PORT|ADDR))?)?$/;

/**
 * Reports variables that begin with our prefix or resemble one of ours, but that no process of ours reads. Names of
 * fewer than six letters are ignored, because other programs have similar ones.
 */
export function findUnknownNames(names: readonly string[], known: ReadonlySet<string>): string[] {
  return names.flatMap((name) => {
    if (known.has(name) || ofServices.test(name)) return [];
    const similar = nearest(name, known);
    if (similar !== null) return [`${name} is not known: did you mean ${similar}?`];
    return name.startsWith(ourPrefix) ? [`${name} is not known: no process of ours reads it`] : [];
  });
}

/**
 * The known name that was probably meant: case and separators may differ, and one or two letters may be changed,
 * missing or added.
 */
function nearest(name: string, known: ReadonlySet<string>): string | null {
  const plain = plainOf(name);
  // No name of ours is longer than 64. The limit bounds the work, which grows with the square of the length.
  if (plain.length < 6 || plain.length > 64) return null;
  const byPlain = new Map([...known].map((one) => [plainOf(one), one]));
  const candidates = [...byPlain.keys()].filter((one) => one.length >= 6);
  const found = closestMatch(plain, candidates, { maxDistance: plain.length < 9 ? 1 : 2 });
  return found === undefined ? null : (byPlain.get(found) ?? null);
}

const plainOf = (name: string) => name.toUpperCase().replaceAll(/[^A-Z0-9]/g, '');
