import {
  create,
  type DescField,
  type DescMessage,
  type DescMethod,
  getOption,
  hasOption,
  type Message,
} from '@bufbuild/protobuf';
import type { MethodImplSpec } from '@connectrpc/connect';
import { http } from '../../../gen/google/api/annotations_pb.ts';
import type { HttpRule } from '../../../gen/google/api/http_pb.ts';
import { ServiceError } from '../../domain/errors.ts';
import { methodRulesOf } from '../../rpc/descriptor-rules.ts';
import { toInputError } from '../../rpc/validate.ts';
import { type BodyHead, type BodyReader, createBodyReader } from './body-reader.ts';
import { DecodeContext } from './decode-context.ts';
import { type Encoder, fieldEncoder, messageEncoder } from './json-encoder.ts';
import { type PathTemplate, parsePathTemplate } from './path-template.ts';
import { queryDecoder, type TextBinder, textBinder } from './query-decoder.ts';
import type { CapturedValues } from './route-table.ts';

/** One google.api.http rule of a method, compiled: how its request is read and its answer written. */
export interface Binding {
  /** HTTP method, or `*` for any. */
  readonly httpMethod: string;
  readonly template: PathTemplate;
  /** The template as the proto has it. */
  readonly path: string;
  readonly method: DescMethod;
  readonly spec: MethodImplSpec;
  /** Success status: 200, or what the proto says. */
  readonly status: number;
  /** What the body is: `*` the whole message, a field's name, or nothing when empty. */
  readonly body: string;
  /** Field that the answer is; the whole message when empty. */
  readonly responseBody: string;
  /** Whether the answer is a google.api.HttpBody, sent as it is. */
  readonly isBinary: boolean;
  /** JSON pointer of the field that the body is, cut off pointers into the message; empty when the body is all of it. */
  readonly bodyPointer: string;
  /**
   * Reads the request message.
   *
   * @throws `invalid_request` or `spec_invalid`
   */
  readRequest(values: CapturedValues, query: string, head: BodyHead, body: Buffer): Message;
  readonly encodeResponse: Encoder;
}

/**
 * Returns the bindings of a method: its google.api.http rule and the additional ones; none when it has no rule.
 *
 * @throws Error naming the method when a rule cannot be followed: unknown fields, a malformed template
 */
export function bindingsOf(spec: MethodImplSpec): Binding[] {
  const { method } = spec;
  if (!hasOption(method, http)) return [];
  const rule = getOption(method, http);
  return [rule, ...rule.additionalBindings].map((each) => {
    try {
      return compileBinding(spec, each);
    } catch (cause) {
      throw new Error(`${method.parent.typeName}.${method.name}: ${(cause as Error).message}`, { cause });
    }
  });
}

function compileBinding(spec: MethodImplSpec, rule: HttpRule): Binding {
  const method: DescMethod = spec.method;
  const { httpMethod, path } = patternOf(rule);
  const template = parsePathTemplate(path);
  const { input, output } = method;
  const variables = template.variables.map(({ fieldPath }) => {
    const binder = textBinder(input, fieldPath);
    if (binder === undefined) throw new Error(`${path} binds ${fieldPath.join('.')}, which no text can hold`);
    return { binder, fieldPath };
  });
  const bodyField = rule.body === '' || rule.body === '*' ? undefined : fieldNamed(input, rule.body);
  const readBody = rule.body === '' ? undefined : createBodyReader(input, bodyField);
  const bound = [
    ...variables.map(({ fieldPath }) => fieldPath.join('.')),
    ...(bodyField ? [bodyField.name] : []),
  ];
  const readQuery = rule.body === '*' ? undefined : queryDecoder(input, new Set(bound));
  return {
    httpMethod,
    template,
    path,
    method,
    spec,
    status: methodRulesOf(method).status || 200,
    body: rule.body,
    responseBody: rule.responseBody,
    isBinary: output.typeName === 'google.api.HttpBody' && rule.responseBody === '',
    bodyPointer: bodyField === undefined ? '' : `/${bodyField.jsonName}`,
    readRequest: requestReader(
      method,
      readBody,
      readQuery,
      variables.map(({ binder }) => binder),
    ),
    encodeResponse:
      rule.responseBody === '' ? messageEncoder(output) : fieldEncoder(fieldNamed(output, rule.responseBody)),
  };
}

function requestReader(
  method: DescMethod,
  readBody: BodyReader | undefined,
  readQuery: ReturnType<typeof queryDecoder> | undefined,
  binders: readonly TextBinder[],
): Binding['readRequest'] {
  return (values, query, head, body) => {
    const ctx = new DecodeContext();
    const message = (readBody?.(head, body, ctx) ?? create(method.input)) as Message &
      Record<string, unknown>;
    if (readQuery !== undefined && query !== '') readQuery(message, query, ctx);
    for (const [index, bind] of binders.entries()) {
      const value = values[index];
      if (value === undefined) throw notPercentEncoded();
      bind(message, [value], ctx);
    }
    const [first, ...others] = ctx.violations;
    if (first !== undefined) throw toInputError(method, [first, ...others]);
    return message;
  };
}

function patternOf({ pattern }: HttpRule): { httpMethod: string; path: string } {
  switch (pattern.case) {
    case undefined:
      throw new Error('the http rule has no pattern');
    case 'custom':
      return { httpMethod: pattern.value.kind, path: pattern.value.path };
    default:
      return { httpMethod: pattern.case.toUpperCase(), path: pattern.value };
  }
}

function fieldNamed(desc: DescMessage, name: string): DescField {
  const field = desc.fields.find((candidate) => candidate.name === name);
  if (field === undefined) throw new Error(`${desc.typeName} has no field ${name}`);
  return field;
}

function notPercentEncoded(): ServiceError {
  return new ServiceError('invalid_request', { detail: 'The path is not percent-encoded UTF-8.' });
}
