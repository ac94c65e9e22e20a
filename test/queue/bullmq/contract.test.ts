import { describeRunQueueContract } from '../../contract/run-queue-contract.ts';
import { describeWithRedis } from '../../redis-server.ts';
import { createBullmqPlace } from './opener.ts';

describeWithRedis('BullMQ', (server) => {
  describeRunQueueContract('BullMQ', () => createBullmqPlace(server()));
});
