import pptxgenjs from 'pptxgenjs';
import { readZip } from '../ooxml/zip.ts';
import { layoutTree, masterTree } from './master-shapes.ts';

/** The parts that every deck has in common, as XML without a palette's colours. */
export interface Skeleton {
  readonly theme: string;
  readonly slideMaster: string;
  readonly slideLayout: string;
  readonly notesMaster: string;
  readonly presentation: string;
  readonly presProps: string;
  readonly viewProps: string;
}

export const fontFace = 'Arial';

let skeleton: Promise<Skeleton> | undefined;

/**
 * Returns the structure that pptxgenjs builds for an empty widescreen deck, mended to the schema.
 *
 * The library builds it once a process, since it is the same for every deck: nothing of a spec, no clock and none of
 * the library's process-wide counters reaches it.
 */
export function deckSkeleton(): Promise<Skeleton> {
  skeleton ??= buildSkeleton();
  return skeleton;
}

async function buildSkeleton(): Promise<Skeleton> {
  // Its types describe a default export that CommonJS interop wraps once more.
  const Library = pptxgenjs as unknown as typeof pptxgenjs.default;
  const deck = new Library();
  deck.layout = 'LAYOUT_WIDE';
  deck.theme = { headFontFace: fontFace, bodyFontFace: fontFace };
  deck.addSlide();
  const archive = await deck.write({ outputType: 'nodebuffer' });
  if (!(archive instanceof Uint8Array)) throw new Error('pptxgenjs wrote no bytes');
  const parts = readZip(archive);
  const part = (name: string) => {
    const bytes = parts.get(name);
    if (bytes === undefined) throw new Error(`pptxgenjs wrote no ${name}`);
    return Buffer.from(bytes).toString('utf8').replaceAll('\r\n', '\n').replace(/>\s+</g, '><');
  };
  return {
    theme: part('ppt/theme/theme1.xml'),
    slideMaster: mendMaster(part('ppt/slideMasters/slideMaster1.xml')),
    slideLayout: mendLayout(part('ppt/slideLayouts/slideLayout1.xml')),
    notesMaster: mendNotesMaster(part('ppt/notesMasters/notesMaster1.xml')),
    presentation: mendPresentation(part('ppt/presentation.xml')),
    presProps: part('ppt/presProps.xml'),
    viewProps: part('ppt/viewProps.xml'),
  };
}

const background = '<p:bg><p:bgRef idx="1001"><a:schemeClr val="bg1"/></p:bgRef></p:bg>';

/** The library's master has no background, no placeholders, and switches slide numbers off. */
function mendMaster(xml: string): string {
  let mended = replaceOnce(xml, /<p:cSld\b.*<\/p:cSld>/s, `<p:cSld>${background}${masterTree}</p:cSld>`);
  mended = replaceOnce(mended, /<p:hf [^>]*\/>/, '');
  mended = replaceOnce(mended, /<p:sldLayoutIdLst>.*<\/p:sldLayoutIdLst>/s, layoutListMarker);
  return replaceOnce(
    mended,
    /(<p:titleStyle><a:lvl1pPr) algn="ctr"(.*?)<a:defRPr sz="4400" kern="1200"><a:solidFill><a:schemeClr val="tx1"\/>/s,
    '$1 algn="l"$2<a:defRPr sz="2800" b="1" kern="1200"><a:solidFill><a:schemeClr val="tx2"/>',
  );
}

function mendLayout(xml: string): string {
  const typed = replaceOnce(xml, '<p:sldLayout ', '<p:sldLayout type="titleOnly" ');
  return replaceOnce(
    typed,
    /<p:cSld\b.*<\/p:cSld>/s,
    `<p:cSld name="Title and free elements">${layoutTree()}</p:cSld>`,
  );
}

/** The library's sample date is the day it was written. */
function mendNotesMaster(xml: string): string {
  return replaceOnce(xml, /<a:fld [^>]*type="datetimeFigureOut">.*?<\/a:fld>/s, '');
}

/** The library puts the notes master after the slides, where the schema has it before, and turns the notes page. */
function mendPresentation(xml: string): string {
  let mended = replaceOnce(xml, /<p:notesMasterIdLst>.*?<\/p:notesMasterIdLst>/s, '');
  mended = replaceOnce(mended, /<p:sldIdLst>.*?<\/p:sldIdLst>/s, slideListMarker);
  return replaceOnce(mended, /<p:notesSz [^>]*\/>/, '<p:notesSz cx="6858000" cy="9144000"/>');
}

/** Where `Skeleton.presentation` takes the notes master and the slides. */
export const slideListMarker = '<p:sldIdLst/>';

/** Where `Skeleton.slideMaster` takes its layouts. */
export const layoutListMarker = '<p:sldLayoutIdLst/>';

/** Replaces what must be there: a library that writes something else is noticed at once. */
function replaceOnce(xml: string, pattern: string | RegExp, replacement: string): string {
  const isThere = typeof pattern === 'string' ? xml.includes(pattern) : pattern.test(xml);
  if (!isThere) throw new Error(`pptxgenjs no longer writes ${String(pattern)}`);
  return xml.replace(pattern, replacement);
}
