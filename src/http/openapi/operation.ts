import type { DescField } from '@bufbuild/protobuf';
import { protoComments } from '../../../gen/comments.ts';
import { type ErrorSlug, errorCatalogue } from '../../domain/errors.ts';
import { methodRulesOf } from '../../rpc/descriptor-rules.ts';
import { accessOf } from '../../rpc/gate/access.ts';
import type { Binding } from '../rest/binding.ts';
import { answerHeaders } from './answer-headers.ts';
import { fieldSchema } from './field-schema.ts';
import { parametersOf } from './parameters.ts';
import type { Schema, SchemaRegistry } from './schema.ts';

/** Returns the operation of one route; several methods on it differ in what the caller accepts. */
export function createOperation(targets: readonly Binding[], registry: SchemaRegistry): Schema {
  const main = targets.find(({ spec }) => spec.kind === 'unary') ?? (targets[0] as Binding);
  const { method } = main;
  const rules = methodRulesOf(method);
  const parameters = parametersOf(main, registry);
  return {
    operationId: method.localName,
    tags: [tagOf(main)],
    summary: rules.summary,
    description: protoComments[`${method.parent.typeName}.${method.name}`] ?? rules.summary,
    security: securityOf(main),
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(main.body === '' ? {} : { requestBody: requestBodyOf(main, registry) }),
    responses: { [main.status]: successOf(targets, main, registry), ...failuresOf(main) },
  };
}

/** Returns the tag of a method's operations: its service's name without the word that all of them end in. */
export function tagOf({ method }: Binding): string {
  return method.parent.name.replace(/Service$/, '');
}

function securityOf({ method }: Binding): Schema[] {
  switch (accessOf(method).kind) {
    case 'apiKey':
      return [{ apiKey: [] }];
    case 'session':
    case 'administrator':
      return [{ session: [] }];
    case 'signature':
      return [{ webhookSignature: [] }];
    default:
      return [];
  }
}

function requestBodyOf({ method, body }: Binding, registry: SchemaRegistry): Schema {
  const field = method.input.fields.find(({ name }) => name === body);
  const message = field === undefined ? method.input : field.message;
  if (message?.typeName === 'google.api.HttpBody') {
    return { description: 'Taken byte for byte; any content.', content: { '*/*': {} } };
  }
  const schema =
    field === undefined ? registry.refer(method.input, 'input') : fieldSchema(field, 'input', registry);
  return { required: true, content: { 'application/json': { schema } } };
}

function successOf(targets: readonly Binding[], main: Binding, registry: SchemaRegistry): Schema {
  const headers = answerHeaders(main, main.status);
  if (main.status === 204) return { description: 'Done; no body.', headers };
  const content = Object.assign({}, ...targets.map((target) => contentOf(target, registry)));
  return { description: protoComments[main.method.output.typeName] ?? 'Done.', headers, content };
}

function contentOf(binding: Binding, registry: SchemaRegistry): Schema {
  const { method, isBinary, spec } = binding;
  if (isBinary) {
    const { produces } = methodRulesOf(method);
    return { [produces || 'application/octet-stream']: { schema: { type: 'string', format: 'binary' } } };
  }
  const schema = responseSchema(binding, registry);
  if (spec.kind === 'unary') return { 'application/json': { schema } };
  return {
    'text/event-stream': {
      schema: {
        type: 'string',
        description:
          'Server-sent events; the data line of each is one JSON object, as x-event-schema has it.',
      },
      'x-event-schema': schema,
    },
  };
}

function responseSchema({ method, responseBody }: Binding, registry: SchemaRegistry): Schema {
  const field: DescField | undefined = method.output.fields.find(({ name }) => name === responseBody);
  return field === undefined
    ? registry.refer(method.output, 'output')
    : fieldSchema(field, 'output', registry);
}

/** Slugs that the gate of /v1 and the server itself can answer with. */
const gateSlugs: readonly ErrorSlug[] = [
  'invalid_request',
  'missing_token',
  'invalid_token',
  'subscription_required',
  'trial_no_api_access',
  'key_actor_revoked',
  'org_suspended',
  'rate_limit_exceeded',
  'ip_rate_limit_exceeded',
  'budget_exhausted',
  'internal_error',
  'entitlement_check_failed',
  'budget_check_failed',
];

function failuresOf(binding: Binding): Schema {
  const { method, body } = binding;
  const access = accessOf(method);
  if (access.kind !== 'apiKey') {
    const content = { 'application/json': { schema: { $ref: '#/components/schemas/ApiError' } } };
    return { default: { description: 'What went wrong.', headers: answerHeaders(binding, 500), content } };
  }
  const slugs = new Set<ErrorSlug>([
    ...gateSlugs,
    ...(access.scope === undefined ? [] : (['insufficient_scope'] as const)),
    ...(body === '' ? [] : (['payload_too_large'] as const)),
    ...methodRulesOf(method).errors.map(toSlug),
  ]);
  const byStatus = Map.groupBy(slugs, (slug) => errorCatalogue[slug].status);
  return Object.fromEntries(
    [...byStatus]
      .sort(([a], [b]) => a - b)
      .map(([status, each]) => [
        status,
        {
          description: each.map((slug) => `\`${slug}\`: ${errorCatalogue[slug].condition}`).join('\n\n'),
          headers: answerHeaders(binding, status),
          content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
        },
      ]),
  );
}

function toSlug(name: string): ErrorSlug {
  if (!(name in errorCatalogue)) throw new Error(`the proto names an unknown error: ${name}`);
  return name as ErrorSlug;
}
