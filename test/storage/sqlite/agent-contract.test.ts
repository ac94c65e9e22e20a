import { describeAgentStoreContract } from '../../contract/agent-store-contract.ts';
import { describeRunStoreContract } from '../../contract/run-store-contract.ts';
import { createSqlitePlace } from './opener.ts';

describeAgentStoreContract('the embedded store', createSqlitePlace);
describeRunStoreContract('the embedded store', createSqlitePlace);
