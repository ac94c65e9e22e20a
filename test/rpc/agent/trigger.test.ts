import { createHmac } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { beforeEach, describe, expect, test } from 'vitest';
import { AgentService } from '../../../gen/service/agent/v1/agent_pb.ts';
import { limits } from '../../../src/domain/limits.ts';
import { access } from '../../services/run/agent-house.ts';
import { connectDoor, type Exchange, grpcDoor } from '../../wire/doors.ts';
import { type AgentServer, openAgentServer, sendRaw } from './agent-server.ts';

const nowMs = Date.UTC(2026, 5, 15, 10, 30, 15, 250);
const seconds = String(Math.floor(nowMs / 1_000));
const toleranceMs = limits.webhook.timestampToleranceMs;

let server: AgentServer;
let agent: { readonly id: string; readonly secret: string };
let addressCount = 0;

beforeEach(async () => {
  server = await openAgentServer({ startMs: nowMs, isPinned: true });
  agent = await server.agent();
});

function hmac(key: string | Buffer, timestamp: string, body: string | Uint8Array, algorithm = 'sha256') {
  return createHmac(algorithm, key).update(timestamp).update('.').update(body).digest('hex');
}

interface Sent {
  /** Of the path. */
  readonly agentId: string;
  readonly body: string | Uint8Array;
  /** Headers, each as often as it stands there. */
  readonly headers: readonly string[];
  readonly chunks?: readonly Uint8Array[];
}

/** A right request, with what a case changes. */
function signed(
  body: string | Uint8Array = '{"a":1}',
  timestamp = seconds,
  changes: Partial<Sent> = {},
): Sent {
  const signature = hmac(agent.secret, timestamp, body);
  const headers = ['X-Webhook-Timestamp', timestamp, 'X-Webhook-Signature', signature];
  return { agentId: agent.id, body, headers, ...changes };
}

/** A request with the given headers in place of the right ones; undefined leaves one out. */
function withHeaders(timestamp: string | undefined, signature: string | undefined, body = '{"a":1}'): Sent {
  const headers = [
    ...(timestamp === undefined ? [] : ['X-Webhook-Timestamp', timestamp]),
    ...(signature === undefined ? [] : ['X-Webhook-Signature', signature]),
  ];
  return { agentId: agent.id, body, headers };
}

function right(timestamp = seconds, body = '{"a":1}'): string {
  return hmac(agent.secret, timestamp, body);
}

function post({ agentId, body, headers, chunks }: Sent, address?: string) {
  addressCount += 1;
  const forwarded = address ?? `198.51.${Math.floor(addressCount / 250)}.${addressCount % 250}`;
  const path = `/api/agents/${agentId}/webhook/trigger`;
  const all = ['content-type', 'application/json', 'x-forwarded-for', forwarded, ...headers];
  return sendRaw(server.port, 'POST', path, all, chunks ?? Buffer.from(body));
}

const refusal = (status: number, error: string) => [status, JSON.stringify({ ok: false, error })];
const invalidSignature = refusal(401, 'Invalid signature');
const outOfWindow = refusal(401, 'Webhook timestamp older than 5 minutes, or is in the future');
const timestampRequired = refusal(401, 'X-Webhook-Timestamp header is required');
const notConfigured = refusal(404, 'Webhook not configured for this agent');
const accepted = [200, '{"ok":true,"queued":true}'];

const flipped = (hex: string, index: number) =>
  hex.slice(0, index) + (hex[index] === '0' ? '1' : '0') + hex.slice(index + 1);

describe('a trigger', () => {
  test.for<readonly [string, () => Sent, readonly (number | string)[]]>([
    // What is right.
    ['signed in seconds', () => signed(), accepted],
    ['signed in milliseconds', () => signed('{"a":1}', String(nowMs)), accepted],
    ['without a body', () => signed(''), accepted],
    ['with a body that is no JSON', () => signed('not json {'), accepted],
    ['with a body of bytes that are no UTF-8', () => signed(Uint8Array.of(0xff, 0x00, 0xfe)), accepted],
    ['with white space in its body, signed as sent', () => signed('{ "a" : 1 }\n'), accepted],
    ['with a body of 1 MB', () => signed(Buffer.alloc(1_048_576, 'x')), accepted],
    [
      'with a compressed body, signed as sent',
      () => {
        const sent = signed(gzipSync('{"a":1}'));
        return { ...sent, headers: [...sent.headers, 'content-encoding', 'gzip'] };
      },
      accepted,
    ],
    [
      'with a body in chunks',
      () => ({ ...signed('{"a":1}'), chunks: [Buffer.from('{"a"'), Buffer.from(':1}')] }),
      accepted,
    ],
    ['with an upper-case signature', () => withHeaders(seconds, right().toUpperCase()), accepted],
    [
      'with lower-case header names',
      () => {
        const sent = signed();
        return {
          ...sent,
          headers: sent.headers.map((text, index) => (index % 2 === 0 ? text.toLowerCase() : text)),
        };
      },
      accepted,
    ],
    [
      'of another content type',
      () => {
        const sent = signed('a=1');
        return { ...sent, headers: [...sent.headers, 'accept', 'text/event-stream'] };
      },
      accepted,
    ],
    ['exactly 5 minutes old', () => signed('', String(nowMs - toleranceMs)), accepted],
    ['exactly 5 minutes ahead', () => signed('', String(nowMs + toleranceMs)), accepted],
    [
      'with white space around its headers, which HTTP takes off',
      () => withHeaders(`  ${seconds}\t`, ` ${right()} `),
      accepted,
    ],
    [
      'with a key of another user beside it',
      () => {
        const sent = signed();
        return { ...sent, headers: [...sent.headers, 'authorization', 'Bearer nonsense'] };
      },
      accepted,
    ],

    // Signatures.
    ['without a signature', () => withHeaders(seconds, undefined), invalidSignature],
    ['with an empty signature', () => withHeaders(seconds, ''), invalidSignature],
    ['with a signature one digit short', () => withHeaders(seconds, right().slice(0, -1)), invalidSignature],
    ['with a signature one byte short', () => withHeaders(seconds, right().slice(0, -2)), invalidSignature],
    ['with a signature one digit long', () => withHeaders(seconds, `${right()}0`), invalidSignature],
    [
      'with a right signature and characters that are no hex',
      () => withHeaders(seconds, `${right()}zz`),
      invalidSignature,
    ],
    ['with a signature twice as long', () => withHeaders(seconds, right().repeat(2)), invalidSignature],
    ['with a signature of 8 KB', () => withHeaders(seconds, 'a'.repeat(8_192)), invalidSignature],
    ['with the first digit changed', () => withHeaders(seconds, flipped(right(), 0)), invalidSignature],
    ['with the last digit changed', () => withHeaders(seconds, flipped(right(), 63)), invalidSignature],
    ['with a signature of zeros', () => withHeaders(seconds, '0'.repeat(64)), invalidSignature],
    ['with a signature of no hex at all', () => withHeaders(seconds, 'z'.repeat(64)), invalidSignature],
    ['with sha256= before the signature', () => withHeaders(seconds, `sha256=${right()}`), invalidSignature],
    ['with v1= before the signature', () => withHeaders(seconds, `v1=${right()}`), invalidSignature],
    ['with 0x before the signature', () => withHeaders(seconds, `0x${right()}`), invalidSignature],
    ['with a quoted signature', () => withHeaders(seconds, `"${right()}"`), invalidSignature],
    [
      'with a space inside the signature',
      () => withHeaders(seconds, `${right().slice(0, 32)} ${right().slice(32)}`),
      invalidSignature,
    ],
    [
      'with the signature in base64',
      () => withHeaders(seconds, Buffer.from(right(), 'hex').toString('base64')),
      invalidSignature,
    ],
    [
      'with the signature in base64url',
      () => withHeaders(seconds, Buffer.from(right(), 'hex').toString('base64url')),
      invalidSignature,
    ],
    [
      'with a letter beyond ASCII in the signature',
      () => withHeaders(seconds, right().replace(/^./, '\u00e9')),
      invalidSignature,
    ],
    [
      'with two equal signatures',
      () => {
        const sent = signed();
        return { ...sent, headers: [...sent.headers, 'X-Webhook-Signature', right()] };
      },
      invalidSignature,
    ],
    [
      'with a wrong signature before the right one',
      () => ({
        ...withHeaders(seconds, flipped(right(), 5)),
        headers: [...withHeaders(seconds, flipped(right(), 5)).headers, 'x-webhook-signature', right()],
      }),
      invalidSignature,
    ],
    [
      'with the signature in another header',
      () => ({
        ...withHeaders(seconds, undefined),
        headers: ['X-Webhook-Timestamp', seconds, 'X-Hub-Signature-256', right()],
      }),
      invalidSignature,
    ],
    [
      'signed with the decoded secret',
      () => withHeaders(seconds, hmac(Buffer.from(agent.secret, 'hex'), seconds, '{"a":1}')),
      invalidSignature,
    ],
    [
      'signed with the secret in upper case',
      () => withHeaders(seconds, hmac(agent.secret.toUpperCase(), seconds, '{"a":1}')),
      invalidSignature,
    ],
    [
      'signed with another secret',
      () => withHeaders(seconds, hmac('0'.repeat(64), seconds, '{"a":1}')),
      invalidSignature,
    ],
    [
      'signed with an empty secret',
      () => withHeaders(seconds, hmac('', seconds, '{"a":1}')),
      invalidSignature,
    ],
    [
      'signed with SHA-512, cut to length',
      () => withHeaders(seconds, hmac(agent.secret, seconds, '{"a":1}', 'sha512').slice(0, 64)),
      invalidSignature,
    ],
    [
      'signed with SHA-1',
      () => withHeaders(seconds, hmac(agent.secret, seconds, '{"a":1}', 'sha1')),
      invalidSignature,
    ],
    [
      'signed without the timestamp',
      () => withHeaders(seconds, createHmac('sha256', agent.secret).update('{"a":1}').digest('hex')),
      invalidSignature,
    ],
    [
      'signed without the dot',
      () =>
        withHeaders(seconds, createHmac('sha256', agent.secret).update(`${seconds}{"a":1}`).digest('hex')),
      invalidSignature,
    ],
    [
      'signed over another timestamp than it sends',
      () => withHeaders(seconds, right(String(Number(seconds) - 1))),
      invalidSignature,
    ],
    [
      'signed in seconds, sent in milliseconds',
      () => withHeaders(`${seconds}000`, right()),
      invalidSignature,
    ],
    [
      'with a zero before the timestamp that was signed',
      () => withHeaders(`0${seconds}`, right()),
      invalidSignature,
    ],

    // Bodies.
    [
      'with a body that was written anew',
      () => ({ ...signed('{"a":1}'), body: '{"a": 1}' }),
      invalidSignature,
    ],
    [
      'with the keys of its body in another order',
      () => ({ ...signed('{"a":1,"b":2}'), body: '{"b":2,"a":1}' }),
      invalidSignature,
    ],
    [
      'with a line feed after its body',
      () => ({ ...signed('{"a":1}'), body: '{"a":1}\n' }),
      invalidSignature,
    ],
    [
      'with a byte order mark before its body',
      () => ({ ...signed('{"a":1}'), body: '\ufeff{"a":1}' }),
      invalidSignature,
    ],
    [
      'with escapes in its body in place of characters',
      () => ({ ...signed('{"a":"é"}'), body: '{"a":"\\u00e9"}' }),
      invalidSignature,
    ],
    ['with its body in another normal form', () => ({ ...signed('é'), body: 'e\u0301' }), invalidSignature],
    ['with its body in Latin-1', () => ({ ...signed('é'), body: Uint8Array.of(0xe9) }), invalidSignature],
    ['with a changed bit in its body', () => ({ ...signed('{"a":1}'), body: '{"a":0}' }), invalidSignature],
    ['with its body left out', () => ({ ...signed('{"a":1}'), body: '' }), invalidSignature],
    ['with a body where none was signed', () => ({ ...signed(''), body: '{}' }), invalidSignature],
    [
      'with a body that differs beyond what is kept',
      () => {
        const body = Buffer.alloc(40_000, 'x');
        const changed = Buffer.from(body);
        changed[39_999] = 0x79;
        return { ...signed(body), body: changed };
      },
      invalidSignature,
    ],
    [
      'with a body that was compressed after it was signed',
      () => ({ ...signed('{"a":1}'), body: gzipSync('{"a":1}') }),
      invalidSignature,
    ],
    [
      'with a body over 1 MB',
      () => signed(Buffer.alloc(1_048_577, 'x')),
      refusal(413, 'The body is larger than 1048576 bytes.'),
    ],

    // Timestamps.
    ['without a timestamp', () => withHeaders(undefined, right()), timestampRequired],
    ['with neither header', () => withHeaders(undefined, undefined), timestampRequired],
    ['with an empty timestamp', () => withHeaders('', right('')), timestampRequired],
    ['with a timestamp of spaces', () => withHeaders('   ', right('   ')), timestampRequired],
    ...[
      ['5 minutes and a millisecond old', String(nowMs - toleranceMs - 1)],
      ['5 minutes and a millisecond ahead', String(nowMs + toleranceMs + 1)],
      ['an hour old, in seconds', String(Number(seconds) - 3_600)],
      ['of 1970', '0'],
      ['before 1970', '-1'],
      ['with a sign', `+${seconds}`],
      ['with a fraction', `${seconds}.0`],
      ['in exponents', '1.7815e9'],
      ['in hexadecimal', `0x${Number(seconds).toString(16)}`],
      ['with separators', `${seconds.slice(0, 4)}_${seconds.slice(4)}`],
      ['in words', 'now'],
      ['that is NaN', 'NaN'],
      ['that is infinite', 'Infinity'],
      ['in ISO 8601', new Date(nowMs).toISOString()],
      ['in microseconds', `${nowMs}000`],
      ['in nanoseconds', `${nowMs}000000`],
      ['with zeros before it, which make it milliseconds', `000${seconds}`],
      ['of 500 digits', '1'.repeat(500)],
      ['quoted', `"${seconds}"`],
      ['in a list', `${seconds},${seconds}`],
    ].map(
      ([title, timestamp = '']) =>
        [`with a timestamp ${title}`, () => withHeaders(timestamp, right(timestamp)), outOfWindow] as const,
    ),
    [
      'with two equal timestamps',
      () => {
        const sent = signed();
        return { ...sent, headers: [...sent.headers, 'X-Webhook-Timestamp', seconds] };
      },
      outOfWindow,
    ],
    ['with an old timestamp and no signature', () => withHeaders('1', undefined), outOfWindow],

    // Agents.
    [
      'of an agent that does not exist',
      () => signed('', seconds, { agentId: '00000000-0000-7000-8000-000000000000' }),
      notConfigured,
    ],
    ['of an id that is none', () => signed('', seconds, { agentId: 'x' }), notConfigured],
    ['of an id with a quote', () => signed('', seconds, { agentId: '%27%20OR%201%3D1--' }), notConfigured],
    ['of an id in upper case', () => signed('', seconds, { agentId: agent.id.toUpperCase() }), notConfigured],
    [
      'of an agent that does not exist, without headers',
      () => ({ ...withHeaders(undefined, undefined), agentId: 'x' }),
      notConfigured,
    ],
    [
      'of a path that is not UTF-8',
      () => signed('', seconds, { agentId: '%ff' }),
      refusal(400, 'The path is not percent-encoded UTF-8.'),
    ],
  ])('%s', async ([, make, expected]) => {
    const { status, text, headers } = await post(make());
    expect([status, text]).toEqual(expected);
    expect(headers['content-type']).toMatch(/^application\/json/);
    const runs = await server.runsOf(agent.id);
    expect(runs.map(({ triggerType }) => triggerType)).toEqual(status === 200 ? ['webhook'] : []);
  });

  test.for(['GET', 'PUT', 'DELETE', 'HEAD'])('is no %s request', async (method) => {
    const path = `/api/agents/${agent.id}/webhook/trigger`;
    const { status } = await sendRaw(server.port, method, path, signed().headers);
    expect(status).toBe(404);
    expect(await server.runsOf(agent.id)).toEqual([]);
  });

  test('is on record with its payload before it is answered', async () => {
    await post(signed(Buffer.from(`${'é'.repeat(20_000)}`)));
    const [run] = await server.runsOf(agent.id);
    expect(run).toMatchObject({ status: 'queued', payloadBytes: 40_000, payloadTruncated: true });
    expect(Buffer.byteLength(run?.payload?.text ?? '')).toBe(32_768);
  });
});

describe('a trigger of an agent or organization that is not in order', () => {
  test.for<readonly [string, () => Promise<unknown>, readonly (number | string)[]]>([
    ['paused', () => server.agents.pause(agent.id, access), refusal(409, 'Agent is paused')],
    ['expired', () => server.agents.expire(agent.id, access), refusal(400, 'Agent has expired')],
    ['deleted', () => server.agents.delete(agent.id, access), notConfigured],
    ['without a webhook', () => server.webhooks.remove(agent.id, access), notConfigured],
    ['with another secret by now', () => server.webhooks.configure(agent.id, access), invalidSignature],
    [
      'suspended with its organization',
      () => server.store.organizations.update('organization-1', { suspended: true }),
      refusal(403, 'Organization is suspended'),
    ],
  ])('%s', async ([, change, expected]) => {
    await change();
    const { status, text } = await post(signed());
    expect([status, text]).toEqual(expected);
    expect(await server.runsOf(agent.id)).toEqual([]);
  });

  test('is refused in the order of the interface', async () => {
    const answers: string[] = [];
    const note = async (sent: Sent) => answers.push(JSON.parse((await post(sent)).text).error ?? 'accepted');
    await server.agents.pause(agent.id, access);
    await server.agents.expire(agent.id, access);
    await server.store.organizations.update('organization-1', { suspended: true });
    await note(withHeaders(undefined, 'x'));
    await note(withHeaders('1', 'x'));
    await note(withHeaders(seconds, 'x'));
    await note(signed());
    await server.store.organizations.update('organization-1', { suspended: false });
    await note(signed());
    await server.agents.update(agent.id, { expiresAtMs: null }, access);
    await note(signed());
    await server.agents.resume(agent.id, access);
    await note(signed());
    await note(signed());
    expect(answers).toEqual([
      'X-Webhook-Timestamp header is required',
      'Webhook timestamp older than 5 minutes, or is in the future',
      'Invalid signature',
      'Organization is suspended',
      'Agent has expired',
      'Agent is paused',
      'accepted',
      'Webhook replay detected',
    ]);
  });
});

describe('the same request again', () => {
  test('is refused for ten minutes, in whatever case its signature is written', async () => {
    expect((await post(signed())).status).toBe(200);
    const again = refusal(409, 'Webhook replay detected');
    const first = await post(signed());
    expect([first.status, first.text]).toEqual(again);
    const upper = await post(withHeaders(seconds, right().toUpperCase()));
    expect([upper.status, upper.text]).toEqual(again);
    expect(await server.runsOf(agent.id)).toHaveLength(1);
  });

  test('is refused through the last millisecond in which its timestamp is taken', async () => {
    const ahead = String(nowMs + toleranceMs);
    expect((await post(signed('', ahead))).status).toBe(200);
    server.pass(2 * toleranceMs);
    expect((await post(signed('', ahead))).status).toBe(409);
    server.pass(1);
    expect((await post(signed('', ahead))).status).toBe(401);
  });

  test('many at once: one is taken', async () => {
    const sent = signed();
    const answers = await Promise.all(Array.from({ length: 20 }, () => post(sent)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(19);
    expect(await server.runsOf(agent.id)).toHaveLength(1);
  });

  test('many in the same moment, before the first is on record: one is taken', async () => {
    const sent = { agentId: agent.id, timestamp: seconds, signature: right(), body: Buffer.from('{"a":1}') };
    const outcomes = await Promise.allSettled(
      Array.from({ length: 20 }, (_, index) => server.trigger({ ...sent, address: `203.0.113.${index}` })),
    );
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(await server.runsOf(agent.id)).toHaveLength(1);
  });

  test('is refused by another process, too', async () => {
    await post(signed());
    const other = await server.second();
    const sent = { agentId: agent.id, address: '203.0.113.9', timestamp: seconds, signature: right() };
    await expect(other.trigger({ ...sent, body: Buffer.from('{"a":1}') })).rejects.toMatchObject({
      status: 409,
    });
  });

  test('is taken when the process died before its run was on record', async () => {
    const key = right();
    await server.store.replayMemory.claim({ key, value: 'lost-run', nowMs, lastMs: nowMs + 600_000 });
    expect((await post(signed())).status).toBe(200);
    expect((await server.runsOf(agent.id)).map(({ id }) => id)).toEqual(['lost-run']);
    expect((await post(signed())).status).toBe(409);
  });

  test('does not use up a request that was refused', async () => {
    await server.agents.pause(agent.id, access);
    expect((await post(signed())).status).toBe(409);
    await server.agents.resume(agent.id, access);
    expect((await post(signed())).status).toBe(200);
  });
});

describe('too many', () => {
  const tooMany =
    /^\{"ok":false,"error":"Too many webhook triggers, or attempts from this IP\. Try again in \d+ s\."\}$/;

  test('attempts of one address in a minute, refused ones counted: 429 with Retry-After', async () => {
    for (let n = 0; n < limits.webhook.attemptsPerIpMinute; n += 1) {
      expect((await post(withHeaders(seconds, 'x'), '203.0.113.1')).status).toBe(401);
    }
    const { status, text, headers } = await post(signed(), '203.0.113.1');
    expect(status).toBe(429);
    expect(text).toMatch(tooMany);
    expect(headers['retry-after']).toBe('60');
    expect((await post(signed(), '203.0.113.2')).status).toBe(200);
    server.pass(60_000);
    expect((await post(signed('new'), '203.0.113.1')).status).toBe(200);
  });

  test('attempts of one address in an hour', async () => {
    const { attemptsPerIpHour } = limits.webhook;
    for (let n = 0; n < attemptsPerIpHour; n += 1) {
      if (n % 20 === 19) server.pass(60_000);
      expect((await post({ ...signed(), agentId: 'x' }, '203.0.113.1')).status).toBe(404);
    }
    server.pass(60_000);
    expect((await post({ ...signed(), agentId: 'x' }, '203.0.113.1')).status).toBe(429);
  });

  test('triggers of one agent in an hour; those that were refused before do not count', async () => {
    for (let n = 0; n < 70; n += 1) await post(withHeaders(seconds, 'x'));
    for (let n = 0; n < limits.webhook.triggersPerAgentHour; n += 1) {
      expect((await post(signed(`${n}`))).status).toBe(200);
    }
    const { status, text } = await post(signed('one more'));
    expect(status).toBe(429);
    expect(text).toMatch(tooMany);
    server.pass(299_000);
    expect((await post(signed('later', String(nowMs + 299_000)))).status).toBe(429);
  });
});

describe('on the other doors', () => {
  function exchange(
    timestamp: string | undefined,
    signature: string,
    data = Buffer.from('{"a":1}'),
  ): Exchange {
    addressCount += 1;
    return {
      service: AgentService,
      method: AgentService.method.triggerWebhook,
      message: { agentId: agent.id, body: { contentType: 'application/json', data } },
      rest: { method: 'POST', path: '' },
      headers: {
        'x-forwarded-for': `198.18.0.${addressCount % 250}`,
        ...(timestamp !== undefined && { 'x-webhook-timestamp': timestamp }),
        'x-webhook-signature': signature,
      },
    };
  }

  test.for([
    ['gRPC', grpcDoor],
    ['Connect', connectDoor],
  ] as const)('%s: the bytes of the body are what is signed', async ([, door]) => {
    const taken = await door(server.port, exchange(seconds, right()));
    expect(taken).toMatchObject({ slug: undefined, message: { ok: true, queued: true } });
    const again = await door(server.port, exchange(seconds, right()));
    expect(again.slug).toBe('webhook_replay');
    const changed = await door(server.port, exchange(seconds, right(), Buffer.from('{"a": 1}')));
    expect(changed.slug).toBe('invalid_signature');
    const unsigned = await door(server.port, exchange(undefined, right()));
    expect(unsigned.slug).toBe('timestamp_required');
  });

  test.for<readonly [string, () => Promise<unknown>, number, string]>([
    ['paused', () => server.agents.pause(agent.id, access), 9, 'agent_paused'],
    ['expired', () => server.agents.expire(agent.id, access), 9, 'agent_expired'],
    ['removed', () => server.webhooks.remove(agent.id, access), 5, 'webhook_not_configured'],
    ['rotated', () => server.webhooks.configure(agent.id, access), 16, 'invalid_signature'],
    [
      'suspended',
      () => server.store.organizations.update('organization-1', { suspended: true }),
      7,
      'organization_suspended',
    ],
  ])('gRPC: %s', async ([, change, code, reason]) => {
    await change();
    expect(await grpcDoor(server.port, exchange(seconds, right()))).toMatchObject({
      status: code,
      slug: reason,
    });
  });
});

test('the secret is in the answer that makes it and nowhere else: sealed in the store, in no report', async () => {
  await post(signed());
  const stored = await server.store.agents.get(agent.id);
  expect(JSON.stringify(stored)).not.toContain(agent.secret);
  expect(JSON.stringify(server.reports)).not.toContain(agent.secret);
  const { data } = await server.store.auditEvents.list({}, { limit: 100 });
  expect(data.length).toBeGreaterThan(0);
  expect(JSON.stringify(data)).not.toContain(agent.secret);
});
