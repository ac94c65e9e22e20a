import { describe, expect, test } from 'vitest';
import { movedFormula, movedRange } from '../../../src/documents/xlsx/rule-references.ts';

describe('a range of a rule', () => {
  test.for([
    ['B2:C10', 0, 'B2:C10'],
    ['B2:C10', 2, 'B4:C12'],
    ['$b$2', 2, 'B4'],
    ['C10:B2', 1, 'B3:C11'],
    ['A1:XFD1048576', 3, 'A4:XFD1048576'],
    ['ZZZ1', 0, undefined],
    ['A0', 0, undefined],
    ['A1:A1048577', 0, undefined],
    ['A1:B2:C3', 0, undefined],
  ] as const)('%s moved by %i is %s', ([ref, rows, expected]) => {
    expect(movedRange(ref, rows)).toBe(expected);
  });
});

describe('a formula of a rule', () => {
  test.for([
    ['$B2>100', 2, '$B4>100'],
    ['AND(A1="A1",B$3:C4<>0)', 2, 'AND(A3="A1",B$5:C6<>0)'],
    ['LOG10(A2)+ROW()', 1, 'LOG10(A3)+ROW()'],
    ["'My sheet'!A1+Other!B2+C3", 5, "'My sheet'!A1+Other!B2+C8"],
    ['A2="say ""A2"""', 1, 'A3="say ""A2"""'],
    ['Rate2026_A1+A1', 1, 'Rate2026_A1+A2'],
    ['MOD(ROW(),2)=0', 3, 'MOD(ROW(),2)=0'],
    ['A1048576', 3, 'A1048576'],
  ] as const)('%s moved by %i is %s', ([formula, rows, expected]) => {
    expect(movedFormula(formula, rows)).toBe(expected);
  });
});
