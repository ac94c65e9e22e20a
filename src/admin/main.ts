import { migrateToMongo } from '../compose/migrate-to-mongo.ts';
import { openAdmin } from '../compose/open-admin.ts';
import { resealStore } from '../compose/reseal-store.ts';
import { parseConfig } from '../config.ts';
import { runAdmin } from './run-admin.ts';

const { stdout, stderr, exitCode } = await runAdmin(
  process.argv.slice(2),
  async () => {
    const { config, secrets } = parseConfig(process.env);
    return openAdmin(config, secrets);
  },
  {
    async migrateStore() {
      const { config, secrets } = parseConfig(process.env);
      return migrateToMongo(config, secrets);
    },
    async resealSecrets(by) {
      const { config, secrets } = parseConfig(process.env);
      return resealStore(config, secrets, by);
    },
  },
);
process.stdout.write(stdout);
process.stderr.write(stderr);
process.exitCode = exitCode;
