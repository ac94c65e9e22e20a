import { create, type DescField, type DescMessage, type Message } from '@bufbuild/protobuf';
import { HttpBodySchema } from '../../../gen/google/api/httpbody_pb.ts';
import { ServiceError } from '../../domain/errors.ts';
import type { DecodeContext } from './decode-context.ts';
import { fieldDecoder, messageDecoder } from './json-decoder.ts';

/** Reads a request's body into a message. Violations go to the context. @throws `invalid_request` */
export type BodyReader = (
  contentType: string | undefined,
  body: Buffer,
  ctx: DecodeContext,
) => Message | undefined;

/**
 * Returns the reader of a body that is the whole message, or one field of it. A google.api.HttpBody takes the bytes as
 * they came, of whatever type; everything else is JSON.
 */
export function createBodyReader(input: DescMessage, bodyField: DescField | undefined): BodyReader {
  if (bodyField === undefined) {
    if (isHttpBody(input)) return (contentType, body) => toHttpBody(contentType, body);
    const decode = messageDecoder(input);
    return (contentType, body, ctx) => decode(parseObject(contentType, body), ctx) as Message | undefined;
  }
  const { localName } = bodyField;
  if (bodyField.fieldKind === 'message' && isHttpBody(bodyField.message)) {
    return (contentType, body) => create(input, { [localName]: toHttpBody(contentType, body) });
  }
  const decode = fieldDecoder(bodyField);
  const parse = bodyField.fieldKind === 'message' || bodyField.fieldKind === 'map' ? parseObject : parseJson;
  return (contentType, body, ctx) => {
    const value = decode(parse(contentType, body), ctx);
    return value === undefined ? undefined : Object.assign(create(input), { [localName]: value });
  };
}

function parseObject(contentType: string | undefined, body: Buffer): unknown {
  const json = parseJson(contentType, body);
  if (typeof json !== 'object' || json === null || Array.isArray(json))
    throw refusal('The body must be a JSON object.');
  return json;
}

function parseJson(contentType: string | undefined, body: Buffer): unknown {
  if (contentType !== undefined && contentType !== 'application/json' && !isJsonType(contentType)) {
    throw refusal('The content type must be application/json.');
  }
  if (body.length === 0) throw refusal('The body must be a JSON object.');
  try {
    return JSON.parse(utf8.decode(body));
  } catch {
    throw refusal('The body is not valid JSON.');
  }
}

/** RFC 8259, section 8.1: JSON is UTF-8, and a parser may ignore a byte order mark. */
const utf8 = new TextDecoder('utf-8', { fatal: true });

function isJsonType(contentType: string): boolean {
  return /^\s*application\/json\s*(?:;\s*charset\s*=\s*"?utf-?8"?\s*)?;?\s*$/i.test(contentType);
}

function isHttpBody(desc: DescMessage): boolean {
  return desc.typeName === HttpBodySchema.typeName;
}

function toHttpBody(contentType: string | undefined, body: Buffer) {
  return create(HttpBodySchema, { contentType: contentType ?? '', data: body });
}

function refusal(detail: string): ServiceError {
  return new ServiceError('invalid_request', { detail });
}
