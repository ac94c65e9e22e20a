import { describeAgentStoreContract } from '../../contract/agent-store-contract.ts';
import { describeConversationContract } from '../../contract/conversation-contract.ts';
import { describeLedgerContract } from '../../contract/ledger-contract.ts';
import { describeRunStoreContract } from '../../contract/run-store-contract.ts';
import { describeSessionStoreContract } from '../../contract/session-store-contract.ts';
import { describeStoreContract } from '../../contract/store-contract.ts';
import { describeTurnContract } from '../../contract/turn-contract.ts';
import { describeUsageWindowsContract } from '../../contract/usage-windows-contract.ts';
import { describeWithMongo } from '../../mongo-server.ts';
import { createMongoPlace } from './opener.ts';

describeWithMongo('the contracts of the store on MongoDB', (server) => {
  const createPlace = () => createMongoPlace(server());
  describeStoreContract('the store on MongoDB', createPlace);
  describeLedgerContract("MongoDB's ledger", createPlace);
  describeConversationContract('the store on MongoDB', createPlace);
  describeTurnContract('the store on MongoDB', createPlace);
  describeUsageWindowsContract('the store on MongoDB', createPlace);
  describeAgentStoreContract('the store on MongoDB', createPlace);
  describeRunStoreContract('the store on MongoDB', createPlace);
  describeSessionStoreContract('the store on MongoDB', createPlace);
});
