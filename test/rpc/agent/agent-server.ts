import { request } from 'node:http';
import { AgentService } from '../../../gen/service/agent/v1/agent_pb.ts';
import { createHttpServer } from '../../../src/http/server.ts';
import { createAgentRpc } from '../../../src/rpc/agent/agent-service.ts';
import { createGate } from '../../../src/rpc/gate/gate.ts';
import { sessionUserKey } from '../../../src/rpc/session-principal.ts';
import {
  type AgentHouse,
  type AgentHouseOptions,
  closeAfterTest,
  openAgentHouse,
} from '../../services/run/agent-house.ts';

export interface AgentServer extends AgentHouse {
  readonly port: number;
}

/**
 * Serves agents on a free port of the loopback interface. The header `x-test-user` signs a user in; X-Forwarded-For is
 * believed, so that a test has any address it likes.
 */
export async function openAgentServer(options: AgentHouseOptions = {}): Promise<AgentServer> {
  const house = await openAgentHouse(options);
  const noKeys = {
    throttle: async () => undefined,
    admit: () => Promise.reject(new Error('no method of agents takes a key')),
  };
  const gate = createGate(noKeys, async (context) => {
    const id = context.requestHeader.get('x-test-user');
    context.values.set(sessionUserKey, id === null ? undefined : await house.store.users.get(id));
  });
  const server = createHttpServer({
    routes: (router) => void router.service(AgentService, createAgentRpc(house, house.clock.now)),
    gate,
    errorsBase: 'https://errors.example/errors',
    publicUrl: 'https://service.example.com',
    trustedProxies: ['127.0.0.1'],
  });
  const { port } = await server.listen(0, '127.0.0.1');
  closeAfterTest(() => server.close(0));
  return { ...house, port };
}

export interface RawAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
}

/** Sends a request exactly as given: headers are a flat list of names and values, each as often as it stands there. */
export function sendRaw(
  port: number,
  method: string,
  path: string,
  headers: readonly string[],
  body: Uint8Array | readonly Uint8Array[] = new Uint8Array(),
): Promise<RawAnswer> {
  const chunks = body instanceof Uint8Array ? [body] : body;
  const isWhole = body instanceof Uint8Array;
  const length = isWhole ? ['content-length', String(body.length)] : ['transfer-encoding', 'chunked'];
  return new Promise((resolve, reject) => {
    const sent = request(
      { port, host: '127.0.0.1', method, path, headers: ['host', 'localhost', ...length, ...headers] },
      async (res) => {
        let text = '';
        for await (const chunk of res.setEncoding('utf8')) text += chunk;
        resolve({ status: res.statusCode ?? 0, headers: res.headers, text });
      },
    );
    sent.on('error', reject);
    for (const chunk of chunks) sent.write(chunk);
    sent.end();
  });
}

/** Calls a JSON method as a user. */
export async function call(
  server: AgentServer,
  method: string,
  path: string,
  body?: unknown,
  user = 'user-1',
) {
  const bytes = body === undefined ? new Uint8Array() : Buffer.from(JSON.stringify(body));
  const type = body === undefined ? [] : ['content-type', 'application/json'];
  const signedIn = user === '' ? [] : ['x-test-user', user];
  const answer = await sendRaw(server.port, method, path, [...type, ...signedIn], bytes);
  // biome-ignore lint/suspicious/noExplicitAny: tests reach into whatever was answered
  const json: any = answer.text === '' ? undefined : JSON.parse(answer.text);
  return { ...answer, json };
}
