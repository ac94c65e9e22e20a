import { type PdfDocument, type PdfReference, packedReference } from './pdf-document.ts';
import { pdfTextString } from './pdf-text.ts';

/** The standard structure types that a report uses (ISO 32000-1, 14.8.4). */
export type StructureType =
  | 'Document'
  | 'Sect'
  | 'Div'
  | 'H1'
  | 'H2'
  | 'P'
  | 'L'
  | 'LI'
  | 'Lbl'
  | 'LBody'
  | 'Table'
  | 'THead'
  | 'TBody'
  | 'TR'
  | 'TH'
  | 'TD'
  | 'Figure'
  | 'Caption'
  | 'Link'
  | 'Note';

/** A piece of a page that belongs to an element: marked content by its number, or an annotation. */
type Content = { readonly page: PdfReference } & (
  | { readonly mcid: number }
  | { readonly annotation: number }
);

export interface StructureElement {
  readonly type: StructureType;
  /** Alternative text of a figure. */
  readonly alt: string | undefined;
  /** An attribute dictionary. */
  readonly attributes: string | undefined;
  /** Its object's number, once the tree is written. */
  id: number;
  /** Nearly every element of a large table has one content and nothing else: that one needs no list. */
  page: PdfReference | undefined;
  mcid: number;
  kids: (StructureElement | Content)[] | undefined;
}

/** The logical structure of one document, written at its end. */
export interface StructureTree {
  readonly root: StructureElement;
  /** Marked content of a page: gives its number there. */
  mark(element: StructureElement, pageIndex: number, page: PdfReference): number;
  /**
   * Adds an annotation that belongs to an element; `entries` are those of its dictionary. Gives what the page's
   * list of annotations names it by.
   */
  annotate(element: StructureElement, entries: string, page: PdfReference): object;
  write(): void;
}

/** A new element, the last kid of its parent. */
export function addElement(
  parent: StructureElement | undefined,
  type: StructureType,
  details: { readonly alt?: string; readonly attributes?: string } = noDetails,
): StructureElement {
  const { alt, attributes } = details;
  const element: StructureElement = {
    type,
    alt,
    attributes,
    id: 0,
    page: undefined,
    mcid: -1,
    kids: undefined,
  };
  if (parent !== undefined) addKid(parent, element);
  return element;
}

const noDetails = {};

function addKid(element: StructureElement, kid: StructureElement | Content): void {
  element.kids ??= [];
  if (element.page !== undefined) {
    element.kids.push({ page: element.page, mcid: element.mcid });
    element.page = undefined;
  }
  element.kids.push(kid);
}

export function createStructureTree(document: PdfDocument): StructureTree {
  const root = addElement(undefined, 'Document');
  const pages: ({ readonly page: PdfReference; readonly owners: StructureElement[] } | undefined)[] = [];
  const annotations: { readonly id: number; readonly entries: string; readonly owner: StructureElement }[] =
    [];

  return {
    root,
    mark(element, pageIndex, page) {
      pages[pageIndex] ??= { page, owners: [] };
      const owners = pages[pageIndex].owners;
      if (element.kids === undefined && element.page === undefined) {
        element.page = page;
        element.mcid = owners.length;
      } else {
        addKid(element, { page, mcid: owners.length });
      }
      owners.push(element);
      return owners.length - 1;
    },
    annotate(element, entries, page) {
      const id = document.reserveObject();
      addKid(element, { page, annotation: id });
      annotations.push({ id, entries, owner: element });
      return packedReference(id);
    },
    write() {
      const treeId = document.reserveObject();
      root.id = document.reserveObject();
      writeElement(document, root, treeId);
      const numbers: string[] = [];
      const number = (id: number): number => numbers.push(`${numbers.length} ${id} 0 R`) - 1;
      for (const marked of pages) {
        if (marked === undefined) continue;
        const id = document.reserveObject();
        marked.page.data.StructParents = number(id);
        let owners = '';
        for (const owner of marked.owners) owners += `${owner.id} 0 R `;
        document.packObject(id, `[${owners}]`);
      }
      for (const { id, entries, owner } of annotations) {
        document.packObject(id, `<</Type/Annot${entries}/StructParent ${number(owner.id)}>>`);
      }
      const parentTreeId = document.reserveObject();
      const rootEntries = `/K ${root.id} 0 R/ParentTree ${parentTreeId} 0 R/ParentTreeNextKey ${numbers.length}`;
      document.packObject(treeId, `<</Type/StructTreeRoot${rootEntries}>>`);
      document.packObject(parentTreeId, `<</Nums[${numbers.join(' ')}]>>`);
      document.flushPacked();
      document._root.data.StructTreeRoot = packedReference(treeId);
      document._root.data.MarkInfo = { Marked: true };
    },
  };
}

function isElement(kid: StructureElement | Content): kid is StructureElement {
  return 'type' in kid;
}

/** Writes an element, which has its number, and all that is under it. */
function writeElement(document: PdfDocument, element: StructureElement, parentId: number): void {
  const { kids } = element;
  let body = `<</S/${element.type}/P ${parentId} 0 R`;
  if (element.page !== undefined) body += `/Pg ${element.page.id} 0 R/K ${element.mcid}`;
  if (kids !== undefined) {
    for (const kid of kids) if (isElement(kid)) kid.id = document.reserveObject();
    body += kidsEntries(kids);
  }
  if (element.alt !== undefined) body += `/Alt ${pdfTextString(element.alt)}`;
  if (element.attributes !== undefined) body += `/A${element.attributes}`;
  document.packObject(element.id, `${body}>>`);
  if (kids === undefined) return;
  for (const kid of kids) if (isElement(kid)) writeElement(document, kid, element.id);
}

function kidsEntries(kids: readonly (StructureElement | Content)[]): string {
  let page: PdfReference | undefined;
  let list = '';
  for (const kid of kids) {
    if (isElement(kid)) {
      list += ` ${kid.id} 0 R`;
    } else if ('annotation' in kid) {
      list += `<</Type/OBJR/Obj ${kid.annotation} 0 R/Pg ${kid.page.id} 0 R>>`;
    } else {
      page ??= kid.page;
      list += page === kid.page ? ` ${kid.mcid}` : `<</Type/MCR/Pg ${kid.page.id} 0 R/MCID ${kid.mcid}>>`;
    }
  }
  return `${page === undefined ? '' : `/Pg ${page.id} 0 R`}/K[${list}]`;
}
