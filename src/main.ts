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
  const stop = (exitCode: number) =>
    app.close().then(
      () => process.exit(exitCode),
      (error: unknown) => {
        logger.error({ err: error }, 'stopping failed');
        process.exit(1);
      },
    );
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
  if (firstStart !== undefined) process.stdout.write(bootstrapNotice(firstStart, config.publicUrl));
} catch (error) {
  tell(error);
  process.exitCode = 1;
}

function tell(error: unknown): void {
  process.stderr.write(error instanceof ConfigError ? `${error.message}\n` : `${(error as Error).stack}\n`);
}
