import type { WordSpec } from '../../domain/documents/word-spec.ts';
import type { RenderedDocument, RenderInput } from '../../ports/renderer.ts';
import { palettes } from '../palettes.ts';
import { createBody } from './body.ts';
import { writePackage } from './package.ts';
import type { Orientation } from './page.ts';
import { paragraphXml } from './paragraph.ts';
import { type SectionContext, writeSection, writeTitle } from './sections.ts';
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
  let orientation: Orientation = 'portrait';
  let isFirstPart = true;
  const turnPage = (next: Orientation): void => {
    if (next === orientation) return;
    const sectionXml = skeleton.sectionXml(orientation, isFirstPart);
    body.push(paragraphXml('', { style: 'TableGap', sectionXml }));
    orientation = next;
    isFirstPart = false;
  };

  for (const [index, section] of spec.sections.entries()) {
    const hasTable = section.table !== undefined && section.table.columns.length > 0;
    const tableLayout = hasTable ? layoutTable(section.table) : undefined;
    const wanted = tableLayout?.orientation ?? 'portrait';
    if (index === 0) {
      orientation = wanted;
      writeTitle(spec, body);
    } else {
      turnPage(wanted);
    }
    writeSection(section, tableLayout, orientation, ctx);
  }
  if (spec.sections.length === 0) writeTitle(spec, body);
  body.push(skeleton.sectionXml(orientation, isFirstPart));

  const bytes = writePackage(skeleton, body, {
    title: spec.title,
    subtitle: spec.subtitle ?? '',
    language: spec.language,
    createdAtMs,
  });
  return { bytes, warnings: [] };
}
