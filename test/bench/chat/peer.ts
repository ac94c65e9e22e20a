// Portkey's gateway: `node peer.ts`.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { serveMeasurements } from './process.ts';

const port = await freePort();
process.env.TRUSTED_CUSTOM_HOSTS = '127.0.0.1';
process.argv.push(`--port=${port}`, '--headless');
await import(import.meta.resolve('@portkey-ai/gateway/build/start-server.js'));
await untilListening();
serveMeasurements(port);

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port: free } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return free;
}

async function untilListening(): Promise<void> {
  for (;;) {
    try {
      await fetch(`http://127.0.0.1:${port}/`);
      return;
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
}
