import { describe, expect, test } from 'vitest';
import { AgentService } from '../../../gen/service/agent/v1/agent_pb.ts';
import { aUser } from '../../contract/records.ts';
import { chunk, reply } from '../../models/fake-upstream.ts';
import { grpcDoor } from '../../wire/doors.ts';
import { type AgentServer, call, openAgentServer } from './agent-server.ts';

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const time = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

async function create(server: AgentServer, fields: object = {}) {
  const { json } = await call(server, 'POST', '/api/agents', {
    name: 'Reporter',
    prompt: 'Go.',
    model: 'large',
    ...fields,
  });
  return json.agent;
}

describe('POST /api/agents', () => {
  test('answers 201 with the agent, every field of it', async () => {
    const server = await openAgentServer();
    const { status, json } = await call(server, 'POST', '/api/agents', { name: 'Reporter', prompt: 'Go.' });
    expect(status).toBe(201);
    expect(json).toEqual({
      agent: {
        id: expect.stringMatching(uuid),
        owner_id: 'user-1',
        name: 'Reporter',
        prompt: 'Go.',
        model: '',
        mode: 'auto',
        tool_scopes: [],
        schedule: '',
        timezone: 'UTC',
        status: 'active',
        expires_at: null,
        time_limit_seconds: 300,
        notifications: [],
        webhook_writes: false,
        webhook_configured: false,
        next_run_at: null,
        created_at: expect.stringMatching(time),
        updated_at: expect.stringMatching(time),
      },
      notification_secret: null,
    });
  });

  test('keeps what is given, and shows the notification secret once', async () => {
    const server = await openAgentServer();
    const fields = {
      name: 'Nightly',
      prompt: 'Report.',
      model: 'small',
      mode: 'technical',
      tool_scopes: ['sql.read', 'wiki.write'],
      schedule: '30 8 * * 1-5',
      timezone: 'Europe/Berlin',
      expires_at: '2099-01-01T00:00:00.000Z',
      time_limit_seconds: 60,
      notifications: [{ webhook_url: 'https://hooks.example.com/in', statuses: ['failed', 'timed_out'] }],
      webhook_writes: true,
    };
    const { json } = await call(server, 'POST', '/api/agents', fields);
    expect(json.agent).toMatchObject(fields);
    expect(json.agent.next_run_at).toMatch(time);
    expect(json.notification_secret).toMatch(/^whsec_[A-Za-z0-9+/]{32}$/);
    const read = await call(server, 'GET', `/api/agents/${json.agent.id}`);
    expect(read.json.agent).toEqual(json.agent);
    expect(read.text).not.toContain('whsec_');
  });

  test.for<readonly [string, object, string]>([
    ['no name', { name: undefined }, 'name'],
    ['an empty name', { name: '' }, 'name'],
    ['a name of 201 characters', { name: 'x'.repeat(201) }, 'name'],
    ['no prompt', { prompt: undefined }, 'prompt'],
    ['a prompt that is too long', { prompt: 'x'.repeat(100_001) }, 'prompt'],
    ['an unknown model', { model: 'nonsense' }, 'model names nonsense'],
    ['an unknown mode', { mode: 'loud' }, 'mode'],
    ['a scope of no tool', { tool_scopes: ['excel'] }, 'tool_scopes'],
    ['a schedule of six fields', { schedule: '* * * * * *' }, 'schedule'],
    ['a schedule that is never due', { schedule: '0 0 30 2 *' }, 'schedule'],
    ['an unknown time zone', { timezone: 'Mars/Olympus' }, 'timezone'],
    ['no time to run', { time_limit_seconds: 0 }, 'time_limit_seconds'],
    ['too much time to run', { time_limit_seconds: 3_601 }, 'time_limit_seconds'],
    ['eleven targets', { notifications: new Array(11).fill({ email: 'a@example.com' }) }, 'notifications'],
    ['a target that is none', { notifications: [{}] }, 'notifications'],
    [
      'a target for the start of runs',
      { notifications: [{ email: 'a@b.c', statuses: ['queued'] }] },
      'notifications',
    ],
    ['a text where a list belongs', { tool_scopes: 'sql.read' }, 'tool_scopes'],
  ])('refuses %s', async ([, fields, named]) => {
    const server = await openAgentServer();
    const { status, json } = await call(server, 'POST', '/api/agents', { name: 'A', prompt: 'B', ...fields });
    expect(status).toBe(400);
    expect(json).toEqual({ ok: false, error: expect.stringContaining(named) });
  });
});

describe('an agent', () => {
  test('is changed field by field', async () => {
    const server = await openAgentServer();
    const agent = await create(server, { schedule: '0 * * * *', tool_scopes: ['sql.read'] });
    const path = `/api/agents/${agent.id}`;
    const renamed = await call(server, 'PATCH', path, { name: 'New' });
    expect(renamed.json.agent).toMatchObject({
      name: 'New',
      schedule: '0 * * * *',
      tool_scopes: ['sql.read'],
    });
    const bare = await call(server, 'PATCH', path, { schedule: '', set_tool_scopes: true, model: '' });
    expect(bare.json.agent).toMatchObject({ schedule: '', next_run_at: null, tool_scopes: [], model: '' });
    const expiring = await call(server, 'PATCH', path, { expires_at: '2001-01-01T00:00:00Z' });
    expect(expiring.json.agent.status).toBe('expired');
    const revived = await call(server, 'PATCH', path, { clear_expires_at: true });
    expect(revived.json.agent).toMatchObject({ status: 'active', expires_at: null });
    expect((await call(server, 'PATCH', path, { name: '' })).status).toBe(400);
  });

  test('is paused, resumed, expired and deleted', async () => {
    const server = await openAgentServer();
    const agent = await create(server, { schedule: '0 * * * *' });
    const path = `/api/agents/${agent.id}`;
    const paused = await call(server, 'POST', `${path}/pause`);
    expect(paused.json.agent).toMatchObject({ status: 'paused', next_run_at: null });
    const resumed = await call(server, 'POST', `${path}/resume`);
    expect(resumed.json.agent).toMatchObject({ status: 'active', next_run_at: expect.stringMatching(time) });
    expect((await call(server, 'POST', `${path}/expire`)).json.agent.status).toBe('expired');
    const refused = await call(server, 'POST', `${path}/run`);
    expect([refused.status, refused.json]).toEqual([400, { ok: false, error: 'Agent has expired' }]);
    const deleted = await call(server, 'DELETE', path);
    expect([deleted.status, deleted.text]).toEqual([204, '']);
    expect((await call(server, 'GET', path)).status).toBe(404);
    expect((await call(server, 'DELETE', path)).status).toBe(404);
  });

  test('is its owner’s alone: to others it does not exist', async () => {
    const server = await openAgentServer();
    await server.store.users.create(aUser({ id: 'user-2' }));
    const agent = await create(server);
    const path = `/api/agents/${agent.id}`;
    const run = (await call(server, 'POST', `${path}/run`)).json.run;
    const missing = await call(server, 'GET', '/api/agents/nobody');
    for (const [method, rest, body] of [
      ['GET', '', undefined],
      ['PATCH', '', { name: 'Mine' }],
      ['DELETE', '', undefined],
      ['POST', '/pause', undefined],
      ['POST', '/resume', undefined],
      ['POST', '/expire', undefined],
      ['POST', '/run', undefined],
      ['GET', '/runs', undefined],
      ['GET', `/runs/${run.id}`, undefined],
      ['POST', `/runs/${run.id}/cancel`, undefined],
      ['GET', `/runs/${run.id}/events`, undefined],
      ['POST', '/webhook', undefined],
      ['DELETE', '/webhook', undefined],
    ] as const) {
      const answer = await call(server, method, path + rest, body, 'user-2');
      expect([method, rest, answer.status, answer.text]).toEqual([method, rest, 404, missing.text]);
    }
    expect((await call(server, 'GET', '/api/agents', undefined, 'user-2')).json.data).toEqual([]);
    expect((await call(server, 'GET', path)).json.agent.status).toBe('active');
  });

  test('is for those who are signed in', async () => {
    const server = await openAgentServer();
    const answer = await call(server, 'GET', '/api/agents', undefined, '');
    expect([answer.status, answer.json]).toEqual([401, { ok: false, error: 'Sign in first' }]);
  });
});

test('agents are listed in pages that lose none, the newest first', async () => {
  const server = await openAgentServer({ isPinned: true });
  for (let n = 0; n < 7; n += 1) await create(server, { name: `agent ${n}` });
  const names: string[] = [];
  let before = '';
  for (let isMore = true; isMore; ) {
    const { json } = await call(server, 'GET', `/api/agents?limit=3${before}`);
    names.push(...json.data.map(({ name }: { name: string }) => name));
    before = `&before=${encodeURIComponent(json.data.at(-1).created_at)}`;
    isMore = json.has_more;
  }
  expect(names).toEqual([6, 5, 4, 3, 2, 1, 0].map((n) => `agent ${n}`));
  expect((await call(server, 'GET', '/api/agents?limit=0')).status).toBe(400);
  expect((await call(server, 'GET', '/api/agents?limit=101')).status).toBe(400);
});

describe('runs', () => {
  test('are listed in pages that lose none, by state and trigger, skipped ones when asked for', async () => {
    const server = await openAgentServer({ isPinned: true });
    const agent = await create(server);
    const path = `/api/agents/${agent.id}`;
    for (let n = 0; n < 3; n += 1) {
      const { json } = await call(server, 'POST', `${path}/run`);
      expect((await call(server, 'POST', `${path}/run`)).json.run).toMatchObject({
        status: 'skipped',
        skip_reason: 'already_running',
      });
      await call(server, 'POST', `${path}/runs/${json.run.id}/cancel`);
    }
    const list = async (query: string) => (await call(server, 'GET', `${path}/runs${query}`)).json;
    expect((await list('')).data).toHaveLength(3);
    const first = await list('?include_skipped=true&limit=4');
    expect(first).toMatchObject({ has_more: true });
    const rest = await list(`?include_skipped=true&before=${encodeURIComponent(first.data[3].queued_at)}`);
    expect(rest.has_more).toBe(false);
    const ids = [...first.data, ...rest.data].map(({ id }: { id: string }) => id);
    expect(new Set(ids).size).toBe(6);
    expect((await list('?status=skipped')).data).toHaveLength(3);
    expect((await list('?status=cancelled&status=failed')).data).toHaveLength(3);
    expect((await list('?trigger_type=webhook')).data).toEqual([]);
    expect((await call(server, 'GET', `${path}/runs?status=nonsense`)).status).toBe(400);
  });

  test('are read whole', async () => {
    const server = await openAgentServer();
    const agent = await create(server);
    server.start();
    const { json } = await call(server, 'POST', `/api/agents/${agent.id}/run`);
    expect(json.run).toMatchObject({ status: 'queued', attempt: 0, output: null, usage: null });
    await server.until(json.run.id);
    const read = await call(server, 'GET', `/api/agents/${agent.id}/runs/${json.run.id}`);
    expect(read.json).toEqual({
      run: {
        id: json.run.id,
        agent_id: agent.id,
        trigger_type: 'manual',
        status: 'succeeded',
        skip_reason: null,
        attempt: 1,
        queued_at: expect.stringMatching(time),
        started_at: expect.stringMatching(time),
        finished_at: expect.stringMatching(time),
        output: 'Done.',
        error: null,
        usage: { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 },
        tool_calls: [],
        payload_bytes: 0,
        payload_truncated: false,
      },
    });
  });

  test('that have ended are watched as events, too: their state, their text and their end', async () => {
    const server = await openAgentServer({ answer: () => reply(['One ', 'two.']) });
    const agent = await create(server);
    server.start();
    const { json } = await call(server, 'POST', `/api/agents/${agent.id}/run`);
    await server.until(json.run.id);
    const response = await fetch(
      `http://127.0.0.1:${server.port}/api/agents/${agent.id}/runs/${json.run.id}/events`,
      { headers: { 'x-test-user': 'user-1' } },
    );
    expect(response.headers.get('content-type')).toContain('text/event-stream');
    const events = (await response.text())
      .split('\n\n')
      .filter((line) => line.startsWith('data: '))
      .map((line) => JSON.parse(line.slice(6)));
    expect(events).toMatchObject([
      { type: 'state', status: 'succeeded', attempt: 1 },
      { type: 'content', content: 'One two.' },
      { type: 'done', run: { id: json.run.id, output: 'One two.' } },
    ]);
  });

  test('that are watched while they run tell their text as it comes', async () => {
    const gate = Promise.withResolvers<void>();
    const server = await openAgentServer({
      answer: () => ({
        steps: [{ send: chunk({ content: 'One ' }) }, { until: gate.promise }, ...reply(['two.']).steps],
      }),
    });
    const agent = await create(server);
    server.start();
    const { json } = await call(server, 'POST', `/api/agents/${agent.id}/run`);
    const response = await fetch(
      `http://127.0.0.1:${server.port}/api/agents/${agent.id}/runs/${json.run.id}/events`,
      { headers: { 'x-test-user': 'user-1' } },
    );
    let text = '';
    for await (const part of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
      text += part;
      // The model goes on only when the watcher has seen the first part.
      if (text.includes('One ')) gate.resolve();
    }
    const contents = [...text.matchAll(/"type":"content","content":"([^"]*)"/g)].map(
      ([, content]) => content,
    );
    expect(contents[0]).toBe('One ');
    expect(contents.join('')).toBe('One two.');
    expect(text).toContain('"type":"done"');
  });
});

describe('the webhook of an agent', () => {
  test('is configured, rotated and removed by its owner', async () => {
    const server = await openAgentServer();
    const agent = await create(server);
    const path = `/api/agents/${agent.id}/webhook`;
    const { status, json, headers } = await call(server, 'POST', path);
    expect(status).toBe(200);
    expect(headers['cache-control']).toBe('no-store');
    expect(json).toEqual({
      ok: true,
      secret: expect.stringMatching(/^[0-9a-f]{64}$/),
      trigger_url: `https://service.example.com/api/agents/${agent.id}/webhook/trigger`,
      secret_version: 'v2',
      note: expect.any(String),
    });
    const rotated = await call(server, 'POST', path);
    expect(rotated.json.secret).not.toBe(json.secret);
    expect((await call(server, 'GET', `/api/agents/${agent.id}`)).json.agent.webhook_configured).toBe(true);
    const removed = await call(server, 'DELETE', path);
    expect([removed.status, removed.json]).toEqual([200, { ok: true }]);
    expect((await call(server, 'GET', `/api/agents/${agent.id}`)).json.agent.webhook_configured).toBe(false);
    expect((await call(server, 'DELETE', path)).status).toBe(200);
  });
});

test('the gRPC door answers the same', async () => {
  const server = await openAgentServer();
  const ask = (name: keyof typeof AgentService.method, message: object) =>
    grpcDoor(server.port, {
      service: AgentService,
      method: AgentService.method[name],
      message,
      rest: { method: '', path: '' },
      headers: { 'x-test-user': 'user-1' },
    } as never);
  const created = await ask('createAgent', { name: 'A', prompt: 'B', model: 'large' });
  expect(created.slug).toBeUndefined();
  const { id } = (created.message as unknown as { agent: { id: string } }).agent;
  expect((await ask('pauseAgent', { id })).message).toMatchObject({
    agent: { status: 'AGENT_STATUS_PAUSED' },
  });
  expect(await ask('getAgent', { id: 'nobody' })).toMatchObject({ slug: 'not_found', status: 5 });
  expect(await ask('createAgent', { name: 'A', prompt: 'B', mode: 'loud' })).toMatchObject({
    slug: 'invalid_request',
    status: 3,
  });
});
