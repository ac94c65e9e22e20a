import type { DeckSpec } from '../../domain/documents/deck-spec.ts';
import { xmlDeclaration } from '../ooxml/xml.ts';
import type { Palette } from '../palettes.ts';
import { contentTypesPart } from './content-types.ts';
import { appPropertiesPart, corePropertiesPart } from './document-properties.ts';
import type { Layouts } from './layouts.ts';
import { createRelationships } from './relationships.ts';
import { layoutListMarker, type Skeleton, slideListMarker } from './skeleton.ts';
import { tableStylesPart } from './table-style.ts';
import { themePart } from './theme.ts';

/** The parts of a package by name, in archive order. */
export type PackageParts = Map<string, string | Uint8Array>;

export interface DeckFrame {
  readonly skeleton: Skeleton;
  readonly spec: DeckSpec;
  readonly palette: Palette;
  readonly layouts: Layouts;
  readonly slideCount: number;
  readonly notesCount: number;
  readonly createdAtMs: number;
}

const rootRelationships =
  `${xmlDeclaration}<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">` +
  '<Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="ppt/presentation.xml"/>' +
  '<Relationship Id="rId2" Type="http://schemas.openxmlformats.org/package/2006/relationships/metadata/core-properties" Target="docProps/core.xml"/>' +
  '<Relationship Id="rId3" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/extended-properties" Target="docProps/app.xml"/>' +
  '</Relationships>';

const firstSlideId = 256;
/** The master itself has 2147483648; ids of masters and layouts are unique together. */
const firstLayoutId = 2_147_483_649;

interface PartWithRelationships {
  readonly xml: string;
  readonly relationships: string;
}

/** Puts slides, charts and media (`parts`) and the deck's common parts together into a whole package. */
export function assemblePackage(parts: PackageParts, frame: DeckFrame): PackageParts {
  const { skeleton, spec, palette } = frame;
  const theme = themePart(skeleton.theme, spec.palette, palette);
  const presentation = presentationParts(frame);
  const master = masterParts(frame);
  const whole: PackageParts = new Map([
    ['_rels/.rels', rootRelationships],
    ['ppt/presentation.xml', presentation.xml],
    ['ppt/_rels/presentation.xml.rels', presentation.relationships],
    ['ppt/slideMasters/slideMaster1.xml', master.xml],
    ['ppt/slideMasters/_rels/slideMaster1.xml.rels', master.relationships],
    ...frame.layouts.parts(),
    ['ppt/theme/theme1.xml', theme],
    ['ppt/notesMasters/notesMaster1.xml', skeleton.notesMaster],
    ['ppt/notesMasters/_rels/notesMaster1.xml.rels', notesMasterRelationships()],
    ['ppt/theme/theme2.xml', theme],
    ['ppt/presProps.xml', skeleton.presProps],
    ['ppt/viewProps.xml', skeleton.viewProps],
    ['ppt/tableStyles.xml', tableStylesPart(palette)],
    ['docProps/core.xml', corePropertiesPart(spec, frame.createdAtMs)],
    ['docProps/app.xml', appPropertiesPart(frame.slideCount, frame.notesCount)],
    ...parts,
  ]);
  // Readers look for the content types first.
  return new Map([['[Content_Types].xml', contentTypesPart(whole.keys())], ...whole]);
}

function presentationParts({ skeleton, slideCount }: DeckFrame): PartWithRelationships {
  const relationships = createRelationships();
  relationships.relate('slideMaster', 'slideMasters/slideMaster1.xml');
  const notesMaster = relationships.relate('notesMaster', 'notesMasters/notesMaster1.xml');
  relationships.relate('presProps', 'presProps.xml');
  relationships.relate('viewProps', 'viewProps.xml');
  relationships.relate('theme', 'theme/theme1.xml');
  relationships.relate('tableStyles', 'tableStyles.xml');
  const slides = Array.from({ length: slideCount }, (_, index) => {
    const id = relationships.relate('slide', `slides/slide${index + 1}.xml`);
    return `<p:sldId id="${firstSlideId + index}" r:id="${id}"/>`;
  });
  const lists =
    `<p:notesMasterIdLst><p:notesMasterId r:id="${notesMaster}"/></p:notesMasterIdLst>` +
    `<p:sldIdLst>${slides.join('')}</p:sldIdLst>`;
  return {
    xml: skeleton.presentation.replace(slideListMarker, lists),
    relationships: relationships.toXml(),
  };
}

function masterParts({ skeleton, layouts }: DeckFrame): PartWithRelationships {
  const relationships = createRelationships();
  const entries = Array.from({ length: layouts.count() }, (_, index) => {
    const id = relationships.relate('slideLayout', `../slideLayouts/slideLayout${index + 1}.xml`);
    return `<p:sldLayoutId id="${firstLayoutId + index}" r:id="${id}"/>`;
  });
  relationships.relate('theme', '../theme/theme1.xml');
  const list = `<p:sldLayoutIdLst>${entries.join('')}</p:sldLayoutIdLst>`;
  return {
    xml: skeleton.slideMaster.replace(layoutListMarker, list),
    relationships: relationships.toXml(),
  };
}

function notesMasterRelationships(): string {
  const relationships = createRelationships();
  relationships.relate('theme', '../theme/theme2.xml');
  return relationships.toXml();
}
