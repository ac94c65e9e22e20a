import {
  type DestinationStream,
  destination,
  type LevelWithSilent,
  type Logger as PinoLogger,
  pino,
  stdTimeFunctions,
} from 'pino';
import { ServiceError } from '../domain/errors.ts';

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
      redact: {
        paths: [
          'authorization',
          '*.authorization',
          'password',
          '*.password',
          'secret',
          '*.secret',
          'key',
          '*.key',
        ],
      },
      serializers: { err: describeError },
    },
    stream,
  );
}

interface DescribedError {
  readonly name: string;
  readonly message: string;
  readonly slug?: string;
  readonly stack?: string | undefined;
  readonly cause?: DescribedError;
}

const causesMax = 5;

/** Writes an error with its chain of private causes. */
function describeError(error: unknown, depth = 0): DescribedError {
  if (!(error instanceof Error)) return { name: typeof error, message: String(error) };
  return {
    name: error.name,
    message: error.message,
    ...(error instanceof ServiceError && { slug: error.slug }),
    stack: error.stack,
    ...(error.cause !== undefined && depth < causesMax && { cause: describeError(error.cause, depth + 1) }),
  };
}
