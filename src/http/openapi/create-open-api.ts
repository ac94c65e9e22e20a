import { protoComments } from '../../../gen/comments.ts';
import { sessionCookieName } from '../../rpc/session/session-cookie.ts';
import type { Binding } from '../rest/binding.ts';
import { sharedHeaders } from './answer-headers.ts';
import { createOperation, tagOf } from './operation.ts';
import { apiErrorSchema, problemSchema } from './problem-schema.ts';
import type { Schema } from './schema.ts';
import { createSchemaRegistry } from './schema-registry.ts';

export interface OpenApiOptions {
  /** Address of the service, without a slash at its end. */
  readonly publicUrl: string;
  readonly errorsBase: string;
}

/**
 * Returns the OpenAPI 3.1 description of the REST routes, made from their descriptors: paths, schemas with the protos'
 * comments, error answers from the catalogue, headers, binary answers and event streams.
 */
export function createOpenApi(bindings: readonly Binding[], options: OpenApiOptions): Schema {
  const documented = bindings.filter(({ httpMethod }) => documentedMethods.has(httpMethod));
  const registry = createSchemaRegistry(documented.map(({ method }) => method));
  const paths: Record<string, Record<string, unknown>> = {};
  for (const [key, targets] of groupByRoute(documented)) {
    const [httpMethod, path] = key;
    paths[path] ??= {};
    paths[path][httpMethod.toLowerCase()] = createOperation(targets, registry);
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Service',
      version: 'v1',
      description:
        'JSON specs become Excel, PDF, PowerPoint and Word files; messages go to language models; agents run by webhook. ' +
        'The same methods are there over gRPC, gRPC-Web and Connect.',
    },
    servers: [{ url: options.publicUrl }],
    tags: tagsOf(documented),
    paths,
    components: {
      schemas: {
        ...registry.components(),
        Problem: problemSchema(options.errorsBase),
        ApiError: apiErrorSchema,
      },
      headers: sharedHeaders,
      securitySchemes: {
        apiKey: {
          type: 'http',
          scheme: 'bearer',
          description: 'An API key: `Authorization: Bearer <API_KEY>`.',
        },
        session: {
          type: 'apiKey',
          in: 'cookie',
          name: sessionCookieName(options.publicUrl),
          description:
            'The cookie of a signed-in user. Calls that change something also need `X-CSRF-Token`, and the `Origin` of the service.',
        },
        webhookSignature: {
          type: 'apiKey',
          in: 'header',
          name: 'X-Webhook-Signature',
          description: 'Hex HMAC-SHA256 of `<X-Webhook-Timestamp>.<body>` under the secret of the agent.',
        },
      },
    },
  };
}

const documentedMethods = new Set(['GET', 'PUT', 'POST', 'DELETE', 'PATCH', 'OPTIONS', 'HEAD', 'TRACE']);

/** Methods that share a route (an answer whole and the same as a stream) become one operation. */
function groupByRoute(bindings: readonly Binding[]): Map<readonly [method: string, path: string], Binding[]> {
  const routes = new Map<string, { key: readonly [string, string]; targets: Binding[] }>();
  for (const binding of bindings) {
    const path = toOpenApiPath(binding.path);
    const name = `${binding.httpMethod} ${path}`;
    const route = routes.get(name) ?? { key: [binding.httpMethod, path], targets: [] };
    route.targets.push(binding);
    routes.set(name, route);
  }
  return new Map([...routes.values()].map(({ key, targets }) => [key, targets]));
}

/** `/v1/{name=shelves/*}` is `/v1/{name}` in OpenAPI. */
function toOpenApiPath(template: string): string {
  return template.replace(/\{([^}=]+)=[^}]*\}/g, '{$1}');
}

function tagsOf(bindings: readonly Binding[]): Schema[] {
  const services = new Map(bindings.map((binding) => [tagOf(binding), binding.method.parent.typeName]));
  return [...services].map(([name, typeName]) => ({ name, description: protoComments[typeName] ?? name }));
}
