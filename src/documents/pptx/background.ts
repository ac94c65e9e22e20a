import type { ImageAsset, ImageRef } from '../../domain/documents/common.ts';
import type { SlideBackground } from '../../domain/documents/deck-spec.ts';
import { solidFill } from './color.ts';
import { canvas } from './measures.ts';
import { decorativePictureXml } from './picture-element.ts';

const slideBox = { x: 0, y: 0, w: canvas.width, h: canvas.height };

/** A slide's `p:bg`: a colour, or a picture that covers it, its overhang cut off (ECMA-376 Part 1, 19.3.1.1). */
export function backgroundXml(
  background: SlideBackground | undefined,
  relateImage: (ref: ImageRef) => { readonly id: string; readonly asset: ImageAsset },
): string {
  if (background === undefined) return '';
  const fill =
    'color' in background ? solidFill(background.color) : pictureFill(relateImage(background.image));
  return `<p:bg><p:bgPr>${fill}<a:effectLst/></p:bgPr></p:bg>`;
}

function pictureFill({ id, asset }: { readonly id: string; readonly asset: ImageAsset }): string {
  return (
    `<a:blipFill dpi="0" rotWithShape="1"><a:blip r:embed="${id}"/><a:srcRect/>` +
    `<a:stretch>${overhangXml(asset)}</a:stretch></a:blipFill>`
  );
}

/** `a:fillRect` that reaches over the slide's edges as far as the picture does, as PowerPoint writes its offsets. */
function overhangXml(asset: ImageAsset): string {
  const { width, height } = coverOverhang(asset);
  const offset = (share: number) => Math.round(share * -50_000);
  return `<a:fillRect l="${offset(width)}" t="${offset(height)}" r="${offset(width)}" b="${offset(height)}"/>`;
}

/** How much wider and higher than the slide a covering picture is, in shares of the slide. */
function coverOverhang(asset: ImageAsset): { readonly width: number; readonly height: number } {
  const scale = Math.max(canvas.width / asset.width, canvas.height / asset.height);
  return {
    width: (asset.width * scale) / canvas.width - 1,
    height: (asset.height * scale) / canvas.height - 1,
  };
}

/**
 * Whether a background picture is not of the slide's proportions: viewers that ignore the offsets of a background
 * (LibreOffice) would distort it, so its layout shows it a second time as a cropped picture.
 */
export function overhangs(asset: ImageAsset): boolean {
  const { width, height } = coverOverhang(asset);
  return width > 0.01 || height > 0.01;
}

/** The background as a picture that fills the slide, for a layout. */
export function backgroundPictureXml(asset: ImageAsset, relationshipId: string): string {
  return decorativePictureXml(asset, { id: 5, name: 'Background', relationshipId, box: slideBox });
}
