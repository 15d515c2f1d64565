import type { Mistake } from './mistake.ts';
import type { Recipe } from './recipe.ts';

// Mistakes in the texts of values: how the languages print numbers, true, false, null, texts and empty values.

const NUMBERS =
  "use the number's text from the body, or send amounts as strings. PHP and JavaScript cannot keep that text; Go: UseNumber; Python: parse_float=str";
const EMPTIES = 'leave out null, "", {} and [] altogether';
const STRINGS = 'Or send amounts as strings';

const numbers = (change: Recipe['numbers'], what: string, fix = NUMBERS): Mistake => ({
  step: 'number',
  change: { numbers: change },
  what,
  fix,
});
const booleans = (change: Recipe['booleans'], what: string, fix: string): Mistake => ({
  step: 'boolean',
  change: { booleans: change },
  what,
  fix: `sign true and false in lower case. ${fix}`,
});
const nulls = (change: Recipe['nulls'], what: string, fix: string): Mistake => ({
  step: 'empty',
  change: { nulls: change },
  what,
  fix: `leave out fields that are null. ${fix}`,
});
const empties = (change: Recipe['empties'], what: string, fix = EMPTIES): Mistake => ({
  step: 'empty',
  change: { empties: change },
  what,
  fix,
});
const values = (change: Recipe['values'], what: string, fix: string): Mistake => ({
  step: 'value',
  change: { values: change },
  what,
  fix,
});

const PYTHON = `Python: json.loads(text, parse_int=str, parse_float=str). ${STRINGS}`;
const JAVA = `Java: with Gson setObjectToNumberStrategy(ToNumberPolicy.LAZILY_PARSED_NUMBER). ${STRINGS}`;
const GO = `Go: call UseNumber on the json.Decoder and sign number.String(). ${STRINGS}`;
const PHP = `PHP: numbers lose their text in json_decode. ${STRINGS}`;
const CSHARP = `C#: sign JsonElement.GetRawText(), not the double. ${STRINGS}`;
const RUBY = `Ruby: BigDecimal does not keep the text of a number. ${STRINGS}`;

/** The likely ones. */
export const VALUE_MISTAKES: readonly Mistake[] = [
  numbers('JavaScript', 'numbers were read as doubles and printed again (100.50 became 100.5)'),
  numbers('Python', 'numbers were printed as floats of Python, Ruby or Java (100.00 became 100.0)', PYTHON),
  numbers('Go', 'numbers were printed as Go prints a float64 (1.5e6 became 1.5e+06)', GO),
  numbers('Java', 'numbers were printed as Java prints a double (1e7 became 1.0E7)', JAVA),
  numbers('two decimals', 'numbers were printed with two decimals'),
  numbers('texts as doubles', 'strings that look like numbers were read as numbers ("100.00" became 100)'),
  booleans(
    'True and False',
    'true and false were signed as True and False',
    'Python: json.dumps(value), not str(value). C#: XmlConvert.ToString(value), not ToString()',
  ),
  booleans(
    '1 and 0',
    'true and false were signed as 1 and 0',
    "PHP: $value ? 'true' : 'false'. Databases: turn the column into a boolean first",
  ),
  booleans(
    '1 and nothing',
    'true was signed as 1 and false as an empty text',
    "PHP: $value ? 'true' : 'false', because a boolean as a string is '1' or ''",
  ),
  booleans(
    '1 and left out',
    'true was signed as 1, and false was left out',
    "PHP: $value ? 'true' : 'false', and leave out only null, '' and empty arrays: empty() and array_filter drop false too",
  ),
  empties('kept', 'empty fields are there as path= (or {} and [])'),
  empties('empty kept', 'empty strings are there as path='),
  nulls('nothing', 'null is there as path=', 'PHP, Ruby and C# print it as an empty text'),
  nulls(
    'null',
    'null is there as the word null',
    'Java: String.valueOf(null) is the text "null", so test for null first',
  ),
  nulls('None', 'null is there as the word None', 'Python: test "value is None" before str(value)'),
  nulls('nil', 'null is there as the word nil', 'Ruby: test value.nil? before you print it'),
  nulls('<nil>', 'null is there as <nil>', 'Go: test value == nil before fmt.Sprint(value)'),
  nulls('NULL', 'null is there as the word NULL', 'PHP: test $value === null before var_export or the SQL text'),
  values(
    'trimmed',
    'white space at the ends of values was removed',
    'sign texts as they are sent. Trim them before you make the body, not after',
  ),
];

const HTML = 'sign texts as they are sent.';

/** The less likely ones. */
export const RARE_VALUE_MISTAKES: readonly Mistake[] = [
  numbers('PHP', 'numbers were printed as PHP prints a float, with 14 digits (precision)', PHP),
  numbers('PHP JSON', 'numbers were printed as json_encode of PHP prints a float', PHP),
  numbers('PHP var_export', 'numbers were printed as var_export of PHP prints a float', PHP),
  numbers('Java, whole numbers too', 'all numbers were printed as Java prints a double (100 became 100.0)', JAVA),
  numbers('Ruby', 'numbers were printed as Ruby prints a Float (1e25 became 1.0e+25)', RUBY),
  numbers(
    'BigDecimal',
    'numbers were printed with an exponent of BigDecimal or Decimal (1e7 became 1E+7)',
    `Java: new BigDecimal(text).toString() is not the text of the body. Python: parse_float=str. ${STRINGS}`,
  ),
  numbers('decimal', 'the exponent of a number was written out (1e7 became 10000000)'),
  numbers(
    'decimal, no zeros',
    'zeros at the end of decimals were removed',
    `Java: no stripTrailingZeros(). ${STRINGS}`,
  ),
  numbers('Json.NET', 'numbers were printed as Json.NET prints a double (1e25 became 1E+25)', CSHARP),
  numbers('C#', 'numbers were printed as C# prints a double, with 15 digits', CSHARP),
  numbers('C#, whole numbers too', 'all numbers were printed as C# prints a double, with 15 digits', CSHARP),
  numbers('plain double', 'numbers were printed as doubles without an exponent', GO),
  numbers('six decimals', 'numbers were printed with six decimals', GO),
  numbers('Ruby BigDecimal', 'numbers were printed as Ruby prints a BigDecimal (100.00 became 0.1e3)', RUBY),
  numbers('Ruby BigDecimal, F', "numbers were printed as BigDecimal#to_s('F') of Ruby (100.00 became 100.0)", RUBY),
  booleans('TRUE and FALSE', 'true and false were signed as TRUE and FALSE', 'do not print them in upper case'),
  empties('as arrays', 'empty objects and arrays are there as []', `${EMPTIES}. PHP reads {} as an empty array`),
  empties('as objects', 'empty objects and arrays are there as {}', `${EMPTIES}. PHP: no JSON_FORCE_OBJECT`),
  empties(
    'PHP',
    'empty objects and arrays are there as the word Array',
    `${EMPTIES}. PHP prints every array as "Array"`,
  ),
  empties('Go', 'empty objects and arrays are there as map[] and []', `${EMPTIES}. Go: no fmt.Sprint of a map`),
  values(
    'HTML, &#039;',
    "texts were escaped for HTML (' became &#039;)",
    `${HTML} PHP: no htmlspecialchars before the request is signed`,
  ),
  values(
    'HTML, &#x27;',
    "texts were escaped for HTML (' became &#x27;)",
    `${HTML} Python: no html.escape before the request is signed`,
  ),
  values(
    'HTML, &#39;',
    "texts were escaped for HTML (' became &#39;)",
    `${HTML} Ruby: no CGI.escapeHTML; C#: no HtmlEncode`,
  ),
  values(
    'HTML, &#39; &#34;',
    'texts were escaped for HTML (" became &#34;)',
    `${HTML} Go: no html.EscapeString, and text/template instead of html/template`,
  ),
  values(
    'HTML, ASCII',
    'texts were escaped for HTML, letters such as é too',
    `${HTML} C#: no HttpUtility.HtmlEncode before the request is signed`,
  ),
  values(
    'HTML, no apostrophe',
    'texts were escaped for HTML (& became &amp;)',
    `${HTML} Escape them only where a page shows them`,
  ),
  values(
    'in apostrophes',
    'texts are in apostrophes',
    'PHP: sign the text itself, without var_export. Python: str(value), not repr(value)',
  ),
  values('JSON', 'texts were signed as JSON, in quotes', 'sign the text itself. Use a JSON printer only for the body'),
  values(
    'JSON, ASCII',
    'texts were signed as JSON, in quotes and with \\uXXXX',
    'sign the text itself, not json.dumps(text) or json_encode($text)',
  ),
  values(
    'JSON, slashes',
    'texts were signed as JSON, in quotes and with \\/',
    'PHP: sign the text itself, not json_encode($text)',
  ),
  values(
    'JSON, ASCII, slashes',
    'texts were signed as JSON, in quotes, with \\uXXXX and \\/',
    'PHP: sign the text itself, not json_encode($text)',
  ),
  values(
    'JSON, HTML',
    'texts were signed as JSON, in quotes and with \\u003c',
    'Go: sign the text itself, not json.Marshal(text)',
  ),
  values(
    'JSON, HTML of Gson',
    'texts were signed as JSON, in quotes and with \\u0027',
    'Gson: sign the text itself, not gson.toJson(text)',
  ),
];
