import { byCodePoint } from '../content.ts';
import { type Finding, wrong } from './finding.ts';

const MAX_DIFFERENCES = 8;

/**
 * Compares the signed text with the expected one, pair by pair. Used if no combination of known mistakes explains it.
 */
export function compareTexts(expected: string, found: string): Finding[] {
  const should = pairsOf(expected);
  const is = pairsOf(found);
  const findings: Finding[] = [];
  for (const [name, text] of should) {
    const other = is.get(name);
    if (other === undefined)
      findings.push(wrong('content', `the pair ${shown(name)} is missing`, `add ${shown(`${name}=${text}`)}`));
    else if (other !== text)
      findings.push(
        wrong('content', `${shown(name)} has another value`, whyOther(text, other), { expected: text, found: other }),
      );
  }
  for (const name of is.keys())
    if (!should.has(name))
      findings.push(
        wrong(
          'content',
          `the pair ${shown(name)} does not belong there`,
          'sign the fields of the body or query, timestamp and nonce, and nothing else',
        ),
      );
  const names = [...is.keys()];
  if (names.some((name, at) => at > 0 && byCodePoint(plain(names[at - 1] ?? ''), plain(name)) > 0))
    findings.push(
      wrong('order', 'the pairs are not in their order', 'sort them by the unescaped path, by Unicode code points'),
    );
  if (findings.length === 0)
    findings.push(
      wrong(
        'content',
        `the texts differ from character ${firstDifference(expected, found)} on`,
        'compare them character by character',
        { expected, found },
      ),
    );
  return findings.slice(0, MAX_DIFFERENCES);
}

function whyOther(expected: string, found: string): string {
  if (found.trim() === expected.trim()) return 'take the value with the white space that it has';
  if (found.toLowerCase() === expected.toLowerCase()) return 'keep upper and lower case as they are';
  if (Number(found) === Number(expected) && expected.trim() !== '') return "use the number's text from the body";
  if (plain(found) === plain(expected)) return 'escape %, & and = once each, and nothing else';
  return 'take it from the very body or header that is sent';
}

function pairsOf(text: string): Map<string, string> {
  return new Map(
    text.split('&').map((pair) => {
      const equals = pair.indexOf('=');
      return equals === -1 ? [pair, ''] : [pair.slice(0, equals), pair.slice(equals + 1)];
    }),
  );
}

function plain(text: string): string {
  return text.replaceAll('%3D', '=').replaceAll('%26', '&').replaceAll('%25', '%');
}

function firstDifference(a: string, b: string): number {
  let at = 0;
  while (at < a.length && a[at] === b[at]) at += 1;
  return at;
}

function shown(text: string): string {
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}
