import type { ImageAsset, ImageRef } from '../../domain/documents/common.ts';
import type { DeckSpec } from '../../domain/documents/deck-spec.ts';
import type { RenderInput } from '../../ports/renderer.ts';

/** The deck's pictures: each is stored once, however often it is shown. */
export interface Media {
  assetOf(ref: ImageRef): ImageAsset;
  /** The part's name within `ppt/media`, given at its first use. */
  nameOf(ref: ImageRef): string;
  /** Every picture in use as a part of the package. */
  parts(): readonly (readonly [string, Uint8Array])[];
}

/** Opens the pictures of a render. @throws Error when a spec names a picture that the render was not given */
export function openMedia(images: RenderInput<DeckSpec>['images']): Media {
  const names = new Map<string, string>();
  const assetOf = (ref: ImageRef) => {
    const asset = images.get(ref.asset);
    if (asset === undefined) throw new Error(`no picture for asset ${ref.asset}`);
    return asset;
  };
  return {
    assetOf,
    nameOf(ref) {
      const known = names.get(ref.asset);
      if (known !== undefined) return known;
      const name = `image${names.size + 1}.${assetOf(ref).kind}`;
      names.set(ref.asset, name);
      return name;
    },
    parts: () =>
      [...names].map(([asset, name]) => [`ppt/media/${name}`, assetOf({ asset, alt: '' }).bytes] as const),
  };
}
