/** One comparison, both sides measured in the same run. */
export interface BenchRow {
  readonly name: string;
  /** What ours and the peer's cost, in `unit`; less is better. */
  readonly ours: number;
  readonly peer: number;
  readonly unit: 'ms' | 'µs CPU' | 'KB' | 'MB' | 'trips';
  /** The peer's cost over ours: how many times cheaper ours is. */
  readonly ratio: number;
  /** The least ratio that is wanted; undefined where there is none. */
  readonly target: number | undefined;
  /** What is compared where it is not us and a peer: names for `ours` and `peer`. */
  readonly sides?: readonly [string, string];
  /** Peak resident memory of a process that does the work. */
  readonly memoryMb?: number;
  /** What a reader must know beside the figures. */
  readonly note?: string;
}

/** Writes rows as an aligned table; a ratio that misses its target is marked. */
export function formatRows(title: string, rows: readonly BenchRow[]): string {
  const width = Math.max(...rows.map(({ name }) => name.length));
  const lines = rows.map(({ name, ours, peer, unit, ratio, target, sides, memoryMb, note }) =>
    [
      `  ${name.padEnd(width)}`,
      `${sides?.[0] ?? 'ours'} ${ours.toFixed(1).padStart(8)} ${unit}`,
      `${sides?.[1] ?? 'peer'} ${peer.toFixed(1).padStart(8)} ${unit}`,
      `${ratio.toFixed(2).padStart(6)} times`,
      target === undefined ? '' : `wanted ${target.toFixed(2)}${ratio < target ? '  MISSED' : ''}`,
      memoryMb === undefined ? '' : `peak ${Math.round(memoryMb)} MB`,
      note ?? '',
    ]
      .join('  ')
      .trimEnd(),
  );
  return `${title}\n${lines.join('\n')}\n`;
}
