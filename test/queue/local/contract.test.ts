import { describeRunQueueContract } from '../../contract/run-queue-contract.ts';
import { createLocalPlace } from './opener.ts';

describeRunQueueContract('local', createLocalPlace);
