import { escapeXml } from '../../ooxml/xml.ts';

/** The categories of a chart: text, or numbers (dates) with the format that shows them. */
export interface CategoryNumbers {
  readonly values: readonly (number | null)[];
  readonly formatCode: string;
}

/** Returns `c:tx` of a series, its name read from a cell. */
export function seriesNameXml(ref: string, name: string): string {
  return (
    `<c:tx><c:strRef><c:f>${escapeXml(ref)}</c:f><c:strCache><c:ptCount val="1"/>` +
    `<c:pt idx="0"><c:v>${escapeXml(name)}</c:v></c:pt></c:strCache></c:strRef></c:tx>`
  );
}

/** Returns `c:cat`. Text that is empty has no point of its own. */
export function categoriesXml(
  ref: string,
  labels: readonly string[],
  numbers: CategoryNumbers | undefined,
): string {
  if (numbers !== undefined)
    return `<c:cat>${numberReference(ref, numbers.values, numbers.formatCode)}</c:cat>`;
  let points = '';
  for (const [index, label] of labels.entries()) {
    if (label !== '') points += `<c:pt idx="${index}"><c:v>${escapeXml(label)}</c:v></c:pt>`;
  }
  return (
    `<c:cat><c:strRef><c:f>${escapeXml(ref)}</c:f><c:strCache><c:ptCount val="${labels.length}"/>` +
    `${points}</c:strCache></c:strRef></c:cat>`
  );
}

/** Returns `c:val`; null is a gap. */
export function valuesXml(ref: string, values: readonly (number | null)[], formatCode: string): string {
  return `<c:val>${numberReference(ref, values, formatCode)}</c:val>`;
}

function numberReference(ref: string, values: readonly (number | null)[], formatCode: string): string {
  let points = '';
  for (const [index, value] of values.entries()) {
    if (value !== null) points += `<c:pt idx="${index}"><c:v>${value}</c:v></c:pt>`;
  }
  return (
    `<c:numRef><c:f>${escapeXml(ref)}</c:f><c:numCache><c:formatCode>${escapeXml(formatCode)}</c:formatCode>` +
    `<c:ptCount val="${values.length}"/>${points}</c:numCache></c:numRef>`
  );
}
