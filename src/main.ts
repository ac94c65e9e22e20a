import { compose } from './compose.ts';
import { ConfigError } from './config/config-reader.ts';
import { parseConfig } from './config.ts';
import { bootstrapNotice } from './services/bootstrap-notice.ts';

try {
  const { config, secrets } = parseConfig(process.env);
  const app = await compose(config, secrets);
  const { logger, firstStart } = app;
  // Node writes warnings and what nobody caught as plain text, in between the lines of the log.
  process.removeAllListeners('warning');
  process.on('warning', (warning) => logger.warn({ err: warning }, 'warning'));
  process.once('uncaughtException', (error) => {
    logger.error({ err: error }, 'the process failed');
    process.exit(1);
  });
  if (firstStart !== undefined) process.stdout.write(bootstrapNotice(firstStart, config.publicUrl));
  let stopping: Promise<void> | undefined;
  const stop = (exitCode: number) => {
    stopping ??= app.close().then(
      () => process.exit(exitCode),
      (error: unknown) => {
        logger.error({ err: error }, 'stopping failed');
        process.exit(1);
      },
    );
    return stopping;
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => {
      logger.info({ signal }, 'stopping');
      void stop(0);
    });
  }
  try {
    const { port, adminPort } = await app.listen();
    const { role, host, adminHost } = config;
    logger.info({ role, ...(port !== null && { host, port }), adminHost, adminPort }, 'listening');
  } catch (error) {
    tell(error);
    await stop(1);
  }
} catch (error) {
  tell(error);
  // What was opened by then would keep the process from ending.
  process.exit(1);
}

function tell(error: unknown): void {
  process.stderr.write(error instanceof ConfigError ? `${error.message}\n` : `${(error as Error).stack}\n`);
}
