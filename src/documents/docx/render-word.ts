import type { WordSpec } from '../../domain/documents/word-spec.ts';
import type { RenderedDocument, RenderInput } from '../../ports/renderer.ts';
import { palettes } from '../palettes.ts';
import { createBody } from './body.ts';
import { writePackage } from './package.ts';
import { type SectionContext, showsSomething, writeSection, writeTitle } from './sections.ts';
import { skeletonOf } from './skeleton.ts';
import { layoutTable } from './table-layout.ts';

/**
 * Renders a Word document (WordprocessingML of ECMA-376, transitional). Sections with a table too wide for upright
 * pages lie on landscape ones. The same input gives the same bytes.
 */
export async function renderWord(input: RenderInput<WordSpec>): Promise<RenderedDocument> {
  const { spec, images, createdAtMs } = input;
  const skeleton = await skeletonOf(spec.palette);
  const body = createBody(skeleton.firstListId);
  const ctx: SectionContext = {
    body,
    palette: palettes[spec.palette],
    markdown: spec.markdown,
    images,
    bulletsId: skeleton.bulletsId,
  };
  const sections = spec.sections.filter(showsSomething).map((section) => {
    const hasColumns = section.table !== undefined && section.table.columns.length > 0;
    return { section, tableLayout: hasColumns ? layoutTable(section.table) : undefined };
  });

  writeTitle(spec, body);
  let orientation = sections[0]?.tableLayout?.orientation ?? 'portrait';
  let isFirstPart = true;
  for (const { section, tableLayout } of sections) {
    const wanted = tableLayout?.orientation ?? 'portrait';
    if (wanted !== orientation) {
      body.endSection(skeleton.sectionXml(orientation, isFirstPart));
      orientation = wanted;
      isFirstPart = false;
    }
    writeSection(section, tableLayout, orientation, ctx);
  }
  body.push(skeleton.sectionXml(orientation, isFirstPart));

  const bytes = writePackage(skeleton, body, {
    title: spec.title,
    subtitle: spec.subtitle ?? '',
    language: spec.language,
    createdAtMs,
  });
  return { bytes, warnings: [] };
}
