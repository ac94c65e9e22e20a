import type { Value } from '@bufbuild/protobuf/wkt';
import {
  CellIsOperatorSchema,
  type CellIsRule,
  type ConditionalFormat,
  type IconSet,
  IconSetSchema,
  type RuleStyle,
} from '../../../gen/service/generator/v1/workbook_pb.ts';
import {
  type CellIsOperator as CellIsOperatorName,
  type ConditionalRule,
  iconSets,
  type RuleStyle as RuleStyleSpec,
  type RuleTarget,
  type WorkbookColumn,
} from '../../domain/documents/workbook-spec.ts';
import { enumJsonNames } from '../enum-json-name.ts';
import { findColumn } from './find-column.ts';
import { present } from './parse-common.ts';
import { pathOf, type SpecReader } from './spec-reader.ts';

const operators = [
  'equal',
  'notEqual',
  'greaterThan',
  'greaterThanOrEqual',
  'lessThan',
  'lessThanOrEqual',
  'between',
  'notBetween',
] as const satisfies readonly CellIsOperatorName[];

const cellReference = '\\$?[A-Z]{1,3}\\$?[1-9][0-9]{0,6}';
const rangeReference = new RegExp(`^${cellReference}(:${cellReference})?$`);
const expressionCharsMax = 8192;
const defaultScale = ['F8696B', 'FFEB84', '63BE7B'];

/** Reads a conditional formatting rule. */
export function parseConditionalRule(
  reader: SpecReader,
  format: ConditionalFormat,
  columns: readonly WorkbookColumn[],
  pointer: string,
): ConditionalRule {
  const target = parseTarget(reader, format, columns, pointer);
  const { rule } = format;
  const style = (given: RuleStyle | undefined) => parseStyle(reader, given, `${pointer}/style`);
  switch (rule.case) {
    case 'cellIs':
      return {
        target,
        type: 'cellIs',
        ...parseCellIs(reader, rule.value, pointer),
        style: style(rule.value.style),
      };
    case 'containsText': {
      const text = reader.text(rule.value.text, `${pointer}/text`, 255);
      if (text === '') reader.fail(`${pointer}/text`, `${pathOf(`${pointer}/text`)} must not be empty`);
      return { target, type: 'containsText', text, style: style(rule.value.style) };
    }
    case 'top':
    case 'bottom': {
      const { rank = 10, percent } = rule.value;
      if (percent && rank > 100)
        reader.fail(`${pointer}/rank`, `${pathOf(`${pointer}/rank`)} is over 100 percent`);
      return { target, type: rule.case, rank, percent, style: style(rule.value.style) };
    }
    case 'aboveAverage':
      return { target, type: 'aboveAverage', below: rule.value.below, style: style(rule.value.style) };
    case 'duplicate':
      return { target, type: 'duplicate', unique: rule.value.unique, style: style(rule.value.style) };
    case 'colorScale':
      return {
        target,
        type: 'colorScale',
        colors: parseScale(reader, rule.value.colors, `${pointer}/colors`),
      };
    case 'dataBar':
      return present<ConditionalRule>({
        target,
        type: 'dataBar',
        color: reader.optionalColor(rule.value.color, `${pointer}/color`),
      });
    case 'iconSet': {
      const { iconSet, reverse, showValue = true } = rule.value;
      return {
        target,
        type: 'iconSet',
        iconSet: parseIconSet(reader, iconSet, `${pointer}/iconSet`),
        reverse,
        showValue,
      };
    }
    case 'expression': {
      const formula = reader
        .text(rule.value.formula, `${pointer}/formula`, expressionCharsMax)
        .trim()
        .replace(/^=/, '');
      if (formula === '')
        reader.fail(`${pointer}/formula`, `${pathOf(`${pointer}/formula`)} must not be empty`);
      return { target, type: 'expression', formula, style: style(rule.value.style) };
    }
    default:
      return reader.fail(`${pointer}/type`, `${pathOf(`${pointer}/type`)} must name a kind of rule`);
  }
}

function parseTarget(
  reader: SpecReader,
  { range, column }: ConditionalFormat,
  columns: readonly WorkbookColumn[],
  pointer: string,
): RuleTarget {
  if (range !== '') {
    const ref = range.toUpperCase();
    return rangeReference.test(ref)
      ? { ref }
      : reader.fail(`${pointer}/range`, `${pathOf(`${pointer}/range`)} must be a range such as B2:B100`);
  }
  if (column === '') reader.fail(pointer, `${pathOf(pointer)} needs a range or a column`);
  return { column: findColumn(reader, column, columns, `${pointer}/column`) };
}

function parseStyle(reader: SpecReader, style: RuleStyle | undefined, pointer: string): RuleStyleSpec {
  return present<RuleStyleSpec>({
    color: reader.optionalColor(style?.color, `${pointer}/color`),
    background: reader.optionalColor(style?.background, `${pointer}/background`),
    bold: style?.bold || undefined,
    italic: style?.italic || undefined,
  });
}

function parseCellIs(
  reader: SpecReader,
  rule: CellIsRule,
  pointer: string,
): { readonly operator: CellIsOperatorName; readonly values: readonly (number | string)[] } {
  const operator =
    reader.choice(CellIsOperatorSchema, rule.operator, operators, `${pointer}/operator`) ?? 'greaterThan';
  const given = rule.values.length > 0 ? rule.values : rule.value === undefined ? [] : [rule.value];
  const values = given.map((value) => operand(reader, value, `${pointer}/values`));
  const wanted = operator === 'between' || operator === 'notBetween' ? 2 : 1;
  if (values.length !== wanted) {
    reader.fail(
      `${pointer}/values`,
      `${pathOf(pointer)} needs ${wanted === 1 ? 'one value' : 'two values'} for ${operator}`,
    );
  }
  return { operator, values };
}

function operand(reader: SpecReader, { kind }: Value, pointer: string): number | string {
  if (kind.case === 'numberValue') return reader.finite(kind.value, pointer);
  if (kind.case === 'stringValue') return reader.text(kind.value, pointer, 255);
  return reader.fail(pointer, `${pathOf(pointer)} must be strings or numbers`);
}

function parseScale(reader: SpecReader, colors: readonly string[], pointer: string): readonly string[] {
  if (colors.length === 0) return defaultScale;
  const parsed = colors.map((color, index) => reader.optionalColor(color, `${pointer}/${index}`));
  const scale = parsed.filter((color) => color !== undefined);
  if (scale.length < 2 || scale.length > 3)
    reader.fail(pointer, `${pathOf(pointer)} must be two or three colours`);
  return scale;
}

function parseIconSet(reader: SpecReader, iconSet: IconSet, pointer: string): (typeof iconSets)[number] {
  const name = enumJsonNames(IconSetSchema).get(iconSet) ?? '3TrafficLights';
  // The file format numbers the plain traffic lights (ECMA-376 Part 1, 18.18.42).
  const known = name === '3TrafficLights' ? '3TrafficLights1' : name;
  return (
    iconSets.find((set) => set === known) ?? reader.fail(pointer, `${pathOf(pointer)} is no known icon set`)
  );
}
