import type { ImageAsset } from '../../domain/documents/common.ts';
import type { SlideBackground } from '../../domain/documents/deck-spec.ts';
import { backgroundPictureXml, overhangs } from './background.ts';
import { layoutTree } from './master-shapes.ts';
import type { Media } from './media.ts';
import { createRelationships } from './relationships.ts';

/** The layouts of a deck: number 1 is plain; each picture that overhangs the slide adds one that shows it. */
export interface Layouts {
  /** The number of the layout for a slide with this background. */
  numberFor(background: SlideBackground | undefined): number;
  /** The layouts and their relationships as parts of the package, in order. */
  parts(): readonly (readonly [string, string])[];
  count(): number;
}

/** Opens the layouts of a deck; `layout` is the plain one's XML. */
export function openLayouts(layout: string, media: Media): Layouts {
  const pictureLayouts: { readonly name: string; readonly asset: ImageAsset }[] = [];
  return {
    numberFor(background) {
      if (background === undefined || 'color' in background) return 1;
      const asset = media.assetOf(background.image);
      if (!overhangs(asset)) return 1;
      const name = media.nameOf(background.image);
      const known = pictureLayouts.findIndex((one) => one.name === name);
      return (known >= 0 ? known : pictureLayouts.push({ name, asset }) - 1) + 2;
    },
    parts() {
      const plain = layoutParts(1, layout, undefined);
      return [
        plain,
        ...pictureLayouts.map(({ name, asset }, index) => pictureLayout(index + 2, name, asset)),
      ].flat();
    },
    count: () => pictureLayouts.length + 1,
  };

  function pictureLayout(number: number, name: string, asset: ImageAsset) {
    const tree = layoutTree(backgroundPictureXml(asset, pictureRelationshipId));
    const xml = layout
      .replace(
        /<p:cSld name="[^"]*">.*<\/p:cSld>/s,
        `<p:cSld name="Picture background ${number - 1}">${tree}</p:cSld>`,
      )
      .replace(' type="titleOnly"', '');
    return layoutParts(number, xml, `../media/${name}`);
  }
}

const pictureRelationshipId = 'rId2';

function layoutParts(
  number: number,
  xml: string,
  picture: string | undefined,
): readonly (readonly [string, string])[] {
  const relationships = createRelationships();
  relationships.relate('slideMaster', '../slideMasters/slideMaster1.xml');
  if (picture !== undefined) relationships.relate('image', picture);
  return [
    [`ppt/slideLayouts/slideLayout${number}.xml`, xml],
    [`ppt/slideLayouts/_rels/slideLayout${number}.xml.rels`, relationships.toXml()],
  ];
}
