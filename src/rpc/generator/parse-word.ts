import type { GenerateDocxRequest, WordSection } from '../../../gen/service/generator/v1/word_pb.ts';
import type { WordSection as WordSectionSpec, WordSpec } from '../../domain/documents/word-spec.ts';
import { limits } from '../../domain/limits.ts';
import { parseChart } from './parse-chart.ts';
import {
  type ParsedSpec,
  parseMetrics,
  parsePalette,
  parseSectionImage,
  parseTexts,
  present,
} from './parse-common.ts';
import { parseTable } from './parse-table.ts';
import { createSpecReader, pathOf, type SpecReader } from './spec-reader.ts';

/**
 * Reads a DOCX request.
 *
 * @throws `spec_invalid`, `spec_too_large`
 */
export function parseWord(request: GenerateDocxRequest): ParsedSpec<WordSpec> {
  const reader = createSpecReader('docx', { ...limits.document, overTable: 'spec_too_large' });
  if (request.sections.length > limits.docx.sections) {
    reader.fail('/sections', `sections has over ${limits.docx.sections} entries`);
  }
  const spec = present<WordSpec>({
    title: reader.optionalText(request.title, '/title') ?? 'Document',
    subtitle: reader.optionalText(request.subtitle, '/subtitle'),
    palette: parsePalette(reader, request.palette) ?? 'corporate',
    language: reader.language(request.language, 'en'),
    markdown: request.markdown,
    sections: request.sections.map((section, index) => parseSection(reader, section, `/sections/${index}`)),
  });
  return { spec, filename: request.filename || undefined, images: reader.images };
}

function parseSection(reader: SpecReader, section: WordSection, pointer: string): WordSectionSpec {
  const { columns } = section;
  if (columns.length > limits.docx.tableColumns) {
    reader.fail(
      `${pointer}/columns`,
      `${pathOf(`${pointer}/columns`)} has over ${limits.docx.tableColumns} entries`,
    );
  }
  return present<WordSectionSpec>({
    heading: reader.optionalText(section.heading, `${pointer}/heading`),
    level: parseLevel(reader, section.level, `${pointer}/level`),
    text: reader.optionalText(section.text, `${pointer}/text`),
    summary: parseMetrics(reader, section.summary, `${pointer}/summary`),
    bullets: parseTexts(reader, section.bullets, `${pointer}/bullets`),
    numbered: parseTexts(reader, section.numbered, `${pointer}/numbered`),
    table: parseTable(reader, columns, section.rows, pointer),
    chart: section.chart && parseChart(reader, section.chart, `${pointer}/chart`),
    image: parseSectionImage(reader, section.image, `${pointer}/image`),
  });
}

function parseLevel(reader: SpecReader, level: number | undefined, pointer: string): 1 | 2 | 3 {
  if (level === undefined) return 2;
  return level === 1 || level === 2 || level === 3
    ? level
    : reader.fail(pointer, `${pathOf(pointer)} must be 1, 2 or 3`);
}
