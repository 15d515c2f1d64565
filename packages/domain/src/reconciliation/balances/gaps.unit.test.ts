import { expect, test } from 'vitest';
import { type AccountFacts, gapsOf, type KnownStatement } from './gaps.ts';

/** A statement of the days 1 to 9 of a month: first day, last day, opening, closing. */
type Shown = readonly [first: number, last: number, opening: number, closing: number];
const dayOf = (n: number): string => `2026-03-0${n}`;
const money = (amount: number): string => amount.toFixed(2);

function gaps(
  statements: readonly Shown[],
  moved: readonly (readonly [day: number, amount: number])[],
  more: Partial<AccountFacts> = {},
) {
  const known = statements.map(
    ([first, last, opening, closing], i): KnownStatement => ({
      fileNo: i + 1,
      firstFileNo: i + 1,
      place: 1,
      firstDay: dayOf(first),
      lastDay: dayOf(last),
      opening: money(opening),
      closing: money(closing),
    }),
  );
  const facts = {
    statements: known,
    moved: moved.map(([day, amount]) => ({ day: dayOf(day), amount: money(amount) })),
    ended: [],
    isPartOf: () => false,
    ...more,
  };
  return gapsOf(facts).map(({ day, amount }) => `${day.slice(-1)} ${amount}`);
}

const posted = (day: number, amount: number, since = day - 2) => ({
  since: dayOf(since),
  day: dayOf(day),
  amount: money(amount),
  isBooked: true,
});
const explained = (day: number, amount: number) => ({ ...posted(day, amount), isBooked: false });

test('the change of the balance between the ends of two days is what the lines come to', () => {
  expect(
    gaps(
      [
        [1, 1, 0, 100],
        [2, 2, 100, 130],
      ],
      [
        [1, 100],
        [2, 30],
      ],
    ),
  ).toEqual([]);
  expect(
    gaps(
      [
        [1, 1, 0, 100],
        [3, 3, 150, 180],
      ],
      [
        [1, 100],
        [3, 30],
      ],
    ),
  ).toEqual(['3 50.00']);
  expect(
    gaps(
      [
        [1, 1, 0, 100],
        [2, 2, 90, 120],
      ],
      [
        [1, 100],
        [2, 30],
      ],
    ),
  ).toEqual(['2 -10.00']);
});

test.each<[string, readonly Shown[], [number, number][], string[]]>([
  [
    'weeks that overlap, each with a line the other lacks',
    [
      [1, 3, 0, 270],
      [2, 4, 150, 200],
    ],
    [
      [1, 150],
      [2, 130],
      [3, 20],
    ],
    ['4 -100.00'],
  ],
  [
    'month-to-date files, a line gone in the last one',
    [[1, 3, 0, 40]],
    [
      [1, 10],
      [2, 20],
      [3, 30],
    ],
    ['3 -20.00'],
  ],
  [
    'days that a bank corrected in any order',
    [
      [3, 3, 170, 190],
      [2, 2, 140, 170],
      [1, 1, 0, 140],
    ],
    [
      [1, 140],
      [2, 130],
      [3, 20],
    ],
    ['2 -100.00'],
  ],
  [
    'a wrong opening balance that was corrected',
    [
      [1, 1, 0, 150],
      [2, 2, 151, 281],
      [2, 2, 150, 280],
      [3, 3, 280, 300],
    ],
    [
      [1, 150],
      [2, 130],
      [3, 20],
    ],
    [],
  ],
  [
    'a day whose correction has no line in common',
    [
      [1, 1, 0, 9],
      [2, 2, 9, 9],
      [3, 3, 9, 39],
    ],
    [
      [1, 9],
      [2, 20],
      [3, 30],
    ],
    ['2 -20.00'],
  ],
])('statements that contradict each other are told by what they come to: %s', (_, statements, moved, found) => {
  expect(gaps(statements, moved)).toEqual(found);
});

test('of several statements of a day the one that no other continues shows its end, in whichever order they come', () => {
  const parts: Shown[] = [
    [1, 1, 0, 10],
    [1, 1, 10, 25],
    [1, 1, 25, 20],
  ];
  for (const [a, b, c] of [
    [0, 1, 2],
    [2, 1, 0],
    [1, 2, 0],
  ] as const)
    expect(gaps([parts[a] ?? [1, 1, 0, 0], parts[b] ?? [1, 1, 0, 0], parts[c] ?? [1, 1, 0, 0]], [[1, 20]])).toEqual([]);
  expect(
    gaps(
      [
        [1, 1, 0, 10],
        [1, 1, 60, 70],
      ],
      [[1, 20]],
    ),
  ).toEqual(['1 50.00']);
});

test('a corrected part of a day stands where the part stood that it corrects', () => {
  const corrected: KnownStatement = {
    fileNo: 3,
    firstFileNo: 1,
    place: 1,
    firstDay: dayOf(1),
    lastDay: dayOf(1),
    opening: '0.00',
    closing: '11.00',
  };
  const evening: KnownStatement = { ...corrected, fileNo: 2, firstFileNo: 2, opening: '60.00', closing: '70.00' };
  expect(gaps([], [[1, 21]], { statements: [evening, corrected] })).toEqual(['1 49.00']);
});

test('a part of a day is not its end, unless the next statement goes on from it', () => {
  const statements: Shown[] = [
    [1, 1, 0, 20],
    [1, 1, 10, 15],
  ];
  const isPartOf = (part: KnownStatement): boolean => part.fileNo === 2;
  expect(gaps(statements, [[1, 20]], { isPartOf })).toEqual([]);
  expect(gaps([...statements, [2, 2, 15, 15]], [[1, 20]], { isPartOf })).toEqual(['1 -5.00']);
});

test('days within a longer statement that came later are no ends', () => {
  const days: Shown[] = [
    [1, 1, 0, 40],
    [2, 2, 40, 70],
    [3, 3, 70, 120],
  ];
  // The bank corrects the second day by a file of all three.
  expect(
    gaps(
      [...days, [1, 3, 0, 115]],
      [
        [1, 40],
        [2, 25],
        [3, 50],
      ],
    ),
  ).toEqual([]);
  expect(
    gaps(
      [[1, 3, 0, 115], ...days],
      [
        [1, 40],
        [2, 25],
        [3, 50],
      ],
    ),
  ).toEqual(['2 5.00']);
});

test('the empty statement of the last day of a longer one leaves its end known', () => {
  const isPartOf = (part: KnownStatement): boolean => part.firstDay === dayOf(4);
  for (const rest of [
    [
      [3, 4, 150, 150],
      [4, 4, 150, 150],
    ],
    [
      [4, 4, 150, 150],
      [3, 4, 150, 150],
    ],
  ] as const)
    expect(gaps([[1, 1, 0, 100], ...rest], [[1, 100]], { isPartOf })).toEqual(['4 50.00']);
});

test('an account that was emptied comes back to where it was', () => {
  expect(
    gaps(
      [
        [1, 1, 0, 70],
        [1, 1, 70, 0],
      ],
      [[1, 0]],
    ),
  ).toEqual([]);
  expect(
    gaps(
      [
        [1, 1, 0, 70],
        [1, 1, 70, 0],
        [1, 1, 0, 9],
      ],
      [[1, 9]],
    ),
  ).toEqual([]);
});

test('what people booked for a gap counts, and what is left of it is a gap again', () => {
  const statements: Shown[] = [
    [1, 1, 0, 100],
    [3, 3, 150, 180],
  ];
  const moved: [number, number][] = [
    [1, 100],
    [3, 30],
  ];
  expect(gaps(statements, moved, { ended: [posted(3, 50)] })).toEqual([]);
  expect(gaps([...statements, [2, 2, 100, 120]], [...moved, [2, 20]], { ended: [posted(3, 50)] })).toEqual([
    '3 -20.00',
  ]);
  expect(gaps([...statements, [2, 2, 100, 150]], [...moved, [2, 50]], { ended: [posted(3, 50)] })).toEqual([
    '3 -50.00',
  ]);
  // A later file moves the gap to another day.
  expect(gaps([...statements, [2, 2, 150, 150]], moved, { ended: [posted(3, 50)] })).toEqual([]);
  expect(gaps([[1, 1, 0, 100]], [[1, 100]], { ended: [posted(3, 50)] })).toEqual(['3 -50.00']);
});

test('a balance that is wrong in its file tells nothing, as long as it is the same', () => {
  const statements: Shown[] = [
    [1, 1, 0, 100],
    [3, 3, 150, 180],
  ];
  const moved: [number, number][] = [
    [1, 100],
    [3, 30],
  ];
  expect(gaps(statements, moved, { ended: [explained(3, 50)] })).toEqual([]);
  // What goes on from the right balance, and from the wrong one.
  expect(gaps([...statements, [4, 4, 130, 130]], moved, { ended: [explained(3, 50)] })).toEqual([]);
  expect(gaps([...statements, [4, 4, 180, 180]], moved, { ended: [explained(3, 50)] })).toEqual(['4 50.00']);
  const changed: Shown[] = [
    [1, 1, 0, 70],
    [3, 3, 150, 180],
  ];
  const ended = [explained(3, 50), posted(3, 30)];
  expect(
    gaps(
      changed,
      [
        [1, 70],
        [3, 30],
      ],
      { ended },
    ),
  ).toEqual(['3 50.00']);
  // The lost file shows that it was right: then the next balance is not.
  const back: Shown[] = [
    [1, 1, 0, 100],
    [3, 3, 150, 150],
    [5, 5, 100, 100],
  ];
  expect(gaps(back, [[1, 100]], { ended: [explained(3, 50)] })).toEqual([]);
  expect(
    gaps(
      [...back, [2, 2, 100, 150]],
      [
        [1, 100],
        [2, 50],
      ],
      { ended: [explained(3, 50)] },
    ),
  ).toEqual(['5 -50.00']);
});

test('gaps of equal amount do not stand for each other', () => {
  const moved: [number, number][] = [[1, 100]];
  const empty: Shown[] = [
    [1, 1, 0, 100],
    [3, 3, 150, 150],
    [4, 4, 200, 200],
    [6, 6, 250, 250],
  ];
  expect(gaps(empty, moved, { ended: [posted(3, 50)] })).toEqual(['4 50.00', '6 50.00']);
  const came: Shown[] = [...empty, [2, 2, 100, 150]];
  expect(gaps(came, [...moved, [2, 50]], { ended: [posted(3, 50)] })).toEqual(['3 -50.00', '4 50.00', '6 50.00']);
});
