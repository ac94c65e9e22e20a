import type { ImageAsset } from '../../domain/documents/common.ts';
import type { Box, SlideElement } from '../../domain/documents/deck-spec.ts';
import { escapeXml } from '../ooxml/xml.ts';
import { transformXml } from './frame.ts';
import type { SlideContext } from './slide-context.ts';

export type ImageElement = Extract<SlideElement, { type: 'image' }>;

const decorative =
  '<a:extLst><a:ext uri="{C183D7F6-B498-43B3-948B-1728B52AA6E4}">' +
  '<adec:decorative xmlns:adec="http://schemas.microsoft.com/office/drawing/2017/decorative" val="1"/>' +
  '</a:ext></a:extLst>';

/** A picture as `p:pic`: whole and centred in its box, or filling it with the overhang cropped; never distorted. */
export function imageElementXml(element: ImageElement, ctx: SlideContext): string {
  const id = ctx.nextId();
  const { id: relationshipId, asset } = ctx.relateImage(element.image);
  const isCover = element.sizing === 'cover';
  const place = { id, name: `Picture ${id}`, relationshipId };
  return isCover
    ? pictureXml({ ...place, box: element, crop: sourceCrop(asset, element), alt: element.image.alt })
    : pictureXml({ ...place, box: containedBox(asset, element), crop: '', alt: element.image.alt });
}

/** A picture without a meaning of its own that covers a box. */
export function decorativePictureXml(
  asset: ImageAsset,
  place: Pick<Picture, 'id' | 'name' | 'relationshipId' | 'box'>,
): string {
  return pictureXml({ ...place, crop: sourceCrop(asset, place.box), alt: '' });
}

interface Picture {
  readonly id: number;
  readonly name: string;
  readonly relationshipId: string;
  readonly box: Box;
  readonly crop: string;
  /** Empty: decorative. */
  readonly alt: string;
}

function pictureXml({ id, name, relationshipId, box, crop, alt }: Picture): string {
  return (
    `<p:pic><p:nvPicPr><p:cNvPr id="${id}" name="${name}" descr="${escapeXml(alt)}"` +
    `${alt === '' ? `>${decorative}</p:cNvPr>` : '/>'}` +
    '<p:cNvPicPr><a:picLocks noChangeAspect="1"/></p:cNvPicPr><p:nvPr/></p:nvPicPr>' +
    `<p:blipFill><a:blip r:embed="${relationshipId}"/>${crop}<a:stretch><a:fillRect/></a:stretch></p:blipFill>` +
    `<p:spPr>${transformXml(box)}<a:prstGeom prst="rect"><a:avLst/></a:prstGeom></p:spPr></p:pic>`
  );
}

/** The largest box of the picture's proportions within `box`, centred. */
export function containedBox(asset: ImageAsset, box: Box): Box {
  const scale = Math.min(box.w / asset.width, box.h / asset.height);
  const w = asset.width * scale;
  const h = asset.height * scale;
  return { x: box.x + (box.w - w) / 2, y: box.y + (box.h - h) / 2, w, h };
}

/** `a:srcRect` that keeps of a picture its centre with the proportions of `box` (ECMA-376 Part 1, 20.1.8.55). */
export function sourceCrop(asset: ImageAsset, box: Pick<Box, 'w' | 'h'>): string {
  const scale = Math.max(box.w / asset.width, box.h / asset.height);
  // Thousandths of a per cent cut off each side.
  const cut = (size: number, shown: number) => Math.round(50_000 * (1 - shown / (size * scale)));
  const horizontal = cut(asset.width, box.w);
  const vertical = cut(asset.height, box.h);
  return `<a:srcRect l="${horizontal}" t="${vertical}" r="${horizontal}" b="${vertical}"/>`;
}
