import { busyCores, type MeasuredRate, processes, processNames } from './formula.ts';

const panel = { width: 360, height: 300, top: 70, lefts: [60, 490] } as const;
const size = { width: 880, height: 450 };
const barShare = 0.6;

const style = `
  svg { font: 14px system-ui, sans-serif; }
  .paper { fill: #ffffff; } text { fill: #1f2328; } .axis { stroke: #59636e; fill: none; } .minor { fill: #59636e; }
  .rest-adapter { fill: #7cb3f0; } .worker { fill: #f2b872; } .postgres { fill: #86cf9f; } .redis { fill: #e38d98; }
  @media (prefers-color-scheme: dark) {
    .paper { fill: #0d1117; } text { fill: #e6edf3; } .axis { stroke: #9198a1; } .minor { fill: #9198a1; }
    .rest-adapter { fill: #2c5f99; } .worker { fill: #8a5a1e; } .postgres { fill: #2d6b43; } .redis { fill: #8b3a45; }
  }`;

/** Draws the cores that are busy at each measured rate, as an SVG with a panel for each kind of order. */
export function drawCapacity(payins: readonly MeasuredRate[], payouts: readonly MeasuredRate[]): string {
  const most = Math.ceil(Math.max(...[...payins, ...payouts].map(sumOf)) * 2) / 2;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size.width} ${size.height}" role="img" aria-labelledby="title">
<title id="title">Busy cores by process at each measured rate, for payins and for payouts</title>
<style>${style}
</style>
<rect class="paper" width="${size.width}" height="${size.height}"/>
<text x="${panel.lefts[0]}" y="26">Busy cores by process, measured at each rate</text>
${drawPanel('Payins', payins, panel.lefts[0], most)}
${drawPanel('Payouts', payouts, panel.lefts[1], most)}
${drawLegend()}
</svg>
`;
}

const sumOf = (measured: MeasuredRate): number => processes.reduce((sum, name) => sum + busyCores(measured, name), 0);

/** `most`: the height of the panel in cores, a multiple of 0.5. */
function drawPanel(title: string, measured: readonly MeasuredRate[], left: number, most: number): string {
  const y = (cores: number): number => panel.top + panel.height * (1 - cores / most);
  const bottom = panel.top + panel.height;
  const step = panel.width / measured.length;
  const bars = measured.map((rate, nth) => drawBar(rate, { left: left + step * nth, step, y }));
  const marks = Array.from({ length: most * 2 + 1 }, (_, i) => i / 2).map(
    (cores) =>
      `<text class="minor" x="${left - 8}" y="${y(cores).toFixed(1)}" dy="5" text-anchor="end">${cores.toFixed(1)}</text>`,
  );
  return [
    `<text x="${left}" y="${panel.top - 14}" font-weight="600">${title}</text>`,
    ...bars,
    `<path class="axis" d="M${left} ${panel.top}V${bottom}H${left + panel.width}"/>`,
    ...marks,
    `<text class="minor" x="${left + panel.width / 2}" y="${bottom + 42}" text-anchor="middle">orders per second</text>`,
  ].join('\n');
}

interface Place {
  left: number;
  step: number;
  y(cores: number): number;
}

function drawBar(measured: MeasuredRate, { left, step, y }: Place): string {
  const [x, width] = [(left + (step * (1 - barShare)) / 2).toFixed(1), (step * barShare).toFixed(1)];
  let below = 0;
  const parts = processes.map((name) => {
    const [from, to] = [below, below + busyCores(measured, name)];
    below = to;
    return `<rect class="${name}" x="${x}" y="${y(to).toFixed(1)}" width="${width}" height="${(y(from) - y(to)).toFixed(1)}"/>`;
  });
  const middle = (left + step / 2).toFixed(1);
  return [
    ...parts,
    `<text x="${middle}" y="${y(below).toFixed(1)}" dy="-6" text-anchor="middle">${below.toFixed(2)}</text>`,
    `<text class="minor" x="${middle}" y="${panel.top + panel.height + 20}" text-anchor="middle">${measured.ordersPerSecond}</text>`,
  ].join('\n');
}

function drawLegend(): string {
  return processes
    .map((name, i) => {
      const left = panel.lefts[0] + i * 150;
      return `<rect class="${name}" x="${left}" y="${size.height - 26}" width="14" height="14"/><text x="${left + 20}" y="${size.height - 14}">${processNames[name]}</text>`;
    })
    .join('\n');
}
