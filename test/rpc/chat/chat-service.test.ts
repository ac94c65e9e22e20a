import { once } from 'node:events';
import { request as httpRequest } from 'node:http';
import { create, fromBinary, toBinary } from '@bufbuild/protobuf';
import { Client, credentials, Metadata } from '@grpc/grpc-js';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  ChatMode,
  ChatPermission,
  ChatRequestSchema,
  ChatRole,
  ChatService,
  StreamChatRequestSchema,
  type StreamChatResponse,
  StreamChatResponseSchema,
} from '../../../gen/service/chat/v1/chat_pb.ts';
import { ConversationService } from '../../../gen/service/conversation/v1/conversation_pb.ts';
import { openSqliteStore } from '../../../src/storage/sqlite/open-sqlite-store.ts';
import {
  chunk,
  type FakeUpstream,
  reply,
  type Script,
  startFakeUpstream,
} from '../../models/fake-upstream.ts';
import { seed, startMs, token } from '../../service/seed.ts';
import { type RunningService, startService } from '../../service/start-service.ts';
import { connectDoor, type Door, type Exchange, grpcDoor, restDoor } from '../../wire/doors.ts';

const doors: Readonly<Record<string, Door>> = { REST: restDoor, 'Connect JSON': connectDoor, gRPC: grpcDoor };
const bearer = { authorization: `Bearer ${token}` };

let service: RunningService;
let server: FakeUpstream;
let answer: (number: number) => Script;

beforeEach(async () => {
  answer = () => reply(['Good ', 'day'], { usage: [12, 3] });
  server = await startFakeUpstream((_, number) => answer(number));
  const store = openSqliteStore({ path: ':memory:' });
  await seed(store, { apiKey: { models: ['large'] } });
  service = await startService(
    { OPENAI_BASE_URL: server.baseUrl, OPENAI_API_KEY: 'upstream-secret' },
    { store, clock: { now: () => startMs } },
  );
});

afterEach(async () => {
  await server.close();
  await service.stop();
});

const chat = (message: Exchange['message'], body: object, headers = {}): Exchange => ({
  service: ChatService,
  method: ChatService.method.chat,
  message,
  rest: { method: 'POST', path: '/v1/chat', body: body as never },
  headers: { ...bearer, ...headers },
});

function conversations(method: 'getConversation' | 'deleteConversation', id: string): Exchange {
  return {
    service: ConversationService,
    method: ConversationService.method[method],
    message: { id },
    rest: { method: method === 'getConversation' ? 'GET' : 'DELETE', path: `/v1/conversations/${id}` },
    headers: bearer,
  };
}

describe.for(Object.entries(doors))('through %s', ([, door]) => {
  test('a chat is answered, kept, listed, read and deleted', async () => {
    const message = {
      messages: [{ role: ChatRole.USER, content: 'Hello' }],
      mode: ChatMode.SIMPLE,
      permission: ChatPermission.READ,
    };
    const body = { messages: [{ role: 'user', content: 'Hello' }], mode: 'simple', permission: 'read' };
    const { message: answered } = await door(service.port, chat(message, body));
    expect(answered).toMatchObject({
      model: 'large',
      content: 'Good day',
      tool_calls: [],
      finish_reason: expect.stringMatching(/stop/i),
      usage: { prompt_tokens: 12, completion_tokens: 3, total_tokens: 15 },
      created_at: new Date(startMs).toISOString(),
    });
    const id = (answered as { conversation_id: string }).conversation_id;
    const conversation = { id, title: 'Hello', model: 'large', mode: 'simple' };
    const list = await door(service.port, {
      service: ConversationService,
      method: ConversationService.method.listConversations,
      message: { limit: 1 },
      rest: { method: 'GET', path: '/v1/conversations?limit=1' },
      headers: bearer,
    });
    expect(list.message).toMatchObject({ data: [conversation], has_more: true });
    const read = await door(service.port, conversations('getConversation', id));
    expect(read.message).toMatchObject({
      ...conversation,
      messages: [
        { id: 1, role: 'user', content: 'Hello' },
        { id: 2, role: 'assistant', content: 'Good day' },
      ],
    });
    expect((await door(service.port, conversations('deleteConversation', id))).slug).toBeUndefined();
    for (const method of ['getConversation', 'deleteConversation'] as const) {
      expect((await door(service.port, conversations(method, id))).slug).toBe('not_found');
    }
    const gone = await door(
      service.port,
      chat({ message: 'x', conversationId: id }, { message: 'x', conversation_id: id }),
    );
    expect(gone.slug).toBe('conversation_not_found');
  });

  test('a repeat under an idempotency key is the same answer, and says so', async () => {
    const call = chat({ message: 'Hello' }, { message: 'Hello' }, { 'idempotency-key': 'once' });
    const first = await door(service.port, call);
    const again = await door(service.port, call);
    expect(first.headers).not.toHaveProperty('idempotency-replayed');
    // What this very call has used is in it.
    expect(first.headers).toMatchObject({ 'x-service-budget-used': '15' });
    expect(again.headers).toMatchObject({ 'idempotency-replayed': 'true', 'x-service-budget-used': '15' });
    expect(again.message).toEqual(first.message);
    expect(server.requests).toHaveLength(1);
    const other = chat({ message: 'Bye' }, { message: 'Bye' }, { 'idempotency-key': 'once' });
    expect((await door(service.port, other)).slug).toBe('invalid_request');
  });

  test('an idempotency key of a wrong form is refused', async () => {
    const call = chat({ message: 'Hello' }, { message: 'Hello' }, { 'idempotency-key': 'x'.repeat(256) });
    expect((await door(service.port, call)).slug).toBe('invalid_request');
    expect(server.requests).toHaveLength(0);
  });

  test('message wins over messages', async () => {
    const messages = [{ role: ChatRole.USER, content: 'lost' }];
    const body = { message: 'won', messages: [{ role: 'user', content: 'lost' }] };
    await door(service.port, chat({ message: 'won', messages }, body));
    expect(server.requests[0]?.body.messages.slice(1)).toEqual([{ role: 'user', content: 'won' }]);
  });

  test.for<readonly [string, Exchange['message'], object]>([
    ['neither message nor messages', {}, {}],
    ['an empty message', { message: '' }, { message: '' }],
    ['a blank message', { message: ' \n' }, { message: ' \n' }],
    [
      'a blank message of a user among messages',
      { messages: [{ role: ChatRole.USER, content: ' ' }] },
      { messages: [{ role: 'user', content: ' ' }] },
    ],
    [
      'only system messages',
      { messages: [{ role: ChatRole.SYSTEM, content: 'x' }] },
      { messages: [{ role: 'system', content: 'x' }] },
    ],
    ['a message without role', { messages: [{ content: 'x' }] }, { messages: [{ content: 'x' }] }],
    [
      'a malformed conversation id',
      { message: 'x', conversationId: 'nope' },
      { message: 'x', conversation_id: 'nope' },
    ],
  ])('%s is refused', async ([, message, body]) => {
    expect((await door(service.port, chat(message, body))).slug).toBe('invalid_request');
    expect(server.requests).toHaveLength(0);
  });

  test('a model that is not allowed is refused with those that are', async () => {
    const refused = await door(
      service.port,
      chat({ message: 'x', model: 'gpt' }, { message: 'x', model: 'gpt' }),
    );
    expect(refused).toMatchObject({
      slug: 'model_not_allowed',
      extra: { requested_model: 'gpt', allowed_models: '["large"]' },
    });
  });

  test('a failing model server is an internal error without its words', async () => {
    answer = () => ({ status: 401, steps: [{ write: '{"error":{"message":"bad key upstream-secret"}}' }] });
    const failed = await door(service.port, chat({ message: 'x' }, { message: 'x' }));
    expect(failed.slug).toBe('internal_error');
    expect(JSON.stringify(failed)).not.toMatch(/upstream|secret|401/);
  });

  test('an answer whose tokens the model server does not report is in the budget that its headers show', async () => {
    answer = () => reply(['Good day'], { usage: null });
    const { headers, message } = await door(service.port, chat({ message: 'Hello' }, { message: 'Hello' }));
    expect(message).not.toMatchObject({ usage: expect.anything() });
    expect(Number(headers['x-service-budget-used'])).toBeGreaterThan(15);
  });

  test('a query is answered and not kept', async () => {
    const answered = await door(service.port, {
      service: ChatService,
      method: ChatService.method.query,
      message: { query: 'Why?', permission: ChatPermission.READ },
      rest: { method: 'POST', path: '/v1/query', body: { query: 'Why?', permission: 'read' } },
      headers: { ...bearer, accept: 'text/event-stream' },
    });
    expect(answered.message).toMatchObject({
      answer: 'Good day',
      model: 'large',
      usage: { total_tokens: 15 },
    });
    expect(answered.message).not.toHaveProperty('conversation_id');
    expect(answered.headers).toMatchObject({ 'x-service-budget-used': '15' });
    const [conversation] = await service.store.conversations.list(
      { organizationId: 'org-1', actorId: 'user-1' },
      { limit: 10 },
    );
    expect(conversation).toBeUndefined();
  });
});

/** Opens an event stream; the caller reads or leaves it. */
function openStream(body: object, headers: Readonly<Record<string, string>> = {}) {
  return fetch(`${service.url}/v1/chat`, {
    method: 'POST',
    headers: { ...bearer, 'content-type': 'application/json', accept: 'text/event-stream', ...headers },
    body: JSON.stringify(body),
  });
}

function parseEvents(text: string): { type: string }[] {
  return text
    .split('\n\n')
    .filter((frame) => frame.startsWith('data: '))
    .map((frame) => JSON.parse(frame.slice(6)));
}

describe('an event stream over REST', () => {
  test('has meta first, the text, and done last', async () => {
    const response = await openStream({ message: 'Hello' });
    expect(response.headers.get('content-type')).toContain('text/event-stream');
    const conversationId = expect.any(String);
    expect(parseEvents(await response.text())).toEqual([
      { type: 'meta', conversation_id: conversationId, model: 'large' },
      { type: 'content', content: 'Good ' },
      { type: 'content', content: 'day' },
      { type: 'done', conversation_id: conversationId, model: 'large', finish_reason: 'stop' },
    ]);
  });

  test('ends with an error event when the model server dies in mid-stream', async () => {
    answer = () => ({ steps: [{ send: chunk({ content: 'Goo' }) }, 'die'] });
    const response = await openStream({ message: 'Hello' });
    expect(response.status).toBe(200);
    expect(parseEvents(await response.text()).at(-1)).toEqual({
      type: 'error',
      error: 'Something went wrong',
      code: 'internal_error',
    });
  });

  test.for([
    [{ message: 'x', model: 'gpt' }, 403, 'model_not_allowed'],
    [
      { message: 'x', conversation_id: '00000000-0000-7000-8000-000000000000' },
      404,
      'conversation_not_found',
    ],
    [{}, 400, 'invalid_request'],
  ] as const)('of %j is a problem document', async ([body, status, slug]) => {
    const response = await openStream(body);
    expect(response.status).toBe(status);
    expect(response.headers.get('content-type')).toBe('application/problem+json');
    expect((await response.json()).type).toMatch(new RegExp(`/${slug}$`));
  });

  test('takes no notice of an idempotency key', async () => {
    await (await openStream({ message: 'Hello' }, { 'idempotency-key': 'once' })).text();
    await (await openStream({ message: 'Hello' }, { 'idempotency-key': 'once' })).text();
    expect(server.requests).toHaveLength(2);
  });

  test.for(['stream', 'one-shot', 'one-shot with an idempotency key'])(
    '(%s) that is left ends the model’s work',
    async (kind) => {
      answer = () => ({ steps: [{ send: chunk({ content: 'Goo' }) }, { until: 'aborted' }] });
      const call = httpRequest(`${service.url}/v1/chat`, {
        method: 'POST',
        headers: {
          ...bearer,
          'content-type': 'application/json',
          ...(kind === 'stream' ? { accept: 'text/event-stream' } : {}),
          ...(kind.includes('key') ? { 'idempotency-key': 'left' } : {}),
        },
      });
      call.on('error', () => {});
      call.end('{"message":"Hello"}');
      const received = await server.received(0);
      call.destroy();
      expect(await received.left).toBe(true);
    },
  );
});

test('a call with an idempotency key over gRPC that is cancelled ends the model’s work', async () => {
  answer = () => ({ steps: [{ send: chunk({ content: 'Goo' }) }, { until: 'aborted' }] });
  const client = new Client(`127.0.0.1:${service.port}`, credentials.createInsecure());
  const metadata = new Metadata();
  metadata.set('authorization', bearer.authorization);
  metadata.set('idempotency-key', 'left');
  const call = client.makeUnaryRequest(
    '/service.chat.v1.ChatService/Chat',
    (bytes: Buffer) => bytes,
    (bytes: Buffer) => bytes,
    Buffer.from(toBinary(ChatRequestSchema, create(ChatRequestSchema, { message: 'Hello' }))),
    metadata,
    () => {},
  );
  const received = await server.received(0);
  call.cancel();
  expect(await received.left).toBe(true);
  client.close();
});

describe('an event stream over gRPC', () => {
  function openCall(message: string) {
    const client = new Client(`127.0.0.1:${service.port}`, credentials.createInsecure());
    const metadata = new Metadata();
    metadata.set('authorization', bearer.authorization);
    const request = create(StreamChatRequestSchema, { chat: { message } });
    const call = client.makeServerStreamRequest(
      '/service.chat.v1.ChatService/StreamChat',
      (bytes: Buffer) => bytes,
      (bytes: Buffer) => fromBinary(StreamChatResponseSchema, bytes),
      Buffer.from(toBinary(StreamChatRequestSchema, request)),
      metadata,
    );
    return { client, call };
  }

  test('has the same events', async () => {
    const { client, call } = openCall('Hello');
    const events: StreamChatResponse[] = [];
    call.on('data', (event: StreamChatResponse) => events.push(event));
    await once(call, 'end');
    client.close();
    expect(events.map(({ event }) => event.case)).toEqual(['meta', 'content', 'content', 'done']);
  });

  test('that is cancelled ends the model’s work', async () => {
    answer = () => ({ steps: [{ send: chunk({ content: 'Goo' }) }, { until: 'aborted' }] });
    const { client, call } = openCall('Hello');
    call.on('error', () => {});
    await once(call, 'data');
    call.cancel();
    expect(await (await server.received(0)).left).toBe(true);
    client.close();
  });
});
