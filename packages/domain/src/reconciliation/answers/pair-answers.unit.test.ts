import { expect, test } from 'vitest';
import { type FoundAnswer, pairAnswers } from './pair-answers.ts';

const rests: Readonly<Record<string, string>> = { A: '100.00', B: '100.00', C: '100.00' };
/** What lines of these sizes can answer: `s1 100.00 AB` is a line that shows A or B. One of 70.00 shows no more than what is left. */
const paired = (...lines: string[]): string[] => {
  const found = lines.flatMap((text): FoundAnswer[] => {
    const [subject = '', size = '', abouts = ''] = text.split(' ');
    return [...abouts].map((about) => ({
      subject,
      about,
      breakNo: about.charCodeAt(0),
      size,
      rest: rests[about] ?? '',
      mayExceed: size !== '70.00',
    }));
  });
  return pairAnswers(found)
    .map(({ subject, breakNo }) => `${subject} ${String.fromCharCode(breakNo)}`)
    .toSorted();
};

test.each([
  ['in their order', ['s1 100.00 AB', 's2 100.00 AB'], ['s1 A', 's2 B']],
  ['the one without a choice first', ['s1 100.00 AB', 's2 100.00 A'], ['s1 B', 's2 A']],
  ['one that can move gives way', ['s1 100.00 BC', 's2 100.00 AB', 's3 100.00 AB'], ['s1 C', 's2 B', 's3 A']],
  ['a third one finds nothing left', ['s1 100.00 AB', 's2 100.00 AB', 's3 100.00 AB'], ['s1 A', 's2 B']],
  ['whole amounts before parts', ['s1 60.00 AB', 's2 100.00 A'], ['s1 B', 's2 A']],
  ['parts up to what is left', ['s1 60.00 A', 's2 80.00 A', 's3 10.00 A'], ['s1 A', 's2 A']],
  ['no part over what is left if it cannot be more', ['s1 60.00 A', 's2 70.00 A', 's3 10.00 A'], ['s1 A', 's3 A']],
  ['parts where they fit', ['s1 60.00 AB', 's2 80.00 AB', 's3 40.00 AB'], ['s1 A', 's2 B', 's3 A']],
  ['parts without a choice first', ['s1 60.00 AB', 's2 60.00 A'], ['s1 B', 's2 A']],
])('each wanted break answers at most one ended break: %s', (_, lines, answers) => {
  expect(paired(...lines)).toEqual(answers);
});
