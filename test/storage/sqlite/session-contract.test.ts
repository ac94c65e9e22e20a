import { describeSessionStoreContract } from '../../contract/session-store-contract.ts';
import { createSqlitePlace } from './opener.ts';

describeSessionStoreContract('the embedded store', createSqlitePlace);
