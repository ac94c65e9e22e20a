import { create } from '@bufbuild/protobuf';
import { describe, expect, test } from 'vitest';
import { CreateAgentRequestSchema } from '../../gen/service/agent/v1/agent_pb.ts';
import {
  ChatRequestSchema,
  ChatService,
  StreamChatRequestSchema,
} from '../../gen/service/chat/v1/chat_pb.ts';
import { ListConversationsRequestSchema } from '../../gen/service/conversation/v1/conversation_pb.ts';
import { GeneratePptxRequestSchema } from '../../gen/service/generator/v1/deck_pb.ts';
import { GeneratorService } from '../../gen/service/generator/v1/generator_pb.ts';
import { GeneratePdfRequestSchema } from '../../gen/service/generator/v1/report_pb.ts';
import { GenerateExcelRequestSchema } from '../../gen/service/generator/v1/workbook_pb.ts';
import { GetHealthRequestSchema } from '../../gen/service/health/v1/health_pb.ts';
import { assertValid, validatorOf } from '../../src/rpc/validate.ts';

const uuid = '123e4567-e89b-12d3-a456-426614174000';
const cell = { header: 'a' };
const text = (fontSize: number) => ({
  slides: [{ elements: [{ element: { case: 'text' as const, value: { fontSize } } }] }],
});

describe('the rules of the protos', () => {
  test.for([
    [GenerateExcelRequestSchema, { columns: [cell] }],
    [GenerateExcelRequestSchema, { columns: Array(200).fill(cell) }],
    [GeneratePdfRequestSchema, { title: 'a', sections: Array(500).fill({}) }],
    [GeneratePptxRequestSchema, text(1)],
    [GeneratePptxRequestSchema, text(400)],
    [ChatRequestSchema, { message: 'a', conversationId: uuid }],
    [ChatRequestSchema, {}],
    [ListConversationsRequestSchema, { limit: 100 }],
    [ListConversationsRequestSchema, {}],
    [CreateAgentRequestSchema, { name: '😀'.repeat(200), prompt: 'p' }],
  ] as const)('hold within the limits: %s', ([desc, init]) => {
    expect(validatorOf(desc)?.(create(desc, init as never))).toEqual([]);
  });

  test.for([
    [GenerateExcelRequestSchema, {}, '/columns', 'must be a non-empty array'],
    [
      GenerateExcelRequestSchema,
      { columns: Array(201).fill(cell) },
      '/columns',
      'must have at most 200 entries',
    ],
    [
      GenerateExcelRequestSchema,
      { columns: [cell, { width: 0 }] },
      '/columns/1/width',
      'must be from 1 to 255',
    ],
    [
      GenerateExcelRequestSchema,
      { columns: [{ width: Number.NaN }] },
      '/columns/0/width',
      'must be from 1 to 255',
    ],
    [GeneratePdfRequestSchema, { sections: [] }, '/title', 'must be a non-empty string'],
    // A member of a tagged union has no name of its own in JSON.
    [GeneratePptxRequestSchema, text(401), '/slides/0/elements/0/fontSize', 'must be from 1 to 400'],
    [ChatRequestSchema, { message: '' }, '/message', 'must be a non-empty string'],
    [
      ChatRequestSchema,
      { messages: [{ content: 'a' }] },
      '/messages/0/role',
      'must be one of user, assistant, system',
    ],
    [ChatRequestSchema, { conversationId: 'x' }, '/conversation_id', 'must be a UUID'],
    [StreamChatRequestSchema, {}, '/chat', 'must be an object'],
    [StreamChatRequestSchema, { chat: { message: '' } }, '/chat/message', 'must be a non-empty string'],
    [ListConversationsRequestSchema, { limit: 0 }, '/limit', 'must be from 1 to 100'],
    [
      CreateAgentRequestSchema,
      { name: 'a'.repeat(201), prompt: 'p' },
      '/name',
      'must have at most 200 characters',
    ],
    [
      CreateAgentRequestSchema,
      { name: 'a', prompt: 'p', timeLimitSeconds: 3601 },
      '/time_limit_seconds',
      'must be from 1 to 3600',
    ],
  ] as const)('are broken by %s %j at %s', ([desc, init, pointer, detail]) => {
    expect(validatorOf(desc)?.(create(desc, init as never))).toEqual([{ pointer, detail }]);
  });

  test.for([
    [253_402_300_799n, 999_999_999, true],
    [253_402_300_800n, 0, false],
    [-62_135_596_800n, 0, true],
    [-62_135_596_801n, 0, false],
    [0n, -1, false],
    [0n, 1_000_000_000, false],
  ] as const)('hold a time to what a Timestamp may be: %s s and %s ns', ([seconds, nanos, isValid]) => {
    const message = create(ListConversationsRequestSchema, { before: { seconds, nanos } });
    const violation = { pointer: '/before', detail: 'must be a time from the year 1 to the year 9999' };
    expect(validatorOf(ListConversationsRequestSchema)?.(message)).toEqual(isValid ? [] : [violation]);
  });

  test('cost a message without rules nothing', () => {
    expect(validatorOf(GetHealthRequestSchema)).toBeUndefined();
  });
});

describe('a broken rule', () => {
  const violations = [
    { pointer: '/slides/0/notes', detail: 'must be a string' },
    { pointer: '/title', detail: 'must be a string' },
  ];

  test('of a document engine is spec_invalid, titled by engine and reason', () => {
    expect(() => assertValid(GeneratorService.method.generatePptx, violations)).toThrow(
      expect.objectContaining({
        slug: 'spec_invalid',
        title: 'pptx: slides[0].notes must be a string',
        violations: [{ pointer: '/slides/0/notes', detail: 'slides[0].notes must be a string' }],
      }),
    );
  });

  test('of another method is invalid_request, with every violation', () => {
    expect(() => assertValid(ChatService.method.chat, violations)).toThrow(
      expect.objectContaining({
        slug: 'invalid_request',
        detail: 'slides[0].notes must be a string.',
        violations,
      }),
    );
  });

  test('is one that there is', () => {
    expect(() => assertValid(ChatService.method.chat, [])).not.toThrow();
  });
});
