import { escapeXml, xmlDeclaration } from '../ooxml/xml.ts';

const namespace = 'http://schemas.openxmlformats.org/package/2006/relationships';
const officeTypes = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';

type RelationshipType =
  | 'slide'
  | 'slideLayout'
  | 'slideMaster'
  | 'notesSlide'
  | 'notesMaster'
  | 'theme'
  | 'image'
  | 'chart'
  | 'package'
  | 'presProps'
  | 'viewProps'
  | 'tableStyles';

/** The relationships of one part. */
export interface Relationships {
  /** The id (`rId1` …) of a target, the same for the same target; `target` is relative to the part's folder. */
  relate(type: RelationshipType, target: string): string;
  /** The `.rels` part (ECMA-376 Part 2, 6.5.3). */
  toXml(): string;
}

/** Starts the relationships of a part that has none yet. */
export function createRelationships(): Relationships {
  const ids = new Map<string, string>();
  const entries: string[] = [];
  return {
    relate(type, target) {
      const known = ids.get(target);
      if (known !== undefined) return known;
      const id = `rId${ids.size + 1}`;
      ids.set(target, id);
      entries.push(`<Relationship Id="${id}" Type="${officeTypes}/${type}" Target="${escapeXml(target)}"/>`);
      return id;
    },
    toXml: () => `${xmlDeclaration}<Relationships xmlns="${namespace}">${entries.join('')}</Relationships>`,
  };
}
