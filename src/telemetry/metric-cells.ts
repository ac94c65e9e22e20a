/** A number that only grows. */
export interface CounterCell {
  value: number;
}

/** How often a value fell into each bucket. */
export interface HistogramCell {
  observe(value: number): void;
  /** Values at or below each bound, and in the last place all of them: not cumulated. */
  readonly counts: readonly number[];
  readonly sum: number;
}

export function createHistogramCell(bounds: readonly number[]): HistogramCell {
  const counts = new Array<number>(bounds.length + 1).fill(0);
  const cell = {
    counts,
    sum: 0,
    observe(value: number) {
      let index = 0;
      while (index < bounds.length && value > (bounds[index] as number)) index += 1;
      counts[index] = (counts[index] as number) + 1;
      cell.sum += value;
    },
  };
  return cell;
}

/** One cell for each combination of label values. */
export interface CellFamily<Cell> {
  /** Returns the cell of the values, for whoever counts often to keep. */
  of(values: readonly string[]): Cell;
  entries(): Iterable<readonly [values: readonly string[], cell: Cell]>;
}

/** What stands for every label value once there are too many. */
export const otherValue = 'other';

/**
 * Returns an empty family. Callers can make up some values, such as models of a server that lists none: after `cellsMax`
 * combinations all new ones are counted as `other`.
 */
export function createCellFamily<Cell>(create: () => Cell, cellsMax = 2_000): CellFamily<Cell> {
  const cells = new Map<string, readonly [readonly string[], Cell]>();

  function find(values: readonly string[], isWithinLimit: boolean): Cell {
    const key = values.join('\0');
    const known = cells.get(key);
    if (known !== undefined) return known[1];
    if (isWithinLimit && cells.size >= cellsMax)
      return find(
        values.map(() => otherValue),
        false,
      );
    const cell = create();
    cells.set(key, [[...values], cell]);
    return cell;
  }

  return {
    of: (values) => find(values, true),
    entries: () => cells.values(),
  };
}
