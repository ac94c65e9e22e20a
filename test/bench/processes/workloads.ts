import { type Agent, request } from 'undici';
import { token } from '../../service/seed.ts';

/** A kind of call, as a client makes it. */
export interface Workload {
  readonly name: string;
  readonly path: string;
  readonly body: string | undefined;
  readonly callsPerRound: number;
}

export const health: Workload = {
  name: 'health through the gate',
  path: '/v1/health',
  body: undefined,
  callsPerRound: 1_200,
};

export const smallWorkbook: Workload = {
  name: 'workbook of 50×6',
  path: '/v1/excel',
  body: JSON.stringify(workbook(50)),
  callsPerRound: 150,
};

export const largeWorkbook: Workload = {
  name: 'workbook of 2,000×6',
  path: '/v1/excel',
  body: JSON.stringify(workbook(2_000)),
  callsPerRound: 120,
};

export const chatTurn: Workload = {
  name: 'chat turn, demonstration model',
  path: '/v1/chat',
  body: JSON.stringify({ message: 'What is the capital of France, and how many people live there?' }),
  callsPerRound: 80,
};

/** Makes calls of a kind, `width` at once, at the services on `ports` in turns. */
export async function load(
  agent: Agent,
  ports: readonly number[],
  { path, body }: Workload,
  calls: number,
  width: number,
): Promise<void> {
  let made = 0;
  const caller = async (): Promise<void> => {
    while (made < calls) {
      const port = ports[made++ % ports.length];
      const response = await request(`http://127.0.0.1:${port}${path}`, {
        method: body === undefined ? 'GET' : 'POST',
        dispatcher: agent,
        headers: {
          authorization: `Bearer ${token}`,
          ...(body !== undefined && { 'content-type': 'application/json' }),
        },
        ...(body !== undefined && { body }),
      });
      const bytes = await response.body.arrayBuffer();
      if (response.statusCode !== 200) throw new Error(Buffer.from(bytes).toString());
    }
  };
  await Promise.all(Array.from({ length: width }, caller));
}

function workbook(rowCount: number): object {
  return {
    title: 'Orders',
    columns: [
      { key: 'order', header: 'Order' },
      { key: 'customer', header: 'Customer' },
      { key: 'region', header: 'Region' },
      { key: 'amount', header: 'Amount', format: 'currency:EUR' },
      { key: 'share', header: 'Share', format: 'percent' },
      { key: 'units', header: 'Units', format: 'integer' },
    ],
    rows: Array.from({ length: rowCount }, (_, row) => ({
      order: `ORD-${100_000 + row}`,
      customer: `Customer ${(row * 7_919) % 1_000}`,
      region: ['North', 'South', 'East', 'West'][row % 4],
      amount: ((row * 7_919) % 100_000) / 100,
      share: ((row * 31) % 1_000) / 1_000,
      units: (row * 13) % 500,
    })),
  };
}
