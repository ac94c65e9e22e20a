import { expect, test } from 'vitest';
import { numberLabels } from '../../../../src/documents/charts/vector/number-labels.ts';

test.for([
  [[0, 50, 100], undefined, ['0', '50', '100']],
  [[0, 0.02, 0.04], undefined, ['0', '0.02', '0.04']],
  [[0.3, 0.32, 0.4], undefined, ['0.30', '0.32', '0.40']],
  [[0, 500_000, 1_500_000], undefined, ['0', '0.5M', '1.5M']],
  [[2_000, 12_000], undefined, ['2,000', '12,000']],
  [[-3e9, 3e9], undefined, ['-3B', '3B']],
  [[0, 1e-9], undefined, ['0', '0.00000000']],
  [[0, 1_000], { kind: 'currency', currency: 'USD' }, ['$0', '$1,000']],
  [[0, 0.25], { kind: 'currency', currency: 'USD' }, ['$0.00', '$0.25']],
  [[0.1, 0.2], { kind: 'percent' }, ['10%', '20%']],
] as const)('%j with %j', ([values, format, labels]) => {
  expect(values.map(numberLabels(values, format))).toEqual(labels);
});
