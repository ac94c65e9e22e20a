import { StringDecoder } from 'node:string_decoder';
import type { Dispatcher } from 'undici';

/** What a reader waits for. */
export interface Enough {
  /** At most 65,536. */
  readonly chars: number;
  /** After these nothing is worth waiting for; empty: after anything. */
  readonly lastWords: string;
}

/** The text of a response as it comes in. One reader. */
export interface UpstreamBody {
  /**
   * Resolves to the text that has come since, as soon as it is enough (default: anything) or nothing more comes;
   * undefined at the end. A character is never split. The server is held back while too much is unread.
   *
   * @throws what broke the connection, after all that came before.
   */
  read(enough?: Enough): Promise<string | undefined>;
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
const anything: Enough = { chars: 1, lastWords: '' };

export function createUpstreamBody(controller: Dispatcher.DispatchController): UpstreamBodyWriter {
  const decoder = new StringDecoder('utf8');
  let unread = '';
  let ended: { readonly error?: unknown } | undefined;
  let hasLeft = false;
  let timer: NodeJS.Timeout | undefined;
  let wake: (() => void) | undefined;
  let wanted = anything;
  /** How much a read waits for now; 1 from the last words on, since their own end may be still to come. */
  let enoughChars = anything.chars;
  /** The end of what was looked at, in which last words may have begun. */
  let tail = '';

  function add(text: string): void {
    unread += text;
    look(text);
    if (unread.length >= enoughChars) wakeReader();
    if (unread.length > unreadCharsMax) controller.pause();
  }

  function look(text: string): void {
    if (enoughChars === 1) return;
    const seen = tail + text;
    if (seen.includes(wanted.lastWords)) enoughChars = 1;
    else tail = seen.slice(1 - wanted.lastWords.length);
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
      async read(enough = anything) {
        if (enough !== wanted) {
          wanted = enough;
          enoughChars = enough.chars;
          tail = '';
          look(unread);
        }
        while (unread.length < enoughChars && ended === undefined) {
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
