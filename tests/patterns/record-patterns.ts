import { checkers, problemOf } from './check-pattern.ts';
import { readPatterns } from './read-patterns.ts';
import { readRecord, writeRecord } from './recorded-patterns.ts';

// npm run patterns: checks the patterns that are not in the record yet, and writes it. Fails if one is not linear.

const { patterns } = readPatterns();
const before = readRecord();
const known = new Set(before.checkers === checkers ? before.patterns : []);
const linear: string[] = [];
for (const pattern of patterns) {
  const isKnown = known.has(pattern.text);
  const problem = isKnown ? null : problemOf(pattern);
  if (problem === null) {
    linear.push(pattern.text);
    // What was checked so far is kept if the run is ended: all together takes minutes.
    if (!isKnown) writeRecord([...new Set([...known, ...linear])].toSorted());
  } else {
    console.error(`${pattern.places.join(', ')}: ${pattern.text} ${problem}`);
    process.exitCode = 1;
  }
}
writeRecord(linear);
console.log(`${linear.length} of ${patterns.length} patterns are linear.`);
