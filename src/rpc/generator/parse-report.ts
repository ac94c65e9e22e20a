import type {
  Callout,
  GeneratePdfRequest,
  ReportSection,
} from '../../../gen/service/generator/v1/report_pb.ts';
import type { ReportSection as ReportSectionSpec, ReportSpec } from '../../domain/documents/report-spec.ts';
import { limits } from '../../domain/limits.ts';
import { parseChart } from './parse-chart.ts';
import {
  type ParsedSpec,
  parseLogo,
  parseMetrics,
  parsePalette,
  parseSectionImage,
  parseTexts,
  present,
} from './parse-common.ts';
import { parseTable } from './parse-table.ts';
import { createSpecReader, pathOf, type SpecReader } from './spec-reader.ts';

/**
 * Reads a PDF request.
 *
 * @throws `spec_invalid`
 */
export function parseReport(request: GeneratePdfRequest): ParsedSpec<ReportSpec> {
  const reader = createSpecReader('pdf', {
    tableRows: limits.pdf.tableCells,
    tableCells: limits.pdf.tableCells,
    overTable: 'spec_invalid',
  });
  if (request.title === '') reader.fail('/title', 'title is required');
  if (request.sections.length > limits.pdf.sections) {
    reader.fail('/sections', `sections has over ${limits.pdf.sections} entries`);
  }
  const spec = present<ReportSpec>({
    title: reader.text(request.title, '/title'),
    subtitle: reader.optionalText(request.subtitle, '/subtitle'),
    palette:
      parsePalette(reader, request.palette) ?? parsePalette(reader, request.theme, '/theme') ?? 'corporate',
    language: reader.language(request.language, 'en'),
    markdown: request.markdown,
    logo: parseLogo(reader, request.logo),
    sections: request.sections.map((section, index) => parseSection(reader, section, `/sections/${index}`)),
  });
  return { spec, filename: request.filename || undefined, images: reader.images };
}

function parseSection(reader: SpecReader, section: ReportSection, pointer: string): ReportSectionSpec {
  const { columns, summary } = section;
  if (summary.length > limits.pdf.summaryCards) {
    reader.fail(
      `${pointer}/summary`,
      `${pathOf(`${pointer}/summary`)} has over ${limits.pdf.summaryCards} cards`,
    );
  }
  if (columns.length > limits.pdf.tableColumns) {
    reader.fail(
      `${pointer}/columns`,
      `${pathOf(`${pointer}/columns`)} has over ${limits.pdf.tableColumns} entries`,
    );
  }
  return present<ReportSectionSpec>({
    heading: reader.optionalText(section.heading, `${pointer}/heading`),
    text: reader.optionalText(section.text, `${pointer}/text`),
    summary: parseMetrics(reader, summary, `${pointer}/summary`),
    bullets: parseTexts(reader, section.bullets, `${pointer}/bullets`),
    table: parseTable(reader, columns, section.rows, pointer),
    chart: section.chart && parseChart(reader, section.chart, `${pointer}/chart`),
    image: parseSectionImage(reader, section.image, `${pointer}/image`),
    callout: section.callout && parseCallout(reader, section.callout, `${pointer}/callout`),
  });
}

function parseCallout(
  reader: SpecReader,
  callout: Callout,
  pointer: string,
): NonNullable<ReportSectionSpec['callout']> {
  const label = reader.optionalText(callout.label, `${pointer}/label`);
  return { ...(label !== undefined && { label }), text: reader.text(callout.text, `${pointer}/text`) };
}
