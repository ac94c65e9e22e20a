import { ChartTypeSchema } from '../../../gen/service/generator/v1/common_pb.ts';
import {
  FormulaTypeSchema,
  FreezePanes,
  type GenerateExcelRequest,
  type WorkbookColumn,
  type WorkbookFormula,
  type WorkbookStyles,
} from '../../../gen/service/generator/v1/workbook_pb.ts';
import { chartTypes } from '../../domain/documents/common.ts';
import {
  type FreezePanes as FreezePanesSpec,
  formulaTypes,
  type TotalsRow,
  type WorkbookColumn as WorkbookColumnSpec,
  type WorkbookSpec,
  type WorkbookStyles as WorkbookStylesSpec,
} from '../../domain/documents/workbook-spec.ts';
import { limits } from '../../domain/limits.ts';
import { findColumn } from './find-column.ts';
import { parseColumnFormat } from './parse-column-format.ts';
import { type ParsedSpec, parseAlign, parseLogo, present } from './parse-common.ts';
import { parseConditionalRule } from './parse-conditional-rule.ts';
import { parseRows } from './parse-table.ts';
import { createSpecReader, pathOf, type SpecReader } from './spec-reader.ts';

/**
 * Reads an Excel request.
 *
 * @throws `spec_invalid`, `spec_too_large`
 */
export function parseWorkbook(request: GenerateExcelRequest): ParsedSpec<WorkbookSpec> {
  const reader = createSpecReader('excel', {
    ...limits.document,
    overTable: 'spec_too_large',
    cellChars: limits.excel.cellChars,
  });
  if (request.columns.length === 0) reader.fail('/columns', 'columns must be a non-empty array');
  if (request.columns.length > limits.excel.columns) {
    reader.fail('/columns', `columns has over ${limits.excel.columns} entries`);
  }
  const columns = request.columns.map((column, index) => parseColumn(reader, column, `/columns/${index}`));
  const spec = present<WorkbookSpec>({
    title: reader.optionalText(request.title, '/title'),
    columns,
    rows: parseRows(
      reader,
      columns.map(({ key }) => key),
      request.rows,
      '/rows',
    ),
    styles: parseStyles(reader, request.styles),
    totals: request.formulas.map((formula, index) =>
      parseTotals(reader, formula, columns, `/formulas/${index}`),
    ),
    conditionalRules: request.conditionalFormatting.map((rule, index) =>
      parseConditionalRule(reader, rule, columns, `/conditionalFormatting/${index}`),
    ),
    freezePanes: parseFreezePanes(reader, request.freezePanes),
    chartType: request.includeChart
      ? (reader.choice(ChartTypeSchema, request.chartType, chartTypes, '/chartType') ?? 'bar')
      : undefined,
    logo: parseLogo(reader, request.logo),
  });
  return { spec, filename: request.filename || undefined, images: reader.images };
}

function parseColumn(reader: SpecReader, column: WorkbookColumn, pointer: string): WorkbookColumnSpec {
  const { key, header, width } = column;
  if (key === '' && header === '') reader.fail(pointer, `${pathOf(pointer)} needs a header or a key`);
  return present<WorkbookColumnSpec>({
    key: key || header,
    header: reader.text(header || key, `${pointer}/header`, limits.excel.cellChars),
    format: parseColumnFormat(reader, column.format, `${pointer}/format`),
    width: width === undefined ? undefined : reader.finite(width, `${pointer}/width`),
    align: parseAlign(reader, column.align, `${pointer}/align`),
  });
}

function parseStyles(reader: SpecReader, styles: WorkbookStyles | undefined): WorkbookStylesSpec {
  return present<WorkbookStylesSpec>({
    headerBg: reader.optionalColor(styles?.headerBg, '/styles/headerBg'),
    headerColor: reader.optionalColor(styles?.headerColor, '/styles/headerColor'),
    altRowBg: reader.optionalColor(styles?.altRowBg, '/styles/altRowBg'),
    fontSize: styles?.fontSize,
    accentColor: reader.optionalColor(styles?.accentColor, '/styles/accentColor'),
  });
}

function parseTotals(
  reader: SpecReader,
  formula: WorkbookFormula,
  columns: readonly WorkbookColumnSpec[],
  pointer: string,
): TotalsRow {
  const indices = formula.columns.map((name, index) =>
    findColumn(reader, name, columns, `${pointer}/columns/${index}`),
  );
  if (indices.length === 0)
    reader.fail(`${pointer}/columns`, `${pathOf(`${pointer}/columns`)} must be a non-empty array`);
  return present<TotalsRow>({
    type: reader.choice(FormulaTypeSchema, formula.type, formulaTypes, `${pointer}/type`) ?? 'SUM',
    columns: [...new Set(indices)].sort((a, b) => a - b),
    label: reader.optionalText(formula.label, `${pointer}/label`),
  });
}

const freezePanes: ReadonlyMap<FreezePanes, FreezePanesSpec> = new Map([
  [FreezePanes.UNSPECIFIED, { row: false, column: false }],
  [FreezePanes.NONE, { row: false, column: false }],
  [FreezePanes.ROW, { row: true, column: false }],
  [FreezePanes.COL, { row: false, column: true }],
  [FreezePanes.BOTH, { row: true, column: true }],
]);

function parseFreezePanes(reader: SpecReader, panes: FreezePanes): FreezePanesSpec {
  return (
    freezePanes.get(panes) ?? reader.fail('/freezePanes', 'freezePanes must be a boolean, row, col or both')
  );
}
