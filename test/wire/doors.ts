import {
  create,
  type DescMethod,
  type DescService,
  fromBinary,
  fromJson,
  type JsonObject,
  type JsonValue,
  type MessageInitShape,
  toBinary,
  toJson,
} from '@bufbuild/protobuf';
import { Client, credentials, Metadata, type ServiceError } from '@grpc/grpc-js';
import { ErrorInfoSchema } from '../../gen/google/rpc/error_details_pb.ts';
import { StatusSchema } from '../../gen/google/rpc/status_pb.ts';

/** One answer, in terms that every door shares. */
export interface Answer {
  /** Slug of the failure; undefined on success. */
  readonly slug: string | undefined;
  /** Fields beside type, title, status, detail, request_id and errors; as text, since gRPC metadata is text. */
  readonly extra: Readonly<Record<string, string>>;
  readonly headers: Readonly<Record<string, string>>;
  /** The message of a unary answer, enums and 64-bit numbers as REST writes them; undefined for binary answers. */
  readonly message: JsonValue | undefined;
  /** Bytes of a binary answer. */
  readonly bytes: Buffer | undefined;
  /** HTTP status on REST and Connect, gRPC code on gRPC. */
  readonly status: number;
}

export interface Exchange {
  readonly service: DescService;
  readonly method: DescMethod;
  readonly message: MessageInitShape<DescMethod['input']>;
  readonly rest: { readonly method: string; readonly path: string; readonly body?: JsonValue };
  readonly headers: Readonly<Record<string, string>>;
}

export type Door = (port: number, exchange: Exchange) => Promise<Answer>;

const ownFields = new Set(['type', 'title', 'status', 'detail', 'request_id', 'errors']);

/** REST/JSON over HTTP/1.1. */
export const restDoor: Door = async (port, { rest, headers }) => {
  const res = await fetch(`http://127.0.0.1:${port}${rest.path}`, {
    method: rest.method,
    headers: { ...headers, ...(rest.body !== undefined && { 'content-type': 'application/json' }) },
    ...(rest.body !== undefined && { body: JSON.stringify(rest.body) }),
  });
  const bytes = Buffer.from(await res.arrayBuffer());
  const base = { status: res.status, headers: Object.fromEntries(res.headers) };
  const type = res.headers.get('content-type') ?? '';
  if (type === 'application/problem+json') {
    const problem = JSON.parse(bytes.toString()) as JsonObject;
    const extra = Object.entries(problem).filter(([name]) => !ownFields.has(name));
    return {
      ...base,
      slug: String(problem.type).split('/').pop(),
      extra: texts(extra),
      message: undefined,
      bytes: undefined,
    };
  }
  if (type.startsWith('application/json')) {
    return {
      ...base,
      slug: undefined,
      extra: {},
      message: withoutNulls(JSON.parse(bytes.toString())),
      bytes: undefined,
    };
  }
  return { ...base, slug: undefined, extra: {}, message: undefined, bytes };
};

/** The Connect protocol with JSON, unary methods only. */
export const connectDoor: Door = async (port, { service, method, message, headers }) => {
  const res = await fetch(`http://127.0.0.1:${port}/${service.typeName}/${method.name}`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json', 'connect-protocol-version': '1' },
    body: JSON.stringify(toJson(method.input, create(method.input, message))),
  });
  const body = (await res.json()) as JsonObject;
  const base = { status: res.status, headers: Object.fromEntries(res.headers), bytes: undefined };
  if (res.ok) return { ...base, slug: undefined, extra: {}, message: plain(method, body) };
  const details = (body.details ?? []) as { readonly type: string; readonly value: string }[];
  const info = details.find(({ type }) => type === 'google.rpc.ErrorInfo');
  return { ...base, message: undefined, ...errorInfo(info && Buffer.from(info.value, 'base64')) };
};

/** gRPC over cleartext HTTP/2, by grpc-js. */
export const grpcDoor: Door = async (port, { service, method, message, headers }) => {
  const client = new Client(`127.0.0.1:${port}`, credentials.createInsecure());
  const metadata = new Metadata();
  for (const [name, value] of Object.entries(headers)) metadata.set(name, value);
  try {
    return await (method.methodKind === 'unary' ? unary : serverStream)(
      client,
      service,
      method,
      message,
      metadata,
    );
  } finally {
    client.close();
  }
};

function unary(
  client: Client,
  service: DescService,
  method: DescMethod,
  message: Exchange['message'],
  metadata: Metadata,
) {
  return new Promise<Answer>((resolve) => {
    let headers: Readonly<Record<string, string>> = {};
    const call = client.makeUnaryRequest(
      `/${service.typeName}/${method.name}`,
      (bytes: Buffer) => bytes,
      (bytes: Buffer) => bytes,
      Buffer.from(toBinary(method.input, create(method.input, message))),
      metadata,
      (error, bytes) => {
        if (error !== null) return resolve(failed(error, headers));
        const json = toJson(method.output, fromBinary(method.output, bytes as Buffer), {
          alwaysEmitImplicit: true,
        });
        resolve({
          slug: undefined,
          extra: {},
          headers,
          message: plain(method, json),
          bytes: undefined,
          status: 0,
        });
      },
    );
    call.on('metadata', (received: Metadata) => {
      headers = received.getMap() as Record<string, string>;
    });
  });
}

/** Joins the data of a stream of google.api.HttpBody. */
function serverStream(
  client: Client,
  service: DescService,
  method: DescMethod,
  message: Exchange['message'],
  metadata: Metadata,
) {
  return new Promise<Answer>((resolve) => {
    let headers: Readonly<Record<string, string>> = {};
    const chunks: Uint8Array[] = [];
    const call = client.makeServerStreamRequest(
      `/${service.typeName}/${method.name}`,
      (bytes: Buffer) => bytes,
      (bytes: Buffer) => fromBinary(method.output, bytes) as unknown as { readonly data: Uint8Array },
      Buffer.from(toBinary(method.input, create(method.input, message))),
      metadata,
    );
    call.on('metadata', (received: Metadata) => {
      headers = received.getMap() as Record<string, string>;
    });
    call.on('data', ({ data }: { readonly data: Uint8Array }) => chunks.push(data));
    call.on('error', (error: ServiceError) => resolve(failed(error, headers)));
    call.on('end', () =>
      resolve({
        slug: undefined,
        extra: {},
        headers,
        message: undefined,
        bytes: Buffer.concat(chunks),
        status: 0,
      }),
    );
  });
}

function failed(error: ServiceError, headers: Readonly<Record<string, string>>): Answer {
  const [packed] = error.metadata.get('grpc-status-details-bin');
  const details = packed === undefined ? [] : fromBinary(StatusSchema, packed as Buffer).details;
  const info = details.find(({ typeUrl }) => typeUrl.endsWith('/google.rpc.ErrorInfo'));
  const all = { ...headers, ...(error.metadata.getMap() as Record<string, string>) };
  return {
    status: error.code,
    headers: all,
    message: undefined,
    bytes: undefined,
    ...errorInfo(info?.value),
  };
}

function errorInfo(bytes: Uint8Array | undefined): Pick<Answer, 'slug' | 'extra'> {
  if (bytes === undefined) return { slug: undefined, extra: {} };
  const { reason, metadata } = fromBinary(ErrorInfoSchema, bytes);
  return { slug: reason.toLowerCase(), extra: metadata };
}

function texts(entries: readonly (readonly [string, JsonValue])[]): Record<string, string> {
  return Object.fromEntries(
    entries.map(([name, value]) => [name, typeof value === 'string' ? value : JSON.stringify(value)]),
  );
}

/** Brings proto3 JSON to what REST writes: 64-bit numbers as numbers, times with milliseconds, empty fields present. */
function plain(method: DescMethod, json: JsonValue): JsonValue {
  return restNumbers(toJson(method.output, fromJson(method.output, json), { alwaysEmitImplicit: true }));
}

function restNumbers(value: JsonValue): JsonValue {
  if (typeof value === 'string') {
    if (/^-?\d{1,15}$/.test(value)) return Number(value);
    return /^\d{4}-\d\d-\d\dT[\d:]+(\.\d+)?Z$/.test(value) ? new Date(value).toISOString() : value;
  }
  if (Array.isArray(value)) return value.map(restNumbers);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, restNumbers(field)]));
}

function withoutNulls(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, field]) => field !== null)
      .map(([name, field]) => [name, withoutNulls(field)]),
  );
}
