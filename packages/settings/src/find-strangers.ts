const ourPrefix = 'TIDEGATE_';

/** What Kubernetes and Docker add for each service beside us, whose name can begin like ours. */
const ofServices = /_SERVICE_(HOST|PORT(_\w+)?)$|_PORT(_\d+_(TCP|UDP|SCTP)(_(PROTO|PORT|ADDR))?)?$/;

/**
 * A line for each name that is meant for us and that nobody of ours reads: one of our own prefix, or nearly one that we know. Names of fewer
 * than six letters are left alone: others have such too.
 */
export function findStrangers(names: readonly string[], known: ReadonlySet<string>): string[] {
  return names.flatMap((name) => {
    if (known.has(name) || ofServices.test(name)) return [];
    const meant = nearest(name, known);
    if (meant !== null) return [`${name} is not known: is ${meant} meant?`];
    return name.startsWith(ourPrefix) ? [`${name} is not known: no process of ours reads it`] : [];
  });
}

/** The known name that this one is a misspelling of: other case or separators, or one or two letters changed, missing, added, swapped. */
function nearest(name: string, known: ReadonlySet<string>): string | null {
  const plain = plainOf(name);
  // Nothing of ours is as long, and distances are squares.
  if (plain.length < 6 || plain.length > 64) return null;
  const near = [...known]
    .map((one) => ({ one, distance: plainOf(one).length < 6 ? 99 : distance(plain, plainOf(one)) }))
    .filter((found) => found.distance <= (plain.length < 9 ? 1 : 2))
    .toSorted((a, b) => a.distance - b.distance);
  return near[0]?.one ?? null;
}

const plainOf = (name: string) => name.toUpperCase().replaceAll(/[^A-Z0-9]/g, '');

/** Damerau's: how many letters have to be changed, removed, added or swapped with their neighbour. */
function distance(a: string, b: string): number {
  let [before, row] = [[] as number[], Array.from({ length: b.length + 1 }, (_, at) => at)];
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const same = a[i - 1] === b[j - 1];
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      next[j] = Math.min(
        (row[j] ?? 0) + 1,
        (next[j - 1] ?? 0) + 1,
        (row[j - 1] ?? 0) + (same ? 0 : 1),
        swapped ? (before[j - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY,
      );
    }
    [before, row] = [row, next];
  }
  return row[b.length] ?? 0;
}
