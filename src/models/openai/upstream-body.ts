import { StringDecoder } from 'node:string_decoder';
import type { Dispatcher } from 'undici';

/** The text of a response as it comes in. One reader. */
export interface UpstreamBody {
  /**
   * Resolves to the text that has come since, as soon as there are `charsMin` characters or nothing more comes;
   * undefined at the end. A character is never split. The server is held back while too much is unread.
   *
   * @param charsMin at most 65,536
   * @throws what broke the connection, after all that came before.
   */
  read(charsMin?: number): Promise<string | undefined>;
  /** Throws the rest away. The connection is kept when the server ends within the time, else it is closed. */
  leave(timeoutMs: number): void;
}

/** The writing side, for whoever receives the response. */
export interface UpstreamBodyWriter {
  readonly body: UpstreamBody;
  push(chunk: Buffer): void;
  end(): void;
  fail(error: unknown): void;
}

const unreadCharsMax = 65_536;

export function createUpstreamBody(controller: Dispatcher.DispatchController): UpstreamBodyWriter {
  const decoder = new StringDecoder('utf8');
  let unread = '';
  let ended: { readonly error?: unknown } | undefined;
  let hasLeft = false;
  let timer: NodeJS.Timeout | undefined;
  let wake: (() => void) | undefined;
  let wantedChars = 1;

  function add(text: string): void {
    unread += text;
    if (unread.length >= wantedChars) wakeReader();
    if (unread.length > unreadCharsMax) controller.pause();
  }

  function wakeReader(): void {
    wake?.();
    wake = undefined;
  }

  function finish(end: { readonly error?: unknown }): void {
    ended ??= end;
    clearTimeout(timer);
    wakeReader();
  }

  return {
    push(chunk) {
      if (!hasLeft) add(decoder.write(chunk));
    },
    end() {
      if (!hasLeft) add(decoder.end());
      finish({});
    },
    fail: (error) => finish({ error }),
    body: {
      async read(charsMin = 1) {
        wantedChars = charsMin;
        while (unread.length < charsMin && ended === undefined) {
          await new Promise<void>((resolve) => {
            wake = resolve;
          });
        }
        if (unread === '') {
          if (ended?.error !== undefined) throw ended.error;
          return undefined;
        }
        const text = unread;
        unread = '';
        if (controller.paused) controller.resume();
        return text;
      },
      leave(timeoutMs) {
        hasLeft = true;
        unread = '';
        if (ended !== undefined) return;
        const close = () => controller.abort(new Error('the rest of the reply is not wanted'));
        if (timeoutMs === 0) return close();
        timer = setTimeout(close, timeoutMs).unref();
        if (controller.paused) controller.resume();
      },
    },
  };
}
