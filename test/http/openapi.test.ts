import { Validator } from '@seriousme/openapi-schema-validator';
import { describe, expect, test } from 'vitest';
import { AdminService } from '../../gen/service/admin/v1/admin_pb.ts';
import { SessionService } from '../../gen/service/admin/v1/session_pb.ts';
import { HealthService } from '../../gen/service/health/v1/health_pb.ts';
import { createOpenApi } from '../../src/http/openapi/create-open-api.ts';
import { createServices } from '../../src/http/services.ts';
import { cannedRoutes, errorsBase, publicUrl } from './canned-services.ts';

// biome-ignore lint/suspicious/noExplicitAny: the document is plain JSON of many shapes
type Json = any;

function describeAll(): Json {
  const { bindings } = createServices((router) => {
    cannedRoutes()(router);
    router.service(AdminService, {});
    router.service(SessionService, {});
  });
  return JSON.parse(JSON.stringify(createOpenApi(bindings, { publicUrl, errorsBase })));
}

describe('the API description', () => {
  const document = describeAll();

  test('is valid OpenAPI 3.1 in the eyes of an independent validator', async () => {
    const validator = new Validator();
    expect(await validator.validate(structuredClone(document))).toMatchObject({ valid: true });
    expect(validator.version).toBe('3.1');
  });

  test('has the paths of registered services and no others', () => {
    const { bindings } = createServices((router) => router.service(HealthService, {}));
    expect(Object.keys(createOpenApi(bindings, { publicUrl, errorsBase }).paths as Json)).toEqual([
      '/v1/health',
    ]);
  });

  test('describes every field of what it refers to, in the words of the protos', () => {
    const { ChatRequest, TokenUsage } = document.components.schemas;
    expect(ChatRequest.properties.message).toEqual({
      type: ['string', 'null'],
      minLength: 1,
      description: 'One user message.',
    });
    expect(TokenUsage.required).toEqual(['prompt_tokens', 'completion_tokens', 'total_tokens']);
    for (const [name, schema] of Object.entries<Json>(document.components.schemas)) {
      for (const [field, { description }] of Object.entries<Json>(schema.properties ?? {})) {
        if (field === 'type' || name === 'Problem' || name === 'ApiError') continue;
        expect(description, `${name}.${field}`).toMatch(/\w/);
      }
    }
  });

  test('has the event stream beside the JSON answer of a chat', () => {
    const { content } = document.paths['/v1/chat'].post.responses['200'];
    expect(Object.keys(content)).toEqual(['application/json', 'text/event-stream']);
    expect(content['text/event-stream']['x-event-schema'].$ref).toBe(
      '#/components/schemas/StreamChatResponse',
    );
  });

  test('has binary answers with their own type and headers', () => {
    const { content, headers } = document.paths['/v1/excel'].post.responses['200'];
    expect(Object.keys(content)).toEqual([
      'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    ]);
    expect(Object.keys(headers)).toEqual(
      expect.arrayContaining([
        'X-Service-File-Id',
        'Content-Disposition',
        'X-RateLimit-Reset',
        'X-Service-Budget-Used',
      ]),
    );
  });

  test('has every error of the catalogue that a method can answer with', () => {
    const { responses } = document.paths['/v1/excel'].post;
    expect(Object.keys(responses)).toEqual([
      '200',
      '400',
      '401',
      '402',
      '403',
      '413',
      '422',
      '429',
      '500',
      '503',
    ]);
    expect(responses['413'].description).toContain('spec_too_large');
    expect(responses['403'].description).toContain('insufficient_scope');
    expect(document.paths['/v1/health'].get.responses['403'].description).not.toContain('insufficient_scope');
  });

  test('shorthands are alternatives, and tagged unions have a discriminator', () => {
    const { GenerateExcelRequest, SlideElement, StreamChatResponse } = document.components.schemas;
    expect(GenerateExcelRequest.properties.columns.items.anyOf).toEqual([
      { $ref: '#/components/schemas/WorkbookColumn' },
      { type: 'string' },
    ]);
    expect(StreamChatResponse.discriminator).toMatchObject({
      propertyName: 'type',
      mapping: { meta: '#/components/schemas/StreamChatResponseMeta' },
    });
    expect(SlideElement.oneOf).toContainEqual({ $ref: '#/components/schemas/SlideElementLine' });
  });

  test('parameters come from the path, the query and the headers that a method reads', () => {
    const list = document.paths['/v1/conversations'].get.parameters;
    expect(list.map((each: Json) => [each.name, each.in, each.required])).toEqual([
      ['limit', 'query', false],
      ['before', 'query', false],
    ]);
    expect(list[0].schema).toMatchObject({ minimum: 1, maximum: 100 });
    expect(document.paths['/v1/chat'].post.parameters[0].name).toBe('Idempotency-Key');
    expect(document.paths['/v1/conversations/{id}'].get.parameters[0]).toMatchObject({
      in: 'path',
      required: true,
    });
  });
});
