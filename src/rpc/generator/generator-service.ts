import type { MessageInitShape } from '@bufbuild/protobuf';
import type { HandlerContext, ServiceImpl } from '@connectrpc/connect';
import type { HttpBodySchema } from '../../../gen/google/api/httpbody_pb.ts';
import type { GeneratorService as GeneratorServiceDesc } from '../../../gen/service/generator/v1/generator_pb.ts';
import type { DocumentFormat, SpecByFormat } from '../../domain/documents/formats.ts';
import type { EngineName } from '../../domain/errors.ts';
import { limits } from '../../domain/limits.ts';
import type { GeneratorService } from '../../services/generator.ts';
import { methodRulesOf } from '../descriptor-rules.ts';
import type { ParsedSpec } from './parse-common.ts';
import { parseDeck } from './parse-deck.ts';
import { parseReport } from './parse-report.ts';
import { parseWord } from './parse-word.ts';
import { parseWorkbook } from './parse-workbook.ts';

type HttpBodyInit = MessageInitShape<typeof HttpBodySchema>;

/** Answers the generator RPCs: each with the file in chunks, its name, id and length in the headers. */
export function createGeneratorRpc(generator: GeneratorService): ServiceImpl<typeof GeneratorServiceDesc> {
  return {
    generateExcel: (request, context) => respond(generator, 'excel', 'xlsx', parseWorkbook(request), context),
    generatePdf: (request, context) => respond(generator, 'pdf', 'pdf', parseReport(request), context),
    generatePptx: (request, context) => respond(generator, 'pptx', 'pptx', parseDeck(request), context),
    generateDocx: (request, context) => respond(generator, 'docx', 'docx', parseWord(request), context),
  };
}

async function* respond<Format extends DocumentFormat>(
  generator: GeneratorService,
  engine: EngineName,
  format: Format,
  parsed: ParsedSpec<SpecByFormat[Format]>,
  context: HandlerContext,
): AsyncGenerator<HttpBodyInit> {
  const document = await generator.generate({ engine, format, ...parsed }, context.signal);
  const contentType = methodRulesOf(context.method).produces;
  const header = context.responseHeader;
  header.set('content-disposition', `attachment; filename="${document.filename}"`);
  header.set('x-service-file-id', document.id);
  if (document.warnings.length > 0) header.set('x-service-warnings', headerText(document.warnings));
  yield* chunks(document.bytes, contentType, header);
}

function* chunks(bytes: Uint8Array, contentType: string, header: Headers): Generator<HttpBodyInit> {
  header.set('content-length', String(bytes.byteLength));
  const { httpBodyChunkBytes } = limits.grpc;
  for (let start = 0; start < bytes.byteLength; start += httpBodyChunkBytes) {
    yield { contentType, data: bytes.subarray(start, start + httpBodyChunkBytes) };
  }
}

const warningCharsMax = 1_000;

function headerText(warnings: readonly string[]): string {
  const text = warnings.join('; ').replace(/[^\x20-\x7e]/g, '?');
  return text.length <= warningCharsMax ? text : `${text.slice(0, warningCharsMax - 3)}...`;
}
