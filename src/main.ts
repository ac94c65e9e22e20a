import { compose } from './compose.ts';
import { ConfigError } from './config/config-reader.ts';
import { parseConfig } from './config.ts';
import { bootstrapNotice } from './services/bootstrap-notice.ts';

try {
  const { config, secrets } = parseConfig(process.env);
  const app = await compose(config, secrets);
  const { port } = await app.listen();
  app.logger.info({ host: config.host, port }, 'listening');
  if (app.firstStart !== undefined) process.stdout.write(bootstrapNotice(app.firstStart, config.publicUrl));
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => {
      app.logger.info({ signal }, 'stopping');
      app.close().then(
        () => process.exit(0),
        (error) => {
          app.logger.error({ err: error }, 'stopping failed');
          process.exit(1);
        },
      );
    });
  }
} catch (error) {
  process.stderr.write(error instanceof ConfigError ? `${error.message}\n` : `${(error as Error).stack}\n`);
  process.exitCode = 1;
}
