/** A point through which a line is fitted. */
export interface Point {
  x: number;
  y: number;
}

/** The line that fits the points best (least squares). The points need at least two different `x`. */
export function fitLine(points: readonly Point[]): { slope: number; atZero: number } {
  const meanOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;
  const [meanX, meanY] = [meanOf(points.map(({ x }) => x)), meanOf(points.map(({ y }) => y))];
  const spread = points.reduce((sum, { x }) => sum + (x - meanX) ** 2, 0);
  if (!(spread > 0)) throw new Error('a line needs points at two different places');
  const slope = points.reduce((sum, { x, y }) => sum + (x - meanX) * (y - meanY), 0) / spread;
  return { slope, atZero: meanY - slope * meanX };
}
