import type { ConditionalFormattingRule, Style } from 'exceljs';
import type { Color } from '../../domain/documents/common.ts';
import type { ConditionalRule, IconSet, RuleStyle } from '../../domain/documents/workbook-spec.ts';
import { specInvalid } from '../../domain/errors.ts';
import { columnName } from '../ooxml/cell-reference.ts';
import { excelDate } from '../ooxml/excel-date.ts';
import { escapeXml } from '../ooxml/xml.ts';
import { movedFormula, movedRange } from './rule-references.ts';
import type { SheetPlan } from './sheet-plan.ts';
import type { WorkbookTheme } from './sheet-styles.ts';

/** A rule as exceljs takes it, and the range it speaks of. */
export interface PlannedRule {
  readonly ref: string;
  readonly rule: ConditionalFormattingRule;
}

const formulaCharsMax = 8_192;
/** What a rule without a style of its own shows. */
const defaultStyle: RuleStyle = { color: '7F6000', background: 'FFF2CC' };

/**
 * Returns the rules in their order, which is their priority.
 *
 * Kinds of which exceljs knows nothing stand as expressions with a marker in place of the formula;
 * `finishRules` puts the real thing there.
 *
 * @throws `spec_invalid` for a range beyond the sheet, or a formula whose quotes or brackets do not pair.
 */
export function planRules(
  rules: readonly ConditionalRule[],
  plan: SheetPlan,
  theme: WorkbookTheme,
): PlannedRule[] {
  return rules.map((rule, index) => {
    const ref = targetRange(rule, plan, index);
    const planned = { priority: index + 1, ...plannedRule(rule, ref, plan, theme, index) };
    return { ref, rule: planned as ConditionalFormattingRule };
  });
}

function targetRange({ target }: ConditionalRule, plan: SheetPlan, index: number): string {
  if ('ref' in target) {
    const moved = movedRange(target.ref, plan.headerRow - 1);
    if (moved !== undefined) return moved;
    const reason = `conditionalFormatting[${index}].range is not a range of a sheet, such as B2:B100`;
    throw specInvalid('excel', reason, `/conditionalFormatting/${index}/range`);
  }
  const letters = columnName(target.column);
  return `${letters}${plan.firstRow}:${letters}${plan.lastRow}`;
}

function plannedRule(
  rule: ConditionalRule,
  ref: string,
  plan: SheetPlan,
  theme: WorkbookTheme,
  index: number,
): Record<string, unknown> {
  switch (rule.type) {
    case 'cellIs': {
      const isDate = 'column' in rule.target && plan.columns[rule.target.column]?.isDate === true;
      const formulae = rule.values.map((value) => operand(value, isDate));
      return { type: 'cellIs', operator: rule.operator, formulae, style: dxf(rule.style) };
    }
    case 'containsText':
      return {
        type: 'containsText',
        operator: 'containsText',
        formulae: [`NOT(ISERROR(SEARCH(${quoted(searchText(rule.text))},${topLeft(ref)})))`],
        style: dxf(rule.style),
      };
    case 'top':
    case 'bottom':
      return {
        type: 'top10',
        rank: rule.rank,
        percent: rule.percent,
        bottom: rule.type === 'bottom',
        style: dxf(rule.style),
      };
    case 'aboveAverage':
      return { type: 'aboveAverage', aboveAverage: !rule.below, style: dxf(rule.style) };
    case 'duplicate':
      return {
        type: 'expression',
        formulae: [rule.unique ? markers.unique : markers.duplicate],
        style: dxf(rule.style),
      };
    case 'colorScale':
      return {
        type: 'colorScale',
        cfvo:
          rule.colors.length > 2
            ? [{ type: 'min' }, { type: 'percentile', value: 50 }, { type: 'max' }]
            : [{ type: 'min' }, { type: 'max' }],
        color: rule.colors.map(argb),
      };
    case 'dataBar':
      return {
        type: 'dataBar',
        cfvo: [{ type: 'min' }, { type: 'max' }],
        // The cell's text stands on the bar and must stay readable.
        color: argb(rule.color ?? tint(theme.accent)),
        gradient: false,
        negativeBarColorSameAsPositive: false,
        negativeFillColor: argb('EBB4AE'),
        axisColor: argb('7F7F7F'),
      };
    case 'iconSet':
      return {
        type: 'iconSet',
        iconSet: rule.iconSet,
        reverse: rule.reverse,
        showValue: rule.showValue,
        cfvo: iconSteps(rule.iconSet),
      };
    case 'expression':
      return {
        type: 'expression',
        formulae: [movedFormula(checkedFormula(rule.formula, index), plan.headerRow - 1)],
        style: dxf(rule.style),
      };
  }
}

const markers = { duplicate: '"rule:duplicateValues"', unique: '"rule:uniqueValues"' } as const;

/**
 * Returns a sheet's XML with what exceljs leaves out of rules: the duplicate and unique kinds, the searched text,
 * data bars that start at zero when nothing is negative.
 */
export function finishRules(sheetXml: string, rules: readonly ConditionalRule[]): string {
  if (rules.length === 0) return sheetXml;
  let xml = sheetXml;
  for (const [kind, marker] of [
    ['duplicateValues', markers.duplicate],
    ['uniqueValues', markers.unique],
  ] as const) {
    const formula = `<formula>${marker.replaceAll('"', '&quot;')}</formula></cfRule>`;
    xml = xml.replace(
      new RegExp(`type="expression"([^>]*)>${formula}`, 'g'),
      (_, attributes: string) => `type="${kind}"${attributes}/>`,
    );
  }
  for (const [index, rule] of rules.entries()) {
    if (rule.type !== 'containsText') continue;
    const head = new RegExp(`(<cfRule type="containsText"[^>]*? priority="${index + 1}"[^>]*?)>`);
    xml = xml.replace(head, (_, start: string) => `${start} text="${escapeXml(rule.text)}">`);
  }
  return xml
    .replaceAll('<x14:cfvo type="min"/>', '<x14:cfvo type="autoMin"/>')
    .replaceAll('<x14:cfvo type="max"/>', '<x14:cfvo type="autoMax"/>');
}

function dxf(style: RuleStyle): Partial<Style> {
  const shown = Object.keys(style).length === 0 ? defaultStyle : style;
  return {
    font: {
      ...(shown.bold ? { bold: true } : {}),
      ...(shown.italic ? { italic: true } : {}),
      ...(shown.color === undefined ? {} : { color: argb(shown.color) }),
    },
    // In a differential style a solid fill has its colour in bgColor.
    ...(shown.background === undefined
      ? {}
      : { fill: { type: 'pattern', pattern: 'solid', bgColor: argb(shown.background) } as const }),
  };
}

function argb(color: Color): { argb: string } {
  return { argb: `FF${color}` };
}

function operand(value: number | string, isDate: boolean): string {
  if (typeof value === 'number' && !isDate) return String(value);
  const day = isDate ? excelDate(value) : undefined;
  return day === undefined ? quoted(String(value)) : String(day);
}

function quoted(text: string): string {
  return `"${text.replaceAll('"', '""')}"`;
}

/** SEARCH reads wildcards; a tilde takes their meaning away. */
function searchText(text: string): string {
  return text.replace(/[~*?]/g, '~$&');
}

function topLeft(ref: string): string {
  return ref.split(':')[0] ?? 'A1';
}

function iconSteps(iconSet: IconSet): { type: 'percent'; value: number }[] {
  const count = Number(iconSet[0]);
  return Array.from({ length: count }, (_, index) => ({
    type: 'percent',
    value: Math.round((index * 100) / count),
  }));
}

function checkedFormula(formula: string, index: number): string {
  const bare = formula.replace(/"(?:[^"]|"")*"/g, '');
  let depth = 0;
  let sound = !bare.includes('"') && formula.length <= formulaCharsMax && formula.trim() !== '';
  for (const character of bare) {
    if (character === '(') depth++;
    if (character === ')') depth--;
    if (depth < 0) sound = false;
  }
  if (!sound || depth !== 0) {
    throw specInvalid(
      'excel',
      `conditionalFormatting[${index}].formula is not a formula: quotes and brackets must pair`,
      `/conditionalFormatting/${index}/formula`,
    );
  }
  return formula;
}

/** Returns a colour halfway to white. */
function tint(color: Color): Color {
  return color.replace(/../g, (channel) =>
    Math.round((Number.parseInt(channel, 16) + 255) / 2)
      .toString(16)
      .padStart(2, '0')
      .toUpperCase(),
  );
}
