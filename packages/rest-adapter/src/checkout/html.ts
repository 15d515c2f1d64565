/** Text that is already HTML. Other values in `html` are escaped. */
export class Html {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** HTML from a template: values are escaped for text and quoted attributes, `null` and `false` are left out. */
export function html(parts: TemplateStringsArray, ...values: (Html | string | null | false)[]): Html {
  return new Html(parts.map((part, i) => part + textOf(values[i] ?? null)).join(''));
}

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

function textOf(value: Html | string | null | false): string {
  if (value === null || value === false) return '';
  return value instanceof Html ? value.text : value.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '');
}
