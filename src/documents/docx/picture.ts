import type { ImageAsset } from '../../domain/documents/common.ts';
import { escapeXml } from '../ooxml/xml.ts';
import { emuPerInch, type Orientation, textArea, twipsPerInch } from './page.ts';

/** CSS pixels, as Word takes them for pictures that name no resolution. */
const pixelsPerInch = 96;
/** Room for the caption on the picture's page, in inches. */
const captionInches = 0.8;

/** A picture's size on the page in EMU: as wide as asked, else as its pixels say, and never beyond the text's area. */
export function pictureSize(
  asset: ImageAsset,
  widthInches: number | undefined,
  orientation: Orientation,
): { readonly width: number; readonly height: number } {
  const area = textArea(orientation);
  const widthMax = area.width / twipsPerInch;
  const heightMax = area.height / twipsPerInch - captionInches;
  const ratio = asset.height / asset.width;
  const asked = widthInches !== undefined && widthInches > 0 ? widthInches : asset.width / pixelsPerInch;
  const width = Math.min(asked, widthMax, heightMax / ratio);
  const toEmu = (inches: number) => Math.max(1, Math.round(inches * emuPerInch));
  return { width: toEmu(width), height: toEmu(width * ratio) };
}

export interface Picture {
  readonly relationshipId: string;
  readonly drawingId: number;
  /** EMU. */
  readonly width: number;
  readonly height: number;
  /** Empty: decorative. */
  readonly alt: string;
}

const main = 'http://schemas.openxmlformats.org/drawingml/2006/main';
const pictureNamespace = 'http://schemas.openxmlformats.org/drawingml/2006/picture';
const decorativeXml =
  `<a:extLst xmlns:a="${main}"><a:ext uri="{C183D7F6-B498-43B3-948B-1728B52AA6E4}">` +
  '<adec:decorative xmlns:adec="http://schemas.microsoft.com/office/drawing/2017/decorative" val="1"/></a:ext></a:extLst>';

/** Writes a run with a picture in the line (ECMA-376 Part 1, 20.4.2.8). */
export function pictureRunXml(picture: Picture): string {
  const { relationshipId, drawingId, width, height } = picture;
  const alt = escapeXml(picture.alt).replaceAll('\n', '&#10;');
  const properties = `id="${drawingId}" name="Picture ${drawingId}" descr="${alt}"`;
  const docPr =
    picture.alt === '' ? `<wp:docPr ${properties}>${decorativeXml}</wp:docPr>` : `<wp:docPr ${properties}/>`;
  return [
    '<w:r><w:drawing><wp:inline distT="0" distB="0" distL="0" distR="0">',
    `<wp:extent cx="${width}" cy="${height}"/><wp:effectExtent t="0" r="0" b="0" l="0"/>${docPr}`,
    `<wp:cNvGraphicFramePr><a:graphicFrameLocks xmlns:a="${main}" noChangeAspect="1"/></wp:cNvGraphicFramePr>`,
    `<a:graphic xmlns:a="${main}"><a:graphicData uri="${pictureNamespace}"><pic:pic xmlns:pic="${pictureNamespace}">`,
    '<pic:nvPicPr><pic:cNvPr id="0" name="" descr=""/><pic:cNvPicPr>',
    '<a:picLocks noChangeAspect="1" noChangeArrowheads="1"/></pic:cNvPicPr></pic:nvPicPr>',
    `<pic:blipFill><a:blip r:embed="${relationshipId}" cstate="none"/><a:srcRect/>`,
    '<a:stretch><a:fillRect/></a:stretch></pic:blipFill><pic:spPr bwMode="auto">',
    `<a:xfrm><a:off x="0" y="0"/><a:ext cx="${width}" cy="${height}"/></a:xfrm>`,
    '<a:prstGeom prst="rect"><a:avLst/></a:prstGeom></pic:spPr></pic:pic></a:graphicData></a:graphic>',
    '</wp:inline></w:drawing></w:r>',
  ].join('');
}
