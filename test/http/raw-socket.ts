import { connect } from 'node:net';

export interface RawAnswer {
  /** Status of each answer that came, in order. */
  readonly statuses: readonly number[];
  readonly text: string;
}

/**
 * Sends bytes as they are and returns what came back until the server closed the connection, or, with `until`, until
 * the answer matched it.
 */
export function sendRaw(port: number, bytes: string | Buffer, until?: RegExp): Promise<RawAnswer> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    let text = '';
    const settle = () => {
      socket.destroy();
      resolve({
        statuses: [...text.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status)),
        text,
      });
    };
    socket.setEncoding('latin1');
    socket.on('data', (chunk) => {
      text += chunk;
      if (until?.test(text)) settle();
    });
    socket.on('close', settle);
    socket.on('error', () => undefined);
    socket.on('connect', () => socket.write(bytes));
  });
}

/** Joins lines of a request head and ends it. */
export function head(...lines: readonly string[]): string {
  return `${lines.join('\r\n')}\r\n\r\n`;
}
