import { type Country, countryDefinitions, countryRules } from '@tidegate/domain';

/** ISO 639-1: `en`, or the language of a country. */
export type Language = string;

const MAX_HEADER = 500;

/**
 * Returns English or the language of the country, whichever Accept-Language prefers (RFC 9110, 12.5.4), and English if
 * it names neither. Without a country, any of the languages of the page is possible.
 */
export function chooseLanguage(header: string | undefined, country: Country | null): Language {
  const definitions = country === null ? countryDefinitions : [countryRules[country]];
  const offered: Language[] = ['en', ...definitions.map(({ checkout }) => checkout.language)];
  const wanted = (header ?? '').slice(0, MAX_HEADER).split(',').map(readRange);
  let chosen: { language: Language; weight: number } = { language: 'en', weight: 0 };
  for (const { tag, weight } of wanted) {
    const language = tag === '*' ? 'en' : offered.find((one) => tag === one || tag.startsWith(`${one}-`));
    if (language !== undefined && weight > chosen.weight) chosen = { language, weight };
  }
  return chosen.language;
}

/** Reads a range such as `th-TH;q=0.8`. An unreadable weight counts as zero. */
function readRange(range: string): { tag: string; weight: number } {
  const [tag = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase());
  const q = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2) ?? '1';
  return { tag, weight: /^(0(\.\d{0,3})?|1(\.0{0,3})?)$/.test(q) ? Number(q) : 0 };
}
