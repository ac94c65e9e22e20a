import type { Workbook } from 'exceljs';

/** The table of texts that exceljs keeps. */
interface ExceljsStrings {
  readonly count: number;
  readonly values?: readonly string[];
  readonly xml: string;
}

interface ExceljsCell {
  readonly address: string;
  readonly styleId?: number;
}

interface ExceljsRow {
  readonly number: number;
  readonly cells: readonly ExceljsCell[];
}

export interface ExceljsSheet {
  readonly id: number;
  rows: readonly ExceljsRow[];
  readonly rels: { readonly Id: string; readonly Type: string; readonly Target: string }[];
  readonly dimensions: { model: { top: number; left: number; bottom: number; right: number } };
  readonly conditionalFormattings: readonly { readonly rules: readonly { x14Id?: string }[] }[];
}

/** What exceljs writes a workbook from, once styles and texts have their ids. */
export interface ExceljsModel {
  readonly worksheets: readonly ExceljsSheet[];
  sharedStrings: ExceljsStrings;
}

interface PartSink {
  append(content: string | Uint8Array, entry: { name: string; base64?: boolean }): void;
}

/** The steps of exceljs 4.4.0's `xlsx.write`, which its types leave out. */
interface ExceljsWriter {
  prepareModel(model: ExceljsModel, options: object): void;
  addContentTypes(sink: PartSink, model: ExceljsModel): Promise<void>;
  addOfficeRels(sink: PartSink, model: ExceljsModel): Promise<void>;
  addWorkbookRels(sink: PartSink, model: ExceljsModel): Promise<void>;
  addWorksheets(sink: PartSink, model: ExceljsModel): Promise<void>;
  addSharedStrings(sink: PartSink, model: ExceljsModel): Promise<void>;
  addDrawings(sink: PartSink, model: ExceljsModel): void;
  addThemes(sink: PartSink, model: ExceljsModel): Promise<void>;
  addStyles(sink: PartSink, model: ExceljsModel): Promise<void>;
  addMedia(sink: PartSink, model: ExceljsModel): Promise<void>;
  addApp(sink: PartSink, model: ExceljsModel): Promise<void>;
  addCore(sink: PartSink, model: ExceljsModel): Promise<void>;
  addWorkbook(sink: PartSink, model: ExceljsModel): Promise<void>;
}

/**
 * Returns the parts that exceljs writes for a workbook, unpacked. `adjust` sees the prepared model before anything
 * is written, and may change it.
 */
export async function exceljsParts(
  workbook: Workbook,
  adjust: (model: ExceljsModel) => void = () => {},
): Promise<Map<string, string | Uint8Array>> {
  const writer = workbook.xlsx as unknown as ExceljsWriter;
  const model = workbook.model as unknown as ExceljsModel;
  const parts = new Map<string, string | Uint8Array>();
  const sink: PartSink = { append: (content, { name }) => void parts.set(name, content) };
  writer.prepareModel(model, {});
  giveRulesFixedIds(model);
  adjust(model);
  await writer.addContentTypes(sink, model);
  await writer.addOfficeRels(sink, model);
  await writer.addWorkbookRels(sink, model);
  await writer.addWorksheets(sink, model);
  await writer.addSharedStrings(sink, model);
  writer.addDrawings(sink, model);
  await writer.addThemes(sink, model);
  await writer.addStyles(sink, model);
  await writer.addMedia(sink, model);
  await writer.addApp(sink, model);
  await writer.addCore(sink, model);
  await writer.addWorkbook(sink, model);
  return parts;
}

/** exceljs draws random ids for data bars; the same workbook must give the same bytes. */
function giveRulesFixedIds(model: ExceljsModel): void {
  let next = 1;
  for (const sheet of model.worksheets) {
    for (const { rules } of sheet.conditionalFormattings) {
      for (const rule of rules) {
        if (rule.x14Id === undefined) continue;
        rule.x14Id = `{00000000-0000-4000-8000-${(next++).toString(16).toUpperCase().padStart(12, '0')}}`;
      }
    }
  }
}
