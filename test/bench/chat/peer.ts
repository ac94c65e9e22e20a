// Portkey's gateway: `node peer.ts`.

import { freePort } from '../../free-port.ts';
import { serveMeasurements } from './process.ts';

const port = await freePort();
process.env.TRUSTED_CUSTOM_HOSTS = '127.0.0.1';
process.argv.push(`--port=${port}`, '--headless');
await import(import.meta.resolve('@portkey-ai/gateway/build/start-server.js'));
await untilListening();
serveMeasurements(port);

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
