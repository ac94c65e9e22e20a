import {
  type DestinationStream,
  destination,
  type LevelWithSilent,
  type Logger as PinoLogger,
  pino,
  stdTimeFunctions,
} from 'pino';
import { ServiceError } from '../domain/errors.ts';
import { scrub } from './scrub.ts';

export type Logger = Pick<PinoLogger, 'debug' | 'info' | 'warn' | 'error'>;

export type LogLevel = LevelWithSilent;

/**
 * Returns a logger of JSON lines, one an event, with ISO times. Secrets never reach it; the paths below are a second
 * line of defence.
 */
export function createLogger(level: LogLevel, stream: DestinationStream = destination(1)): Logger {
  return pino(
    {
      level,
      base: null,
      timestamp: stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      redact: { paths: secretFields.flatMap((name) => [`["${name}"]`, `*["${name}"]`]) },
      serializers: { err: describeError },
    },
    stream,
  );
}

/** Fields that no log line shows, wherever they are in it. */
const secretFields = [
  'authorization',
  'cookie',
  'set-cookie',
  'x-csrf-token',
  'x-webhook-signature',
  'password',
  'secret',
  'token',
  'key',
  'apiKey',
  'secretsKey',
  'openaiApiKey',
  'mongodbUrl',
  'redisUrl',
  'smtpUrl',
  'traceHeaders',
];

interface DescribedError {
  readonly name: string;
  readonly message: string;
  readonly slug?: string;
  readonly stack?: string | undefined;
  readonly cause?: DescribedError;
}

const causesMax = 5;

/** Writes an error with its chain of private causes; what looks like a credential in their texts is left out. */
function describeError(error: unknown, depth = 0): DescribedError {
  if (!(error instanceof Error)) return { name: typeof error, message: scrub(String(error)) };
  return {
    name: error.name,
    message: scrub(error.message),
    ...(error instanceof ServiceError && { slug: error.slug }),
    stack: error.stack === undefined ? undefined : scrub(error.stack),
    ...(error.cause !== undefined && depth < causesMax && { cause: describeError(error.cause, depth + 1) }),
  };
}
