import { closestMatch } from 'leven';

const ourPrefix = 'TIDEGATE_';

/** Variables that Kubernetes and Docker add for each service. Their names can look like ours. */
const ofServices = /_SERVICE_(HOST|PORT(_\w+)?)$|_PORT(_\d+_(TCP|UDP|SCTP)(_(PROTO|PORT|ADDR))?)?$/;

/**
 * Reports each name with our prefix, or similar to a known one, that no process of ours reads. Names of fewer than six
 * letters are ignored, because other programs have such too.
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
 * The known name of which this one is a misspelling: other case or separators, or one or two letters changed, missing
 * or added.
 */
function nearest(name: string, known: ReadonlySet<string>): string | null {
  const plain = plainOf(name);
  // Longer than any of our names. The work grows with the square of the length.
  if (plain.length < 6 || plain.length > 64) return null;
  const byPlain = new Map([...known].map((one) => [plainOf(one), one]));
  const candidates = [...byPlain.keys()].filter((one) => one.length >= 6);
  const found = closestMatch(plain, candidates, { maxDistance: plain.length < 9 ? 1 : 2 });
  return found === undefined ? null : (byPlain.get(found) ?? null);
}

const plainOf = (name: string) => name.toUpperCase().replaceAll(/[^A-Z0-9]/g, '');
