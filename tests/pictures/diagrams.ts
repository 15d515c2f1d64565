import { hash } from 'node:crypto';

/** A Mermaid diagram of a page, and the SVG file that is made of it: the first link to one below the diagram. */
export interface Diagram {
  source: string;
  svgPath: string;
}

export function readDiagrams(page: string): Diagram[] {
  return [...page.matchAll(/^```mermaid\n([\s\S]*?)^```$([\s\S]*?)\]\((docs\/images\/[\w-]+\.svg)\)/gm)].map(
    ([, source = '', , svgPath = '']) => ({ source, svgPath }),
  );
}

/** Ends an SVG file: says which source it was drawn from. */
export const sourceMark = (source: string): string => `<!-- drawn from ${hash('sha256', source)} -->`;
