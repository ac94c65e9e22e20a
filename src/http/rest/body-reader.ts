import type { IncomingHttpHeaders } from 'node:http';
import { create, type DescField, type DescMessage, type Message } from '@bufbuild/protobuf';
import { HttpBodySchema } from '../../../gen/google/api/httpbody_pb.ts';
import { ServiceError } from '../../domain/errors.ts';
import type { DecodeContext } from './decode-context.ts';
import { fieldDecoder, messageDecoder } from './json-decoder.ts';

/** What a request's head says of its body. */
export type BodyHead = Pick<IncomingHttpHeaders, 'content-type' | 'content-encoding'>;

/** Reads a request's body into a message. Violations go to the context. @throws `invalid_request` */
export type BodyReader = (head: BodyHead, body: Buffer, ctx: DecodeContext) => Message | undefined;

/**
 * Returns the reader of a body that is the whole message, or one field of it. A google.api.HttpBody takes the bytes as
 * they came, of whatever type; everything else is JSON, not compressed.
 */
export function createBodyReader(input: DescMessage, bodyField: DescField | undefined): BodyReader {
  if (bodyField === undefined) {
    if (isHttpBody(input)) return (head, body) => toHttpBody(head, body);
    const decode = messageDecoder(input);
    return (head, body, ctx) => decode(parseObject(head, body), ctx) as Message | undefined;
  }
  const { localName } = bodyField;
  if (bodyField.fieldKind === 'message' && isHttpBody(bodyField.message)) {
    return (head, body) => create(input, { [localName]: toHttpBody(head, body) });
  }
  const decode = fieldDecoder(bodyField);
  const parse = bodyField.fieldKind === 'message' || bodyField.fieldKind === 'map' ? parseObject : parseJson;
  return (head, body, ctx) => {
    const value = decode(parse(head, body), ctx);
    return value === undefined ? undefined : Object.assign(create(input), { [localName]: value });
  };
}

function parseObject(head: BodyHead, body: Buffer): unknown {
  const json = parseJson(head, body);
  if (typeof json !== 'object' || json === null || Array.isArray(json))
    throw refusal('The body must be a JSON object.');
  return json;
}

function parseJson(head: BodyHead, body: Buffer): unknown {
  const { 'content-type': contentType, 'content-encoding': encoding } = head;
  if (contentType !== undefined && contentType !== 'application/json' && !isJsonType(contentType)) {
    throw refusal('The content type must be application/json.');
  }
  if (encoding !== undefined && !/^\s*(?:identity\s*)?$/i.test(encoding)) {
    throw refusal('The body must not be compressed: Content-Encoding is not supported.');
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

function toHttpBody(head: BodyHead, body: Buffer) {
  return create(HttpBodySchema, { contentType: head['content-type'] ?? '', data: body });
}

function refusal(detail: string): ServiceError {
  return new ServiceError('invalid_request', { detail });
}
