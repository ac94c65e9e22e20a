// A chat-completions server: the model `<pace>-<n>` answers with n chunks, one every `pace` milliseconds, or whole.
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { serveMeasurements } from './process.ts';

const base = { id: 'chatcmpl-1', created: 1_700_000_000, model: 'reply' };
const usage = { prompt_tokens: 20, completion_tokens: 50, total_tokens: 70 };

function event(delta: object, finish: string | null): string {
  const choices = [{ index: 0, delta, finish_reason: finish }];
  return `data: ${JSON.stringify({ ...base, object: 'chat.completion.chunk', choices })}\n\n`;
}

const piece = event({ content: 'some words ' }, null);

async function stream(res: ServerResponse, paceMs: number, chunks: number): Promise<void> {
  res.writeHead(200, { 'content-type': 'text/event-stream' });
  for (let index = 0; index < chunks && !res.destroyed; index += 1) {
    res.write(piece);
    await sleep(paceMs);
  }
  res.write(event({}, 'stop'));
  res.write(`data: ${JSON.stringify({ ...base, choices: [], usage })}\n\n`);
  res.end('data: [DONE]\n\n');
}

function whole(res: ServerResponse, chunks: number): void {
  const message = { role: 'assistant', content: 'some words '.repeat(chunks) };
  const choices = [{ index: 0, message, finish_reason: 'stop' }];
  res.writeHead(200, { 'content-type': 'application/json' });
  res.end(JSON.stringify({ ...base, object: 'chat.completion', choices, usage }));
}

const server = createServer((req, res) => {
  let text = '';
  req.setEncoding('utf8');
  req.on('data', (data) => {
    text += data;
  });
  req.on('end', () => {
    const { model, stream: wantsStream } = JSON.parse(text);
    const [pace, chunks] = model.split('-');
    if (wantsStream) void stream(res, Number(pace), Number(chunks));
    else whole(res, Number(chunks));
  });
});
server.listen(0, '127.0.0.1', () => serveMeasurements((server.address() as AddressInfo).port));
